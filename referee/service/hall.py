"""The hall: every match being played. Whatever happens to one goes through ``_feed``: the machine decides, the journal
writes the event into the log, and only then are the machine's instructions carried out.
"""

import asyncio
import logging
import time
from collections.abc import Iterable, Sequence
from typing import Final

from carico.codec import read_action
from carico.rules.outcome import FaultReason
from carico.v1 import bots_pb2
from referee.match.events import Aborted, Answered, Begun, Broke, Event, Joined, Left, Ticked, WentAbsent
from referee.match.instructions import AskSeat, Ended, Ignored
from referee.match.machine import Match, State
from referee.match.spec import MatchSpec
from referee.service import tell
from referee.service.connection import FRAME_LIMIT, Connection
from referee.service.counts import Counts
from referee.service.errors import Reason, Refused
from referee.service.guests import Guests
from referee.service.journal import Journal, Step
from referee.service.mention import about
from referee.service.pulse import Pulse
from referee.service.table import Table
from referee.store.log import Line, MatchLog

FLOOD_PAUSE_S: Final = 10
"""How long a flooder is kept out."""

FAILED: Final = "REFEREE_FAILED"
"""Why a match is void where this program had a fault."""

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
        self.journal = Journal(log, self._carry_out, self.counts)
        self.closing = False
        self._tables: dict[str, Table] = {}
        self._by_handle: dict[str, Table] = {}
        self._writer: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    # --- opening and closing ---

    async def open(self) -> None:
        """Takes up all matches of the log where they were left; the time between is charged to nobody."""
        self.pulse.start()
        for spec, events in await self.log.open():
            match = Match.replay(spec, events)
            table = Table(match, self.pulse, events[-1][0] if events else 0)
            table.dealt = match.answered
            self._seat(table)
            if match.over:
                self._tell_end(table)
                continue
            self.counts.resumed += 1
            if match.state is State.CREATED:
                self._feed(table, Begun())
            for bot in _bots(spec):
                self._feed(table, Left(bot))
            table.arm(self._ring)
        self._writer = asyncio.get_running_loop().create_task(self.journal.run())

    async def close(self) -> None:
        """Writes what is on its way, tells the bots, and lets go. Matches stay in the log."""
        if self.closing:
            return
        self.closing = True
        connections = list(self.guests.connections())
        for connection in connections:
            connection.notice("CLOSING", "the referee is closing; play goes on where it stopped when it is back")
        for table in self._by_handle.values():
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
                self._feed(table, Begun())
                self._announce(table)
        return [spec.id for spec in new]

    def _announce(self, table: Table) -> None:
        spec = table.match.spec
        for bot in _bots(spec):
            connection = self.guests.present(spec, bot)
            if connection is not None:
                table.builds[bot] = connection.build
                tell.start(connection, spec)
                continue
            self._feed(table, Left(bot))
            grace = spec.time_control.grace_ms if spec.time_control else 0
            if self.guests.away_ms(bot, spec.seats[spec.seats_of(bot)[0]].version) > grace:
                self._feed(table, WentAbsent(bot))

    async def wait(self, ids: Iterable[str], seconds: float) -> None:
        """Returns when none of the matches is running any more, after that time, or when the hall closes."""
        ended = asyncio.Event()
        waiting = [table for id_ in ids if (table := self._tables.get(id_)) is not None]
        for table in waiting:
            table.watchers.add(ended)
        end = time.monotonic() + seconds
        try:
            while not self.closing and any(table.handle in self._by_handle for table in waiting):
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
        return table is not None and table.handle not in self._by_handle

    def ended(self) -> list[str]:
        """The ids of matches that have ended and are not released."""
        return [id_ for id_, table in self._tables.items() if table.handle not in self._by_handle]

    def match(self, id_: str) -> Match | None:
        """The match with that id, unless it is unknown or released."""
        table = self._tables.get(id_)
        return None if table is None else table.match

    def abort(self, ids: Iterable[str], reason: str) -> list[str]:
        """Ends matches that run; they become void. Returns their ids."""
        running = [id_ for id_ in ids if (match := self.match(id_)) is not None and not match.over]
        for id_ in running:
            self._feed(self._tables[id_], Aborted(reason))
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

    # --- for bots ---

    def admit(self, bot: str) -> None:
        """Raises Refused where the bot is kept out for flooding, or the hall closes."""
        wait = self.guests[bot].shut_out_until - time.monotonic()
        if wait > 0:
            raise Refused(Reason.FLOOD, seconds=int(wait) + 1)
        if self.closing:
            raise Refused(Reason.CLOSING)

    def welcome(self, connection: Connection) -> None:
        """A bot is here: it gets the full state of its matches. An older stream of the same bot is closed."""
        bot = connection.account.bot
        guest = self.guests[bot]
        if guest.connection is not None:
            old = guest.connection
            self.goodbye(old)
            old.close(Refused(Reason.REPLACED))
        guest.connection = connection
        self.counts.connections += 1
        for end in guest.ends.values():
            connection.frame().ends.append(end)
        for table in list(guest.tables.values()):
            if self.guests.present(table.match.spec, bot) is connection:
                table.builds.setdefault(bot, connection.build)
                self._feed(table, Joined(bot), greeted=connection)

    def goodbye(self, connection: Connection) -> None:
        """A bot's stream is gone."""
        bot = connection.account.bot
        guest = self.guests[bot]
        if guest.connection is not connection:
            return
        guest.leave()
        self.counts.connections -= 1
        for table in list(guest.tables.values()):
            self._feed(table, Left(bot))

    def receive(self, connection: Connection, frame: bots_pb2.PlayRequest) -> None:
        """Takes a frame from a bot. Nonsense costs patience; a bot that uses it up is put out and pays."""
        read_at = time.perf_counter()
        bot = connection.account.bot
        if len(frame.answers) + len(frame.seen_ends) > FRAME_LIMIT:
            self._put_out(connection, f"sent a frame of more than {FRAME_LIMIT} messages")
            return
        useful = False
        guest = self.guests[bot]
        for handle in frame.seen_ends:
            useful |= guest.ends.pop(handle, None) is not None
        lag = self.pulse.lag_ms
        for answer in frame.answers:
            if connection.patience < 0:
                break
            table = guest.tables.get(answer.match)
            if table is None or self.guests.present(table.match.spec, bot) is not connection:
                connection.answered_in_vain()
                connection.notice("UNKNOWN_MATCH", "no match with this handle is open for you", answer.match[:64])
            elif not table.match.spec.sits(bot, answer.seat):
                connection.patience -= 1
                self._feed(table, Broke(bot, f"answered for seat {answer.seat}, which is not its own"))
            else:
                event = Answered(answer.seat, answer.number, read_action(answer.action), lag)
                self._feed(table, event, sender=connection, read_at=read_at)
        if not useful and not frame.answers:
            connection.patience -= 1
        if connection.patience < 0:
            self._put_out(connection, "sent too many messages that answer nothing")

    def break_off(self, connection: Connection, detail: str) -> None:
        """A bot broke the protocol: it loses its open deals, and its stream is closed by the caller."""
        for table in list(self.guests[connection.account.bot].tables.values()):
            self._feed(table, Broke(connection.account.bot, detail))

    def _put_out(self, connection: Connection, detail: str) -> None:
        if connection.closing is not None:
            return
        self.guests[connection.account.bot].shut_out_until = time.monotonic() + FLOOD_PAUSE_S
        self.break_off(connection, detail)
        connection.close(Refused(Reason.FLOOD, seconds=FLOOD_PAUSE_S))

    # --- the way of every event ---

    def running(self) -> int:
        """Number of matches that run."""
        return len(self._by_handle)

    def _seat(self, table: Table) -> None:
        self._tables[table.id] = table
        if not table.match.over:
            self._by_handle[table.handle] = table
            for bot in _bots(table.match.spec):
                self.guests[bot].tables[table.handle] = table

    def _feed(
        self,
        table: Table,
        event: Event,
        sender: Connection | None = None,
        greeted: Connection | None = None,
        read_at: float = 0.0,
    ) -> None:
        match = table.match
        try:
            instructions = match.handle(event, table.now())
        except Exception:  # a fault of ours is no loss of a bot
            logger.exception("match %s: %s failed", table.handle, type(event).__name__, extra=about(match.spec))
            instructions = match.handle(Aborted(FAILED), table.now())
        lines: list[Line] = [(table.id, place, *match.log[place]) for place in range(table.logged, len(match.log))]
        table.logged = len(match.log)
        if lines or instructions or greeted is not None:
            self.journal.add(Step(table, lines, instructions, sender, greeted, read_at))

    def _carry_out(self, step: Step) -> None:
        try:
            self._do(step)
        except Exception:  # nor does it stop the other matches
            spec = step.table.match.spec
            logger.exception("match %s: carrying out instructions failed", spec.handle, extra=about(spec))
            self._feed(step.table, Aborted(FAILED))

    def _do(self, step: Step) -> None:
        table, match = step.table, step.table.match
        for instruction in step.instructions:
            match instruction:
                case AskSeat():
                    table.ask_due = True
                case Ignored(_, reason, text):
                    if step.sender is not None:
                        step.sender.answered_in_vain()
                        step.sender.notice(reason, text, table.handle)
                case Ended():
                    self._end(table)
        if step.sender is not None and step.lines:
            step.sender.answered()
        if step.greeted is not None and not match.over:
            tell.start(step.greeted, match.spec)
            if match.open_seat is not None and match.spec.sits(step.greeted.account.bot, match.open_seat):
                table.ask_due = table.ask_again = True
        if table.ask_due and table.written:
            self._ask(table)
        table.arm(self._ring)
        if step.sender is not None and step.lines:
            self._count_action(step)

    def _count_action(self, step: Step) -> None:
        """Counts an answer that the log holds; one that lost its deal took no time of a seat."""
        counts, table = self.counts, step.table
        counts.actions += 1
        counts.overhead.add(time.perf_counter() - step.read_at)
        if not table.dealt:
            table.dealt = True
            counts.dealt += 1
        event = step.lines[-1][3]
        if type(event) is Answered and table.match.clocks and event.seat not in table.match.faults:
            counts.action_time.add(table.match.clocks[event.seat].used_ms / 1000)

    def _ask(self, table: Table) -> None:
        """Asks the open seat, if its bot is here.

        A bot that has just come is told of the match first: that it came stands in the log last, and nobody is asked
        before all of it is there.
        """
        used_until = table.now() if table.ask_again else None
        table.ask_due = table.ask_again = False
        seat, spec = table.match.open_seat, table.match.spec
        if seat is not None:
            connection = self.guests.present(spec, spec.seats[seat].bot)
            if connection is not None:
                tell.ask(connection, table.match, seat, used_until)

    def _end(self, table: Table) -> None:
        if self._by_handle.pop(table.handle, None) is None:
            return
        table.disarm()
        match = table.match
        if match.state is State.ENDED:
            self.counts.ended += 1
        else:
            self.counts.voided(match.void_reason or "")
            logger.warning("match %s is void: %s", table.handle, match.void_reason, extra=about(match.spec))
        for fault in match.faults.values():
            self.counts.faults[fault.reason] += 1
            bot, detail = match.spec.seats[fault.seat].bot, match.fault_details[fault.seat]
            if fault.reason is FaultReason.ILLEGAL_ACTION:
                detail = "its owner is told more"  # what would have been legal is the seat's hand
            logger.warning(
                "match %s: %s lost by %s after %d actions: %s",
                *(table.handle, bot, fault.reason, fault.after, detail),
                extra=about(match.spec, bot=bot, seat=fault.seat, fault=fault.reason.value),
            )
        self._tell_end(table)
        table.wake_watchers()

    def _tell_end(self, table: Table) -> None:
        for bot in _bots(table.match.spec):
            self.guests[bot].keep_end(tell.end(table.match, bot))

    def _ring(self, table: Table) -> None:
        deadline = table.match.deadline
        if deadline is not None and table.now() >= deadline:
            self._feed(table, Ticked())
        table.arm(self._ring)


def _bots(spec: MatchSpec) -> list[str]:
    """The bots of a match, each once, in the order of their seats."""
    return list(dict.fromkeys(seat.bot for seat in spec.seats))
