"""What a log line of a referee or a worker looks like: text for people, or one JSON object a line for programs."""

import json
import logging
import sys
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

TEXT_FORM: Final = "%(asctime)s %(levelname)s %(message)s"

FIELDS: Final = ("season", "match", "order", "chunk", "fixture", "deal_set", "attempt", "bot", "seat", "fault", "came")
"""What a line may name beside its text, where it is known: the keyword ``extra`` of a logging call."""


class LogFormat(StrEnum):
    """How log lines are written."""

    TEXT = "text"
    JSON = "json"


class JsonLines(logging.Formatter):
    """One JSON object a line, whatever the message holds.

    ``at`` (UTC, RFC 3339, whole ms), ``level``, ``logger``, ``text``; then those of FIELDS that the call gave, in their
    order; ``exception``, the traceback, where there is one.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its newline."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line: dict[str, Any] = {
            "at": at,
            "level": record.levelname.lower(),
            "logger": record.name,
            "text": record.getMessage(),
        }
        given = vars(record)
        line |= {name: given[name] for name in FIELDS if name in given}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=True, separators=(",", ":"), default=str)


def begin_logging(form: LogFormat) -> None:
    """Sends this process's log, from INFO on, to standard error in this form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form is LogFormat.JSON else logging.Formatter(TEXT_FORM))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    logging.captureWarnings(form is LogFormat.JSON)
