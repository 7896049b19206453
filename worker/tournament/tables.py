"""Who sits at which table, round by round, where more than two entrants meet at once."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from worker.tournament.apart import apart, check_owners, evened
from worker.tournament.designs import design, index
from worker.tournament.rounds import in_rounds
from worker.tournament.seats import Seats
from worker.tournament.translates import plays_of, searched
from worker.tournament.whist import whist

Table = tuple[int, ...]

Meeting = tuple[int, int, Table]
"""Round, leg and entrants of a fixture that has no number yet, in the order of their places."""

MEETINGS_AT_ONCE: Final = 6
"""So many meetings of every two are planned together where owners are kept apart; more of them are repeats."""


def single_players(owners: Sequence[str], places: int, legs: int) -> list[Meeting]:
    """Tables of single players: every two of different owners meet ``legs`` times, or about so; of one owner never.

    Exactly so often where ``legs`` is a multiple of ``designs.index`` and a design is known; what is left over, and
    what has none, is as even as a bounded search gets it, everybody playing equally often. Raises NotEnoughOwners.
    """
    check_owners(owners, places)
    if len(set(owners)) < len(owners):
        blocks = _blocks(legs, MEETINGS_AT_ONCE, lambda meetings: apart(owners, places, meetings))
    else:
        blocks = _blocks(legs, index(len(owners), places), lambda meetings: _even(len(owners), places, meetings))
    return list(_ordered(blocks, owners, Seats.single))


def changing_partners(owners: Sequence[str], legs: int) -> list[Meeting]:
    """Tables of four whose partners change, the first with the third and the second with the fourth.

    Every two of different owners are partners ``legs`` times and opponents twice as often, or about so
    (``whist.whist``); of one owner they never meet. Raises NotEnoughOwners.
    """
    check_owners(owners, 4)
    if len(set(owners)) < len(owners):
        once = MEETINGS_AT_ONCE // 3
        blocks = _blocks(legs, once, lambda many: apart(owners, 4, 3 * many))
        return list(_ordered(blocks, owners, Seats.partners))
    exact = len(owners) % 4 < 2
    blocks = _blocks(legs, 1 if exact else legs, lambda many: whist(len(owners), many))
    return list(_ordered(blocks, owners, Seats.fixed))


def _even(entrants: int, places: int, meetings: int) -> list[Table]:
    """Tables at which every two meet so often, or about so: a design where one fits, else searched for and evened
    out.
    """
    plays = plays_of(entrants, places, meetings)
    if plays == index(entrants, places) * (entrants - 1) // (places - 1) and (found := design(entrants, places)):
        return found
    return evened(searched(entrants, places, plays), [str(i) for i in range(entrants)])


Block = tuple[int, list[Table]]
"""The leg that it begins with, and its tables."""


def _blocks(legs: int, size: int, planned: Callable[[int], list[Table]]) -> Iterator[Block]:
    """Blocks of ``size`` legs that are the same, and one of what is left over."""
    whole = planned(size) if legs >= size else []
    for leg in range(0, legs - legs % size, size):
        yield leg, whole
    if legs % size:
        yield legs - legs % size, planned(legs % size)


def _ordered(
    blocks: Iterator[Block], owners: Sequence[str], order: Callable[[Seats, Table], Table]
) -> Iterator[Meeting]:
    """The tables in rounds and each in the order of its places; a block's rounds come after those of the last one."""
    seats = Seats(len(owners))
    number = 0
    known: dict[int, list[list[Table]]] = {}
    for leg, tables in blocks:
        again = id(tables) in known
        if not again:
            known[id(tables)] = in_rounds(tables, len(owners))
        stands_for = _changed_round(owners, leg) if again else range(len(owners))
        for tables_of_round in known[id(tables)]:
            for table in tables_of_round:
                yield number, leg, order(seats, tuple(stands_for[i] for i in table))
            number += 1


def _changed_round(owners: Sequence[str], leg: int) -> list[int]:
    """For each entrant one that takes its part in a repeated block, so that what was uneven falls on others.

    Owners change parts with owners of as many bots, each with all of its bots.
    """
    bots: dict[str, list[int]] = {}
    for i, owner in enumerate(owners):
        bots.setdefault(owner, []).append(i)
    chance = Random(leg)
    stands_for = list(range(len(owners)))
    for size in sorted({len(own) for own in bots.values()}):
        of_size = [own for own in bots.values() if len(own) == size]
        for parts, own in zip(of_size, chance.sample(of_size, len(of_size)), strict=True):
            for part, i in zip(parts, chance.sample(own, size), strict=True):
                stands_for[part] = i
    return stands_for
