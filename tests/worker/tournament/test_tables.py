"""Schedules for tables of more than two: how even they are, counted."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worker.tournament.apart import NotEnoughOwners
from worker.tournament.designs import index
from worker.tournament.meetings import Meetings
from worker.tournament.tables import Meeting, changing_partners, single_players
from worker.tournament.translates import plays_of, searched


def own(entrants: int) -> list[str]:
    """Everybody an owner of its own."""
    return [str(i) for i in range(entrants)]


def spread(meetings: Sequence[Meeting], owners: Sequence[str]) -> tuple[int, int]:
    """The least and the most meetings of two of different owners; no others may meet."""
    met = Meetings(len(owners), [table for _, _, table in meetings])
    for a, b in combinations(range(len(owners)), 2):
        assert owners[a] != owners[b] or met.of[a][b] == 0
    counts = [met.of[a][b] for a, b in combinations(range(len(owners)), 2) if owners[a] != owners[b]]
    return min(counts), max(counts)


def plays(meetings: Sequence[Meeting], entrants: int) -> set[int]:
    count = Counter(i for _, _, table in meetings for i in table)
    return {count[i] for i in range(entrants)}


UNEVEN = {3: {18, 36}, 5: {15, 20, 30, 35, 40}}
"""Where the search gets no nearer than two meetings more of some than of others in one leg, or (18) takes long."""


@pytest.mark.parametrize("k", [3, 5])
def test_one_leg_of_up_to_forty_is_as_even_as_can_be(k: int) -> None:
    for e in range(k, 41):
        if e in UNEVEN[k]:
            continue
        meetings = single_players(own(e), k, 1)
        least, most = spread(meetings, own(e))
        assert least >= 1, e
        assert most - least <= 1, e
        assert plays(meetings, e) == {plays_of(e, k, 1)}, e


@pytest.mark.parametrize(("k", "e"), [(3, 36), (5, 35)])
def test_where_it_is_uneven_everybody_still_plays_equally_often(k: int, e: int) -> None:
    meetings = single_players(own(e), k, 1)
    assert spread(meetings, own(e)) == (0, 2)
    assert plays(meetings, e) == {plays_of(e, k, 1)}


@pytest.mark.parametrize(("k", "e"), [(3, 8), (3, 10), (3, 14), (5, 8), (5, 9), (5, 10), (5, 11), (5, 13), (5, 16)])
def test_as_many_legs_as_the_index_are_exact(k: int, e: int) -> None:
    legs = index(e, k)
    assert spread(single_players(own(e), k, legs), own(e)) == (legs, legs)
    least, most = spread(single_players(own(e), k, 2 * legs + 1), own(e))
    assert 2 * legs + 1 <= least <= most <= least + 1


@pytest.mark.parametrize("e", range(3, 41))
def test_of_two_at_tables_of_three_neither_always_sits_before_the_other(e: int) -> None:
    legs = index(e, 3)
    tables = [table for _, _, table in single_players(own(e), 3, legs)]
    after = Counter(pair for a, b, c in tables for pair in ((a, b), (b, c), (c, a)))
    assert max(abs(after[a, b] - after[b, a]) for a, b in combinations(range(e), 2)) <= min(legs, 3)


def test_the_same_numbers_give_the_same_tables() -> None:
    assert searched(9, 5, 10) == searched(9, 5, 10)
    with pytest.raises(ValueError, match="can't each play 4 times"):
        searched(8, 3, 4)


# --- owners ---


@settings(deadline=None, max_examples=15)
@given(st.integers(3, 5), st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12))
def test_two_bots_of_one_owner_never_meet_and_nobody_is_left_out(k: int, owners: list[str]) -> None:
    if len(set(owners)) < k:
        with pytest.raises(NotEnoughOwners, match=f"owners for tables of {k}"):
            single_players(owners, k, 1)
        return
    meetings = changing_partners(owners, 1) if k == 4 else single_players(owners, k, 1)
    spread(meetings, owners)
    assert min(plays(meetings, len(owners))) >= 1


@pytest.mark.parametrize(
    ("owners", "k", "most"),
    [("aabbcc", 3, 1), ("aaabbbccc", 3, 1), ("aabbccddee", 3, 2), ("aabcdefghi", 3, 2)],
)
def test_owners_apart_everybody_plays_equally_often_and_meets_everybody_else(owners: str, k: int, most: int) -> None:
    meetings = single_players(owners, k, 1)
    least, found = spread(meetings, owners)
    assert 1 <= least <= found <= most
    assert len(plays(meetings, len(owners))) == 1


def test_an_owner_with_too_many_bots_for_equal_play_still_meets_all_others() -> None:
    meetings = single_players("aaaaabc", 3, 2)
    assert len(meetings) == 10  # each bot of a has b and c, twice
    assert spread(meetings, "aaaaabc") == (2, 10)


def test_what_is_uneven_falls_on_others_when_it_is_repeated() -> None:
    owners = "aabbccddefgh"
    least, most = spread(single_players(owners, 5, 6), owners)
    assert least < most
    many = spread(single_players(owners, 5, 60), owners)
    assert 10 * least + 1 < many[0] <= many[1] < 10 * most - 1
