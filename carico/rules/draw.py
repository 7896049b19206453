"""The draw law: which cards of the stock a draw round hands out (rules.md section 5, shuffle.md "Stocks by role").

A law gives the cards of one round in drawing order, the winner's first. ``block`` is that round's part of the stock:
one card a seat, in the last round one fewer, since the last to draw takes the upcard. Roles count from mano.
"""

from collections.abc import Callable
from typing import Final

DrawLaw = Callable[[bytes, int, int], bytes]
"""(block, number of seats, the winner's role) -> the face-down cards of the round in drawing order."""


def by_role(block: bytes, seats: int, winner: int) -> bytes:
    """Card k of a block goes to role k, whoever won the trick.

    In the last block the last drawer takes the upcard; the last role, where it is not that one, takes its card.
    """
    if len(block) == seats:
        return block[winner:] + block[:winner]
    last = seats - 1
    upcard_to = (winner - 1) % seats
    return bytes(block[upcard_to if role == last else role] for role in _in_turn(seats, winner) if role != upcard_to)


def shared(block: bytes, seats: int, winner: int) -> bytes:
    """One stock for all: the winner draws the top card, the next seat the next."""
    return block


def _in_turn(seats: int, first: int) -> list[int]:
    return [(first + k) % seats for k in range(seats)]


LAWS: Final[dict[str, DrawLaw]] = {"role": by_role, "shared": shared}
