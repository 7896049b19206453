"""The text of a standings.json as values, read strictly, and the line on which a field of it stands."""

import json
import re
from dataclasses import dataclass, fields
from typing import Any, Final, get_args

from carico.record import BadRecord, Differs
from carico.record_form import NotReadable
from carico.rules.errors import RulesError
from carico.rules.game import game
from worker.tournament.rows import FORMAT, Row, Status

KEYS: Final = ("format", "season", "game", "status", "rows")
COLUMNS: Final = tuple(field.name for field in fields(Row))
TEXTS: Final = ("bot", "version", "owner")
OF_FIXTURES: Final = ("fixtures", "won", "drawn", "lost", "match_points")


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table as its file has it."""

    text: str
    season: str | None
    game: str
    status: str
    rows: tuple[Row, ...]

    @property
    def whole(self) -> bool:
        """Whether all that was begun was finished: not in a cancelled season, nor where fixtures were closed."""
        return self.status != "cancelled" and not any(row.walkovers for row in self.rows)


def read_table(data: bytes) -> TableFile:
    """The table of these bytes. Raises NotReadable for what is no JSON object, Differs where its form is not right."""
    try:
        text = data.decode("utf-8")
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotReadable(f"this is no JSON in UTF-8: {error}") from None
    if not isinstance(found, dict):
        raise NotReadable("this is no object")
    _keys("table", found, KEYS)
    if found["format"] != FORMAT:
        raise Differs("format", found["format"], FORMAT, "this version reads")
    if found["status"] not in get_args(Status):
        raise Differs("status", found["status"], ", ".join(get_args(Status)), "and it is one of")
    try:
        game(found["game"])
    except (RulesError, TypeError) as error:
        raise BadRecord(f"game: {error}") from None
    if found["season"] is not None and not isinstance(found["season"], str):
        raise Differs("season", found["season"], "a text or null", "and it is to be")
    if not isinstance(found["rows"], list):
        raise Differs("rows", found["rows"], "a list", "and it is to be")
    rows = tuple(_row(i, row) for i, row in enumerate(found["rows"]))
    names = [(row.bot, row.version, row.owner) for row in rows]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise BadRecord(f"rows[{i}].bot: {' '.join(name)} has two rows")
    return TableFile(text, found["season"], found["game"], found["status"], rows)


def line_of_field(text: str, field: str) -> int:
    """The line of ``season`` or ``rows[2].score`` in a file that is written a field a line; 1 where it is not."""
    found = re.match(r"(?:rows\[(\d+)\]\.)?(\w+)", field)
    row, key = (int(found[1] or 0), found[2]) if found else (0, field)
    lines = [number for number, line in enumerate(text.split("\n"), 1) if line.strip().startswith(f'"{key}":')]
    return lines[row] if row < len(lines) else 1


def _keys(field: str, found: Any, keys: tuple[str, ...]) -> None:
    if not isinstance(found, dict) or list(found) != list(keys):
        told = list(found) if isinstance(found, dict) else found
        raise Differs(f"{field}, keys", told, list(keys), "in their order they are")


def _row(i: int, found: Any) -> Row:
    _keys(f"rows[{i}]", found, COLUMNS)
    for column in COLUMNS:
        value, field = found[column], f"rows[{i}].{column}"
        if column in TEXTS:
            if not isinstance(value, str):
                raise Differs(field, value, "a text", "and it is to be")
        elif value is None and column in OF_FIXTURES:
            if any(found[other] is not None for other in OF_FIXTURES):
                raise Differs(field, value, "a whole number", "as other fields of fixtures it is")
        elif type(value) is not int or (value < 0 and column != "score"):
            raise Differs(field, value, "a whole number", "and it is to be")
    return Row(**found)
