"""The deal that is to be shown: found in a file of records, or read from a text in the notation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carico.record import BadRecord, replay, verify, verify_void
from carico.record_form import NotReadable, check_form, read_record
from carico.rules.deal import Deal
from carico.rules.errors import RulesError
from carico.rules.notation import parse_deal
from carico.rules.outcome import Fault, FaultReason
from clients.cli.failure import BadUsage
from clients.cli.record_files import lines_of, read_bytes


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which record: by its line, or by where it stands in its season. What is None does not matter."""

    line: int | None = None
    deal_set: int | None = None
    fixture: int | None = None
    seating: int | None = None
    attempt: int | None = None

    @property
    def anything(self) -> bool:
        """Whether any record will do."""
        return self == Wanted()

    def fits(self, line: int, record: Mapping[str, Any]) -> bool:
        """Whether it is this one."""
        places = ("deal_set", "fixture", "seating", "attempt")
        here = all(getattr(self, name) in (None, record.get(name)) for name in places)
        return here and self.line in (None, line)

    def __str__(self) -> str:
        names = {"line": "--deal", "deal_set": "--deal-set"}
        given = {name: getattr(self, name) for name in ("line", "deal_set", "fixture", "seating", "attempt")}
        return " ".join(f"{names.get(key, f'--{key}')} {value}" for key, value in given.items() if value is not None)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A deal, and the record that it comes from."""

    deal: Deal
    record: Mapping[str, Any]
    """Empty where there is none, in a text."""
    faults: tuple[Fault, ...]
    line: int = 1
    doubt: str = ""
    """What is wrong with the record, though it could be played."""


def is_notation(path: Path) -> bool:
    """Whether a file is a deal as text, not records: these begin with a brace. Raises BadUsage."""
    first = next(lines_of(path), b"")
    return bool(first.strip()) and not first.lstrip(b"\xef\xbb\xbf \t").startswith((b"{", b"["))


def deal_in_text(path: Path) -> Chosen:
    """The deal of a text. Raises BadUsage with the line."""
    try:
        return Chosen(parse_deal(read_bytes(path).decode("utf-8")), {}, ())
    except UnicodeDecodeError:
        raise BadUsage(f"{path}: this is no text in UTF-8") from None
    except RulesError as error:
        raise BadUsage(f"{path}: neither records nor a deal as text: {error}") from error


def records_in(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each record with its line. Raises BadUsage at a line that is none."""
    for number, line in enumerate(lines_of(path), 1):
        try:
            yield number, read_record(line)
        except NotReadable as error:
            raise BadUsage(f"{path}, line {number}: {error}") from None


def find_deal(path: Path, wanted: Wanted) -> Chosen:
    """The first record that fits, played again. Raises BadUsage where there is none or it can't be played."""
    number = 0
    for number, record in _candidates(path, wanted):
        if wanted.fits(number, record):
            return _chosen(path, number, record)
    if not number:
        raise BadUsage(f"{path}: there is no record in it")
    raise BadUsage(f"{path}: there is no record {wanted} in its {number} lines; --list shows what there is")


def _candidates(path: Path, wanted: Wanted) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records that may fit; lines before the one that is wanted are not looked at."""
    for number, line in enumerate(lines_of(path), 1):
        try:
            yield number, read_record(line) if wanted.line in (None, number) else {}
        except NotReadable as error:
            raise BadUsage(f"{path}, line {number}: {error}") from None
        if number == wanted.line:
            return


def _check_shown(record: Mapping[str, Any]) -> None:
    """Raises BadRecord where what is only shown, and not played, has no shape that can be shown."""

    def rows(value: Any, *kinds: type) -> bool:
        return isinstance(value, list) and all(
            isinstance(row, list) and [type(item) for item in row] == list(kinds) for row in value
        )

    stand_in, outcome = record["stand_in"], record["outcome"]
    good = {
        "clock": rows(record["clock"], int, int, int),
        "stand_in": isinstance(stand_in, list) and all(type(position) is int for position in stand_in),
        "outcome.faults": outcome is None or rows(outcome["faults"], int, str, int),
    }
    for name, is_good in good.items():
        if not is_good:
            raise BadRecord(f"{name} is not as the format has it")


def _chosen(path: Path, number: int, record: dict[str, Any]) -> Chosen:
    void = "reason" in record
    try:
        check_form(record, reason=void)
        _check_shown(record)
        deal = replay(record)
    except BadRecord as error:
        raise BadUsage(f"{path}, line {number}: this record can't be played: {error}") from None
    doubt = ""
    try:
        (verify_void if void else verify)(record)
    except BadRecord as error:
        doubt = str(error)
    end = record["outcome"] or {"faults": []}
    faults = tuple(Fault(seat, FaultReason(reason), after) for seat, reason, after in end["faults"])
    return Chosen(deal, record, tuple(f for f in faults if f.seat < deal.game.players), number, doubt)
