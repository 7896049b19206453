"""Tables put into rounds, in none of which anybody sits twice."""

from collections.abc import Sequence
from random import Random
from typing import Final

Table = tuple[int, ...]

WORK: Final = 60_000
"""Tables that are put into a round, in all trials together."""
SEED: Final = 1


def in_rounds(tables: Sequence[Table], entrants: int) -> list[list[Table]]:
    """The tables in rounds: each goes into the first that has room, in the best of some orders drawn by a fixed seed.

    Few rounds mean few byes. Everybody who plays equally often also has equally many byes.
    """
    if not tables:
        return []
    size = entrants // len(tables[0])
    fewest = max(-(-len(tables) // size), _most_plays(tables, entrants))
    chance = Random(SEED)
    best = _first_fit(tables, entrants, size)
    for _ in range(WORK // len(tables)):
        if len(best) <= fewest:
            break
        order = list(tables)
        chance.shuffle(order)
        found = _first_fit(order, entrants, size)
        if len(found) < len(best):
            best = found
    return best


def _most_plays(tables: Sequence[Table], entrants: int) -> int:
    plays = [0] * entrants
    for table in tables:
        for a in table:
            plays[a] += 1
    return max(plays)


def _first_fit(tables: Sequence[Table], entrants: int, size: int) -> list[list[Table]]:
    """One bit a round: where somebody sits already, and which rounds are full."""
    busy, full = [0] * entrants, 0
    rounds: list[list[Table]] = []
    for table in tables:
        taken = full
        for a in table:
            taken |= busy[a]
        number = (~taken & (taken + 1)).bit_length() - 1
        if number == len(rounds):
            rounds.append([])
        rounds[number].append(table)
        for a in table:
            busy[a] |= 1 << number
        if len(rounds[number]) == size:
            full |= 1 << number
    return rounds
