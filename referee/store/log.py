"""The port of the match log: append, then acknowledge."""

from collections.abc import Sequence
from typing import Protocol

from referee.match.events import Event
from referee.match.spec import MatchSpec

Line = tuple[str, int, int, Event]
"""(match id, place of the line in the match's log from 0, time in ms since the match began, event)."""

Story = tuple[MatchSpec, list[tuple[int, Event]]]
"""A match and all its events so far."""


class LogUnavailable(Exception):
    """The log can't be written or read now; the text says where it is and what is wrong. Trying again is safe."""


class LogTaken(Exception):
    """Another referee has taken this log over; this one must stop."""


class LogBroken(Exception):
    """The log does not hold what was written into it; this referee must stop, and another take up what is there."""


class MatchLog(Protocol):
    """Keeps matches until they are released. What ``begin`` and ``append`` have returned from is not lost.

    Every call may raise LogUnavailable; then it may be repeated, also where it had taken effect. Once another referee
    has opened the same log, every writing call raises LogTaken, and changes nothing.
    """

    @property
    def incarnation(self) -> str:
        """Identity of the log: it changes exactly when matches were lost."""
        ...

    async def open(self) -> list[Story]:
        """Takes the log over and returns all matches that are not released."""
        ...

    async def begin(self, specs: Sequence[MatchSpec]) -> None:
        """Adds matches, all or none. One that is there without any event is replaced: its beginning was not told."""
        ...

    async def append(self, lines: Sequence[Line]) -> None:
        """Adds events to matches. A line whose place is taken is there already and is left as it is.

        Raises LogBroken where the line before one of them is not there.
        """
        ...

    async def release(self, ids: Sequence[str]) -> None:
        """Forgets matches but for the fact that they were here."""
        ...

    async def released(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that were released, for at least a week."""
        ...

    async def close(self) -> None:
        """Lets go of connections."""
        ...
