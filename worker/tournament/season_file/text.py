"""TOML text into values and their lines; what is no TOML becomes a mistake with its line and a mend."""

import re
import tomllib
from typing import Any, Final

from worker.tournament.season_file.lines import Path, key_lines
from worker.tournament.season_file.mistakes import Mistake, SeasonFileError, shown

MOST_CHARACTERS: Final = 200_000

_MENDS: Final = {
    "at end of document": "finish what was begun there: a value, a quote, ] or }",
    "overwrite": "each field stands once: take one of the two out",
    "mutate": "each field stands once: take one of the two out",
    "Cannot declare": "each [table] stands once: put its lines together",
    "Invalid value": 'put text in double quotes, as in game = "briscola-2", and write numbers without',
    "Expected '='": "write field = value",
    "Illegal character": 'close the quote in the same line, as in game = "briscola-2"',
}
"""By words of tomllib's message."""

_FIELD: Final = re.compile(r"\s*(?:([A-Za-z0-9_.-]+)\s*=|(\[{1,2}[A-Za-z0-9_.-]+\]{1,2}))")


def read_toml(text: str, file: str) -> tuple[dict[str, Any], dict[Path, int]]:
    """The document and the line of each of its keys. Raises SeasonFileError for text that is too long or no TOML."""
    if len(text) > MOST_CHARACTERS:
        mend = f"keep it to {MOST_CHARACTERS}"
        raise SeasonFileError([Mistake(file, 1, "the file", f"has {len(text)} characters", mend)])
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise SeasonFileError([_no_toml(text, file, str(wrong))]) from None
    except RecursionError:
        problem, mend = "has lists nested too deeply", "take them out: a season needs none in each other"
        raise SeasonFileError([Mistake(file, 1, "the file", problem, mend)]) from None
    except ValueError:  # a whole number of more digits than Python reads
        raise SeasonFileError([Mistake(file, 1, "the file", "has a number of too many digits", "shorten it")]) from None
    return found, key_lines(text)


def _no_toml(text: str, file: str, wrong: str) -> Mistake:
    rows = text.rstrip().split("\n")
    at = re.search(r"at line ([0-9]+)", wrong)
    if at:
        line = min(int(at[1]), len(rows))
    else:  # at the end of the document: something was opened below the last field and never closed
        line = next((i for i in range(len(rows), 0, -1) if _FIELD.match(rows[i - 1])), len(rows))
    row = rows[line - 1]
    field = _FIELD.match(row)
    mend = next(
        (mend for words, mend in _MENDS.items() if words in wrong), "compare with what `carico season init` writes"
    )
    return Mistake(file, line, field[1] or field[2] if field else shown(row.strip()), f"no TOML: {wrong}", mend)
