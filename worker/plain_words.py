"""A store that is away is told in a line of our own; what Celery's own parts say of it needs no traceback."""

import logging
from typing import Any, Final

from celery import signals
from kombu.exceptions import OperationalError
from redis import RedisError

_STORE_IS_ILL: Final = (RedisError, OperationalError, OSError)


def spare_tracebacks() -> None:
    """Sees to it that Celery logs the store's errors without their tracebacks; to be called before a worker starts."""
    _watch(logging.getLogger())
    signals.after_setup_logger.connect(lambda logger, **_: _watch(logger), weak=False)


def _watch(logger: Any) -> None:
    for handler in logger.handlers:
        handler.addFilter(_plain)


def _plain(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, _STORE_IS_ILL) and record.name.partition(".")[0] in ("celery", "kombu"):
        record.exc_info = record.exc_text = None
    return True
