"""Actions: what a seat decides, as one int, ``kind << 8 | argument``.

A play is kind 0, so its int is the card itself. The argument is a card for a play or an exchange, a rank (0 to 11) or a
number of card points (61 to 120) for a bid, a suit (or, in an auction by points, a card with 0x80 added) for a call.
"""

from collections.abc import Sequence
from typing import Final

from carico.rules.cards import CARDS, card_name, is_card, parse_card
from carico.rules.errors import BadNotation

PLAY: Final = 0
EXCHANGE: Final = 1
DECLINE: Final = 2
PASS: Final = 3
BID: Final = 4
CALL: Final = 5

KINDS: Final = ("play", "exchange", "decline", "pass", "bid", "call")
"""The names of the kinds, by number, as they stand in records."""


def kind(action: int) -> int:
    """The number of an action's kind, 0 to 5."""
    return action >> 8


def to_json(seat: int, action: int) -> list[int | str]:
    """An action as a record has it: ``[0, "play", "AC"]``. Raises BadNotation for an int that is no action."""
    name, argument = action >> 8, action & 0xFF
    if name in (PLAY, EXCHANGE) and is_card(argument):
        return [seat, KINDS[name], card_name(argument)]
    if name in (DECLINE, PASS) and argument == 0:
        return [seat, KINDS[name]]
    raise BadNotation(f"{action} is no action")


def from_json(row: Sequence[int | str]) -> tuple[int, int]:
    """Seat and action of a record's row, the reverse of ``to_json``. Raises BadNotation."""
    match row:
        case [bool(), *_]:
            pass  # an int to Python, not to a record
        case [int(seat), "play", str(card)]:
            return seat, parse_card(card)
        case [int(seat), "exchange", str(card)]:
            return seat, EXCHANGE << 8 | parse_card(card)
        case [int(seat), "decline"]:
            return seat, DECLINE << 8
        case [int(seat), "pass"]:
            return seat, PASS << 8
    raise BadNotation(f'{list(row)!r} is no action: write one such as [0,"play","AC"]')


def describe(action: int) -> str:
    """An action in words for an error message or a log: ``play AC``; never raises."""
    name, argument = action >> 8, action & 0xFF
    if not 0 <= name < len(KINDS):
        return f"unknown action {action}"
    if name in (PLAY, EXCHANGE):
        return f"{KINDS[name]} {CARDS[argument] if is_card(argument) else f'card {argument}, which does not exist'}"
    return KINDS[name]
