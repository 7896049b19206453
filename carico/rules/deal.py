"""A deal: one deck played to the last card (rules.md sections 3 to 5).

A ``Deal`` is a value: its state follows from game, dealer, source and the actions so far, two deals that agree in these
are equal, and a copy shares nothing that changes. Copying is cheap, so search bots may live on it.

``Deal(game, dealer, source)`` makes the deal of any game. The class itself is Briscola; what else can happen in a deal
stands in a class and a file of its own: ``briscolone``, ``brisca``, ``chiamata``.
"""

from typing import Any, Self

from carico.rules.actions import Phase, describe
from carico.rules.cards import NO_CARD, POINTS
from carico.rules.draw import LAWS
from carico.rules.errors import IllegalAction
from carico.rules.game import Game
from carico.rules.trick import NO_TRUMP, winning_index

NOBODY = -1

_ONE = tuple(bytes((code,)) for code in range(256))
"""One byte, by its value."""

_POINTS_ONLY = POINTS.ljust(256, b"\0")
"""A table for ``bytes.translate``: cards become their card points."""


class Deal:
    """The whole truth of one deal, hidden cards included; ``carico.rules.view`` gives what one seat may know."""

    __slots__ = (
        "card_points",
        "dealer",
        "game",
        "hands",
        "leader",
        "leaders",
        "played",
        "rounds_left",
        "source",
        "to_act",
        "trump",
        "upcard",
        "upcard_holder",
    )

    auction: bytes = b""
    """What was said in the auction, the call included, as ``carico.rules.auction`` has it; empty but at Chiamata."""
    exchanges: bytes = b""
    """The exchanges so far, as ``carico.rules.exchange`` has them; empty but at Brisca."""
    phase: Phase = "play"
    """What is asked now."""

    def __init_subclass__(cls, *, variant: str) -> None:
        KINDS[variant] = cls

    def __new__(cls, game: Game, dealer: int, source: bytes) -> "Deal":
        """A deal of the class that the game needs."""
        return object.__new__(KINDS[game.variant])

    def __init__(self, game: Game, dealer: int, source: bytes) -> None:
        """Deals the cards. ``source`` is the whole pack in derived order, top first, one byte a card.

        Raises ValueError where ``dealer`` is no seat or ``source`` is not the game's pack in some order.
        """
        if not 0 <= dealer < game.players:
            raise ValueError(f"dealer {dealer}: the seats are 0 to {game.players - 1}")
        if sorted(source) != sorted(game.pack):
            raise ValueError(f"the source is not the pack of {game.name}: it holds each of its cards exactly once")
        seats, size = game.players, game.hand
        mano = (dealer + 1) % seats
        self.game = game
        self.dealer = dealer
        self.source = source
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        """Cards held, per seat, in the order in which they came."""
        for role in range(seats):
            dealt = source[role * size : (role + 1) * size] if game.by_packet else source[role : seats * size : seats]
            self.hands[(mano + role) % seats] = list(dealt)
        self.upcard = (source[-1] if game.upcard_last else source[seats * size]) if game.has_upcard else NO_CARD
        """The face-up card under the stock; after it is drawn, the card that lay there. NO_CARD in a game without."""
        self.upcard_holder = NOBODY
        """The seat that drew the upcard, or NOBODY while it lies under the stock."""
        self.trump = self.upcard >> 4 if game.has_upcard else NO_TRUMP
        """The trump suit's number; it stays when the upcard has gone. NO_TRUMP where there is none, or none yet."""
        self.rounds_left = game.draw_rounds
        """Draw rounds to come."""
        self.leader = mano
        """Who led, or leads, the current trick."""
        self.to_act = mano
        """The seat whose decision it is, or NOBODY when the deal is over."""
        self.played = b""
        """All cards played so far, in order."""
        self.leaders = _ONE[mano]
        """The leader of each trick begun so far (of the next one too, while a deal lasts)."""
        self.card_points = [0] * seats
        """Card points captured so far, per seat, 0 to 120; they add up to 120 at the end."""

    def copy(self) -> Self:
        """The same deal once more; what happens to one does not touch the other."""
        twin = object.__new__(type(self))
        twin.game = self.game
        twin.dealer = self.dealer
        twin.source = self.source
        twin.hands = [hand[:] for hand in self.hands]
        twin.upcard = self.upcard
        twin.upcard_holder = self.upcard_holder
        twin.trump = self.trump
        twin.rounds_left = self.rounds_left
        twin.leader = self.leader
        twin.to_act = self.to_act
        twin.played = self.played
        twin.leaders = self.leaders
        twin.card_points = self.card_points[:]
        return twin

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.game, self.dealer, self.source

    def key(self) -> tuple[object, ...]:
        """A value that can be hashed; two deals are equal exactly when their keys are."""
        return self.game, self.dealer, self.source, self.played

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deal) and self.key() == other.key()

    __hash__ = None  # type: ignore[assignment]  # a deal changes; hash its key

    @property
    def over(self) -> bool:
        """Whether the last card has been played."""
        return self.to_act == NOBODY

    @property
    def passed_out(self) -> bool:
        """Whether the deal is over because nobody bid."""
        return False

    @property
    def count(self) -> int:
        """How many actions there were so far: ``len(actions)``."""
        return len(self.played)

    @property
    def stock(self) -> int:
        """Cards still to be drawn, the upcard included."""
        return self.rounds_left * self.game.players

    @property
    def table(self) -> bytes:
        """Cards of the trick being played, the leader's first."""
        return self.played[len(self.played) // self.game.players * self.game.players :]

    @property
    def actions(self) -> list[tuple[int, int]]:
        """All actions so far, in order, as (seat, action)."""
        seats, leaders = self.game.players, self.leaders
        return [((leaders[i // seats] + i) % seats, card) for i, card in enumerate(self.played)]

    def legal(self) -> tuple[int, ...]:
        """The actions that the seat to act may take, in no particular order; none when the deal is over.

        Any card of the hand may be played: there is no duty to follow suit, to trump or to beat.
        """
        return tuple(self.hands[self.to_act]) if self.to_act >= 0 else ()

    def apply(self, action: int) -> None:
        """Takes an action for the seat to act and all that follows from it: trick, points, draw, the next seat.

        Raises IllegalAction, and changes nothing, where the action is not among ``legal()``.
        """
        seat = self.to_act
        try:
            self.hands[seat].remove(action)
        except ValueError:
            raise illegal(self, action) from None
        self.played = played = self.played + _ONE[action]
        seats = self.game.players
        if len(played) % seats:
            self.to_act = (seat + 1) % seats
            return
        trick = played[-seats:]
        winner = (self.leader + winning_index(trick, self.trump)) % seats
        self.card_points[winner] += sum(trick.translate(_POINTS_ONLY))
        if self.rounds_left:
            self._draw(winner)
        self.leader = winner
        if self.hands[winner]:
            self.to_act = winner
            self.leaders += _ONE[winner]
        else:
            self.to_act = NOBODY

    def _draw(self, winner: int) -> None:
        game, hands = self.game, self.hands
        seats, left = game.players, self.rounds_left
        self.rounds_left = left - 1
        if left == 1:
            seat = winner
            for card in self._round(game.draw_rounds - 1, winner):
                hands[seat].append(card)
                seat = (seat + 1) % seats
            self.upcard_holder = seat
            hands[seat].append(self.upcard)
            return
        # A full round. Stocks by role can be handed out from mano on, whoever draws first.
        seat = winner if game.stock == "shared" else (self.dealer + 1) % seats
        start = game.first_drawn + (game.draw_rounds - left) * seats
        for card in self.source[start : start + seats]:
            hands[seat].append(card)
            seat = (seat + 1) % seats

    def _round(self, number: int, winner: int) -> bytes:
        """The face-down cards of one draw round, from 0, in drawing order after ``winner`` took the trick."""
        game = self.game
        seats = game.players
        start = game.first_drawn + number * seats
        end = start + seats if number < game.draw_rounds - 1 else start + seats - 1
        return LAWS[game.stock](self.source[start:end], seats, (winner - self.dealer - 1) % seats)

    def face_down(self) -> bytes:
        """The stock as it lies, upcard left out, top first; with stocks by role in the order of the source."""
        game = self.game
        start = game.first_drawn + (game.draw_rounds - self.rounds_left) * game.players
        return self.source[start : start + self.rounds_left * game.players - 1] if self.rounds_left else b""

    def realised(self) -> bytes:
        """The whole pack in realised order, as records have it: hands, upcard, the stock as it was drawn.

        Cards not yet drawn stand in the order in which they would be drawn if each trick to come fell to its leader.
        """
        game = self.game
        head = game.players * game.hand
        stock = b"".join(self._round(number, winner) for number, winner in enumerate(self._winners()))
        upcard = bytes((self.source[-1],)) if game.upcard_last else self.source[head : head + 1]
        hands = self.source[:head]
        return hands + stock + upcard if game.upcard_last else hands + upcard + stock

    def _winners(self) -> list[int]:
        """Who takes the trick before each draw round; the leader, where that is still to come."""
        winners = [*self.leaders[1:], *[self.leader] * (self.game.draw_rounds + 1)]
        return winners[: self.game.draw_rounds]


KINDS: dict[str, type[Deal]] = {"briscola": Deal}
"""By variant, the class of its deals; subclasses put themselves in."""


def illegal(deal: Deal, action: int) -> IllegalAction:
    """The error for an action that is not legal now; its text names the action and what would be legal."""
    if deal.over:
        return IllegalAction("the deal is over: there is nothing left to decide")
    auction = deal.game.auction
    could = [describe(choice, auction) for choice in deal.legal()]
    listed = ", ".join(could if len(could) < 15 else [*could[:12], "...", could[-1]])
    return IllegalAction(f"seat {deal.to_act} may not {describe(action, auction)}: it may {listed}")
