"""The hall: every match being played. It opens and closes and does what organisers want; bots have its reception."""

import asyncio
import logging
import time
from collections.abc import Iterable, Sequence
from typing import Final

from referee.match.events import Aborted, Begun, Left, WentAbsent
from referee.match.machine import Match, State
from referee.match.spec import MatchSpec
from referee.service import tell
from referee.service.counts import Counts
from referee.service.course import Course
from referee.service.errors import Reason, Refused
from referee.service.guests import Guests
from referee.service.pulse import Pulse
from referee.service.reception import Reception
from referee.service.table import Table
from referee.store.log import MatchLog

LAST_WRITES_S: Final = 3
"""How long a hall that closes waits for its log."""

logger = logging.getLogger("carico.referee")


class Hall:
    """Owns all matches of one referee process. Not safe for threads: it lives on one event loop."""

    def __init__(self, log: MatchLog) -> None:
        self.log = log
        self.counts = Counts()
        self.pulse = Pulse(self.counts)
        self.guests = Guests()
        self.closing = False
        self._course = Course(log, self.counts, self._ended)
        self.journal = self._course.journal
        self.reception = Reception(self.guests, self._course, self.pulse, self.counts)
        self._tables: dict[str, Table] = {}
        self._running = 0
        self._writer: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    # --- opening and closing ---

    async def open(self) -> None:
        """Takes up all matches of the log where they were left; the time between is charged to nobody."""
        for spec, events in await self.log.open():
            match = Match.replay(spec, events)
            table = Table(match, self.pulse, events[-1][0] if events else 0)
            table.dealt = match.number + match.answered
            self._seat(table)
            if match.over:
                self._tell_end(table)
                continue
            self.counts.resumed += 1
            if match.state is State.CREATED:
                self._course.feed(table, Begun())
            for bot in _bots(spec):
                self._course.feed(table, Left(bot))
            table.arm(self._course.ring)
        self._writer = asyncio.get_running_loop().create_task(self.journal.run())

    async def close(self) -> None:
        """Writes what is on its way, tells the bots, and lets go. Matches stay in the log."""
        if self.closing:
            return
        self.closing = True
        connections = list(self.guests.connections())
        for connection in connections:
            connection.notice("CLOSING", "the referee is closing; play goes on where it stopped when it is back")
        for table in self._tables.values():
            table.wake_watchers()
        try:
            await asyncio.wait_for(self.journal.settled(), LAST_WRITES_S)
        except TimeoutError:
            logger.error("closing with events unwritten: the match log can't be reached")
        self.pulse.stop()
        for table in self._tables.values():
            table.disarm()
        await asyncio.gather(*(connection.drain() for connection in connections))
        for connection in connections:
            connection.close(Refused(Reason.CLOSING))
        if self._writer is not None:
            self._writer.cancel()

    # --- for organisers ---

    async def start(self, specs: Sequence[MatchSpec]) -> list[str]:
        """Starts matches, all or none; those that are here already go on. Returns the ids that were new."""
        async with self._starting:
            if self.closing:
                raise Refused(Reason.CLOSING)
            first = {spec.id: spec for spec in reversed(specs)}
            new = [spec for spec in specs if spec.id not in self._tables and first[spec.id] is spec]
            for id_ in await self.log.released([spec.id for spec in new]):
                raise Refused(Reason.RELEASED, id=id_)
            if new:
                await self.log.begin(new)
            for spec in new:
                table = Table(Match(spec), self.pulse)
                self._seat(table)
                self.counts.started += 1
                self._course.feed(table, Begun())
                self._announce(table)
        return [spec.id for spec in new]

    def _announce(self, table: Table) -> None:
        spec = table.match.spec
        for bot in _bots(spec):
            connection = self.guests.present(spec, bot)
            if connection is not None:
                table.sit(connection)
                tell.start(connection, spec)
                continue
            self._course.feed(table, Left(bot))
            grace = spec.time_control.grace_ms if spec.time_control else 0
            if self.guests.away_ms(bot, spec.seats[spec.seats_of(bot)[0]].version) > grace:
                self._course.feed(table, WentAbsent(bot))

    async def wait(self, ids: Iterable[str], seconds: float) -> None:
        """Returns when none of the matches is running any more, after that time, or when the hall closes."""
        ended = asyncio.Event()
        waiting = [table for id_ in ids if (table := self._tables.get(id_)) is not None]
        for table in waiting:
            table.watchers.add(ended)
        end = time.monotonic() + seconds
        try:
            while not self.closing and not all(table.over for table in waiting):
                ended.clear()
                await asyncio.wait_for(ended.wait(), end - time.monotonic())
        except TimeoutError:
            return
        finally:
            for table in waiting:
                table.watchers.discard(ended)

    def finished(self, id_: str) -> bool:
        """Whether a match has ended and its end stands in the log."""
        table = self._tables.get(id_)
        return table is not None and table.over

    def ended(self) -> list[str]:
        """The ids of matches that have ended and are not released."""
        return [id_ for id_, table in self._tables.items() if table.over]

    def match(self, id_: str) -> Match | None:
        """The match with that id, unless it is unknown or released."""
        table = self._tables.get(id_)
        return None if table is None else table.match

    def abort(self, ids: Iterable[str], reason: str) -> list[str]:
        """Ends matches that run; they become void. Returns their ids."""
        running = [id_ for id_ in ids if (match := self.match(id_)) is not None and not match.over]
        for id_ in running:
            self._course.feed(self._tables[id_], Aborted(reason))
        return running

    def builds(self, ids: Iterable[str]) -> set[tuple[str, str, str]]:
        """(bot, version, build) of all who played in those of the matches that have ended with a result."""
        return {
            (seat.bot, seat.version, build)
            for id_ in ids
            if self.finished(id_) and (table := self._tables[id_]).match.state is State.ENDED
            for seat in table.match.spec.seats
            if (build := self._build(table, seat.bot)) is not None
        }

    def _build(self, table: Table, bot: str) -> str | None:
        """The build that a bot played a match with; after a restart, the one that is here."""
        connection = self.guests.present(table.match.spec, bot)
        return table.builds.get(bot, None if connection is None else connection.build)

    async def release(self, ids: Sequence[str]) -> None:
        """Forgets those of the matches that are over."""
        done = [id_ for id_ in ids if self.finished(id_)]
        if done:
            await self.log.release(done)
        for id_ in done:
            self._tables.pop(id_, None)

    def running(self) -> int:
        """Number of matches that run."""
        return self._running

    def _seat(self, table: Table) -> None:
        self._tables[table.id] = table
        if not table.over:
            if not self._running:
                self.pulse.start()
            self._running += 1
            for bot in _bots(table.match.spec):
                self.guests[bot].tables[table.handle] = table

    def _ended(self, table: Table) -> None:
        self._running -= 1
        if not self._running:
            self.pulse.stop()
        self._tell_end(table)

    def _tell_end(self, table: Table) -> None:
        for bot in _bots(table.match.spec):
            self.guests[bot].keep_end(tell.end(table.match, bot))


def _bots(spec: MatchSpec) -> list[str]:
    """The bots of a match, each once, in the order of their seats."""
    return list(dict.fromkeys(seat.bot for seat in spec.seats))
