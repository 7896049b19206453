from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.tournament.fixtures import Fixture
from worker.tournament.schedule import (
    ScheduleError,
    appended,
    appended_tables,
    byes,
    fixtures_expected,
    round_robin,
    scheduled,
    single_fixture,
)

ENTRANTS = st.integers(2, 17)
LEGS = st.integers(1, 4)


def test_four_entrants_meet_in_three_rounds() -> None:
    # the circle is 0 1 2; in round r entrant r meets entrant 3, who stands aside, and r + 1 meets r - 1
    assert [(f.number, f.round, f.entrants, f.first_set) for f in round_robin(4, 2, 1, 10)] == [
        (0, 0, (0, 3), 0),
        (1, 0, (1, 2), 10),
        (2, 1, (3, 1), 20),
        (3, 1, (2, 0), 30),
        (4, 2, (2, 3), 40),
        (5, 2, (0, 1), 50),
    ]


def test_the_second_leg_turns_the_order_round() -> None:
    first, second = round_robin(3, 2, 2, 1)[:3], round_robin(3, 2, 2, 1)[3:]
    assert [f.entrants for f in second] == [f.entrants[::-1] for f in first]
    assert [(f.leg, f.round) for f in first + second] == [(0, 0), (0, 1), (0, 2), (1, 3), (1, 4), (1, 5)]


@given(ENTRANTS, LEGS)
def test_every_two_meet_once_a_leg(entrants: int, legs: int) -> None:
    fixtures = round_robin(entrants, 2, legs, 1)
    for leg in range(legs):
        met = sorted(tuple(sorted(f.entrants)) for f in fixtures if f.leg == leg)
        assert met == list(combinations(range(entrants), 2))


@given(ENTRANTS, LEGS)
def test_nobody_plays_twice_in_a_round_and_byes_go_round(entrants: int, legs: int) -> None:
    fixtures = round_robin(entrants, 2, legs, 1)
    rounds = sorted({f.round for f in fixtures})
    assert rounds == list(range(legs * (entrants - 1 + entrants % 2)))
    for number in rounds:
        playing = [i for f in fixtures if f.round == number for i in f.entrants]
        assert len(playing) == len(set(playing))
    resting = Counter(i for number in rounds for i in byes(fixtures, number, entrants))
    assert resting == Counter(dict.fromkeys(range(entrants), legs) if entrants % 2 else {})


@given(ENTRANTS, LEGS)
def test_order_is_balanced(entrants: int, legs: int) -> None:
    fixtures = round_robin(entrants, 2, legs, 1)
    for leg in range(legs):
        first = Counter(f.entrants[0] for f in fixtures if f.leg == leg)
        second = Counter(f.entrants[1] for f in fixtures if f.leg == leg)
        assert all(abs(first[i] - second[i]) == (entrants + 1) % 2 for i in range(entrants))
    for a, b in combinations(range(entrants), 2):
        assert abs(sum(1 if f.entrants == (a, b) else -1 for f in fixtures if {a, b} == set(f.entrants))) <= 1


@given(ENTRANTS, LEGS, st.integers(1, 5))
def test_fixtures_and_deal_sets_number_through(entrants: int, legs: int, sets: int) -> None:
    fixtures = round_robin(entrants, 2, legs, sets)
    assert [f.number for f in fixtures] == list(range(len(fixtures)))
    assert [number for f in fixtures for number in f.deal_sets] == list(range(sets * len(fixtures)))
    assert all(a.round <= b.round for a, b in pairwise(fixtures))


@given(ENTRANTS, st.integers(1, 3), st.integers(1, 5))
def test_late_entrants_meet_everybody_and_the_numbers_go_on(entrants: int, newcomers: int, sets: int) -> None:
    fixtures = round_robin(entrants, 2, 2, sets)
    for newcomer in range(entrants, entrants + newcomers):
        late = appended(newcomer, range(newcomer), fixtures, sets)
        assert [set(f.entrants) for f in late] == [{newcomer, other} for other in range(newcomer)]
        assert abs(sum(1 if f.entrants[0] == newcomer else -1 for f in late)) <= 1
        assert [f.round for f in late] == list(range(fixtures[-1].round + 1, fixtures[-1].round + 1 + newcomer))
        fixtures += late
    assert [f.number for f in fixtures] == list(range(len(fixtures)))
    assert [number for f in fixtures for number in f.deal_sets] == list(range(sets * len(fixtures)))


