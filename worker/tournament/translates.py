"""Tables for any number of entrants: base tables and their translates, searched for a balance as even as can be.

Entrants are points (x, colour) with x mod t, numbered colour * t + x, and perhaps a last one that stands still. The t
translates of a base table move every x on by one step each, so that two entrants meet as often as any translate of the
two does: the search has a few hundred counts to even out instead of thousands, and everybody plays equally often by
construction.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

Point = tuple[int, int]

CYCLE: Final = 20_000
"""Steps of the search from warm to cold."""
CYCLES: Final = 4
"""How often it is warmed up for one shape, at most; it ends earlier where nothing is left to even out."""
SEED: Final = 1


@dataclass(frozen=True, slots=True)
class Shape:
    """How entrants are points: t steps round, so many colours, and whether one more stands still."""

    t: int
    colours: int
    still: bool


def searched(entrants: int, places: int, plays: int) -> list[tuple[int, ...]]:
    """Tables at which everybody plays ``plays`` times, and every two meet about equally often.

    ``plays_of`` gives such a number. Each shape that fits is tried until one is even, that is no two meet more than
    once oftener than any other two; else the best is taken. The same arguments give the same tables. Raises ValueError
    where there is no shape for the numbers.
    """
    best: _Search | None = None
    for shape in _shapes(entrants, places, plays):
        search = _Search(shape, places, plays, Random(SEED))
        search.run()
        if best is None or search.spread < best.spread:
            best = search
        if best.spread <= best.least_spread:
            break
    if best is None:
        raise ValueError(f"{entrants} entrants can't each play {plays} times at tables of {places}")
    return best.tables()


def plays_of(entrants: int, places: int, meetings: int) -> int:
    """How often everybody plays at tables of so many places, to meet every other at least ``meetings`` times on
    average.

    The least number for which everybody can play equally often. ``entrants`` is also how many somebody may meet, and
    one, where owners keep some apart.
    """
    plays = -(-meetings * (entrants - 1) // (places - 1))
    while entrants * plays % places:
        plays += 1
    return plays


def _shapes(entrants: int, places: int, plays: int) -> Iterator[Shape]:
    if plays % places == 0:
        yield Shape(entrants, 1, False)
    if plays % (entrants - 1) == 0 and plays * entrants % (places * (entrants - 1)) == 0:
        yield Shape(entrants - 1, 1, True)
    if entrants % places == 0:
        yield Shape(entrants // places, places, False)


class _Search:
    """Base tables, how often each kind of two meets in their translates, and steps to even that out."""

    def __init__(self, shape: Shape, places: int, plays: int, chance: Random) -> None:
        self._t, self._colours, self._chance = shape.t, shape.colours, chance
        entrants = shape.t * shape.colours + shape.still
        tables = entrants * plays // places // shape.t
        self._with_still = plays // shape.t if shape.still else 0
        self._met = [0] * (shape.colours * shape.colours * shape.t)
        self._cost = 0
        self._base: list[list[Point]] = []
        colour = 0
        for number in range(tables):
            table: list[Point] = []
            for _ in range(places - (number < self._with_still)):
                x = chance.randrange(shape.t)
                while (x, colour) in table:
                    x = (x + 1) % shape.t
                table.append((x, colour))
                colour = (colour + 1) % shape.colours
            self._base.append(table)
        for table in self._base:
            for i, point in enumerate(table):
                self._count(point, table[:i], 1)
        self._meetings_of_still = self._with_still * (places - 1)
        self.spread = self._spread()
        self.least_spread = int(plays * (places - 1) % (entrants - 1) > 0)
        """No arrangement has less: 0 where the meetings come out even, else 1."""

    def run(self) -> None:
        """Moves one point or swaps two where that makes things no worse, or a bit worse: the less the colder it is."""
        kept, least, chance = [list(table) for table in self._base], self._cost, self._chance
        for step in range(CYCLES * CYCLE):
            if self.spread <= self.least_spread:
                return
            warmth = 1 - step % CYCLE / CYCLE
            allowance = 0
            while chance.random() < warmth * warmth * warmth * warmth / 2:
                allowance += 1
            self._step(self._cost + allowance)
            if self._cost < least:
                least, kept = self._cost, [list(table) for table in self._base]
                self.spread = self._spread()
        self._base = kept

    def tables(self) -> list[tuple[int, ...]]:
        """All translates of all base tables."""
        t = self._t
        return [
            (
                *(colour * t + (x + shift) % t for x, colour in table),
                *((t * self._colours,) if number < self._with_still else ()),
            )
            for number, table in enumerate(self._base)
            for shift in range(t)
        ]

    def _step(self, most: int) -> None:
        """One change, taken back where the cost is above ``most`` then."""
        chance, base = self._chance, self._base
        a = chance.randrange(len(base))
        i = chance.randrange(len(base[a]))
        old = base[a][i]
        if self._colours == 1 or chance.random() < 0.6:
            new = (chance.randrange(self._t), old[1])
            if new not in base[a]:
                self._put(a, i, new)
                if self._cost > most:
                    self._put(a, i, old)
            return
        b = chance.randrange(len(base))
        j = chance.randrange(len(base[b]))
        new = base[b][j]
        if a != b and old not in base[b] and new not in base[a]:
            self._put(a, i, new)
            self._put(b, j, old)
            if self._cost > most:
                self._put(a, i, old)
                self._put(b, j, new)

    def _put(self, a: int, i: int, point: Point) -> None:
        table = self._base[a]
        others = table[:i] + table[i + 1 :]
        self._count(table[i], others, -1)
        table[i] = point
        self._count(point, others, 1)

    def _count(self, point: Point, others: list[Point], by: int) -> None:
        """The cost is the sum over the kinds of two of the square of their meetings, by how many such twos there are.

        Two that stand half way round are half as many, and each of their translates comes twice: twice the weight.
        """
        t, met = self._t, self._met
        x, colour = point
        for y, other in others:
            weight = 1
            if colour == other:
                d = (x - y) % t
                if 2 * d >= t:
                    weight += 2 * d == t
                    d = t - d
                kind = colour * (self._colours + 1) * t + d
            elif colour < other:
                kind = (colour * self._colours + other) * t + (y - x) % t
            else:
                kind = (other * self._colours + colour) * t + (x - y) % t
            self._cost += weight * by * (2 * met[kind] + by)
            met[kind] += by

    def _spread(self) -> int:
        """By how much the meetings of the two that meet most exceed those of the two that meet least."""
        t, colours, met = self._t, self._colours, self._met
        seen = {self._meetings_of_still} if self._with_still else set[int]()
        for a in range(colours):
            own = a * (colours + 1) * t
            seen.update(met[own + 1 : own + (t + 1) // 2])
            if t % 2 == 0:
                seen.add(2 * met[own + t // 2])
            for b in range(a + 1, colours):
                at = (a * colours + b) * t
                seen.update(met[at : at + t])
        return max(seen) - min(seen) if seen else 0
