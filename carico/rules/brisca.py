"""Brisca (rules.md section 10): Briscola with an exchange of the upcard between a trick and the draw."""

from typing import Self

from carico.rules.actions import EXCHANGE, Action, Phase
from carico.rules.deal import Deal, illegal
from carico.rules.exchange import ROW, answers, is_asked, made_since, rows
from carico.rules.game import Game


class BriscaDeal(Deal, variant="brisca"):
    """A deal of Brisca.

    While ``phase`` is ``exchange`` the winner of the trick is asked and nobody has drawn. To decline closes the window.
    A decline where no exchange was legal is no action: it stands neither in ``actions`` nor in ``count``. A play
    declines too, and is then the action alone; ``legal`` does not list plays there, since the seat has not drawn yet.
    """

    __slots__ = ("declined", "exchanges", "phase")

    phase: Phase
    exchanges: bytes

    def __init__(self, game: Game, dealer: int, source: bytes) -> None:
        super().__init__(game, dealer, source)
        self.phase = "play"
        self.exchanges = b""
        self.declined = b""
        """For each decline that is an action, the number of cards played before it."""

    def copy(self) -> Self:
        """The same deal once more."""
        twin = super().copy()
        twin.phase = self.phase
        twin.exchanges = self.exchanges
        twin.declined = self.declined
        return twin

    def key(self) -> tuple[object, ...]:
        """A value that can be hashed; two deals are equal exactly when their keys are."""
        return *super().key(), self.exchanges, self.declined, self.phase

    @property
    def count(self) -> int:
        """How many actions there were so far."""
        return len(self.played) + len(self.exchanges) // ROW + len(self.declined)

    @property
    def actions(self) -> list[tuple[int, int]]:
        """All actions so far, in order, as (seat, action)."""
        seats = self.game.players
        between: dict[int, list[tuple[int, int]]] = {}
        for seat, given, _, after in rows(self.exchanges):
            between.setdefault(after, []).append((seat, EXCHANGE << 8 | given))
        for after in self.declined:
            between.setdefault(after, []).append((self.leaders[after // seats], Action.DECLINE))
        done = []
        for number, play in enumerate(super().actions):
            done += [*between.pop(number, ()), play]
        return done + between.pop(len(self.played), [])

    def legal(self) -> tuple[int, ...]:
        """The actions that the seat to act may take: cards to play, or to decline and the exchange that it can make."""
        if self.phase == "play":
            return super().legal()
        return answers(self.upcard, self.hands[self.to_act])

    def apply(self, action: int) -> None:
        """Takes an action for the seat to act and all that follows from it. Raises IllegalAction, changing nothing."""
        if self.phase == "play":
            super().apply(action)
        else:
            self._answer(action)

    def _draw(self, winner: int) -> None:
        if is_asked(self.game, self.upcard, self.played, self.rounds_left, 0):
            self.phase = "exchange"
        else:
            super()._draw(winner)

    def _answer(self, action: int) -> None:
        seat, legal = self.to_act, self.legal()
        if action in legal:
            if action != Action.DECLINE:
                self._exchange(seat, action & 0xFF)
                return
            if len(legal) > 1:
                self.declined += bytes((len(self.played),))
            self._close()
        elif action in self.hands[seat] or action == self._round(self.game.draw_rounds - self.rounds_left, seat)[0]:
            self._close()
            super().apply(action)
        else:
            raise illegal(self, action)

    def _exchange(self, seat: int, given: int) -> None:
        played = self.played
        self.exchanges += bytes((seat, given, self.upcard, len(played)))
        hand = self.hands[seat]
        hand.remove(given)
        hand.append(self.upcard)
        self.upcard = given
        if not is_asked(self.game, given, played, self.rounds_left, made_since(self.exchanges, len(played))):
            self._close()

    def _close(self) -> None:
        self.phase = "play"
        super()._draw(self.to_act)
