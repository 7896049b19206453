import pytest
from hypothesis import given
from hypothesis import strategies as st

from carico.rules.game import game
from worker.tournament.fixtures import Fixture, MatchPlan, dealer, seating

FIXTURE = Fixture(number=4, round=1, leg=0, entrants=(7, 2), first_set=10, sets=3)


def test_seating_0_is_the_order_of_the_entrants_and_every_further_one_moves_them_a_place_on() -> None:
    assert seating(FIXTURE, 0, game("briscola-2").places) == (7, 2)
    assert seating(FIXTURE, 1, game("briscola-2").places) == (2, 7)
    three = Fixture(0, 0, 0, (5, 6, 7), 0, 1)
    # entrant i takes place (i + r) mod 3, so in seating 1 the first sits in seat 1 and the last in seat 0
    assert [seating(three, r, game("briscola-3").places) for r in range(3)] == [(5, 6, 7), (7, 5, 6), (6, 7, 5)]


def test_an_entrant_of_a_partnership_game_takes_a_whole_side() -> None:
    assert seating(FIXTURE, 0, game("briscola-4").places) == (7, 2, 7, 2)
    assert seating(FIXTURE, 1, game("briscola-6").places) == (2, 7, 2, 7, 2, 7)


def test_a_seating_that_the_fixture_or_the_table_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="seatings 0 to 1, not 2"):
        seating(FIXTURE, 2, game("briscola-2").places)
    with pytest.raises(ValueError, match="2 entrants, the table 3 places"):
        seating(FIXTURE, 0, game("briscola-3").places)


@given(st.integers(2, 6), st.integers(0, 50))
def test_in_a_deal_set_every_entrant_sits_in_every_place_once(k: int, first: int) -> None:
    fixture = Fixture(0, 0, 0, tuple(range(first, first + k)), 0, 1)
    places = [(seat,) for seat in range(k)]
    for seats in zip(*(seating(fixture, r, places) for r in range(fixture.seatings)), strict=True):
        assert sorted(seats) == list(fixture.entrants)


def test_the_dealer_moves_with_the_set_and_with_the_deal_and_not_with_the_seating() -> None:
    assert [dealer(deal_set, 0, 2) for deal_set in range(4)] == [0, 1, 0, 1]
    assert [dealer(4, deal, 3) for deal in range(4)] == [1, 2, 0, 1]


def test_matches_come_in_the_order_of_the_records() -> None:
    assert FIXTURE.deal_sets == range(10, 13)
    assert list(FIXTURE.matches(range(11, 13))) == [
        MatchPlan(11, 4, 0),
        MatchPlan(11, 4, 1),
        MatchPlan(12, 4, 0),
        MatchPlan(12, 4, 1),
    ]
    assert list(FIXTURE.matches()) == sorted(FIXTURE.matches())
    assert len(list(FIXTURE.matches())) == 6


@pytest.mark.parametrize(
    "wrong",
    [
        {"entrants": [3, 3]},
        {"entrants": [3]},
        {"entrants": [0, -1]},
        {"sets": 0},
        {"leg": -1},
        {"round": True},
        {"x": 1},
    ],
)
def test_json_comes_back_as_it_was_and_nothing_else_is_taken(wrong: dict[str, object]) -> None:
    assert Fixture.from_json(FIXTURE.to_json()) == FIXTURE
    with pytest.raises(ValueError, match=next(iter(wrong)).rstrip("s") + "|numbers from 0|deal set"):
        Fixture.from_json(FIXTURE.to_json() | wrong)
