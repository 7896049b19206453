"""Weighs what a card brings in this trick against what it may be worth later, and knows which cards are still out."""

from math import comb

from carico import Action, Bot, Card, View


class Careful(Bot):
    """What a good player plays without thinking long."""

    def act(self, view: View) -> Card | Action:
        """The card that brings most, on average, beyond what it is worth in the hand; it passes and declines."""
        if not view.plays:
            return view.legal[0]
        return max(view.plays, key=lambda card: (gain(view, card) - worth(view, card), -card.strength))


def worth(view: View, card: Card) -> float:
    """What a card is worth in the hand, in points: a trump takes a trick some day, a high card may be caught."""
    if card.suit == view.trump:
        return 4 + 0.6 * card.points + 0.3 * card.strength
    return 0.25 * card.points


def gain(view: View, card: Card) -> float:
    """The points that the trick brings after this card, on average; negative where it goes to the others."""
    points = view.table_points + card.points
    if view.takes(card):
        return points * (2 * hold(view, card, points) - 1)
    best = view.table_best
    if best is None or view.table_winner not in view.partners:
        return -points
    return points * (2 * hold(view, best, points) - 1)


def hold(view: View, best: Card, points: int) -> float:
    """The chance that no opponent behind stands above the best card: in its suit if he can, by a trump if it pays."""
    out = len(view.unseen)
    foes = sum(seat not in view.partners for seat in view.behind)
    cards = min(out, foes * len(view.hand))
    above = [card for card in view.unseen if view.beats(card, best)]
    suited = sum(card.suit == best.suit for card in above)
    none_suited = comb(out - suited, cards) / comb(out, cards)
    none_trumping = comb(out - len(above) + suited, cards) / comb(out, cards)
    pays = min(1.0, points / 12)
    return none_suited * (1 - pays * (1 - none_trumping))
