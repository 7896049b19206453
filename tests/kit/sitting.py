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


def key_of(deal: int) -> bytes:
    """K of a deck by its number."""
    return deck_key(master(practice_secret(1)), "any game", 0, deal, 0)


TERMS = TimeControl(bank_ms=1000, increment_ms=10, action_limit_ms=300, lag_credit_ms=0, grace_ms=200)


def order(
    name: str = "briscola-2",
    terms: TimeControl | None = TERMS,
    bots: str = "abcdef",
    dealer: int = 0,
    options: dict[str, Any] | None = None,
    deck: int = 0,
) -> MatchSpec:
    """A match as it is ordered, with packs for all its deals; ``bots`` has one letter a seat, a bot several seats.

    ``deck`` is the number of the first deal's pack; the id of the match tells it.
    """
    what = game(name, options)
    return MatchSpec(
        id=str(deck),
        handle="h",
        game=what,
        dealer=dealer,
        source=source(key_of(deck), what.pack),
        more_sources=tuple(source(key_of(deck + deal), what.pack) for deal in range(1, what.most_deals)),
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
        return self.say(self.card(), after, lag_ms)

    def say(self, action: int, after: int = 0, lag_ms: int = 0) -> list[Instruction]:
        """The seat that is asked answers with this."""
        seat = self.match.open_seat
        assert seat is not None
        return self.tell(Answered(seat, self.match.numbers[seat], action, lag_ms), after)

    def deal_out(self) -> list[Instruction]:
        """Everybody who is asked plays at once, until another deal begins or the match is over."""
        number, done = self.match.number, []
        while self.match.number == number and not self.match.over:
            done = self.answer()
        return done

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


def plays_of(match: Match) -> list[Played]:
    """The match's deals as records are made of them, those before the last one first."""
    spec = match.spec
    names = [SeatName(seat.bot, seat.version, seat.bot) for seat in spec.seats]
    played = []
    for number, one in enumerate(match.deals):
        log = DealLog(one.deal.actions, one.clock, one.stand_in, tuple(one.faults.values()))
        place = Place(None, spec.dealer, None, 0, number, 0)
        at = spec.dealer_of(number), spec.sources[number], key_of(int(spec.id) + number)
        played.append(Played(place, spec.handle, spec.game, *at, names, spec.time_control, log))
    return played


def play_of(match: Match) -> Played:
    """The match's last deal as its record is made of it."""
    return plays_of(match)[-1]


def records_of(match: Match) -> list[dict[str, Any]]:
    """The records of a match that has ended, as a reader gets them."""
    return [json.loads(dumps(deal_record(played))) for played in plays_of(match)]


def record_of(match: Match) -> dict[str, Any]:
    """The record of its last deal."""
    return records_of(match)[-1]


def chance(seed: object) -> Random:
    """A generator that depends on what is named and on nothing else."""
    return Random(repr(seed))
