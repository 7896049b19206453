"""Exact designs: sets of tables at which every two entrants meet equally often, by known constructions.

Entrants are 0 .. e - 1, a table is a tuple of k of them in no particular order.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product
from math import comb
from typing import Final

Tables = list[tuple[int, ...]]

MOST_SUBSETS_AT: Final = 2
"""All k-subsets of k + this many entrants are few enough to be played."""

DIFFERENCES: Final[dict[tuple[int, int], tuple[tuple[int, ...], ...]]] = {
    (21, 5): ((3, 6, 7, 12, 14),),
    (41, 5): ((0, 1, 4, 11, 29), (0, 2, 8, 17, 22)),
    (61, 5): ((0, 1, 3, 13, 34), (0, 4, 9, 23, 45), (0, 6, 17, 24, 32)),
}
"""By (e, k) base tables whose differences are all of 1 .. e - 1 once: their translates mod e are a design."""


NONE_OF_INDEX: Final = {(15, 5): 2}
"""Where the counts allow an index and yet there is no design of it; the next multiple is the least (Hanani 1975)."""


def index(entrants: int, places: int) -> int:
    """The fewest times that every two can meet equally often: everybody's tables and all tables must come out whole.

    Exact designs have a multiple of it; for 3 and 5 places there is one (but none is known here for some of 5).
    """
    at_table = places * (places - 1)
    return next(
        n
        for n in range(1, at_table + 1)
        if n * (entrants - 1) % (places - 1) == 0
        and n * entrants * (entrants - 1) % at_table == 0
        and NONE_OF_INDEX.get((entrants, places)) != n
    )


def design(entrants: int, places: int) -> Tables | None:
    """Tables at which every two meet exactly ``index(entrants, places)`` times; None where no construction is known.

    For three places there is one for every number of entrants; for more, for affine spaces, difference families and
    for so few entrants that all subsets are a design of that index.
    """
    if places == 3:
        return list(_triples(entrants))
    if lines := affine(entrants, places):
        return [table for line in lines for table in line]
    if base := DIFFERENCES.get((entrants, places)):
        return [tuple((x + shift) % entrants for x in table) for table in base for shift in range(entrants)]
    subsets = entrants <= places + MOST_SUBSETS_AT
    if subsets and comb(entrants - 2, places - 2) == index(entrants, places):
        return list(combinations(range(entrants), places))
    return None


def affine(entrants: int, places: int) -> list[Tables]:
    """The rounds of the affine space over the integers mod ``places``, a prime: its lines, parallel ones a round each.

    Every two meet once and nobody has a bye. Empty unless ``entrants`` is a power of ``places``.
    """
    dimension = next((n for n in range(1, 9) if places**n >= entrants), 0)
    if places**dimension != entrants:
        return []
    points = {point: i for i, point in enumerate(product(range(places), repeat=dimension))}
    directions = [p for p in points if next((x for x in p if x), 0) == 1]
    rounds: list[Tables] = []
    for direction in directions:
        lines = {
            tuple(
                sorted(
                    points[tuple((x + step * d) % places for x, d in zip(p, direction, strict=True))]
                    for step in range(places)
                )
            )
            for p in points
        }
        rounds.append(sorted(lines))
    return rounds


# --- three places ---


def _triples(e: int) -> Iterator[tuple[int, ...]]:
    """Triple systems for every e >= 3 out of idempotent quasigroups.

    Bose's for e = 3 and Skolem's for e = 1 (mod 6), every two meeting once; the same with both orders of every two for
    e = 0 and 4, twice; and for e = 5 and 2 each two with their product, three times and, in both orders, six times.
    """
    t, rest = divmod(e, 3)
    if e == 6:  # there is no idempotent quasigroup of order 2
        for x in range(5):
            yield x, (x + 1) % 5, 5
            yield x, (x + 1) % 5, (x + 3) % 5
    elif e % 6 == 1:
        yield from _skolem(t)
    elif rest == 2:
        times = idempotent(e)
        for x, y in permutations(range(e), 2) if e % 2 == 0 else combinations(range(e), 2):
            yield x, y, times(x, y)
    else:
        if rest == 0:
            yield from ((x, x + t, x + 2 * t) for x in range(t) for _ in range(2 - e % 2))
        else:
            for x in range(t):
                yield from combinations((x, x + t, x + 2 * t, 3 * t), 3)
        times = idempotent(t)
        for x, y in combinations(range(t), 2) if e % 2 and rest == 0 else permutations(range(t), 2):
            for level in range(3):
                yield x + level * t, y + level * t, times(x, y) + (level + 1) % 3 * t


def _skolem(t: int) -> Iterator[tuple[int, ...]]:
    """For e = 3 t + 1, t even: x times x is x for the lower half of the quasigroup, x - t/2 for the upper one."""
    half, last = t // 2, 3 * t
    for x in range(half):
        yield x, x + t, x + 2 * t
        for level in range(3):
            yield last, x + half + level * t, x + (level + 1) % 3 * t
    for x, y in combinations(range(t), 2):
        product_ = (x + y) % t // 2 + (x + y) % 2 * half
        for level in range(3):
            yield x + level * t, y + level * t, product_ + (level + 1) % 3 * t


def idempotent(order: int) -> Callable[[int, int], int]:
    """A quasigroup of this order on 0 .. order - 1 in which x times x is x; commutative where the order is odd.

    There is none of order 2: ValueError.
    """
    if order == 2:
        raise ValueError("there is no idempotent quasigroup of order 2")
    m = order - 1 + order % 2
    half = (m + 1) // 2

    def mean(x: int, y: int) -> int:
        return (x + y) * half % m

    if m == order:
        return mean

    def prolonged(x: int, y: int) -> int:
        """The mean of the odd order below, its cells (x, x + 1) given to the new element, which takes their values."""
        if m in (x, y):
            return m if x == y else mean(x, x + 1) if y == m else mean(y - 1, y)
        return m if (y - x) % m == 1 else mean(x, y)

    return prolonged
