"""Files of records as lines of bytes: one after the other, however many, and none longer than a record may be."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from carico.record_form import LONGEST_LINE
from clients.cli.failure import BadUsage

RECORDS: Final = "records.jsonl"
VOIDS: Final = "voids.jsonl"
STANDINGS: Final = "standings.json"


def lines_of(path: Path, progress: Callable[[int], None] = lambda _: None) -> Iterator[bytes]:
    """The lines, each with its newline if it has one; a longer one than a record's is cut. Raises BadUsage.

    ``progress`` is told the number of bytes of each.
    """
    try:
        with path.open("rb") as file:
            while line := file.readline(LONGEST_LINE + 2):
                progress(len(line))
                yield line
    except OSError as error:
        raise cannot_read(path, error) from error


def read_bytes(path: Path) -> bytes:
    """All of a file that is small. Raises BadUsage."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise cannot_read(path, error) from error


def cannot_read(path: Path, error: OSError) -> BadUsage:
    """What to say of a file that can't be read."""
    return BadUsage(f"{path}: cannot read it: {error.strerror or error}")
