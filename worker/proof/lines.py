"""A file of records, line by line: each alone, and each beside those before it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from carico.record import BadRecord, verify, verify_void
from carico.record_clock import check_clock
from carico.record_form import NotReadable, check_form, check_line, read_record
from worker.proof.beside import Beside


@dataclass(frozen=True, slots=True)
class Found:
    """The first thing in a file that is not as it should be."""

    line: int
    """From 1; 0 where it is the file as a whole."""
    text: str
    """The field, what was found and what was expected."""
    readable: bool = True
    """False for what is no record, or no table, at all."""


def checked_record(line: bytes, void: bool = False) -> dict[str, Any]:
    """The record of this line, with all that it alone can prove proved. Raises BadRecord."""
    record = read_record(line)
    check_form(record, reason=void)
    (verify_void if void else verify)(record)
    check_clock(record)
    check_line(line, record)
    return record


def check_records(
    lines: Iterable[bytes], beside: Beside, count: Callable[[Mapping[str, Any]], None] = lambda _: None
) -> Found | None:
    """The first difference in a records.jsonl, None where there is none; ``count`` is given each record that is right.

    ``count`` may raise BadRecord where a record does not fit the table.
    """
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            record = checked_record(line)
            beside.add(record, number)
            count(record)
        except NotReadable as error:
            return Found(number, str(error), readable=False)
        except BadRecord as error:
            return Found(beside.line_of(error) or number, str(error))
    try:
        beside.end()
    except BadRecord as error:
        return Found(beside.line_of(error) or number, str(error))
    return None
