"""Who wins a trick."""

from tests.kit.naive.games import RANKS


def better(one, other, led, trump):
    """Whether the first card beats the second in a trick where suit `led` was led."""

    def height(card):
        rank, suit = card
        if suit == trump:
            return 200 - RANKS.index(rank)
        if suit == led:
            return 100 - RANKS.index(rank)
        return -1

    return height(one) > height(other)


def winner_of(trick, trump):
    """The seat that wins a whole trick of (seat, card) in the order of play; `trump` is None where there is none."""
    led = trick[0][1][1]
    best_seat, best = trick[0]
    for seat, card in trick[1:]:
        if better(card, best, led, trump):
            best_seat, best = seat, card
    return best_seat
