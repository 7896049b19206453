"""What one seat may know: the only place that hides cards (rules.md section 5, "Who knows what").

A ``View`` is a value. It holds bytes, as they travel, and makes ``Card`` objects only when somebody looks.
"""

import hashlib
from dataclasses import dataclass
from typing import Final

from carico.rules.cards import CARDS, POINTS, SUITS, Card
from carico.rules.deal import Deal
from carico.rules.game import Game
from carico.rules.trick import winning_index

_CARD = list(CARDS).__getitem__  # a list's is quicker than a tuple's


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick that is complete."""

    leader: int
    cards: tuple[Card, ...]
    """The cards in the order played, the leader's first."""
    winner: int
    """The seat that took it."""

    @property
    def points(self) -> int:
        """Card points in the trick."""
        return sum(card.points for card in self.cards)


class View:
    """One seat's knowledge of a deal at one moment: its hand, and everything that was public so far.

    Seats count from 0 in playing order: seat s+1 plays after seat s.
    """

    __slots__ = (
        "dealer",
        "game",
        "hand_codes",
        "leader_codes",
        "played_codes",
        "point_codes",
        "seat",
        "shown_codes",
        "stock",
        "stock_codes",
        "upcard_code",
        "upcard_holder",
    )

    def __init__(
        self,
        game: Game,
        seat: int,
        dealer: int,
        hand: bytes,
        played: bytes,
        leaders: bytes,
        points: bytes,
        upcard: int,
        upcard_holder: int,
        stock: int,
        shown: tuple[bytes, ...] = (),
        stock_cards: bytes = b"",
    ) -> None:
        self.game: Final = game
        self.seat: Final = seat
        """Whose view this is."""
        self.dealer: Final = dealer
        self.hand_codes: Final = hand
        self.played_codes: Final = played
        self.leader_codes: Final = leaders
        self.point_codes: Final = points
        self.upcard_code: Final = upcard
        self.upcard_holder: Final = upcard_holder
        """The seat that drew the upcard, or -1 while it lies under the stock."""
        self.stock: Final = stock
        """Cards still to be drawn, the upcard included."""
        self.shown_codes: Final = shown
        self.stock_codes: Final = stock_cards

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards you hold."""
        return tuple(map(_CARD, self.hand_codes))

    @property
    def legal(self) -> tuple[Card, ...]:
        """What you may do when you are asked: play any card of your hand."""
        return tuple(map(_CARD, self.hand_codes))

    @property
    def table(self) -> tuple[Card, ...]:
        """The cards of the trick being played, the leader's first; empty when you lead."""
        return tuple(map(_CARD, self._table_codes))

    @property
    def played(self) -> tuple[Card, ...]:
        """All cards played so far, in order, those on the table included."""
        return tuple(map(_CARD, self.played_codes))

    @property
    def behind(self) -> tuple[int, ...]:
        """The seats that play after you in this trick, in order, when you are asked."""
        seats = self.game.players
        return tuple((self.seat + k) % seats for k in range(1, seats - len(self._table_codes)))

    @property
    def leader(self) -> int:
        """The seat that led, or leads, the trick being played."""
        return self.leader_codes[-1]

    @property
    def trump(self) -> str:
        """The trump suit's letter: C, D, S or B. It stays when the upcard has gone."""
        return SUITS[self.upcard_code >> 4]

    @property
    def upcard(self) -> Card:
        """The face-up card that named trumps, wherever it is now (``upcard_holder``)."""
        return CARDS[self.upcard_code]

    @property
    def card_points(self) -> tuple[int, ...]:
        """Card points captured so far, per seat."""
        return tuple(self.point_codes)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The tricks that are complete, the first one first."""
        seats = self.game.players
        played, leaders, trump = self.played_codes, self.leader_codes, self.upcard_code >> 4
        done = []
        for number in range(len(played) // seats):
            cards = played[number * seats : (number + 1) * seats]
            leader = leaders[number]
            winner = (leader + winning_index(cards, trump)) % seats
            done.append(Trick(leader, tuple(map(_CARD, cards)), winner))
        return tuple(done)

    @property
    def tricks_left(self) -> int:
        """Tricks still to be decided, the one on the table included."""
        return self.game.tricks - len(self.played_codes) // self.game.players

    @property
    def partners(self) -> tuple[int, ...]:
        """The other seats of your side."""
        side = self.game.sides[self.game.side_of[self.seat]]
        return tuple(seat for seat in side if seat != self.seat)

    @property
    def shown(self) -> dict[int, tuple[Card, ...]]:
        """Hands of other seats that you may see (scoperta, partners' knowledge), by seat; empty in plain play.

        A hand stands in the order of the pack, not in the order in which its cards came.
        """
        return {seat: tuple(map(_CARD, codes)) for seat, codes in enumerate(self.shown_codes) if codes}

    @property
    def stock_cards(self) -> tuple[Card, ...]:
        """The stock in drawing order where it lies face up (scoperta), the upcard left out; empty in plain play."""
        return tuple(map(_CARD, self.stock_codes))

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards of which you don't know where they are: in other hands or face down in the stock."""
        seen = {*self.hand_codes, *self.played_codes, *self.stock_codes, self.upcard_code}
        seen.update(*self.shown_codes)
        return tuple(CARDS[code] for code in self.game.pack if code not in seen)

    def takes(self, card: Card) -> bool:
        """Whether the trick, as it lies, would be yours after playing ``card``; always true when you lead."""
        table = (*self._table_codes, int(card))
        return winning_index(table, self.upcard_code >> 4) == len(table) - 1

    def beats(self, card: Card, other: Card) -> bool:
        """Whether ``card``, played after ``other`` to one trick, stands above it: stronger in its suit, or a trump."""
        return winning_index((int(other), int(card)), self.upcard_code >> 4) == 1

    @property
    def table_best(self) -> Card | None:
        """The card that takes the trick as it lies; None when you lead."""
        table = self._table_codes
        return CARDS[table[winning_index(table, self.upcard_code >> 4)]] if table else None

    @property
    def table_winner(self) -> int | None:
        """The seat that takes the trick as it lies; None when you lead."""
        table = self._table_codes
        if not table:
            return None
        return (self.leader + winning_index(table, self.upcard_code >> 4)) % self.game.players

    @property
    def table_points(self) -> int:
        """Card points on the table now."""
        return sum(POINTS[code] for code in self._table_codes)

    @property
    def _table_codes(self) -> bytes:
        return self.played_codes[len(self.played_codes) // self.game.players * self.game.players :]

    def digest(self) -> bytes:
        """32 bytes that are equal exactly for equal views: a key for chance that repeats wherever the view does."""
        state = repr((self.game.name, sorted(self.game.options.items()), self._state()))
        return hashlib.sha256(state.encode()).digest()

    def _state(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__ if name != "game")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.game is other.game and self._state() == other._state()

    def __hash__(self) -> int:
        return hash(self._state())

    def __repr__(self) -> str:
        hand, table = (" ".join(map(str, cards)) or "-" for cards in (self.hand, self.table))
        return f"<View {self.game.name} seat {self.seat}: hand {hand}, table {table}, trump {self.trump}>"


def view(deal: Deal, seat: int) -> View:
    """What ``seat`` may know of the deal now, whether or not it is to act."""
    game = deal.game
    if game.open or game.partners != "none":
        shown, stock_cards = _shown(deal, seat), deal.face_down() if game.open else b""
    else:
        shown, stock_cards = (), b""
    return View(
        game,
        seat,
        deal.dealer,
        bytes(deal.hands[seat]),
        deal.played,
        deal.leaders,
        bytes(deal.card_points),
        deal.upcard,
        deal.upcard_holder,
        deal.rounds_left * game.players,
        shown,
        stock_cards,
    )


def _shown(deal: Deal, seat: int) -> tuple[bytes, ...]:
    """Hands that the seat may see, sorted: the order in which cards came to another hand is nobody else's to know."""
    game = deal.game
    partners_see = game.partners == "start" or (game.partners == "last3" and deal.stock == 0)
    side = game.side_of[seat]
    return tuple(
        bytes(sorted(hand)) if other != seat and (game.open or (partners_see and game.side_of[other] == side)) else b""
        for other, hand in enumerate(deal.hands)
    )
