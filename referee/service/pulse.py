"""The referee's own clock: whole ms, standing still while its event loop does."""

import asyncio
import time
from typing import Final

from referee.service.counts import Counts

BEAT_MS: Final = 25
"""How often the pulse beats."""

STALL_MS: Final = 60
"""A gap between two beats longer than this is a stall; what is above a beat is not counted as time."""

_STALL_NS: Final = STALL_MS * 1_000_000


class Pulse:
    """Measures time while matches run. A stall of the referee is nobody's fault, so no clock runs in it.

    ``lag_ms`` is the latest of the last eight beats, in whole ms: what a bot may have been charged for a busy referee.
    """

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._last = time.monotonic_ns()
        self._stalled = 0
        self.lag_ms = 0
        self._lags = [0] * 8
        self._due = self._last
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begins to beat on the running event loop; what was before is no stall."""
        self._last = self._due = time.monotonic_ns()
        self._beat()

    def stop(self) -> None:
        """Beats no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def now(self) -> int:
        """Whole ms since some moment, less all stalls."""
        now = time.monotonic_ns()
        gap = now - self._last
        if gap > _STALL_NS and self._timer is not None:
            self._stalled += gap - BEAT_MS * 1_000_000
            self._last = now
            self._counts.stalls += 1
            self._counts.stalled_s = self._stalled / 1e9
        return (now - self._stalled) // 1_000_000

    def _beat(self) -> None:
        self.now()
        now = time.monotonic_ns()
        self._lags.pop(0)
        self._lags.append(max(0, (now - self._last) // 1_000_000 - BEAT_MS))
        self.lag_ms = max(self._lags)
        self._last = now
        self._counts.loop_lag.add(max(0, now - self._due) / 1e9)
        self._due = now + BEAT_MS * 1_000_000
        self._timer = asyncio.get_running_loop().call_later(BEAT_MS / 1000, self._beat)
