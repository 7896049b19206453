"""The form of a line of records: UTF-8, compact JSON, keys in the order of the format, types and ranges."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from carico.record import SCHEME, BadRecord, Differs, dumps
from carico.rules.outcome import FaultReason
from carico.time_control import TimeControl

FIELDS: Final = (
    "format", "season", "deal_set", "fixture", "seating", "deal", "attempt", "match", "variant", "players", "options",
    "time_control", "dealer", "deck", "seats", "actions", "clock", "stand_in", "outcome", "shuffle", "hash",
)  # fmt: skip
"""The keys of a record, in their order."""

SEAT: Final = ("bot", "version", "owner")
SHUFFLE: Final = ("scheme", "stock", "source", "commitment", "key")
OUTCOME: Final = ("termination", "winners", "card_points", "scores", "faults")
OUTCOME_OF_CHIAMATA: Final = (*OUTCOME, "caller", "partner", "called", "target", "penalties")
NUMBERS: Final = ("deal_set", "seating", "deal", "attempt", "players", "dealer")

LONGEST_LINE: Final = 1 << 20
"""Bytes that the line of a record may have; one of the longest deals takes a hundredth of it."""


class NotReadable(BadRecord):
    """What was read is no record at all: no UTF-8, no JSON, no object."""


def read_record(line: bytes) -> dict[str, Any]:
    """The record of a line, which may end in a newline. Raises NotReadable; the form is not looked at."""
    if len(line) > LONGEST_LINE:
        raise NotReadable(f"a line of more than {LONGEST_LINE} bytes is no record")
    try:
        found = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise NotReadable(f"byte {error.start + 1} is no UTF-8 ({line[error.start : error.end].hex()})") from None
    except json.JSONDecodeError as error:
        raise NotReadable(f"no JSON: {error.msg} at character {error.pos + 1}") from None
    except (ValueError, RecursionError) as error:
        raise NotReadable(f"no JSON: {error}") from None
    if not isinstance(found, dict):
        raise NotReadable(f"this is no object but {_kind(found)}")
    return found


def check_line(line: bytes, record: Mapping[str, Any]) -> None:
    """Raises BadRecord where this record is written otherwise than the format has it: as JSON, or the line's end."""
    if not line.endswith(b"\n"):
        raise BadRecord("line: it does not end in a newline: the file was cut off")
    try:
        written = dumps(record).encode() + b"\n"
    except UnicodeEncodeError as error:
        raise BadRecord(f"line: {error.object[error.start : error.end]!r} is half a character") from None
    if written != line:
        at = next((i for i, (a, b) in enumerate(zip(line, written, strict=False)) if a != b), len(written) - 1)
        here, there = (_shown(text[max(0, at - 10) : at + 10]) for text in (line, written))
        raise Differs(f"line, byte {at + 1}", here, there, "as JSON without spaces and escapes it is")


def check_form(record: Mapping[str, Any], reason: bool = False) -> None:
    """Raises BadRecord where keys, their order or types are not those of the format, with the field.

    ``reason``: the record is one of a void, which has a reason, and no outcome where the deal did not come to its end.
    """
    keys = (*FIELDS, "reason") if reason else FIELDS
    _keys("record", record, keys)
    for field in NUMBERS:
        _whole(field, record[field])
    if record["season"] is not None:
        _text("season", record["season"])
    if record["fixture"] is not None:
        _whole("fixture", record["fixture"])
    if (record["season"] is None) != (record["fixture"] is None):
        raise BadRecord(f"fixture: {record['fixture']!r} and season {record['season']!r}: an arena has neither")
    for field in ("match", "variant", "hash", *(("reason",) if reason else ())):
        _text(field, record[field])
    _seats(record["seats"], record["players"])
    if record["time_control"] is not None:
        _time_control(record["time_control"])
    _shuffle(record["shuffle"])
    if record["outcome"] is not None or not reason:
        _outcome(record["outcome"], record["variant"] == "chiamata")


def _keys(field: str, found: Any, keys: Sequence[str]) -> None:
    """All these keys, in this order; unknown ones may stand between."""
    if not isinstance(found, Mapping):
        raise Differs(field, found, f"an object with {', '.join(keys)}", "and it is to be")
    missing = [key for key in keys if key not in found]
    if missing:
        raise BadRecord(f"{missing[0] if field == 'record' else f'{field}.{missing[0]}'}: it is missing")
    order = [key for key in found if key in keys]
    if order != list(keys):
        raise Differs(f"{field}, order of keys", order, list(keys), "and it is to be")


def _whole(field: str, value: Any) -> None:
    if type(value) is not int or value < 0:
        raise Differs(field, value, "a whole number from 0", "and it is to be")


def _text(field: str, value: Any) -> None:
    if not isinstance(value, str):
        raise Differs(field, value, "a text", "and it is to be")


def _seats(found: Any, players: int) -> None:
    if not isinstance(found, list) or len(found) != players:
        raise Differs("seats", found, f"a list of {players}", "and it is to be")
    for number, seat in enumerate(found):
        _keys(f"seats[{number}]", seat, SEAT)
        for key in SEAT:
            _text(f"seats[{number}].{key}", seat[key])


def _time_control(found: Any) -> None:
    names = tuple(TimeControl.__slots__)
    _keys("time_control", found, names)
    try:
        TimeControl(**{name: found[name] for name in names})
    except ValueError as error:
        raise BadRecord(f"time_control: {error}") from None


def _shuffle(found: Any) -> None:
    _keys("shuffle", found, SHUFFLE)
    if found["scheme"] != SCHEME:
        raise Differs("shuffle.scheme", found["scheme"], SCHEME, "this version knows")
    for key in ("commitment", "key"):
        value = found[key]
        if value is None and key == "commitment":
            continue
        if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{64}", value):
            raise Differs(f"shuffle.{key}", value, "64 hexadecimal digits", "and it is to be")


def _outcome(found: Any, chiamata: bool) -> None:
    _keys("outcome", found, OUTCOME_OF_CHIAMATA if chiamata else OUTCOME)
    faults = found["faults"]
    if not isinstance(faults, list):
        raise Differs("outcome.faults", faults, "a list", "and it is to be")
    for number, fault in enumerate(faults):
        if not isinstance(fault, list) or len(fault) != 3 or fault[1] not in list(FaultReason):
            reasons: Iterable[str] = map(str, FaultReason)
            raise Differs(
                f"outcome.faults[{number}]", fault, f"[seat, one of {', '.join(reasons)}, actions]", "and it is to be"
            )
        _whole(f"outcome.faults[{number}]", fault[0])
        _whole(f"outcome.faults[{number}]", fault[2])
    after = [fault[2] for fault in faults]
    if after != sorted(after):
        raise Differs("outcome.faults", faults, sorted(faults, key=lambda fault: fault[2]), "in their order they are")


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(value), "a number")


def _shown(text: bytes) -> str:
    return text.decode("utf-8", "backslashreplace")
