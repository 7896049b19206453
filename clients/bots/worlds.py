"""One way in which the hidden cards of a deal may lie, and what it comes to if all is played out from there."""

from typing import NamedTuple

from carico import Card

EXACT = 7
"""With so many cards left every way to play them is tried."""


class OnTable(NamedTuple):
    """The trick being played: the best card so far, the seat that played it, the points, and how many cards."""

    best: Card | None
    holder: int
    points: int
    played: int


class World:
    """All hands, the stock in the order in which it is drawn, and the side of each seat."""

    def __init__(
        self, hands: list[list[Card]], stock: list[Card], sides: list[int], us: int, trump: str | None
    ) -> None:
        self.hands, self.stock, self.sides, self.us = hands, stock, sides, us
        self.trump = "CDSB".index(trump) if trump else -1
        self.points = {card: card.points for cards in (*hands, stock) for card in cards}

    def value(self, seat: int, card: Card, table: OnTable) -> int:
        """The points that our side makes in the rest of the deal if the seat plays this card now."""
        return self.play(seat, card, table, sum(map(len, self.hands)) + len(self.stock), 0, -1, 121)

    def play(self, seat: int, card: Card, table: OnTable, left: int, ours: int, low: int, high: int) -> int:
        """What we have at the end; ``ours`` is what we have now. As good as ``low`` or ``high`` where it is beyond."""
        self.hands[seat].remove(card)
        best, holder, points, played = table
        if best is None or self.above(card, best):
            best, holder = card, seat
        points += self.points[card]
        seats, drawn = len(self.hands), list[Card]()
        if played + 1 < seats:
            after = OnTable(best, holder, points, played + 1)
            end = self.most((seat + 1) % seats, after, left - 1, ours, low, high)
        else:
            ours += points if self.sides[holder] == self.us else 0
            drawn, self.stock = self.stock[:seats], self.stock[seats:]
            for k, new in enumerate(drawn):
                self.hands[(holder + k) % seats].append(new)
            end = self.most(holder, OnTable(None, holder, 0, 0), left - 1, ours, low, high) if left > 1 else ours
            for k, new in enumerate(drawn):
                self.hands[(holder + k) % seats].remove(new)
        self.stock = drawn + self.stock
        self.hands[seat].append(card)
        return end

    def most(self, seat: int, table: OnTable, left: int, ours: int, low: int, high: int) -> int:
        """The same for the seat's best card: near the end the truth (alpha-beta), before that by the card it likes."""
        if left > EXACT:
            return self.play(seat, self.liked(seat, table), table, left, ours, low, high)
        us = self.sides[seat] == self.us
        for card in tuple(self.hands[seat]):
            end = self.play(seat, card, table, left, ours, low, high)
            low, high = (max(low, end), high) if us else (low, min(high, end))
            if low >= high:
                break
        return low if us else high

    def liked(self, seat: int, table: OnTable) -> Card:
        """The card that brings most in this trick beyond its worth, if opponents behind take whatever they can."""
        sides, seats, trump = self.sides, len(self.hands), self.trump
        behind = [(seat + k) % seats for k in range(1, seats - table.played)]
        foes = [card for other in behind if sides[other] != sides[seat] for card in self.hands[other]]
        strongest = {card >> 4: card for card in sorted(foes, key=int, reverse=True)}

        def brings(card: Card) -> float:
            own = self.points[card]
            takes = table.best is None or self.above(card, table.best)
            best = card if takes or table.best is None else table.best
            threats = strongest.get(best >> 4, best), strongest.get(trump, best)
            lost = not takes and sides[table.holder] != sides[seat]
            points = table.points + own
            if points and (lost or any(self.above(foe, best) for foe in threats)):
                points = -points
            return points - (6 + 0.5 * own - 0.1 * (card & 15) if card >> 4 == trump else 0.3 * own)

        return max(self.hands[seat], key=brings)

    def above(self, card: Card, other: Card) -> bool:
        """Whether a card stands above another that was played before it; a card's int is its suit, then its rank."""
        return int(card) < int(other) if card >> 4 == other >> 4 else card >> 4 == self.trump
