"""Chunks: what a worker leases, plays and commits at once."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from worker.tournament.fixtures import Fixture


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some consecutive deal sets of one fixture. Numbers are from 0 and unique in the season."""

    number: int
    fixture: int
    first_set: int
    sets: int

    @property
    def deal_sets(self) -> range:
        """The numbers of its deal sets; ``fixture.matches(chunk.deal_sets)`` are its matches."""
        return range(self.first_set, self.first_set + self.sets)


def chunks(fixtures: Iterable[Fixture], size: int, first: int = 0) -> Iterator[Chunk]:
    """The fixtures cut into chunks of up to ``size`` deal sets, in their order, numbered from ``first``.

    For appended fixtures ``first`` is the number of chunks there were. Raises ValueError for a size below 1.
    """
    if size < 1:
        raise ValueError(f"a chunk of {size} deal sets: it needs at least 1")
    number = first
    for fixture in fixtures:
        for first_set in fixture.deal_sets[::size]:
            yield Chunk(number, fixture.number, first_set, min(size, fixture.deal_sets.stop - first_set))
            number += 1
