"""Tables whose partners change: who partners and opposes whom, counted."""

from collections import Counter
from itertools import combinations

import pytest

from worker.tournament.rounds import in_rounds
from worker.tournament.tables import changing_partners
from worker.tournament.whist import opponents, partners, whist

WHIST = [4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29, 37, 41, 49]


def ranges(tables: list[tuple[int, ...]], entrants: int) -> tuple[int, int, int, int]:
    """The least and the most that two are partners, and opponents."""
    found: list[int] = []
    for pairs in (partners(tables), opponents(tables)):
        count = Counter(frozenset(pair) for pair in pairs)
        counts = [count[frozenset(pair)] for pair in combinations(range(entrants), 2)]
        found += [min(counts), max(counts)]
    return found[0], found[1], found[2], found[3]


@pytest.mark.parametrize("e", WHIST)
def test_a_whist_tournament_has_every_partner_once_and_every_opponent_twice(e: int) -> None:
    tables = whist(e, 1)
    assert ranges(tables, e) == (1, 1, 2, 2)
    rounds = in_rounds(tables, e)
    assert len(rounds) == (e - 1 if e % 4 == 0 else e)
    assert all(len({i for table in tables for i in table}) == 4 * (e // 4) for tables in rounds)


@pytest.mark.parametrize("e", [6, 7, 10, 11, 14, 15, 19, 23, 31, 32, 39])
def test_other_numbers_come_near(e: int) -> None:
    tables = whist(e, 1)
    assert all(len(set(table)) == 4 for table in tables)
    assert len({Counter(i for table in tables for i in table)[i] for i in range(e)}) == 1
    fewest, most, least, greatest = ranges(tables, e)
    assert 1 <= fewest <= most <= 2 <= least <= greatest <= 4


def test_partners_stay_in_the_order_of_the_table_and_legs_multiply() -> None:
    tables = [table for _, _, table in changing_partners([str(i) for i in range(8)], 2)]
    assert ranges(tables, 8) == (2, 2, 4, 4)
    with pytest.raises(ValueError, match="3 entrants"):
        whist(3, 1)


def test_individuals_of_one_owner_are_neither_partners_nor_opponents() -> None:
    owners = "aabbccddef"
    tables = [table for _, _, table in changing_partners(owners, 2)]
    assert all(len({owners[i] for i in table}) == 4 for table in tables)
    count = Counter(frozenset(pair) for pair in partners(tables))
    apart = [frozenset(pair) for pair in combinations(range(10), 2) if owners[pair[0]] != owners[pair[1]]]
    assert {count[pair] for pair in apart} <= {1, 2, 3}
