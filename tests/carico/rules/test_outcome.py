"""Every row of the paragraph "Scores" of the record format."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carico.rules.game import game
from carico.rules.outcome import Fault, FaultReason, Termination, outcome
from tests.kit.deals import BRISCOLA, deals, new_deal, play_on
from tests.kit.naive_engine import verdict

ENDED = {name: play_on(new_deal(game(name), Random(1)), Random(1)) for name in BRISCOLA}
ENDED["briscola-5"] = play_on(new_deal(game("brisca-5"), Random(1)), Random(1))


def judged(points, faulty=()):
    """The outcome of a deal with these card points per seat and these faulty seats."""
    deal = ENDED[f"briscola-{len(points)}"].copy()
    deal.card_points[:] = points
    return outcome(deal, [Fault(seat, FaultReason.TIME_FORFEIT, 3) for seat in faulty])


@pytest.mark.parametrize(
    ("points", "faulty", "winners", "scores"),
    [
        # two seats
        ([61, 59], [], (0,), (2, 0)),
        ([59, 61], [], (1,), (0, 2)),
        ([0, 120], [], (1,), (0, 2)),
        ([60, 60], [], (), (1, 1)),
        ([120, 0], [0], (1,), (0, 2)),
        ([60, 60], [0], (1,), (0, 2)),
        ([60, 60], [1], (0,), (2, 0)),
        ([61, 59], [1], (0,), (2, 0)),
        ([61, 59], [0, 1], (), (0, 0)),
        ([60, 60], [0, 1], (), (0, 0)),
        # two sides
        ([20, 29, 41, 30], [], (0, 2), (2, 0, 2, 0)),
        ([20, 30, 39, 31], [], (1, 3), (0, 2, 0, 2)),
        ([0, 120, 0, 0], [], (1, 3), (0, 2, 0, 2)),
        ([30, 25, 30, 35], [], (), (1, 1, 1, 1)),
        ([60, 0, 60, 0], [2], (1, 3), (0, 2, 0, 2)),
        ([30, 30, 30, 30], [1], (0, 2), (2, 0, 2, 0)),
        ([60, 0, 60, 0], [0, 2], (1, 3), (0, 2, 0, 2)),
        ([60, 0, 60, 0], [0, 1], (), (0, 0, 0, 0)),
        ([10, 20, 20, 20, 31, 19], [], (0, 2, 4), (2, 0, 2, 0, 2, 0)),
        ([20, 20, 20, 20, 20, 20], [], (), (1,) * 6),
        ([20, 20, 20, 20, 20, 20], [4], (1, 3, 5), (0, 2, 0, 2, 0, 2)),
        ([20, 20, 20, 20, 20, 20], [4, 1], (), (0,) * 6),
        # single players
        ([41, 40, 39], [], (0,), (3, 0, 0)),
        ([20, 20, 80], [], (2,), (0, 0, 3)),
        ([40, 40, 40], [], (), (1, 1, 1)),
        ([50, 20, 50], [], (), (1, 1, 1)),  # the top is shared: it counts for nobody
        ([100, 15, 5], [0], (1,), (0, 3, 0)),  # the best of the others
        ([100, 10, 10], [0], (), (0, 1, 1)),  # a top shared among the others
        ([50, 50, 20], [0], (1,), (0, 3, 0)),
        ([40, 40, 40], [2], (), (1, 1, 0)),
        ([60, 60, 0], [0, 1], (2,), (0, 0, 3)),
        ([60, 60, 0], [0, 1, 2], (), (0, 0, 0)),
        ([20, 30, 30, 31, 9], [], (3,), (0, 0, 0, 5, 0)),  # five at Brisca
        ([30, 30, 20, 20, 20], [], (), (1, 1, 1, 1, 1)),
        ([30, 30, 20, 20, 20], [1, 4], (0,), (5, 0, 0, 0, 0)),
    ],
)
def test_scores(points, faulty, winners, scores):
    end = judged(points, faulty)
    assert (end.winners, end.scores) == (winners, scores)
    assert end.card_points == tuple(points)
    assert end.termination is Termination.COMPLETED
    assert [fault.seat for fault in end.faults] == faulty


@given(deals(BRISCOLA, over=True), st.lists(st.integers(0, 5), max_size=4, unique=True))
def test_a_second_engine_judges_alike(deal, seats):
    faults = [Fault(seat, FaultReason.PROTOCOL, 0) for seat in seats if seat < deal.game.players]
    end = outcome(deal, faults)
    told = {"players": deal.game.players}
    winners, scores = verdict(told, deal.card_points, [(fault.seat, "PROTOCOL", 0) for fault in faults])
    assert (list(end.winners), list(end.scores)) == (winners, scores)


def test_a_deal_that_is_not_over_has_no_outcome():
    deal = play_on(new_deal(game("briscola-4"), Random(2)), Random(2), 39)
    with pytest.raises(ValueError, match=f"the deal is not over: seat {deal.to_act} is to act"):
        outcome(deal)


def test_reasons_are_those_of_the_record_format():
    assert {str(reason) for reason in FaultReason} == {"ILLEGAL_ACTION", "TIME_FORFEIT", "DISCONNECT", "PROTOCOL"}
