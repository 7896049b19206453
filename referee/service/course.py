"""The course of every event: the machine decides, the journal writes it into the log, and only then are the machine's
instructions carried out.
"""

import logging
import time
from collections.abc import Callable

from carico.rules.outcome import Fault, FaultReason
from referee.match.events import Aborted, Answered, Event, Ticked
from referee.match.instructions import AskSeat, Ended, Ignored, Instruction
from referee.match.machine import DealPlayed, State
from referee.service import tell
from referee.service.connection import Connection
from referee.service.counts import Counts
from referee.service.journal import Journal, Step
from referee.service.mention import about, public_before
from referee.service.table import Table
from referee.store.log import Line, MatchLog

FAILED = "REFEREE_FAILED"
"""Why a match is void where this program had a fault."""

logger = logging.getLogger("carico.referee")


class Course:
    """Takes every event of every match. ``ended`` is told of each match that is over, its end being in the log."""

    def __init__(self, log: MatchLog, counts: Counts, ended: Callable[[Table], None]) -> None:
        self.journal = Journal(log, self._carry_out, counts)
        self._counts = counts
        self._ended = ended

    def feed(
        self,
        table: Table,
        event: Event,
        sender: Connection | None = None,
        greeted: Connection | None = None,
        read_at: float = 0.0,
    ) -> None:
        """Something happened at a table: to the answer of ``sender``, which was read at ``read_at`` by perf_counter;
        ``greeted`` has come in and is to be told of the match.
        """
        match, now = table.match, table.now()
        try:
            instructions = match.handle(event, now)
        except Exception:  # a fault of ours is no loss of a bot
            logger.exception("match %s: %s failed", table.handle, type(event).__name__, extra=about(match.spec))
            instructions = match.handle(Aborted(FAILED), now)
        log, logged = match.log, table.logged
        lines: list[Line] = []
        if len(log) > logged:
            id_ = table.id
            lines = [(id_, place, *log[place]) for place in range(logged, len(log))]
            table.logged = len(log)
            table.stop_clock(now)
        if lines or instructions or greeted is not None:
            self.journal.add(Step(table, lines, instructions, sender, greeted, read_at))

    def ring(self, table: Table) -> None:
        """A table's timer rang: time alone may change something."""
        deadline = table.match.deadline
        if deadline is not None and table.now() >= deadline:
            self.feed(table, Ticked())
        table.arm(self.ring)

    def _carry_out(self, step: Step) -> None:
        try:
            self._do(step)
        except Exception:  # nor does it stop the other matches
            spec = step.table.match.spec
            logger.exception("match %s: carrying out instructions failed", spec.handle, extra=about(spec))
            self.feed(step.table, Aborted(FAILED))

    def _do(self, step: Step) -> None:
        table, match, sender = step.table, step.table.match, step.sender
        for instruction in step.instructions:
            if type(instruction) is AskSeat:
                table.ask_due = True
            else:
                self._follow(instruction, table, sender)
        if sender is not None and step.lines:
            sender.answered()
        if step.greeted is not None and not match.over:
            tell.start(step.greeted, match.spec)
            if match.open_seat is not None and table.present[match.open_seat] is step.greeted:
                table.ask_due = table.ask_again = True
        if table.ask_due and table.written:
            _ask(table)
        table.arm(self.ring)
        if sender is not None and step.lines:
            self._count_action(step)

    def _follow(self, instruction: Instruction, table: Table, sender: Connection | None) -> None:
        if type(instruction) is Ended:
            self._end(table)
        elif type(instruction) is Ignored and sender is not None:
            sender.answered_in_vain()
            sender.notice(instruction.reason, instruction.text, table.handle)

    def _count_action(self, step: Step) -> None:
        """Counts an answer that the log holds; one that lost its deal took no time of a seat."""
        counts, table = self._counts, step.table
        counts.actions += 1
        counts.overhead.add(time.perf_counter() - step.read_at)
        match = table.match
        dealt = match.number + match.answered
        if dealt != table.dealt:
            counts.dealt += dealt - table.dealt
            table.dealt = dealt
        event = step.lines[-1][3]
        if type(event) is Answered and match.clocks and event.seat not in match.faults:
            counts.action_time.add(match.used_ms / 1000)

    def _end(self, table: Table) -> None:
        match = table.match
        if table.over:
            return
        table.over = True
        table.disarm()
        if match.state is State.ENDED:
            self._counts.ended += 1
            self._counts.deals_ended += len(match.deals)
        else:
            self._counts.voided(match.void_reason or "")
            logger.warning("match %s is void: %s", table.handle, match.void_reason, extra=about(match.spec))
        for played in match.deals:
            for fault in played.faults.values():
                self._count_fault(table, played, fault)
        self._ended(table)
        table.wake_watchers()

    def _count_fault(self, table: Table, played: DealPlayed, fault: Fault) -> None:
        self._counts.faults[fault.reason] += 1
        spec, detail = table.match.spec, played.fault_details[fault.seat]
        bot = spec.seats[fault.seat].bot
        if fault.reason is FaultReason.ILLEGAL_ACTION:
            detail = "its owner is told more"  # what would have been legal is the seat's hand
        logger.warning(
            "match %s: %s lost by %s after %d public actions: %s",
            *(table.handle, bot, fault.reason, public_before(played.deal, fault), detail),
            extra=about(spec, bot=bot, seat=fault.seat, fault=fault.reason.value),
        )


def _ask(table: Table) -> None:
    """Asks the open seat, if its bot is here.

    A bot that has just come is told of the match first: that it came stands in the log last, and nobody is asked
    before all of it is there.
    """
    used_until = table.now() if table.ask_again else None
    table.ask_due = table.ask_again = False
    seat = table.match.open_seat
    if seat is not None:
        connection = table.present[seat]
        if connection is not None:
            tell.ask(connection, table, seat, used_until)
