"""Withdrawals and voids in the table."""

import pytest

from worker.tournament.entrants import Entrant
from worker.tournament.fixtures import Fixture
from worker.tournament.json_fields import BadField
from worker.tournament.ledger import COMPLETED, DealResult, Withdrawal, counted, no_show, withdrawn
from worker.tournament.schedule import round_robin
from worker.tournament.standings import Table, standings

TWO = ((0,), (1,))
NAMES = [Entrant(name, "1", "o") for name in "abcd"]
FIXTURES = round_robin(4, 2, 1, 1)


def won(fixture: Fixture, by: int, attempt: int = 0) -> list[DealResult]:
    """Both deals of a fixture, won by this entrant."""
    results = []
    for plan in fixture.matches():
        seat = (fixture.entrants.index(by) + plan.seating) % 2
        scores = (2, 0) if seat == 0 else (0, 2)
        points = (80, 40) if seat == 0 else (40, 80)
        results.append(
            DealResult(
                plan.deal_set, fixture.number, plan.seating, 0, attempt, scores, points, (seat,), (), (0, 0), COMPLETED
            )
        )
    return results


def between(a: int, b: int) -> Fixture:
    return next(fixture for fixture in FIXTURES if set(fixture.entrants) == {a, b})


LEDGER = [*won(between(0, 1), 0), *won(between(1, 2), 1), *won(between(2, 3), 2)]


def points(withdrawals: list[Withdrawal], closed: list[tuple[int, int]]) -> dict[str, tuple[object, ...]]:
    closures = [withdrawn(between(*pair).number, withdrawals[-1].entrant) for pair in closed]
    rows = standings(NAMES, FIXTURES, TWO, LEDGER, closures, withdrawals=withdrawals)
    return {row.bot: (row.fixtures, row.won, row.lost, row.match_points, row.deals, row.walkovers) for row in rows}


def test_before_half_all_its_fixtures_leave_the_table() -> None:
    assert points([Withdrawal(0, 1, 3)], [(0, 2), (0, 3)]) == {
        "a": (0, 0, 0, 0, 0, 0),
        "b": (1, 1, 0, 2, 2, 0),
        "c": (2, 1, 1, 2, 4, 0),
        "d": (1, 0, 1, 0, 2, 0),
    }


def test_from_half_on_the_rest_are_walkovers() -> None:
    assert points([Withdrawal(1, 2, 3)], [(1, 3)]) == {
        "a": (1, 1, 0, 2, 2, 0),
        "b": (3, 1, 2, 2, 4, 1),
        "c": (2, 1, 1, 2, 4, 0),
        "d": (2, 1, 1, 2, 2, 0),
    }


@pytest.mark.parametrize(
    ("played", "fixtures", "annuls"),
    [(0, 1, True), (1, 2, False), (1, 3, True), (2, 4, False), (2, 5, True), (0, 0, False)],
)
def test_half_is_half(played: int, fixtures: int, annuls: bool) -> None:
    withdrawal = Withdrawal(0, played, fixtures)
    assert withdrawal.annuls is annuls
    assert Withdrawal.from_json(withdrawal.to_json()) == withdrawal


def test_what_left_the_table_is_told_and_stays_out_whatever_comes() -> None:
    table = Table(NAMES, FIXTURES, TWO, annulled=[0])
    out = {fixture.number for fixture in FIXTURES if table.left(fixture.number)}
    assert out == {between(0, i).number for i in (1, 2, 3)}
    for result in won(between(0, 1), 0):
        assert table.add(result)
        assert not table.add(result)
    table.close(no_show(between(0, 2), [0]))
    assert [row.deals for row in table.rows()] == [0] * 4
    assert {row.walkovers for row in table.rows()} == {0}


def test_a_withdrawal_is_plain_json() -> None:
    with pytest.raises(BadField):
        Withdrawal.from_json({"entrant": 0, "played": 0})
    with pytest.raises(BadField):
        Withdrawal.from_json({"entrant": -1, "played": 0, "fixtures": 1})


def test_what_counts_is_the_current_attempt() -> None:
    old, new = won(between(0, 1), 0), won(between(0, 1), 1, attempt=1)
    assert list(counted([*old, *new], {})) == old
    assert list(counted([*old, *new], {old[0].deal_set: 1})) == new
    assert list(counted([*old, *new], {old[0].deal_set: 2})) == []
