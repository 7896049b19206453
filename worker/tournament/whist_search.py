"""A search for base tables of four, partners opposite, that with their translates are as even as can be."""

from random import Random
from typing import Final

Table = tuple[int, ...]

CYCLE: Final = 30_000
"""Steps from warm to cold."""
CYCLES: Final = 4
SEED: Final = 1
PARTNERS: Final = 2
"""A square of partnerships weighs as much as so many of oppositions."""


def searched(m: int, tables: int, *, still: bool = False) -> list[Table]:
    """So many base tables mod m; with ``still`` m itself stands still and is in the first. The same numbers, the
    same.
    """
    search = _Search(m, tables, still)
    search.run()
    return [tuple(table) for table in search.base]


class _Search:
    """Base tables with the differences of partners and of opponents, and steps to even these out."""

    def __init__(self, m: int, tables: int, still: bool) -> None:
        self._m, self._chance = m, Random(SEED)
        self._fixed = (0, 0) if still else None
        """The table and the place there that stand still."""
        self.base = [[m, *self._chance.sample(range(m), 3)]] if still else []
        self.base += [self._chance.sample(range(m), 4) for _ in range(tables - still)]
        self._partners, self._opponents = [0] * m, [0] * m
        self._cost = 0
        for table in self.base:
            for i in range(4):
                for j in range(i):
                    self._count(table[i], table[j], (i - j) % 2 == 0, 1)
        self._goal = PARTNERS * self._least(2 * tables - still) + self._least(4 * tables - 2 * still)

    def run(self) -> None:
        """Changes one place where that makes things no worse, or a bit worse: the less the colder it is."""
        kept, least, chance = [list(table) for table in self.base], self._cost, self._chance
        for step in range(CYCLE * CYCLES):
            if least <= self._goal:
                break
            warmth = 1 - step % CYCLE / CYCLE
            allowance = 0
            while chance.random() < warmth * warmth / 2:
                allowance += 1
            self._step(self._cost + allowance)
            if self._cost < least:
                kept, least = [list(table) for table in self.base], self._cost
        self.base = kept

    def _step(self, most: int) -> None:
        """One change, taken back where the cost is above ``most`` then."""
        chance = self._chance
        t, i, x = chance.randrange(len(self.base)), chance.randrange(4), chance.randrange(self._m)
        table = self.base[t]
        if x not in table and (t, i) != self._fixed:
            old = table[i]
            self._put(table, i, x)
            if self._cost > most:
                self._put(table, i, old)

    def _put(self, table: list[int], i: int, x: int) -> None:
        for j in range(4):
            if j != i:
                partners = (i - j) % 2 == 0
                self._count(table[i], table[j], partners, -1)
                self._count(x, table[j], partners, 1)
        table[i] = x

    def _count(self, x: int, y: int, partners: bool, by: int) -> None:
        """The cost is a sum of squares; two that stand half way round count for both of them."""
        m = self._m
        if m in (x, y):
            return
        d = (x - y) % m
        weight = 1
        if 2 * d >= m:
            weight += 2 * d == m
            d = m - d
        met = self._partners if partners else self._opponents
        self._cost += (PARTNERS if partners else 1) * weight * by * (2 * met[d] + by)
        met[d] += by

    def _least(self, pairs: int) -> int:
        """The least sum of squares of so many pairs over the differences; for even m it may be out of reach."""
        differences = self._m // 2
        mean, rest = divmod(pairs, differences)
        return rest * (mean + 1) ** 2 + (differences - rest) * mean**2
