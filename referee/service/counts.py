"""What a referee counts: plain numbers that its event loop alone writes and that another thread may read."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

ACTION_S: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the time that seats take for an action."""

WORK_S: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
"""Upper bounds of the time that the referee takes itself."""

VOID_REASONS: Final = frozenset({"NO_START", "REFEREE_FAILED", "ABORTED", "FIXTURE_CLOSED", "LOG_LOST", "RESULT_LOST"})
"""Reasons of voids that are counted apart. An organiser may give any; all others are OTHER."""

OTHER: Final = "OTHER"


class Durations:
    """A histogram of seconds. One thread adds; ``seen`` may be called from any."""

    __slots__ = ("_bounds", "_cells", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        """``bounds`` rise; each counts what is at most as long, and one cell more holds the rest."""
        self._bounds = tuple(bounds)
        self._cells = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def add(self, seconds: float) -> None:
        """One more took so long."""
        self._cells[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def seen(self) -> tuple[list[tuple[float, int]], float]:
        """(upper bound, how many took at most so long), rising, the last bound infinite; and the sum of all."""
        total, cells = self._sum, list(self._cells)
        rising, so_far = [], 0
        for bound, cell in zip((*self._bounds, float("inf")), cells, strict=True):
            so_far += cell
            rising.append((bound, so_far))
        return rising, total


@dataclass(slots=True)
class Counts:
    """What has happened since the referee started."""

    started: int = 0
    """Matches that were ordered and are new."""
    resumed: int = 0
    """Matches that were taken up from the log of an earlier run."""
    dealt: int = 0
    """Deals in which a seat has answered: they are under way, or over."""
    ended: int = 0
    """Matches with a result."""
    deals_ended: int = 0
    """Deals of these matches."""
    void: int = 0
    actions: int = 0
    connections: int = 0
    """Bots that are here now."""
    faults: Counter[str] = field(default_factory=Counter)
    """By reason."""
    voids: Counter[str] = field(default_factory=Counter)
    """By reason: one of VOID_REASONS, or OTHER."""
    refusals: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By door, bots or organisers, and reason."""
    action_time: Durations = field(default_factory=lambda: Durations(ACTION_S))
    """From an ask to the answer that was played, by the seat's clock."""
    overhead: Durations = field(default_factory=lambda: Durations(WORK_S))
    """From an answer that was read to the ask that follows it, with the writing of the log between them."""
    loop_lag: Durations = field(default_factory=lambda: Durations(WORK_S))
    """How late the pulse beats."""
    stalls: int = 0
    stalled_s: float = 0.0
    """Time that was charged to nobody, since the event loop stood still."""
    append_time: Durations = field(default_factory=lambda: Durations(WORK_S))
    """For one turn's lines to stand in the log, with all tries."""
    lines: int = 0
    """Written into the log."""
    unwritten: int = 0
    """Tries to write the log that failed."""
    standing_still: bool = False
    """Whether the log can't be written now, so that play waits."""

    def voided(self, reason: str) -> None:
        """A match became void."""
        self.void += 1
        self.voids[reason if reason in VOID_REASONS else OTHER] += 1
