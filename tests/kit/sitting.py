"""Matches under a fake clock: a machine, the time, and short words for what bots do."""

import json
from random import Random
from typing import Any

from carico.record import DealLog, Place, Played, SeatName, deal_record, dumps
from carico.rules.game import game
from carico.rules.shuffle import deck_key, master, practice_secret, source
from carico.time_control import TimeControl
from referee.match.events import Answered, Begun, Event, Ticked
from referee.match.instructions import Instruction
from referee.match.machine import Match
from referee.match.spec import MatchSpec, Seat

KEY = deck_key(master(practice_secret(1)), "any game", 0, 0, 0)
TERMS = TimeControl(bank_ms=1000, increment_ms=10, action_limit_ms=300, lag_credit_ms=0, grace_ms=200)


def order(
    name: str = "briscola-2",
    terms: TimeControl | None = TERMS,
    bots: str = "abcdef",
    dealer: int = 0,
    options: dict[str, Any] | None = None,
) -> MatchSpec:
    """A match as it is ordered; ``bots`` has one letter a seat, and a bot may have several."""
    what = game(name, options)
    return MatchSpec(
        id="id",
        handle="h",
        game=what,
        dealer=dealer,
        source=source(KEY, what.pack),
        seats=tuple(Seat(bot, "1") for bot in bots[: what.players]),
        time_control=terms,
    )


class Sitting:
    """A match that has begun, and the time. All it does goes through ``Match.handle``."""

    def __init__(self, spec: MatchSpec, begin: bool = True) -> None:
        self.spec = spec
        self.match = Match(spec)
        self.now = 0
        if begin:
            self.tell(Begun())

    def tell(self, event: Event, after: int = 0) -> list[Instruction]:
        """An event, so many ms later."""
        self.now += after
        return self.match.handle(event, self.now)

    def tick(self, after: int = 0) -> list[Instruction]:
        """Time passes and nothing else."""
        return self.tell(Ticked(), after)

    def card(self) -> int:
        """A card that the seat to act may play."""
        return self.match.deal.legal()[0]

    def answer(self, after: int = 0, lag_ms: int = 0) -> list[Instruction]:
        """The seat that is asked plays a card."""
        seat = self.match.open_seat
        assert seat is not None
        return self.tell(Answered(seat, self.match.numbers[seat], self.card(), lag_ms), after)

    def answer_until(self, seat: int, times: int = 1) -> None:
        """Everybody plays at once until this seat has been asked so many times."""
        while not (self.match.open_seat == seat and self.match.numbers[seat] == times):
            self.answer()

    def play_out(self) -> list[Instruction]:
        """Everybody who is asked plays at once, to the end."""
        done: list[Instruction] = []
        while not self.match.over:
            done = self.answer()
        return done


def state_of(match: Match) -> dict[str, Any]:
    """All that can differ between two matches of one specification."""
    state = {name: getattr(match, name) for name in Match.__slots__ if name not in ("deal", "clocks", "spec")}
    state["deal"] = match.deal.key()
    state["clocks"] = [tuple(getattr(clock, name) for name in type(clock).__slots__) for clock in match.clocks]
    state["deadline"] = match.deadline
    # A copy that later events leave alone.
    return {name: value.copy() if isinstance(value, (list, dict)) else value for name, value in state.items()}


def play_of(match: Match) -> Played:
    """The match's deal as records are made of it."""
    spec = match.spec
    names = [SeatName(seat.bot, seat.version, seat.bot) for seat in spec.seats]
    log = DealLog(match.deal.actions, match.clock, match.stand_in, tuple(match.faults.values()))
    place = Place(None, 0, None, 0, 0, 0)
    return Played(place, spec.handle, spec.game, spec.dealer, spec.source, KEY, names, spec.time_control, log)


def record_of(match: Match) -> dict[str, Any]:
    """The record of a match that has ended, as a reader gets it."""
    return json.loads(dumps(deal_record(play_of(match))))


def chance(seed: object) -> Random:
    """A generator that depends on what is named and on nothing else."""
    return Random(repr(seed))
