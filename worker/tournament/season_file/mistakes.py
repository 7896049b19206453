"""What is wrong in a season's file: for each mistake the line, the field and the mend."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from worker.tournament.season_file.lines import Path


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing to mend in the file."""

    file: str
    line: int
    """From 1."""
    field: str
    """The field with its value, or its name alone where the value is not the matter."""
    problem: str
    mend: str = ""
    """What to write instead; empty where the problem says it."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.field}: {self.problem}" + (f"; {self.mend}" if self.mend else "")


class SeasonFileError(ValueError):
    """A season's file with mistakes. As a text: one line a mistake, ``file:line: field = value: problem; mend``."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(sorted(mistakes, key=lambda mistake: mistake.line))
        super().__init__("\n".join(map(str, self.mistakes)))


def shown(value: Any) -> str:
    """A value from a file as a short text in plain ASCII, so that it can't write to a terminal what it likes."""
    try:
        written = json.dumps(value, default=str)
    except ValueError:  # a whole number of more digits than Python writes
        return "..."
    return written if len(written) <= 60 else written[:57] + "..."


def shown_path(path: Path) -> str:
    """The name of a field with its tables, ``time_control.bank`` or ``entrant[1].bot``; entrants count from 1."""
    text = ""
    for key in path:
        if isinstance(key, int):
            text += f"[{key + 1}]"
        else:
            text += "." * bool(text) + (key if key.isascii() and key.replace("_", "").isalnum() else shown(key))
    return text
