"""The match machine: a pure function of its log.

    CREATED --Begun--> PLAYING --end of a deal, more to come--> PLAYING
                       PLAYING --end of the last deal--> ENDED
                       PLAYING --end of a deal in which no seat ever answered--> VOID (NO_START)
                       PLAYING --Aborted--> VOID

``handle(event, now)`` takes an event at a time (whole ms since the match began, never going back) and returns what is
to be done; ``deadline`` is when to come back with ``Ticked`` if nothing else happens. ``log`` holds the events that
mattered; feeding it to a new machine gives the same state, to the last hash.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from carico.rules.actions import Action
from carico.rules.deal import NOBODY, Deal
from carico.rules.errors import IllegalAction
from carico.rules.outcome import Fault, FaultReason, Outcome, outcome
from carico.rules.stand_in import stand_in
from referee.match.clock import NEVER, SeatClock
from referee.match.events import Aborted, Answered, Begun, Broke, Event, Joined, Left, Ticked, WentAbsent
from referee.match.instructions import AskSeat, Ended, Ignored, Instruction
from referee.match.spec import MatchSpec


class State(StrEnum):
    """Where a match stands."""

    CREATED = "created"
    PLAYING = "playing"
    ENDED = "ended"
    VOID = "void"


_PLAYING: Final = State.PLAYING

_ASKS: Final = tuple(AskSeat(seat) for seat in range(6))
"""By seat, made once."""


@dataclass(slots=True)
class DealPlayed:
    """A deal of a match: what a record of it is made of. The lists are the match's own while the deal is played."""

    deal: Deal
    faults: dict[int, Fault]
    fault_details: dict[int, str]
    stand_in: list[int]
    clock: list[tuple[int, int, int]]
    outcome: Outcome | None
    """None where the deal is not over."""


Handler = Callable[["Match", Event, int], list[Instruction]]


