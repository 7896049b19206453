"""The stand-in: plays on for a seat that faulted (record format, "Every deal is played to its last card")."""

from collections.abc import Iterable

from carico.rules.actions import Action
from carico.rules.deal import Deal


def stand_in(deal: Deal) -> int:
    """The action the stand-in takes for the seat to act.

    It declines and passes. Where no pass is legal it bids the ace, or 61; it calls the first suit in the order C D S B,
    or the first card of the pack's order. It plays its weakest card, by rank and then by suit in C D S B.
    """
    legal = deal.legal()
    if deal.phase == "play":
        return weakest(legal)
    for idle in (Action.DECLINE, Action.PASS):
        if idle in legal:
            return idle
    return min(legal)  # ace and 61, the first suit, the first card of the pack: all have the lowest arguments


def weakest(hand: Iterable[int]) -> int:
    """The weakest card of a hand; among equals in rank the first suit in the order C D S B."""
    return min(hand, key=lambda card: (-(card & 15), card >> 4))
