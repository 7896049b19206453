"""What one seat may know: the only place that hides cards (rules.md section 5, "Who knows what").

A ``View`` is a value. It holds bytes, as they travel, and makes ``Card`` objects only when somebody looks.
"""

import hashlib
from dataclasses import dataclass
from typing import Final

from carico.rules.actions import A_CARD, Action, Phase, named
from carico.rules.auction import NOBODY, PASSED, ROW, Auction, as_action, auction_now, target
from carico.rules.auction import legal as legal_in_auction
from carico.rules.cards import CARDS, NO_CARD, POINTS, SUITS, Card
from carico.rules.deal import Deal
from carico.rules.exchange import answers, rows
from carico.rules.game import Game
from carico.rules.trick import NO_TRUMP, winning_index

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


@dataclass(frozen=True, slots=True)
class Said:
    """A bid, a pass or the call, as it was said in the auction."""

    seat: int
    action: Action


@dataclass(frozen=True, slots=True)
class Exchange:
    """An exchange of the upcard; everybody sees it, with both cards."""

    seat: int
    given: Card
    """The card put down, the upcard from then on."""
    taken: Card
    """The upcard until then; it went into the seat's hand."""
    after: int
    """How many tricks were over."""


class View:
    """One seat's knowledge of a deal at one moment: its hand, and everything that was public so far.

    Seats count from 0 in playing order: seat s+1 plays after seat s. It is made of numbers and bytes. A byte of
    ``hand``, ``played``, ``shown`` and ``stock_cards`` is a card; ``leaders`` has the seat of each trick begun,
    ``points`` the card points of each seat; ``upcard`` is a card's int, or 255 in a game without. ``auction`` has two
    bytes for each thing said, the seat and: 0 to 11 for the rank bid, 61 to 120 for the points bid, 255 for a pass,
    128 plus the card for the call. ``exchanges`` has four for each: seat, card put down, card taken, cards played.
    ``played``, ``leaders``, ``auction`` and ``exchanges`` only grow in the course of a deal. Whether an exchange is
    asked for follows from them and from ``stock``: the trick is over and nobody has drawn.
    """

    __slots__ = (
        "auction_codes",
        "dealer",
        "exchange_codes",
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
        auction: bytes = b"",
        exchanges: bytes = b"",
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
        self.auction_codes: Final = auction
        self.exchange_codes: Final = exchanges

    @property
    def phase(self) -> Phase:
        """What is asked now, whoever is asked: ``play``, ``auction``, ``call`` or ``exchange``."""
        game = self.game
        if game.only_plays:
            return "play"
        if game.auction is not None:
            return self._auction.phase
        drawn_for = len(self.played_codes) // game.players
        return "exchange" if self.stock > max(0, game.draw_rounds - drawn_for) * game.players else "play"

    @property
    def to_act(self) -> int | None:
        """The seat that is asked; None when the deal is over."""
        game = self.game
        if self.phase in ("auction", "call"):
            asked = self._auction.to_act
            return None if asked == NOBODY else asked
        if len(self.played_codes) == len(game.pack):
            return None
        return (self.leader + len(self.played_codes)) % game.players

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards you hold."""
        return tuple(map(_CARD, self.hand_codes))

    @property
    def legal(self) -> tuple[Card | Action, ...]:
        """What you may do when you are asked: play any card of your hand, or what ``phase`` says instead.

        In an auction passing comes first, and then the bids from the weakest on; before the draw declining comes first.
        """
        if self.game.only_plays or self.phase == "play":
            return tuple(map(_CARD, self.hand_codes))
        return self._legal_beside_play()

    @property
    def plays(self) -> tuple[Card, ...]:
        """The cards that you may play when you are asked: all of your hand, none where something else is asked."""
        return self.hand if self.phase == "play" else ()

    def _legal_beside_play(self) -> tuple[Card | Action, ...]:
        if self.to_act != self.seat:
            return ()
        in_auction = self.game.auction is not None
        may = legal_in_auction(self.game, self._auction) if in_auction else answers(self.upcard_code, self.hand_codes)
        return tuple(named(action, self.game.auction) for action in may)

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
        """The seat that led, or leads, the trick being played; mano before it is known who leads."""
        return self.leader_codes[-1] if self.leader_codes else (self.dealer + 1) % self.game.players

    @property
    def trump(self) -> str | None:
        """The trump suit's letter: C, D, S or B. It stays when the upcard has gone.

        None where nothing is trumps: at Briscolone, and at Chiamata before the call.
        """
        suit = self._trump
        return SUITS[suit] if suit != NO_TRUMP else None

    @property
    def _trump(self) -> int:
        if self.upcard_code != NO_CARD:
            return self.upcard_code >> 4
        called = self._called
        return called >> 4 if called != NO_CARD else NO_TRUMP

    @property
    def upcard(self) -> Card | None:
        """The face-up card under the stock, or that lay there last, wherever it is now (``upcard_holder``).

        At Brisca it changes with each exchange. None in a game that has none.
        """
        return CARDS[self.upcard_code] if self.upcard_code != NO_CARD else None

    @property
    def card_points(self) -> tuple[int, ...]:
        """Card points captured so far, per seat."""
        return tuple(self.point_codes)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The tricks that are complete, the first one first."""
        seats = self.game.players
        played, leaders, trump = self.played_codes, self.leader_codes, self._trump
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
        """The other seats of your side, as far as you know them: at Chiamata nobody before ``sides_known``."""
        game, seat = self.game, self.seat
        if game.auction is None:
            side = game.sides[game.side_of[seat]]
        elif not self.sides_known:
            return ()
        else:
            callers = {self.caller, seat if self.is_partner else self.partner}
            side = tuple(other for other in range(game.players) if (other in callers) == (seat in callers))
        return tuple(other for other in side if other != seat)

    # --- Chiamata ---

    @property
    def auction(self) -> tuple[Said, ...]:
        """All that was said in the auction so far, the call included; empty in games without one."""
        said, game = self.auction_codes, self.game
        return tuple(
            Said(said[i], _action(named(as_action(game, said[i + 1]), game.auction))) for i in range(0, len(said), ROW)
        )

    @property
    def caller(self) -> int | None:
        """The seat that bid highest so far, and so the caller once the auction is over; None before the first bid."""
        caller = self._auction.caller if self.auction_codes else NOBODY
        return caller if caller != NOBODY else None

    @property
    def called(self) -> Card | None:
        """The card called, whose holder is the caller's partner; None before the call."""
        code = self._called
        return CARDS[code] if code != NO_CARD else None

    @property
    def target(self) -> int | None:
        """The card points that the highest bid so far undertakes to make; None before the first."""
        now = self._auction if self.auction_codes else None
        return target(now.bid) if now is not None and now.caller != NOBODY else None

    @property
    def partner(self) -> int | None:
        """The caller's partner as everybody knows it: None before the called card is played, and if the caller did."""
        who = self._player_of(self._called)
        return who if who != self.caller else None

    @property
    def is_partner(self) -> bool:
        """Whether you hold, or held, the called card and somebody else called it. Nobody else may know yet."""
        return self._has_called and self.seat != self.caller

    @property
    def is_alone(self) -> bool:
        """Whether you are the caller and hold, or held, the called card yourself. Nobody else may know yet."""
        return self._has_called and self.seat == self.caller

    @property
    def sides_known(self) -> bool:
        """Whether you know who plays with whom: at Chiamata if you hold the called card, or once it is played."""
        return self.game.auction is None or self._has_called or self._player_of(self._called) is not None

    @property
    def _auction(self) -> Auction:
        return auction_now(self.game, self.dealer, self.auction_codes)

    @property
    def _called(self) -> int:
        last = self.auction_codes[-1] if self.auction_codes else PASSED
        return last & ~A_CARD if last & A_CARD and last != PASSED else NO_CARD  # nothing is said after the call

    @property
    def _has_called(self) -> bool:
        called = self._called
        return called in self.hand_codes or self._player_of(called) == self.seat

    def _player_of(self, code: int) -> int | None:
        """The seat that played a card, if it was played."""
        place, seats = self.played_codes.find(code), self.game.players
        return (self.leader_codes[place // seats] + place) % seats if place >= 0 else None

    # --- Brisca ---

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The exchanges so far, the first one first; empty in games without."""
        seats = self.game.players
        return tuple(
            Exchange(seat, CARDS[given], CARDS[taken], played // seats)
            for seat, given, taken, played in rows(self.exchange_codes)
        )

    @property
    def known(self) -> dict[int, tuple[Card, ...]]:
        """Cards that everybody knows a seat to hold now, by seat: upcards taken in an exchange or drawn at the end."""
        holders = {taken: seat for seat, _, taken, _ in rows(self.exchange_codes)}
        if self.upcard_holder >= 0:
            holders[self.upcard_code] = self.upcard_holder
        known: dict[int, tuple[Card, ...]] = {}
        for code, seat in holders.items():
            if code not in self.played_codes:
                known[seat] = (*known.get(seat, ()), CARDS[code])
        return known

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
        seen.update(*self.shown_codes, self.exchange_codes[2::4])
        return tuple(CARDS[code] for code in self.game.pack if code not in seen)

    def takes(self, card: Card) -> bool:
        """Whether the trick, as it lies, would be yours after playing ``card``; always true when you lead."""
        table = (*self._table_codes, int(card))
        return winning_index(table, self._trump) == len(table) - 1

    def beats(self, card: Card, other: Card) -> bool:
        """Whether ``card``, played after ``other`` to one trick, stands above it: stronger in its suit, or a trump."""
        return winning_index((int(other), int(card)), self._trump) == 1

    @property
    def table_best(self) -> Card | None:
        """The card that takes the trick as it lies; None when you lead."""
        table = self._table_codes
        return CARDS[table[winning_index(table, self._trump)]] if table else None

    @property
    def table_winner(self) -> int | None:
        """The seat that takes the trick as it lies; None when you lead."""
        table = self._table_codes
        if not table:
            return None
        return (self.leader + winning_index(table, self._trump)) % self.game.players

    @property
    def table_points(self) -> int:
        """Card points on the table now."""
        return sum(POINTS[code] for code in self._table_codes)

    @property
    def _table_codes(self) -> bytes:
        return self.played_codes[len(self.played_codes) // self.game.players * self.game.players :]

    def digest(self) -> bytes:
        """32 bytes that are equal exactly for equal views: a key for chance that repeats wherever the view does."""
        state = repr((self.game.name, self.game.sorted_options, self._state()))
        return hashlib.sha256(state.encode()).digest()

    def _state(self) -> tuple[object, ...]:
        state = (
            self.dealer,
            self.hand_codes,
            self.leader_codes,
            self.played_codes,
            self.point_codes,
            self.seat,
            self.shown_codes,
            self.stock,
            self.stock_codes,
            self.upcard_code,
            self.upcard_holder,
        )
        beside = self.auction_codes, self.exchange_codes
        # Where there is neither, chance goes on as it did before there were such games.
        return (*state, *beside) if any(beside) else state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.game is other.game and self._state() == other._state()

    def __hash__(self) -> int:
        return hash(self._state())

    def __repr__(self) -> str:
        hand, table = (" ".join(map(str, cards)) or "-" for cards in (self.hand, self.table))
        trump = f"trump {self.trump}" if self.trump else "no trump"
        return f"<View {self.game.name} seat {self.seat}: hand {hand}, table {table}, {trump}>"


def _action(action: Card | Action) -> Action:
    assert isinstance(action, Action)
    return action


def view(deal: Deal, seat: int) -> View:
    """What ``seat`` may know of the deal now, whether or not it is to act."""
    game = deal.game
    if not game.shows_more:
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
        )
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
        _shown(deal, seat) if game.open or game.partners != "none" else (),
        deal.face_down() if game.open else b"",
        deal.auction,
        deal.exchanges,
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
