from collections import Counter
from itertools import combinations

import pytest

from worker.tournament.designs import affine, design, idempotent, index


def meetings(tables: list[tuple[int, ...]]) -> Counter[tuple[int, ...]]:
    assert all(list(table) and len(set(table)) == len(table) for table in tables)
    return Counter(pair for table in tables for pair in combinations(sorted(table), 2))


def test_the_index_is_what_the_counts_allow() -> None:
    assert [index(e, 3) for e in range(3, 15)] == [1, 2, 3, 2, 1, 6, 1, 2, 3, 2, 1, 6]
    assert {e: index(e, 5) for e in (5, 6, 7, 8, 9, 10, 11, 15, 21, 25, 41)} == {
        5: 1,
        6: 4,
        7: 10,
        8: 20,
        9: 5,
        10: 4,
        11: 2,
        21: 1,
        25: 1,
        41: 1,
        15: 4,  # the counts allow 2, and there is none
    }


@pytest.mark.parametrize("e", [*range(3, 61), 128])
def test_triple_systems_are_exact_for_every_number_of_entrants(e: int) -> None:
    tables = design(e, 3)
    assert tables is not None
    assert meetings(tables) == dict.fromkeys(combinations(range(e), 2), index(e, 3))


@pytest.mark.parametrize("e", [5, 6, 7, 21, 25, 41, 61, 125])
def test_designs_of_fives_are_exact(e: int) -> None:
    tables = design(e, 5)
    assert tables is not None
    assert meetings(tables) == dict.fromkeys(combinations(range(e), 2), index(e, 5))


def test_no_design_is_claimed_where_none_is_known() -> None:
    assert all(design(e, 5) is None for e in (8, 9, 10, 20, 45))


@pytest.mark.parametrize(("e", "k"), [(3, 3), (9, 3), (27, 3), (81, 3), (5, 5), (25, 5)])
def test_the_rounds_of_an_affine_space_leave_nobody_out(e: int, k: int) -> None:
    rounds = affine(e, k)
    assert len(rounds) == (e - 1) // (k - 1)
    assert all(sorted(i for table in tables for i in table) == list(range(e)) for tables in rounds)
    assert affine(e + 1, k) == []


@pytest.mark.parametrize("order", [1, *range(3, 24)])
def test_idempotent_quasigroups(order: int) -> None:
    times, everybody = idempotent(order), set(range(order))
    for x in everybody:
        assert times(x, x) == x
        assert {times(x, y) for y in everybody} == {times(y, x) for y in everybody} == everybody
    with pytest.raises(ValueError, match="order 2"):
        idempotent(2)
