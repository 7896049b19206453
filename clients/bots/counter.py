"""Counts every card: expects the best reply from what is still out, and plays the end of a two-handed deal perfectly."""

from math import comb

from carico import Bot, Card, View

Cards = tuple[Card, ...]


class Counter(Bot):
    """What a player with a perfect memory plays."""

    def act(self, view: View) -> Card:
        """The card that brings most beyond its worth; once nothing is hidden, simply the one that brings most."""
        out = view.unseen
        if view.upcard_holder not in (-1, view.seat) and view.upcard not in view.played:
            out += (view.upcard,)
        if view.game.players == 2 and view.stock == 0:
            return search(view, view.hand, out, view.table_best)[1]
        return max(view.legal, key=lambda card: (gain(view, card, out) - worth(view, card), -card.strength))


def worth(view: View, card: Card) -> float:
    """What a card is worth in the hand, in points."""
    if card.suit == view.trump:
        return 6.5 + 0.6 * card.points + 0.3 * card.strength
    return 0.45 * card.points


def gain(view: View, card: Card, out: Cards) -> float:
    """The points that the trick brings after this card, on average, if the opponents behind reply as best they can."""
    points = view.table_points + card.points
    best = card if view.takes(card) else view.table_best or card
    ours = best is card or view.table_winner in view.partners
    foes = sum(seat not in view.partners for seat in view.behind)

    def brings(reply: Card) -> int:
        return points + reply.points if ours and not view.beats(reply, best) else -points - reply.points

    held = min(len(out), foes * len(view.hand))
    if not held:
        return points if ours else -points
    replies = sorted(out, key=lambda reply: brings(reply) + worth(view, reply))
    chances = (comb(len(out) - place - 1, held - 1) / comb(len(out), held) for place in range(len(out)))
    return sum(brings(reply) * chance for reply, chance in zip(replies, chances, strict=True))


def search(view: View, mine: Cards, other: Cards, led: Card | None) -> tuple[int, Card]:
    """By how much whoever is to act can still outscore the other, and the card that does it."""
    found = []
    for card in mine:
        rest = tuple(kept for kept in mine if kept is not card)
        if led is None:
            score = -search(view, other, rest, card)[0]
        else:
            takes = view.beats(card, led)
            score = led.points + card.points if takes else -led.points - card.points
            if rest:
                score += search(view, rest, other, None)[0] if takes else -search(view, other, rest, None)[0]
        found.append((score, card))
    return max(found, key=lambda pair: (pair[0], -pair[1].strength))
