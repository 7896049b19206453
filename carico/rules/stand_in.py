"""The stand-in: plays on for a seat that faulted (record format, "Every deal is played to its last card")."""

from collections.abc import Iterable

from carico.rules.deal import Deal


def stand_in(deal: Deal) -> int:
    """The action the stand-in takes for the seat to act: its weakest card, by rank and then by suit in C D S B."""
    return weakest(deal.legal())


def weakest(hand: Iterable[int]) -> int:
    """The weakest card of a hand; among equals in rank the first suit in the order C D S B."""
    return min(hand, key=lambda card: (-(card & 15), card >> 4))
