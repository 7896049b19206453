"""A match being played: the machine, its clock, its timer, and who waits for its end."""

import asyncio
from collections.abc import Callable
from typing import Final

from carico.rules.view import View
from referee.match.machine import Match
from referee.service.connection import Connection
from referee.service.pulse import Pulse

LATE_S = 0.005
"""A timer that fires later than this looks once more first, so that answers that wait to be read are read."""


class Table:
    """Runs one match. Its clock stands still while its events are being written into the log."""

    def __init__(self, match: Match, pulse: Pulse, elapsed_ms: int = 0) -> None:
        self.match = match
        self.id: Final = match.spec.id
        """The organiser's id."""
        self.logged = len(match.log)
        """How many lines of the match's log have been handed to the log."""
        self.present: list[Connection | None] = [None] * len(match.spec.seats)
        """Per seat the connection of its bot, if it is here in the version that was entered."""
        self.told: list[tuple[int, View] | None] = [None] * len(match.spec.seats)
        """Per seat the deal's number and the view of its last ask on that connection."""
        self.builds: dict[str, str] = {}
        """The build fingerprint that each bot gave when it was first here for this match."""
        self.over = match.over
        """Whether it has ended, its end being in the log."""
        self.watchers: set[asyncio.Event] = set()
        """Set when the match has ended."""
        self.ask_due = False
        """Whether the open seat is to be asked as soon as all events are in the log."""
        self.ask_again = False
        """Whether its bot came back, so that it may have been asked before."""
        self.dealt = 0
        """Deals in which a seat has answered."""
        self._pulse = pulse
        self._base = pulse.now() - elapsed_ms
        self._unwritten = 0
        self._stopped_at = 0
        self._timer: asyncio.TimerHandle | None = None
        self._armed_for = 0
        """The deadline that the timer is for; it never rings after it, since the match's clock may only stand still."""

    @property
    def handle(self) -> str:
        """The handle that bots see."""
        return self.match.spec.handle

    def now(self) -> int:
        """Ms since the match began, without the time in which the referee wrote or stood still."""
        return self._stopped_at if self._unwritten else self._pulse.now() - self._base

    def sit(self, connection: Connection) -> None:
        """The bot of these seats is here."""
        self.builds.setdefault(connection.account.bot, connection.build)
        for seat in self.match.spec.seats_of(connection.account.bot):
            self.present[seat] = connection
            self.told[seat] = None

    def rise(self, connection: Connection) -> None:
        """The bot that was here on this connection has gone."""
        for seat, present in enumerate(self.present):
            if present is connection:
                self.present[seat] = self.told[seat] = None

    @property
    def written(self) -> bool:
        """Whether all events are in the log."""
        return not self._unwritten

    def stop_clock(self, now: int) -> None:
        """Events that happened now, by the match's clock, are on their way into the log."""
        if not self._unwritten:
            self._stopped_at = now
        self._unwritten += 1

    def start_clock(self) -> None:
        """Events are in the log; when all are, time goes on."""
        self._unwritten -= 1
        if not self._unwritten:
            self._base = self._pulse.now() - self._stopped_at

    def wake_watchers(self) -> None:
        """Whoever waits for the end looks again."""
        for watcher in self.watchers:
            watcher.set()

    def arm(self, ring: Callable[["Table"], None]) -> None:
        """Sees to it that ``ring`` is called at the match's deadline or before; cheap where that is so already."""
        deadline = self.match.deadline
        if deadline is None or self._unwritten:
            return
        if self._timer is not None:
            if self._armed_for <= deadline:
                return
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        when = loop.time() + max(0, deadline - self.now()) / 1000 + 0.001
        self._armed_for = deadline
        self._timer = loop.call_at(when, self._ring, ring, when)

    def disarm(self) -> None:
        """No timer any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self, ring: Callable[["Table"], None], when: float) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() - when > LATE_S:
            self._timer = loop.call_later(2 * LATE_S, self._rung, ring)
        else:
            self._rung(ring)

    def _rung(self, ring: Callable[["Table"], None]) -> None:
        self._timer = None
        ring(self)
