"""Who wins a trick (rules.md section 4.3): the highest trump, else the highest card of the suit led. Rank decides."""

from collections.abc import Sequence
from typing import Final

NO_TRUMP = -1
"""The trump suit of a deal that has none (Briscolone)."""


def winning_index(cards: Sequence[int], trump: int) -> int:
    """Place in ``cards`` (0 = the leader's card) of the card that takes the trick.

    ``trump`` is a suit's number, or NO_TRUMP. Two cards are never equal, so there is always exactly one winner.
    """
    takes = _TAKES[trump]
    best = cards[0]
    index = 0
    for place in range(1, len(cards)):
        card = cards[place]
        if takes[best << 6 | card]:
            best, index = card, place
    return index


def _taken_by(best: int, trump: int) -> bytes:
    """For each card, 1 where it takes the trick from the best so far, else 0."""
    stronger = best & 15
    own, trumps, others = b"\1" * stronger + bytes(16 - stronger), b"\1" * 16, bytes(16)
    return b"".join(own if suit == best >> 4 else trumps if suit == trump else others for suit in range(4))


_TAKES: Final = tuple(b"".join(_taken_by(best, trump) for best in range(64)) for trump in (0, 1, 2, 3, NO_TRUMP))
"""By trump suit, NO_TRUMP last: best << 6 | card -> 1 where the card takes the trick from the best."""
