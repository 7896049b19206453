"""Who sits at which table, round by round, where more than two entrants meet at once."""

from collections.abc import Callable, Iterator, Sequence
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
    return list(_ordered(blocks, len(owners), Seats.single))


def changing_partners(owners: Sequence[str], legs: int) -> list[Meeting]:
    """Tables of four whose partners change, the first with the third and the second with the fourth.

    Every two of different owners are partners ``legs`` times and opponents twice as often, or about so
    (``whist.whist``); of one owner they never meet. Raises NotEnoughOwners.
    """
    check_owners(owners, 4)
    if len(set(owners)) < len(owners):
        once = MEETINGS_AT_ONCE // 3
        blocks = _blocks(legs, once, lambda many: apart(owners, 4, 3 * many))
        return list(_ordered(blocks, len(owners), Seats.partners))
    exact = len(owners) % 4 < 2
    blocks = _blocks(legs, 1 if exact else legs, lambda many: whist(len(owners), many))
    return list(_ordered(blocks, len(owners), Seats.fixed))


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


def _ordered(blocks: Iterator[Block], entrants: int, order: Callable[[Seats, Table], Table]) -> Iterator[Meeting]:
    """The tables in rounds and each in the order of its places; a block's rounds come after those of the last one."""
    seats = Seats(entrants)
    number = 0
    known: dict[int, list[list[Table]]] = {}
    for leg, tables in blocks:
        if id(tables) not in known:
            known[id(tables)] = in_rounds(tables, entrants)
        for tables_of_round in known[id(tables)]:
            for table in tables_of_round:
                yield number, leg, order(seats, table)
            number += 1
