"""A log line is one JSON object on one line, whatever is in it."""

import json
import logging
import subprocess
import sys
from typing import Any

from carico.log_lines import FIELDS, JsonLines


def line(text: str, *arguments: object, exc_info: Any = None, **extra: object) -> dict[str, Any]:
    logger = logging.getLogger("carico.test")
    record = logger.makeRecord("carico.test", logging.WARNING, "f", 1, text, arguments, exc_info, extra=extra)
    written = JsonLines().format(record)
    assert "\n" not in written
    assert written.isascii()
    found: dict[str, Any] = json.loads(written)
    return found


def test_it_says_when_how_grave_and_what() -> None:
    found = line("season %s is over", "one")
    assert found.pop("at").endswith("Z")
    assert found == {"level": "warning", "logger": "carico.test", "text": "season one is over"}


def test_it_names_what_the_call_names_and_nothing_else() -> None:
    found = line("x", season="one", match="abc", chunk=3, source="00ff")
    assert list(found) == ["at", "level", "logger", "text", "season", "match", "chunk"]
    assert (found["season"], found["match"], found["chunk"]) == ("one", "abc", 3)
    assert "source" not in FIELDS


def test_line_breaks_and_escapes_stay_inside() -> None:
    assert line("a\nb\x1b[31m\u2028\u00e8")["text"] == "a\nb\x1b[31m\u2028\u00e8"


def test_an_exception_is_one_field() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        found = line("it failed", exc_info=sys.exc_info())
    assert found["exception"].endswith("ValueError: two\nlines")


def test_warnings_of_libraries_are_lines_too() -> None:
    code = (
        "import warnings; from carico.log_lines import *; begin_logging(LogFormat.JSON); warnings.warn('two\\nlines')"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    (only,) = ran.stderr.splitlines()
    assert json.loads(only)["logger"] == "py.warnings"
