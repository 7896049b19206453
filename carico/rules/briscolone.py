"""Briscolone (rules.md section 8): no trump suit and no upcard; the highest card of the suit led takes the trick."""

from carico.rules.deal import Deal
from carico.rules.draw import LAWS


class BriscoloneDeal(Deal, variant="briscolone"):
    """A deal of Briscolone. Every block of the stock is a full one, since no upcard ends the last."""

    __slots__ = ()

    def _draw(self, winner: int) -> None:
        seats = self.game.players
        for place, card in enumerate(self._round(self.game.draw_rounds - self.rounds_left, winner)):
            self.hands[(winner + place) % seats].append(card)
        self.rounds_left -= 1

    def _round(self, number: int, winner: int) -> bytes:
        game = self.game
        seats = game.players
        start = game.first_drawn + number * seats
        return LAWS[game.stock](self.source[start : start + seats], seats, (winner - self.dealer - 1) % seats)

    def face_down(self) -> bytes:
        """The stock as it lies, top first; with stocks by role in the order of the source."""
        return self.source[len(self.source) - self.stock :]

    def realised(self) -> bytes:
        """The whole pack in realised order: hands, and the stock as it was drawn or would be, as for any deal."""
        stock = b"".join(self._round(number, winner) for number, winner in enumerate(self._winners()))
        return self.source[: self.game.first_drawn] + stock
