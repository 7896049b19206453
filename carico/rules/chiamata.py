"""Briscola Chiamata (rules.md section 9): an auction and a call before the play, and a partner whom nobody knows."""

from typing import Self

from carico.rules.actions import A_CARD, PASS, Phase
from carico.rules.auction import PASSED, ROW, Auction, as_action, auction_now, called_card, legal, target
from carico.rules.cards import NO_CARD
from carico.rules.deal import NOBODY, Deal, illegal
from carico.rules.game import Game


class ChiamataDeal(Deal, variant="chiamata"):
    """A deal of Chiamata. Its ``phase`` goes from ``auction`` to ``call`` to ``play``; until then there is no trump."""

    __slots__ = ("auction", "called", "caller", "partner", "phase", "target")

    auction: bytes
    phase: Phase

    def __init__(self, game: Game, dealer: int, source: bytes) -> None:
        super().__init__(game, dealer, source)
        self.phase = "auction"
        self.auction = b""
        self.leaders = b""
        self.caller = NOBODY
        """The highest bidder, once the auction is over; NOBODY before."""
        self.called = NO_CARD
        """The card called; NO_CARD before."""
        self.target = 0
        """The card points that the caller's side has to make; 0 before the auction is over."""
        self.partner = NOBODY
        """Who holds, or held, the called card; NOBODY where that is the caller, and before the call."""

    def copy(self) -> Self:
        """The same deal once more."""
        twin = super().copy()
        twin.phase = self.phase
        twin.auction = self.auction
        twin.caller = self.caller
        twin.called = self.called
        twin.target = self.target
        twin.partner = self.partner
        return twin

    def key(self) -> tuple[object, ...]:
        """A value that can be hashed; two deals are equal exactly when their keys are."""
        return *super().key(), self.auction

    @property
    def passed_out(self) -> bool:
        """Whether the deal is over because nobody bid."""
        return self.phase == "auction" and self.to_act == NOBODY

    @property
    def count(self) -> int:
        """How many actions there were so far."""
        return len(self.auction) // ROW + len(self.played)

    @property
    def actions(self) -> list[tuple[int, int]]:
        """All actions so far, in order, as (seat, action)."""
        said = self.auction
        spoken = [(said[i], as_action(self.game, said[i + 1])) for i in range(0, len(said), ROW)]
        return spoken + super().actions

    def legal(self) -> tuple[int, ...]:
        """The actions that the seat to act may take; none when the deal is over."""
        if self.phase == "play":
            return super().legal()
        return legal(self.game, self._stands()) if self.to_act != NOBODY else ()

    def apply(self, action: int) -> None:
        """Takes an action for the seat to act and all that follows from it. Raises IllegalAction, changing nothing."""
        if self.phase == "play":
            super().apply(action)
        elif action not in self.legal():
            raise illegal(self, action)
        elif self.phase == "call":
            self._call(action & 0xFF)
        else:
            self._say(PASSED if action >> 8 == PASS else action & 0xFF)

    def _stands(self) -> Auction:
        return auction_now(self.game, self.dealer, self.auction)

    def _say(self, what: int) -> None:
        self.auction += bytes((self.to_act, what))
        now = self._stands()
        self.phase, self.to_act = now.phase, now.to_act
        if now.phase == "call":
            self.caller, self.target = now.caller, target(now.bid)

    def _call(self, argument: int) -> None:
        card = called_card(self._stands().bid, argument)
        self.auction += bytes((self.caller, card | A_CARD))
        self.called, self.trump = card, card >> 4
        holder = next(seat for seat, hand in enumerate(self.hands) if card in hand)
        self.partner = NOBODY if holder == self.caller else holder
        if self.game.caller_leads:
            self.leader = self.caller
        self.leaders = bytes((self.leader,))
        self.to_act = self.leader
        self.phase = "play"
