"""Weighs what a card brings in this trick against what it may be worth later, and knows which cards are still out."""

from math import comb

from carico import Action, Bot, Card, View
from clients.bots import bidding


class Careful(Bot):
    """What a good player plays without thinking long."""

    def act(self, view: View) -> Card | Action:
        """The card that brings most, on average, beyond what it is worth in the hand; it takes the upcard if it can."""
        if view.phase == "auction":
            return bidding.bid(view)
        if view.phase == "call":
            return bidding.call(view)
        if view.phase == "exchange":
            return view.legal[-1]
        return max(view.plays, key=lambda card: (gain(view, card) - worth(view, card), -card.strength))


def worth(view: View, card: Card) -> float:
    """What a card is worth in the hand, in points: a trump takes a trick some day, a high card may be caught."""
    if card.suit != view.trump:
        return 0.25 * card.points
    upcard = view.upcard
    if upcard is not None and may_take(view, card, upcard):
        card = upcard
    secret = 3 if card == view.called and view.partner is None else 0
    return 4 + 0.6 * card.points + 0.3 * card.strength + secret


def may_take(view: View, card: Card, upcard: Card) -> bool:
    """Whether this trump can be put in place of the upcard after a trick to come (Brisca)."""
    margin = view.game.exchange_margin
    if margin is None or view.stock <= margin * view.game.players:
        return False
    return upcard.rank in {"7": "A3KQJ98", "2": "7654"}.get(card.rank, "")


def ally(view: View, seat: int) -> float:
    """How likely a seat plays with us. At Chiamata only the partner knows, until the called card is played."""
    if seat == view.seat or view.sides_known:
        return float(seat == view.seat or seat in view.partners)
    if view.seat == view.caller:
        return 1 / 4
    return 0.0 if seat == view.caller else 2 / 3


def gain(view: View, card: Card) -> float:
    """The points that the trick brings after this card, on average; negative where it goes to the others."""
    points = view.table_points + card.points
    best, seat = view.table_best, view.table_winner
    if best is None or seat is None or view.takes(card):
        best, seat = card, view.seat
    return points * (2 * ally(view, seat) * hold(view, best, points) - 1)


def hold(view: View, best: Card, points: int) -> float:
    """The chance that no opponent behind stands above the best card: in its suit if he can, by a trump if it pays."""
    out = len(view.unseen)
    foes = sum(1 - ally(view, seat) for seat in view.behind)
    cards = min(out, round(foes * len(view.hand)))
    above = [card for card in view.unseen if view.beats(card, best)]
    suited = sum(card.suit == best.suit for card in above)
    none_suited = comb(out - suited, cards) / comb(out, cards)
    none_trumping = comb(out - len(above) + suited, cards) / comb(out, cards)
    pays = min(1.0, points / 12)
    return none_suited * (1 - pays * (1 - none_trumping))
