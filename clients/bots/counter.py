"""Counts what is still out and guesses partners; near the end it plays through what is left, as it may lie."""

from math import comb, exp

from carico import Action, Bot, Card, View
from clients.bots import bidding
from clients.bots.worlds import OnTable, World

LAST = {2: 5, 3: 5, 4: 5, 5: 4, 6: 4}
"""By players, how many tricks before the end it begins to play through what is left."""
WORLDS = 8
"""In how many ways it lays out the hidden cards, at most."""


class Counter(Bot):
    """What a player with a perfect memory plays."""

    def act(self, view: View) -> Card | Action:
        """The card that brings most, on average, in the rest of the deal; early on, in this trick beyond its worth."""
        if view.phase == "auction":
            return bidding.bid(view)
        if view.phase == "call":
            return bidding.call(view)
        if view.phase == "exchange":
            return view.legal[-1]
        allies = guess(view)
        if view.tricks_left > LAST[view.game.players]:
            return max(view.plays, key=lambda card: (gain(view, card, allies) - worth(view, card), -card.strength))
        holder = view.seat if view.table_winner is None else view.table_winner
        table = OnTable(view.table_best, holder, view.table_points, len(view.table))
        ways = self.worlds(view, allies) if len(view.plays) > 1 else []
        rest = {card: sum(world.value(view.seat, card, table) for world in ways) for card in view.plays}
        return max(view.plays, key=lambda card: (rest[card], -card.strength))

    def worlds(self, view: View, allies: list[float]) -> list[World]:
        """Ways in which the hidden cards may lie: shuffled once, then moved on by one, so that each lies everywhere."""
        chance, seats, hidden = self.chance(view), range(view.game.players), list(view.unseen)
        chance.shuffle(hidden)
        upcard = [view.upcard] if view.stock and view.upcard is not None else []
        worlds = []
        for k in range(min(WORLDS, len(hidden)) if len(seats) > 2 or view.stock else 1):
            out, friends = hidden[k:] + hidden[:k], {view.seat, *view.partners}
            hands = [list(view.shown.get(seat) or view.known.get(seat, ())) for seat in seats]
            hands[view.seat] = list(view.hand)
            if view.called is not None and not view.sides_known:
                odds = [ally if view.seat == view.caller else 1 - ally for ally in allies]
                odds[view.seat] = odds[view.caller or 0] = 0
                partner = chance.choices(seats, odds)[0]
                friends = {partner, view.caller or 0}
                hands[partner].append(view.called)
                out.remove(view.called)
            for seat in seats:
                missing = len(view.hand) - (seat != view.seat and seat not in view.behind) - len(hands[seat])
                hands[seat] += out[:missing]
                out = out[missing:]
            two = len(view.game.sides) == 2 or view.called is not None
            sides = [int((seat in friends) == (view.seat in friends)) if two else seat for seat in seats]
            worlds.append(World(hands, [*out, *view.stock_cards, *upcard], sides, sides[view.seat], view.trump))
        return worlds


def guess(view: View) -> list[float]:
    """How likely each seat plays with us: at Chiamata partners give points to the caller, and do not take them."""
    seats = range(view.game.players)
    if view.sides_known:
        return [float(seat == view.seat or seat in view.partners) for seat in seats]
    odds = [float(seat not in (view.seat, view.caller)) for seat in seats]
    for leader, cards in [*((trick.leader, trick.cards) for trick in view.tricks), (view.leader, view.table)]:
        best, holder, points = cards[:1], leader, 0
        for k, card in enumerate(cards):
            seat, takes = (leader + k) % len(odds), k > 0 and view.beats(card, best[0])
            if k:
                loyal = -0.05 * points if takes else 0.15 * card.points
                odds[seat] *= exp(loyal if holder == view.caller else -loyal)
            best, holder = ((card,), seat) if takes else (best, holder)
            points += card.points
    partner = [one / sum(odds) for one in odds]
    allies = partner if view.seat == view.caller else [1 - one for one in partner]
    return [1.0 if seat == view.seat else 0.0 if seat == view.caller else allies[seat] for seat in seats]


def worth(view: View, card: Card) -> float:
    """What a card is worth in the hand, in points: a trump takes a trick some day, a high card may be caught."""
    if card.suit != view.trump:
        return 0.3 * card.points
    upcard = view.upcard
    if upcard is not None and may_take(view, card, upcard):
        card = upcard
    return 5.5 + card.points + 0.1 * card.strength


def may_take(view: View, card: Card, upcard: Card) -> bool:
    """Whether this trump can be put in place of the upcard after a trick to come (Brisca)."""
    margin = view.game.exchange_margin
    if margin is None or view.stock <= margin * view.game.players:
        return False
    return upcard.rank in {"7": "A3KQJ98", "2": "7654"}.get(card.rank, "")


def gain(view: View, card: Card, allies: list[float]) -> float:
    """The points that the trick brings, by the chance that no opponent behind stands above our best card."""
    points, out, best, seat = view.table_points + card.points, view.unseen, view.table_best, view.table_winner
    if best is None or seat is None or view.takes(card):
        best, seat = card, view.seat
    held = min(len(out), round(len(view.hand) * sum(1 - allies[foe] for foe in view.behind)))
    above = [reply for reply in out if view.beats(reply, best)]
    suited = sum(reply.suit == best.suit for reply in above)
    none_suited, none_trump = (comb(len(out) - n, held) / comb(len(out), held) for n in (suited, len(above) - suited))
    return points * (2 * allies[seat] * none_suited * (1 - min(1.0, points / 12) * (1 - none_trump)) - 1)
