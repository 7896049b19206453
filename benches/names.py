"""Variables of the environment that the parts of a bench find each other by."""

from typing import Final

PIPE: Final = "CARICO_BENCH_PIPE"
"""A named pipe, into which a line is written when the thing has happened."""

STORE: Final = "CARICO_BENCH_STORE"
"""The URL of a private store."""
