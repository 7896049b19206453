"""The order at a table: who sits before whom.

All seatings of a deal set are played, so that everybody sits in every seat equally often whatever the order is. What is
left to even out is who plays directly after whom and, where partners change, who sits opposite whom.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

Table = tuple[int, ...]

PARTNERS: Final = 8
"""One partnership too many weighs as much as so many neighbours."""


class Seats:
    """Gives tables their order, one after the other, by what was before."""

    def __init__(self, entrants: int, tables: Sequence[Table] = ()) -> None:
        self._next = [[0] * entrants for _ in range(entrants)]
        """``_next[a][b]``: at how many tables b sits directly after a."""
        self._partners = [[0] * entrants for _ in range(entrants)]
        for table in tables:
            self._note(table)

    def single(self, table: Table) -> Table:
        """The order of single players in which each sits as seldom as can be where it sat directly after another."""
        first, *others = sorted(table)
        return self._best((first, *rest) for rest in permutations(others))

    def partners(self, table: Table) -> Table:
        """The order of four whose partners change: the first and the third, the second and the fourth."""
        first, *others = sorted(table)
        return self._best(((first, *rest) for rest in permutations(others)), PARTNERS)

    def fixed(self, table: Table) -> Table:
        """The better order of four whose partners are given: the first and the third, the second and the fourth."""
        a, b, c, d = table
        return self._best(iter([(a, b, c, d), (a, d, c, b)]))

    def _best(self, orders: Iterator[Table], weight: int = 0) -> Table:
        best = min(orders, key=lambda order: self._cost(order, weight))
        self._note(best)
        return best

    def _cost(self, order: Table, weight: int) -> int:
        cost = sum(2 * self._next[a][b] - self._next[b][a] for a, b in _neighbours(order))
        if weight:
            cost += weight * sum(self._partners[a][b] for a, b in _opposite(order))
        return cost

    def _note(self, order: Table) -> None:
        for a, b in _neighbours(order):
            self._next[a][b] += 1
        for a, b in _opposite(order):
            self._partners[a][b] += 1
            self._partners[b][a] += 1


def _neighbours(order: Table) -> Iterator[tuple[int, int]]:
    return zip(order, (*order[1:], order[0]), strict=True)


def _opposite(order: Table) -> Iterator[tuple[int, int]]:
    half = len(order) // 2
    return zip(order[:half], order[half : 2 * half], strict=True)
