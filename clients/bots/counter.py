"""Counts what is still out; once at most one card is hidden in a two-handed deal, plays all that is left through."""

from math import comb

from carico import Action, Bot, Card, View

Cards = tuple[Card, ...]


class Counter(Bot):
    """What a player with a perfect memory plays."""

    def act(self, view: View) -> Card | Action:
        """The card that brings most, on average, in the rest of the deal; early on, in this trick beyond its worth."""
        if not view.plays:
            return view.legal[0]
        hidden, upcard = view.unseen, view.upcard
        if view.game.players > 2 or view.stock > 2 or view.tricks_left > 4 or (view.stock and upcard is None):
            return max(view.plays, key=lambda card: (gain(view, card) - worth(view, card), -card.strength))
        known = view.known.get(1 - view.seat, ())
        worlds: list[tuple[Cards, Cards]] = [(hidden + known, ())]
        if view.stock and upcard is not None:
            worlds = [((*(held for held in hidden if held != top), *known), (top, upcard)) for top in hidden]

        def rest(card: Card) -> int:
            return sum(after(view, card, view.hand, other, view.table_best, stock) for other, stock in worlds)

        return max(view.plays, key=lambda card: (rest(card), -card.strength))


def worth(view: View, card: Card) -> float:
    """What a card is worth in the hand, in points: a trump takes a trick some day, a high card may be caught."""
    return 5.5 + card.points + 0.1 * card.strength if card.suit == view.trump else 0.3 * card.points


def gain(view: View, card: Card) -> float:
    """The points that the trick brings, by the chance that no opponent behind stands above our best card."""
    points, out = view.table_points + card.points, view.unseen
    best = card if view.takes(card) else view.table_best
    if best is None or (best != card and view.table_winner not in view.partners):
        return -points
    held = min(len(out), len(view.hand) * sum(seat not in view.partners for seat in view.behind))
    above = [reply for reply in out if view.beats(reply, best)]
    suited = sum(reply.suit == best.suit for reply in above)
    none_suited, none_trump = (comb(len(out) - n, held) / comb(len(out), held) for n in (suited, len(above) - suited))
    return points * (2 * none_suited * (1 - min(1.0, points / 12) * (1 - none_trump)) - 1)


def after(view: View, card: Card, mine: Cards, other: Cards, led: Card | None, stock: Cards) -> int:
    """By how much whoever plays this card outscores the other from here on, if both see all and play their best."""
    mine = tuple(kept for kept in mine if kept != card)
    if led is None:
        return -most(view, other, mine, card, stock)
    takes = view.beats(card, led)
    if stock:
        first, last = stock if takes else reversed(stock)
        mine, other = (*mine, first), (*other, last)
    points = led.points + card.points
    return points + most(view, mine, other, None, ()) if takes else -points - most(view, other, mine, None, ())


def most(view: View, mine: Cards, other: Cards, led: Card | None, stock: Cards) -> int:
    """The same, for the best card of whoever is to act."""
    return max((after(view, card, mine, other, led, stock) for card in mine), default=0)