def test_the_first_of_an_open_season_without_entrants_can_come_late() -> None:
    assert appended(0, [], [], 2) == ()
    assert appended(1, [0], [], 2) == (Fixture(0, 0, 0, (1, 0), 0, 2),)
    with pytest.raises(ValueError, match="different"):
        appended(1, [0, 1], [], 2)


def test_an_arena_is_one_fixture_in_the_order_of_its_entrants() -> None:
    assert single_fixture(3, 9) == Fixture(0, 0, 0, (0, 1, 2), 0, 9)
    assert round_robin(2, 2, 1, 9) == (single_fixture(2, 9),)


def test_at_one_table_of_three_every_leg_turns_the_order_round() -> None:
    assert [f.entrants for f in round_robin(3, 3, 3, 2)] == [(0, 1, 2), (0, 2, 1), (0, 1, 2)]
    assert [(f.round, f.leg, f.first_set) for f in round_robin(3, 3, 3, 2)] == [(0, 0, 0), (1, 1, 2), (2, 2, 4)]


@pytest.mark.parametrize(
    ("k", "more", "legs", "sets"), [(3, 0, 3, 2), (3, 5, 1, 3), (3, 7, 2, 1), (5, 3, 6, 1), (5, 20, 2, 2)]
)
def test_larger_tables_number_through_and_nobody_plays_twice_a_round(k: int, more: int, legs: int, sets: int) -> None:
    fixtures = round_robin(k + more, k, legs, sets)
    assert [f.number for f in fixtures] == list(range(len(fixtures)))
    assert len(fixtures) == fixtures_expected(k + more, k, legs) or legs > 1
    assert [number for f in fixtures for number in f.deal_sets] == list(range(sets * len(fixtures)))
    assert all(a.round <= b.round and a.leg <= b.leg < legs for a, b in pairwise(fixtures))
    for number in {f.round for f in fixtures}:
        playing = [i for f in fixtures if f.round == number for i in f.entrants]
        assert len(playing) == len(set(playing))


def test_larger_tables_have_bounds() -> None:
    with pytest.raises(ScheduleError, match=r"entrants: 4; a round robin at tables of 5 needs at least 5"):
        round_robin(4, 5, 1, 1)
    with pytest.raises(ScheduleError, match=r"entrants: 129; at tables of 3 there are 128 at most"):
        round_robin(129, 3, 1, 1)
    with pytest.raises(ScheduleError, match=r"2 owners for tables of 3: two bots of one owner never sit"):
        scheduled(["a", "a", "b", "b"], 3, 1, 1)


@given(st.integers(3, 5), st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=14), st.integers(0, 9))
def test_late_entrants_at_larger_tables_meet_all_but_their_owners_bots(k: int, owners: list[str], at: int) -> None:
    fixtures: tuple[Fixture, ...] = ()
    for entered in range(min(at, len(owners)), len(owners) + 1):
        late = appended_tables(owners[:entered], range(entered), k, fixtures, 2, rotating=k == 4)
        assert len({f.round for f in late}) == len(late)
        fixtures += late
        met = {frozenset(pair) for f in fixtures for pair in combinations(f.entrants, 2)}
        others = {frozenset((a, b)) for a, b in combinations(range(entered), 2) if owners[a] != owners[b]}
        assert met == (others if len(set(owners[:entered])) >= k else set())
    assert [f.number for f in fixtures] == list(range(len(fixtures)))
    assert [number for f in fixtures for number in f.deal_sets] == list(range(2 * len(fixtures)))


def test_a_late_entrant_comes_to_few_tables() -> None:
    owners = [str(i) for i in range(8)]
    fano = round_robin(7, 3, 1, 1)
    late = appended_tables(owners, range(8), 3, fano, 1)
    assert len(late) == 4  # seven others, two at a time
    assert all(7 in f.entrants for f in late)


@pytest.mark.parametrize("numbers", [(1, 2, 1, 1), (0, 2, 1, 1), (2, 2, 0, 1), (2, 2, 1, 0)])
def test_nothing_to_play_is_refused(numbers: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="at least"):
        round_robin(*numbers)
