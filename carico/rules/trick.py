"""Who wins a trick (rules.md section 4.3): the highest trump, else the highest card of the suit led. Rank decides."""

from collections.abc import Sequence

NO_TRUMP = -1
"""The trump suit of a deal that has none (Briscolone)."""


def winning_index(cards: Sequence[int], trump: int) -> int:
    """Place in ``cards`` (0 = the leader's card) of the card that takes the trick.

    ``trump`` is a suit's number, or NO_TRUMP. Two cards are never equal, so there is always exactly one winner.
    """
    best = cards[0]
    index = 0
    for place in range(1, len(cards)):
        card = cards[place]
        if card >> 4 == best >> 4:
            if card < best:
                best, index = card, place
        elif card >> 4 == trump:
            best, index = card, place
    return index