class Match:
    """One seating of one deal set, refereed: one deal or, where the game's ``match`` says so, several in sequence.

    ``deal``, ``faults``, ``fault_details``, ``stand_in``, ``clock``, ``clocks``, ``answered`` and ``outcome`` are those
    of the deal that is played, at the end of the last one; ``before`` has the earlier ones. A seat that faulted in a
    deal plays the next one itself.
    """

    __slots__ = (
        "answered",
        "away",
        "before",
        "clock",
        "clocks",
        "deal",
        "fault_details",
        "faults",
        "log",
        "numbers",
        "open_seat",
        "outcome",
        "spec",
        "stand_in",
        "state",
        "used_ms",
        "void_reason",
    )

    def __init__(self, spec: MatchSpec) -> None:
        self.spec = spec
        self.state = State.CREATED
        self.log: list[tuple[int, Event]] = []
        """The events that mattered, with their times."""
        self.numbers = [0] * len(spec.seats)
        """The number of the last ask, per seat; they go on from deal to deal."""
        self.open_seat: int | None = None
        """The seat that is asked."""
        self.away: dict[str, int] = {}
        """Bots without a stream, and since when."""
        self.before: list[DealPlayed] = []
        """The deals that are over, but for the last one."""
        self.void_reason: str | None = None
        self.used_ms = 0
        """Used for the last answer that was taken, of any seat."""
        self._take_up(0)

    def _take_up(self, number: int) -> None:
        """A new deal: new cards, new clocks, no faults."""
        spec = self.spec
        self.deal = Deal(spec.game, spec.dealer_of(number), spec.sources[number])
        self.faults: dict[int, Fault] = {}
        """Seats that the stand-in has taken over."""
        self.fault_details: dict[int, str] = {}
        """What happened, in words, per faulty seat: for the seat's owner and the organiser, not for the others."""
        self.stand_in: list[int] = []
        """Positions of the stand-in's actions."""
        self.clock: list[tuple[int, int, int]] = []
        """(used, credit, bank left) per action, ms; empty where no clock runs."""
        self.clocks = [SeatClock(spec.time_control) for _ in spec.seats] if spec.time_control else []
        self.answered = False
        """Whether any seat has answered in this deal."""
        self.outcome: Outcome | None = None

    @staticmethod
    def replay(spec: MatchSpec, log: Iterable[tuple[int, Event]]) -> "Match":
        """The match that a log tells of."""
        match = Match(spec)
        for at, event in log:
            match.handle(event, at)
        return match

    @property
    def over(self) -> bool:
        """Whether the match has ended or is void."""
        return self.state in (State.ENDED, State.VOID)

    @property
    def number(self) -> int:
        """The number of the deal that is played, or was last, from 0."""
        return len(self.before)

    @property
    def deals(self) -> list[DealPlayed]:
        """All deals so far, the one that is played included."""
        now = DealPlayed(self.deal, self.faults, self.fault_details, self.stand_in, self.clock, self.outcome)
        return [*self.before, now]

    @property
    def deadline(self) -> int | None:
        """The first ms at which ``Ticked`` would change something; None where only an event can."""
        if self.state is not State.PLAYING or not self.clocks:
            return None
        moment = self._last_moment()
        if self.away:
            moment = min(moment, self._end_of_grace()[0])
        return moment + 1 if moment < NEVER else None

    def handle(self, event: Event, now: int) -> list[Instruction]:
        """Takes one event at ``now``. Time comes first: flags and graces that ran out before ``now`` fall before it."""
        faults, away = len(self.faults), len(self.away)
        expired = self._expire(now) if away or now > self._last_moment() else None
        playing = self.state is _PLAYING
        handler = _WHILE_PLAYING.get(type(event)) if playing else TRANSITIONS.get((self.state, type(event)))
        if handler is not None:
            done = handler(self, event, now)
        elif type(event) is Answered:
            done = [Ignored(event.seat, "MATCH_OVER", "the match is over")]
        else:
            done = []
        if expired:
            done = expired + done
        # A fault of a seat that is not asked, or a bot that comes or goes, wants nothing done and yet matters.
        wanted = done and type(done[0]) is not Ignored  # what is ignored comes alone
        if wanted or len(self.faults) != faults or len(self.away) != away:
            self.log.append((now, event))
        return done

    # --- transitions ---

    def _begin(self, event: Event, now: int) -> list[Instruction]:
        self.state = State.PLAYING
        return self._advance(now)

    def _answer(self, event: Event, now: int) -> list[Instruction]:
        assert type(event) is Answered
        seat = event.seat
        if seat in self.faults:
            return [Ignored(seat, "STAND_IN", "the stand-in plays for this seat since its fault")]
        if event.number < 1 or event.number > self.numbers[seat]:
            text = (
                f"answered ask {event.number} of seat {seat}, which was never asked (the last is {self.numbers[seat]})"
            )
            self.answered = True
            return self._fault((seat,), FaultReason.PROTOCOL, text, now)
        if seat != self.open_seat or event.number != self.numbers[seat]:
            return [Ignored(seat, "STALE_ANSWER", f"ask {event.number} of seat {seat} was answered before")]
        self.answered = True
        if self.clocks and not self.clocks[seat].in_time(now, event.lag_ms):
            return self._fault((seat,), FaultReason.TIME_FORFEIT, self._late(seat, now), now)
        deal = self.deal
        count = deal.count if self.clocks else 0
        try:
            deal.apply(event.action)
        except IllegalAction as error:
            return self._fault((seat,), FaultReason.ILLEGAL_ACTION, str(error), now)
        if self.clocks:
            clock = self.clocks[seat]
            clock.book(now, event.lag_ms, earns=event.action != Action.DECLINE)
            self.used_ms = clock.used_ms
            if deal.count > count:
                self.clock.append(clock.row())
            else:  # nothing could be exchanged: that is no action, which only the seat may know
                clock.carry_over()
        self.open_seat = None
        return self._advance(now)

    def _leave(self, event: Event, now: int) -> list[Instruction]:
        assert type(event) is Left
        if event.bot not in self.away:
            self.away[event.bot] = now
            for clock in self._clocks_of(event.bot):
                clock.leave(now)
        return []

    def _join(self, event: Event, now: int) -> list[Instruction]:
        assert type(event) is Joined
        if self.away.pop(event.bot, None) is not None:
            for clock in self._clocks_of(event.bot):
                clock.join(now)
        return []

    def _absent(self, event: Event, now: int) -> list[Instruction]:
        assert type(event) is WentAbsent
        seats = self.spec.seats_of(event.bot)
        if self.clocks and not self.faults.keys() >= set(seats):
            self.away[event.bot] = now - self._grace  # over, for the deals that follow too
        return self._fault(seats, FaultReason.DISCONNECT, "was away when the match began", now)

    def _break(self, event: Event, now: int) -> list[Instruction]:
        assert type(event) is Broke
        return self._fault(self.spec.seats_of(event.bot), FaultReason.PROTOCOL, event.detail, now)

    def _tick(self, event: Event, now: int) -> list[Instruction]:
        return []

    def _abort(self, event: Event, now: int) -> list[Instruction]:
        assert type(event) is Aborted
        return self._void(event.reason)

    # --- what follows ---

    def _advance(self, now: int) -> list[Instruction]:
        """Goes on until a bot must be asked or the match is over."""
        while True:
            deal = self.deal
            while (seat := deal.to_act) != NOBODY:
                if seat not in self.faults:
                    return self._ask(seat, now)
                self._play_on(seat)
            self.open_seat = None
            if not self.answered:
                return self._void("NO_START")
            self.outcome = outcome(deal, tuple(self.faults.values()))
            if self._decided():
                self.state = State.ENDED
                return [Ended()]
            self.before = self.deals
            self._take_up(len(self.before))
            self._miss(now)

    def _miss(self, now: int) -> None:
        """In a new deal: bots that are away still are, and those whose grace is over lose it before it begins."""
        for bot, since in self.away.items():
            for clock in self._clocks_of(bot):
                clock.leave(since)
            if self.clocks and since + self._grace < now:
                self._hand_over(self.spec.seats_of(bot), FaultReason.DISCONNECT, self._too_long)

    def _ask(self, seat: int, now: int) -> list[Instruction]:
        if self.open_seat == seat:
            return []
        self.open_seat = seat
        self.numbers[seat] += 1
        if self.clocks and self.clocks[seat].asked_at is None:
            self.clocks[seat].ask(now)
        return [_ASKS[seat]]

    def _play_on(self, seat: int) -> None:
        """The stand-in decides for a seat."""
        deal, count = self.deal, self.deal.count
        deal.apply(stand_in(deal))
        if deal.count > count:
            self.stand_in.append(count)
            if self.clocks:
                self.clock.append((0, 0, self.clocks[seat].booked_ms))

    def _decided(self) -> bool:
        """Whether the match is over after the deal that has ended."""
        form = self.spec.game.match
        return form is None or form.decided(self.number + 1, max(self.deals_won()))

    def deals_won(self) -> list[int]:
        """Deals won so far, per side; a tie is won by nobody."""
        won = [0] * len(self.spec.game.sides)
        for played in self.deals:
            if played.outcome is not None:
                for side in {self.spec.game.side_of[seat] for seat in played.outcome.winners}:
                    won[side] += 1
        return won

    def _void(self, reason: str) -> list[Instruction]:
        self.state = State.VOID
        self.void_reason = reason
        self.open_seat = None
        return [Ended()]

    def _fault(self, seats: Iterable[int], reason: FaultReason, detail: str, now: int) -> list[Instruction]:
        """Hands seats to the stand-in for the rest of the deal, and goes on."""
        self._hand_over(seats, reason, detail)
        return self._advance(now)

    def _hand_over(self, seats: Iterable[int], reason: FaultReason, detail: str) -> None:
        """Hands over seats; those that the stand-in has already are left alone."""
        for seat in seats:
            if seat in self.faults:
                continue
            self.faults[seat] = Fault(seat, reason, self.deal.count)
            self.fault_details[seat] = detail
            if self.open_seat == seat:
                self.open_seat = None
            if self.clocks:
                self.clocks[seat].stop()

    # --- time ---

    def _expire(self, now: int) -> list[Instruction]:
        """Lets fall what ran out before ``now``, the earliest first; a flag before a grace of the same moment."""
        done: list[Instruction] = []
        while self.state is State.PLAYING and self.clocks:
            flag = self._last_moment()
            grace, bot = self._end_of_grace()
            if min(flag, grace) >= now:
                break
            if flag <= grace:
                assert self.open_seat is not None
                done += self._fault((self.open_seat,), FaultReason.TIME_FORFEIT, self._late(self.open_seat, now), now)
            else:
                done += self._fault(self.spec.seats_of(bot), FaultReason.DISCONNECT, self._too_long, now)
        return done

    def _last_moment(self) -> int:
        return self.clocks[self.open_seat].last_moment if self.clocks and self.open_seat is not None else NEVER

    def _end_of_grace(self) -> tuple[int, str]:
        """The last ms of the grace that ends first, and whose it is; bots that have lost all seats don't count."""
        if not self.away:
            return NEVER, ""
        ends = [
            (since + self._grace, bot)
            for bot, since in self.away.items()
            if any(seat not in self.faults for seat in self.spec.seats_of(bot))
        ]
        return min(ends, default=(NEVER, ""))

    @property
    def _grace(self) -> int:
        assert self.spec.time_control is not None
        return self.spec.time_control.grace_ms

    @property
    def _too_long(self) -> str:
        return f"was away for more than {self._grace} ms"

    def _late(self, seat: int, now: int) -> str:
        clock = self.clocks[seat]
        return (
            f"used {clock.used_so_far(now)} ms for ask {self.numbers[seat]}: the bank held {clock.bank_ms} ms, "
            f"the action limit is {clock.terms.action_limit_ms} ms"
        )

    def _clocks_of(self, bot: str) -> list[SeatClock]:
        return [self.clocks[seat] for seat in self.spec.seats_of(bot)] if self.clocks else []


TRANSITIONS: Final[dict[tuple[State, type[Event]], Handler]] = {
    (State.CREATED, Begun): Match._begin,
    (State.CREATED, Aborted): Match._abort,
    (State.PLAYING, Answered): Match._answer,
    (State.PLAYING, Left): Match._leave,
    (State.PLAYING, Joined): Match._join,
    (State.PLAYING, WentAbsent): Match._absent,
    (State.PLAYING, Broke): Match._break,
    (State.PLAYING, Ticked): Match._tick,
    (State.PLAYING, Aborted): Match._abort,
}
"""All that can happen. What is not here changes nothing."""

_WHILE_PLAYING: Final = {event: handler for (state, event), handler in TRANSITIONS.items() if state is _PLAYING}
"""The part of it that is looked into for every answer."""
