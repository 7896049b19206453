"""Actions: what a seat decides, as one int, ``kind << 8 | argument``.

A play is kind 0, so its int is the card itself, and a ``Card`` is how a bot plays it. For all else there is ``Action``,
the same int with names on it. The argument is a card for a play or an exchange; for a bid a rank (0 to 11) or a number
of card points (61 to 120; in an auction by ranks the bid "2 at so many"); for a call a suit, or a card with 0x80 added
in an auction by points.
"""

import re
from collections.abc import Sequence
from typing import ClassVar, Final, Literal

from carico.rules.cards import CARDS, DECK_POINTS, RANKS, SUITS, Card, card_name, is_card, parse_card
from carico.rules.errors import BadNotation

PLAY: Final = 0
EXCHANGE: Final = 1
DECLINE: Final = 2
PASS: Final = 3
BID: Final = 4
CALL: Final = 5

KINDS: Final = ("play", "exchange", "decline", "pass", "bid", "call")
"""The names of the kinds, by number, as they stand in records."""

BID_RANKS: Final = "A3KQJ76542"
"""The ranks that can be bid, from the highest to the lowest: those of the pack of 40."""

LOWEST_RANK: Final = RANKS.index("2")
"""The rank whose bid may be raised by card points."""

A_CARD: Final = 0x80
"""Added to a card that is called as such."""

Phase = Literal["play", "auction", "call", "exchange"]
"""What is asked: a card, a bid or a pass, the trump suit (the called card), an exchange or no exchange."""


class Action(int):
    """Anything but a play that a seat may decide; it equals its int. ``str`` gives its notation, ``bid 2 at 75``."""

    __slots__ = ()

    PASS: ClassVar["Action"]
    """Out of the auction, for good."""
    DECLINE: ClassVar["Action"]
    """No exchange, or no more of them."""

    @property
    def kind(self) -> str:
        """``exchange``, ``decline``, ``pass``, ``bid`` or ``call``; a card's is ``play``."""
        return KINDS[self >> 8]

    @property
    def card(self) -> Card | None:
        """The card put in place of the upcard, or called by its name; None for all else."""
        if self >> 8 == EXCHANGE or (self >> 8 == CALL and self & A_CARD):
            return CARDS[self & 0x3F]
        return None

    @property
    def suit(self) -> str | None:
        """The suit that a call makes trumps, also where a card is called; None for all else."""
        if self >> 8 != CALL:
            return None
        return SUITS[(self & 0x3F) >> 4 if self & A_CARD else self & 3]

    @property
    def rank(self) -> str | None:
        """The rank that is bid; ``2`` for ``bid 2 at 75``. None for all else, bids in an auction by points too."""
        return RANKS[self & 0xFF] if self >> 8 == BID and self & 0xFF <= LOWEST_RANK else None

    @property
    def points(self) -> int | None:
        """The card points that a bid undertakes to make, 61 for a rank; None for all else."""
        if self >> 8 != BID:
            return None
        return self & 0xFF if self & 0xFF > LOWEST_RANK else DECK_POINTS // 2 + 1

    def __str__(self) -> str:
        argument = (self.rank or str(self.points)) if self >> 8 == BID else self.card or self.suit
        return f"{self.kind} {argument}" if argument is not None else self.kind

    def __repr__(self) -> str:
        return f"<{self}>"


class TwoAt(Action):
    """A bid of the two at so many card points, in an auction by ranks."""

    __slots__ = ()

    @property
    def rank(self) -> str:
        """The two's."""
        return "2"

    def __str__(self) -> str:
        return f"bid 2 at {self & 0xFF}"


Action.PASS = Action(PASS << 8)
Action.DECLINE = Action(DECLINE << 8)


def exchange(card: Card | str) -> Action:
    """Put this card, the seven or two of trumps, in place of the upcard. Raises BadNotation for what is no card."""
    return Action(EXCHANGE << 8 | (parse_card(card) if isinstance(card, str) else card))


def bid(what: str | int, points: int | None = None) -> Action:
    """A bid: ``bid("K")`` a rank, ``bid("2", 75)`` the two at 75, ``bid(75)`` in an auction by points.

    Raises BadNotation where no auction knows such a bid.
    """
    if isinstance(what, int) and points is None and 61 <= what <= DECK_POINTS:
        return Action(BID << 8 | what)
    if isinstance(what, str) and len(what) == 1 and what in BID_RANKS and points is None:
        return Action(BID << 8 | RANKS.index(what))
    if what == "2" and points is not None and 62 <= points <= DECK_POINTS:
        return TwoAt(BID << 8 | points)
    raise BadNotation(
        f'{what!r} at {points} is no bid: write bid("K"), bid("2", 62 to 120), or by points bid(61 to 120)'
    )


