"""Margins per deck, meetings and paths: a fold over deals that count."""

from math import sqrt

import pytest

from clients.dashboard.tallies import SPARK_POINTS, Margins, Tallies
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import COMPLETED, DealResult

TWO = ((0,), (1,))
FOUR = ((0, 2), (1, 3))


def deal(deal_set: int, seating: int, points: tuple[int, ...], sides: tuple[tuple[int, ...], ...]) -> DealResult:
    sums = [sum(points[seat] for seat in side) for side in sides]
    winners = sorted(seat for side, total in zip(sides, sums, strict=True) for seat in side if total == max(sums))
    scores = tuple(2 if seat in winners else 0 for seat in range(len(points)))
    zeros = (0,) * len(points)
    return DealResult(deal_set, 0, seating, 0, 0, scores, points, tuple(winners), (), zeros, COMPLETED)


def test_a_deck_counts_once_it_was_played_at_all_its_seatings() -> None:
    tallies = Tallies([Fixture(0, 0, 0, (4, 7), 0, 3)], TWO, TWO)
    tallies.add(deal(0, 0, (80, 40), TWO))
    assert tallies.margins == {}
    assert tallies.finished == {}
    tallies.add(deal(0, 1, (70, 50), TWO))
    # Entrant 4 has 80 in seat 0, then 50 in seat 1.
    assert tallies.margins[4].mean == pytest.approx((40 - 20) / 2)
    assert tallies.margins[7].mean == pytest.approx(-10)
    assert tallies.finished == {0: [0]}
    assert (tallies.met[4, 7].decks, tallies.met[4, 7].score) == (1, [2, 2])


def test_partners_share_a_margin_and_meet_nobody_of_their_own_side() -> None:
    entrants = (0, 1, 2, 3)
    places = tuple((seat,) for seat in range(4))
    tallies = Tallies([Fixture(0, 0, 0, entrants, 0, 1)], places, FOUR)
    for seating in range(4):
        tallies.add(deal(0, seating, (40, 10, 30, 40), FOUR))
    assert tallies.margins[0].mean == pytest.approx(0)
    assert set(tallies.met) == {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}
    assert tallies.met[0, 2].score == [0, 0]
    assert sum(tallies.met[0, 1].score) == 8


def test_against_several_the_margin_is_over_their_mean() -> None:
    places = tuple((seat,) for seat in range(3))
    tallies = Tallies([Fixture(0, 0, 0, (0, 1, 2), 0, 1)], places, places)
    for seating in range(3):
        tallies.add(deal(0, seating, (60, 40, 20), places))
    assert tallies.margins[0].mean == pytest.approx(0)
    one = Tallies([Fixture(0, 0, 0, (0, 1, 2), 0, 1)], places, places)
    for seating, points in enumerate(((60, 40, 20), (20, 60, 40), (40, 20, 60))):
        one.add(deal(0, seating, points, places))
    assert one.margins[0].mean == pytest.approx(60 - (40 + 20) / 2)


def test_the_standard_error_is_that_of_the_mean() -> None:
    margins = Margins()
    margins.add(10.0)
    assert margins.error is None
    for value in (20.0, 30.0):
        margins.add(value)
    assert margins.mean == 20.0
    assert margins.error == pytest.approx(sqrt(100 / 3))


@pytest.mark.parametrize("decks", [1, 2, 31, 32, 500])
def test_a_path_begins_at_nought_and_ends_at_the_sum(decks: int) -> None:
    margins = Margins()
    for _ in range(decks):
        margins.add(2.0)
    path = margins.spark()
    assert (path[0], path[-1]) == (0.0, 2.0 * decks)
    assert len(path) == min(decks + 1, SPARK_POINTS)
    assert list(path) == sorted(path)
