"""Keeps the private store of a league running: started again when it has ended, for as long as it takes."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from clients.cli.extras import league_extra
from clients.cli.supervisor import FIRST_PAUSE, STEADY_SECONDS

if TYPE_CHECKING:
    from worker.store.embedded import EmbeddedValkey

LONGEST_PAUSE: Final = 2.0
"""In seconds; shorter than that of other parts, since all of them wait for the store."""

_CANNOT_WRITE: Final = ("AOF write error", "No space left", "Read-only file system", "Disk quota")


class StoreKeeper:
    """Starts a store again whenever it has ended. It never gives up: what it lacks, such as room on the disk, may come.

    ``told`` is given a line when the store ends, when it can't be started, and when it is back after that.
    """

    def __init__(self, store: "EmbeddedValkey", told: Callable[[str], None]) -> None:
        self._store = store
        self._told = told
        self._started = time.monotonic()
        self._deaths = 0
        self._again_at: float | None = None

    @property
    def pid(self) -> int:
        """The process id of the store's server."""
        return self._store.pid

    def check(self) -> None:
        """To be called a few times a second. A pause between two starts doubles with each death in a row."""
        now = time.monotonic()
        if self._store.alive:
            return
        if self._again_at is None:
            self._deaths = 0 if now - self._started >= STEADY_SECONDS else self._deaths
            self._plan(f"the store ended and is started again ({_last(self._store.last_words())})")
        elif now >= self._again_at:
            self._start()

    def _start(self) -> None:
        with league_extra():
            from worker.store.errors import StoreError

        self._again_at = None
        try:
            self._store.restart()
        except StoreError as error:
            self._plan(f"the store can't be started and is tried again: {' '.join(str(error).split())}")
        else:
            self._started = time.monotonic()
            if self._deaths > 1:
                self._told("the store is back")

    def _plan(self, what: str) -> None:
        """The first death costs no pause."""
        now = time.monotonic()
        self._again_at = now + (min(FIRST_PAUSE * 2.0 ** (self._deaths - 1), LONGEST_PAUSE) if self._deaths else 0.0)
        self._deaths += 1
        self._told(what + _mend(what, self._store.directory))


def _last(words: list[str]) -> str:
    return "; ".join(words[-3:])


def _mend(words: str, directory: Path) -> str:
    """What helps where the store could not write."""
    if not any(sign in words for sign in _CANNOT_WRITE):
        return ""
    return (
        f"; if it can't write, make room on the disk of {directory}: nothing acknowledged is lost, it goes on by itself"
    )