def call(what: Card | str) -> Action:
    """The caller's call: ``call("B")`` a suit, ``call("AC")`` a card in an auction by points. Raises BadNotation."""
    if isinstance(what, str) and len(what) == 1 and what in SUITS:
        return Action(CALL << 8 | SUITS.index(what))
    return Action(CALL << 8 | A_CARD | (parse_card(what) if isinstance(what, str) else what))


def named(action: int, auction: str | None = None) -> Card | Action:
    """An action's int with names on it. Raises BadNotation for one that is no action.

    ``auction`` is the game's: ``points`` makes a bid of 75 card points what is ``2 at 75`` by ranks.
    """
    number, argument = action >> 8, action & 0xFF
    if number == PLAY and is_card(argument):
        return CARDS[argument]
    if number == BID and auction != "points" and 62 <= argument <= DECK_POINTS:
        return TwoAt(action)
    good = {
        EXCHANGE: is_card(argument),
        DECLINE: argument == 0,
        PASS: argument == 0,
        BID: 61 <= argument <= DECK_POINTS if auction == "points" else RANKS[argument : argument + 1] in [*BID_RANKS],
        CALL: is_card(argument & ~A_CARD) if argument & A_CARD else argument <= 3,
    }
    if not good.get(number):
        raise BadNotation(f"{int(action)} is no action")
    return Action(action)


def parse_action(text: str) -> Card | Action:
    """The action that a text names, the reverse of ``str``: ``AC`` plays, ``bid 2 at 75`` bids. Raises BadNotation."""
    match text.split(" "):
        case [card] if card not in KINDS:
            return parse_card(card)
        case ["decline"]:
            return Action.DECLINE
        case ["pass"]:
            return Action.PASS
        case ["exchange", card]:
            return exchange(card)
        case ["call", what]:
            return call(what)
        case ["bid", what]:
            return bid(int(what) if re.fullmatch("[0-9]{2,3}", what) else what)
        case ["bid", "2", "at", points] if re.fullmatch("[0-9]{2,3}", points):
            return bid("2", int(points))
    raise BadNotation(f"{text!r} is no action: write one such as AC, exchange 7C, pass, bid K or call B")


def kind(action: int) -> int:
    """The number of an action's kind, 0 to 5."""
    return action >> 8


def to_json(seat: int, action: int, auction: str | None = None) -> list[int | str]:
    """An action as a record has it: ``[0, "play", "AC"]``; ``auction`` as for ``named``.

    Raises BadNotation for an int that is no action.
    """
    name, argument = action >> 8, action & 0xFF
    if name == PLAY and is_card(argument):
        return [seat, KINDS[name], card_name(argument)]
    what = named(action, auction)
    row: list[int | str] = [seat, KINDS[name]]
    if isinstance(what, TwoAt):
        return [*row, "2", argument]
    if name == BID:
        return [*row, argument if argument > LOWEST_RANK else RANKS[argument]]
    if name in (EXCHANGE, CALL):
        return [*row, card_name(argument & 0x3F) if name == EXCHANGE or argument & A_CARD else SUITS[argument]]
    return row


def from_json(row: Sequence[int | str]) -> tuple[int, int]:
    """Seat and action of a record's row, the reverse of ``to_json``. Raises BadNotation."""
    if not any(isinstance(value, bool) for value in row):  # ints to Python, not to a record
        match row:
            case [int(seat), "play", str(card)]:
                return seat, parse_card(card)
            case [int(seat), "exchange", str(card)]:
                return seat, exchange(card)
            case [int(seat), "decline"]:
                return seat, Action.DECLINE
            case [int(seat), "pass"]:
                return seat, Action.PASS
            case [int(seat), "bid", (str() | int()) as what]:
                return seat, bid(what)
            case [int(seat), "bid", "2", int(points)]:
                return seat, bid("2", points)
            case [int(seat), "call", str(what)]:
                return seat, call(what)
    raise BadNotation(f'{list(row)!r} is no action: write one such as [0,"play","AC"]')


def describe(action: int, auction: str | None = None) -> str:
    """An action in words for an error message or a log: ``play AC``; never raises. ``auction`` as for ``named``."""
    number, argument = action >> 8, action & 0xFF
    if not 0 <= number < len(KINDS):
        return f"unknown action {action}"
    if number in (PLAY, EXCHANGE):
        return f"{KINDS[number]} {CARDS[argument] if is_card(argument) else f'card {argument}, which does not exist'}"
    try:
        return str(named(action, auction))
    except BadNotation:
        return f"{KINDS[number]} {argument}"
