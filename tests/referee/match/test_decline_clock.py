"""A decline costs the same time whether the hand could have exchanged or not: flags must tell nothing of a hand."""

from random import Random
from typing import Any

import pytest

from carico.rules.actions import Action
from carico.rules.brisca import BriscaDeal
from carico.rules.game import game
from carico.time_control import TimeControl
from referee.match.events import Answered, Begun, Broke, Event
from referee.match.machine import Match
from referee.match.spec import MatchSpec, Seat
from tests.kit.naive.clock import check_clock
from tests.kit.twins import exchange_twins

BRISCA = game("brisca-2")
TERMS = TimeControl(bank_ms=1000, increment_ms=40, action_limit_ms=300, lag_credit_ms=20)


TWINS = exchange_twins(BRISCA, Random(3))


class Course:
    """A match whose seats answer after given times."""

    def __init__(self, holds: bool) -> None:
        source = TWINS.holding if holds else TWINS.other
        seats = tuple(Seat(name, "1") for name in "ab")
        self.match = Match(MatchSpec("id", "h", BRISCA, TWINS.dealer, source, seats, TERMS))
        self.now = 0
        (self.winner,) = TWINS.seats
        self.course = iter(TWINS.course)
        self.tell(Begun())

    def tell(self, event: Event, after: int = 0) -> None:
        self.now += after
        self.match.handle(event, self.now)

    def answer(self, after: int, lag_ms: int = 0) -> None:
        """The seat that is asked does what comes next in the course of the twins."""
        match, (seat, action) = self.match, next(self.course)
        self.tell(Answered(seat, match.numbers[seat], action, lag_ms), after)

    @property
    def told(self) -> object:
        """What follows for everybody, and what the winner is told of its clock."""
        match = self.match
        clock = match.clocks[self.winner]
        faults = [(seat, fault.reason) for seat, fault in match.faults.items()]
        until = None if match.deadline is None else match.deadline - self.now
        return until, faults, match.open_seat == self.winner, clock.bank_ms, clock.used_ms, clock.credit_ms


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("longest", [40, 322])
def test_the_clock_after_a_decline_does_not_depend_on_the_hand(longest: int, seed: int) -> None:
    rng = Random(seed)
    holding, other = Course(holds=True), Course(holds=False)
    while not holding.match.over and not holding.match.faults:
        thinks, lag = rng.choice([rng.randrange(longest), longest - 1]), rng.choice([0, 7, 1000])
        for course in (holding, other):
            course.answer(thinks, lag)
        assert holding.told == other.told
    one, two = holding.match.deal, other.match.deal
    assert isinstance(one, BriscaDeal)
    assert isinstance(two, BriscaDeal)
    assert one.declined != two.declined or longest > 40, "no decline was an action in one of them only"


@pytest.mark.parametrize("holds", [True, False])
def test_the_rows_add_up_as_the_record_format_says(holds: bool) -> None:
    rng = Random(holds)
    course = Course(holds)
    while not course.match.over:
        course.answer(rng.randrange(30), rng.randrange(40))
    match = course.match
    assert not match.faults
    check_clock(as_record(match))
    for seat, clock in enumerate(match.clocks):
        last = max(place for place, (who, _) in enumerate(match.deal.actions) if who == seat)
        declined = sum(who == seat and action == Action.DECLINE for who, action in match.deal.actions)
        assert match.clock[last][2] == clock.booked_ms == clock.bank_ms + declined * TERMS.increment_ms


def test_the_stand_in_has_what_the_rows_say_is_left() -> None:
    """The time of a decline that was no action is in no row where the seat never acts again."""
    course = Course(holds=False)
    while course.match.deal.phase != "exchange":
        course.answer(10)
    seat = course.match.open_seat
    course.answer(200)
    course.tell(Broke(course.match.spec.seats[seat].bot, "why"))
    while not course.match.over:
        match = course.match
        course.tell(Answered(match.open_seat, match.numbers[match.open_seat], match.deal.legal()[0], 0))
    assert list(match.faults) == [seat]
    check_clock(as_record(match))


def as_record(match: Match) -> dict[str, Any]:
    """What a record has of the time."""
    return {
        "variant": "brisca",
        "players": 2,
        "time_control": TERMS.to_json(),
        "actions": match.deal.actions,
        "clock": [list(row) for row in match.clock],
        "stand_in": match.stand_in,
    }
