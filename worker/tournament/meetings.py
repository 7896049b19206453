"""How often every two entrants meet: counts that a search reads and changes."""

from collections.abc import Iterable, Sequence
from itertools import combinations


class Meetings:
    """For each two of the entrants how often they sat at one table, and for each entrant how often it played."""

    def __init__(self, entrants: int, tables: Iterable[Sequence[int]] = ()) -> None:
        self.of = [[0] * entrants for _ in range(entrants)]
        """``of[a][b]``, the same as ``of[b][a]``."""
        self.plays = [0] * entrants
        for table in tables:
            self.add(table)

    def add(self, table: Sequence[int]) -> None:
        """Count one more table."""
        for a, b in combinations(table, 2):
            self.of[a][b] += 1
            self.of[b][a] += 1
        for a in table:
            self.plays[a] += 1

    def at(self, entrant: int, table: Iterable[int]) -> int:
        """How often the entrant met those of a table, all together."""
        row = self.of[entrant]
        return sum(row[other] for other in table)
