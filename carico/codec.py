"""Values to messages and back: the one place that knows both the rules room and the contract.

Whole milliseconds inside, ``Duration`` on the wire. Reading checks what it is given and raises ``BadMessage``.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from google.protobuf.duration_pb2 import Duration

from carico.rules.actions import A_CARD, BID, CALL, DECLINE, EXCHANGE, PASS, PLAY, Phase
from carico.rules.cards import DECK_POINTS, RANKS, SUITS, is_card
from carico.rules.errors import RulesError
from carico.rules.game import Game, game
from carico.rules.options import WON
from carico.rules.outcome import Fault, FaultReason
from carico.rules.view import View
from carico.time_control import TimeControl
from carico.v1 import bots_pb2, types_pb2

PHASES: Final[Mapping[Phase, types_pb2.Phase.ValueType]] = {
    "play": types_pb2.PHASE_PLAY,
    "auction": types_pb2.PHASE_AUCTION,
    "call": types_pb2.PHASE_CALL,
    "exchange": types_pb2.PHASE_EXCHANGE,
}

NO_ACTION = -1
"""Stands for a message that names no action of this version; it is legal nowhere."""

_REASON_NUMBERS = {reason: types_pb2.FaultReason.Value(f"FAULT_REASON_{reason}") for reason in FaultReason}
_REASONS = {number: reason for reason, number in _REASON_NUMBERS.items()}


class BadMessage(ValueError):
    """A message that can't be read; its text names the field and what it should hold."""


def duration(ms: int) -> Duration:
    """Whole milliseconds as a Duration."""
    return Duration(seconds=ms // 1000, nanos=ms % 1000 * 1_000_000)


def set_duration(message: Duration, ms: int) -> None:
    """Writes whole milliseconds into a new Duration that is part of a larger message."""
    seconds, rest = divmod(ms, 1000)
    message.seconds = seconds
    if rest:
        message.nanos = rest * 1_000_000


def milliseconds(message: Duration) -> int:
    """A Duration in whole milliseconds, rounded down."""
    return message.seconds * 1000 + message.nanos // 1_000_000


def time_control_message(terms: TimeControl) -> types_pb2.TimeControl:
    """Terms of time as a message."""
    return types_pb2.TimeControl(
        bank=duration(terms.bank_ms),
        increment=duration(terms.increment_ms),
        action_limit=duration(terms.action_limit_ms),
        lag_credit=duration(terms.lag_credit_ms),
        grace=duration(terms.grace_ms),
    )


def read_time_control(message: types_pb2.TimeControl) -> TimeControl:
    """Terms of time from a message. Raises BadMessage."""
    try:
        return TimeControl(
            bank_ms=milliseconds(message.bank),
            increment_ms=milliseconds(message.increment),
            action_limit_ms=milliseconds(message.action_limit),
            lag_credit_ms=milliseconds(message.lag_credit),
            grace_ms=milliseconds(message.grace),
        )
    except ValueError as error:
        raise BadMessage(f"time_control: {error}") from error


def game_message(value: Game) -> types_pb2.GameRef:
    """A game as a message."""
    options = json.dumps(dict(value.options), separators=(",", ":")) if value.options else ""
    return types_pb2.GameRef(name=value.name, options_json=options)


def read_game(message: types_pb2.GameRef) -> Game:
    """A game from a message. Raises BadMessage."""
    try:
        options = json.loads(message.options_json) if message.options_json else {}
    except (ValueError, RecursionError) as error:
        raise BadMessage(f"game.options_json: {error}") from error
    if not isinstance(options, dict):
        raise BadMessage("game.options_json: write one JSON object")
    try:
        return game(message.name, options)
    except RulesError as error:
        raise BadMessage(f"game: {error}") from error


def action_message(action: int) -> types_pb2.Action:
    """An action as a message; one that names nothing where the int is no action of this version."""
    message = types_pb2.Action()
    write_action(action, message)
    return message


def write_action(action: int, message: types_pb2.Action) -> None:
    """The same into a message that is part of a larger one."""
    kind, argument = action >> 8, action & 0xFF
    if kind == PLAY:
        if is_card(action):
            message.kind = types_pb2.ACTION_KIND_PLAY
            message.card = action
    elif kind == EXCHANGE:
        message.kind = types_pb2.ACTION_KIND_EXCHANGE
        message.card = argument
    elif kind == DECLINE:
        message.kind = types_pb2.ACTION_KIND_DECLINE
    elif kind == PASS:
        message.kind = types_pb2.ACTION_KIND_PASS
    elif kind == BID:
        message.kind = types_pb2.ACTION_KIND_BID
        if argument < len(RANKS):
            message.rank = argument
        else:
            message.points = argument
    elif kind == CALL and argument & A_CARD:
        message.kind = types_pb2.ACTION_KIND_CALL_CARD
        message.card = argument & ~A_CARD
    elif kind == CALL:
        message.kind = types_pb2.ACTION_KIND_CALL
        message.suit = argument


def read_action(message: types_pb2.Action) -> int:
    """An action from a message; NO_ACTION where it names none. Whether it is legal is for the rules to say."""
    kind = message.kind
    if kind == types_pb2.ACTION_KIND_PLAY:
        card = message.card
        return card if is_card(card) else NO_ACTION
    return _READ[kind](message) if kind in _READ else NO_ACTION


def _read_bid(message: types_pb2.Action) -> int:
    if message.points:
        return BID << 8 | message.points if WON <= message.points <= DECK_POINTS else NO_ACTION
    return BID << 8 | message.rank if message.rank < len(RANKS) else NO_ACTION


_READ: Final[Mapping[int, Callable[[types_pb2.Action], int]]] = {
    types_pb2.ACTION_KIND_EXCHANGE: lambda m: EXCHANGE << 8 | m.card if is_card(m.card) else NO_ACTION,
    types_pb2.ACTION_KIND_DECLINE: lambda m: DECLINE << 8,
    types_pb2.ACTION_KIND_PASS: lambda m: PASS << 8,
    types_pb2.ACTION_KIND_BID: _read_bid,
    types_pb2.ACTION_KIND_CALL: lambda m: CALL << 8 | m.suit if m.suit < len(SUITS) else NO_ACTION,
    types_pb2.ACTION_KIND_CALL_CARD: lambda m: CALL << 8 | A_CARD | m.card if is_card(m.card) else NO_ACTION,
}
"""All kinds but the play, which is read before them."""


def fault_message(fault: Fault, detail: str = "") -> types_pb2.Fault:
    """A fault as a message; ``detail`` is for its owner and the organiser only."""
    return types_pb2.Fault(seat=fault.seat, reason=_REASON_NUMBERS[fault.reason], after=fault.after, detail=detail)


def read_faults(messages: Iterable[types_pb2.Fault]) -> tuple[Fault, ...]:
    """Faults from messages. Raises BadMessage for a reason that this version does not know."""
    try:
        return tuple(Fault(m.seat, _REASONS[m.reason], m.after) for m in messages)
    except KeyError as error:
        raise BadMessage(f"faults: reason {error} is unknown") from error


def write_view(view: View, message: bots_pb2.View) -> None:
    """Writes a view into a message that is part of an ask."""
    _write_now(view, message)
    message.dealer = view.dealer
    message.played = view.played_codes
    message.leaders = view.leader_codes
    if view.auction_codes:
        message.auction = view.auction_codes
    if view.exchange_codes:
        message.exchanges = view.exchange_codes


def write_change(view: View, known: View, message: bots_pb2.Change) -> None:
    """Writes into a message what a view has more than an earlier one of the same seat and deal, ``known``."""
    _write_now(view, message)
    message.played = view.played_codes[len(known.played_codes) :]
    message.leaders = view.leader_codes[len(known.leader_codes) :]
    if view.auction_codes:
        message.auction = view.auction_codes[len(known.auction_codes) :]
    if view.exchange_codes:
        message.exchanges = view.exchange_codes[len(known.exchange_codes) :]


def _write_now(view: View, message: bots_pb2.View | bots_pb2.Change) -> None:
    """Writes what both hold whole: all that does not only grow."""
    message.hand = view.hand_codes
    message.card_points = view.point_codes
    message.upcard = view.upcard_code
    message.upcard_holder = view.upcard_holder + 1
    message.stock = view.stock
    if view.shown_codes:
        message.shown.extend(view.shown_codes)
    if view.stock_codes:
        message.stock_cards = view.stock_codes


def read_change(message: bots_pb2.Change, known: View) -> View:
    """The view that follows from an earlier one and what changed; like ``read_view`` it trusts the referee."""
    return View(
        known.game,
        known.seat,
        known.dealer,
        message.hand,
        played=known.played_codes + message.played,
        leaders=known.leader_codes + message.leaders,
        points=message.card_points,
        upcard=message.upcard,
        upcard_holder=message.upcard_holder - 1,
        stock=message.stock,
        shown=tuple(message.shown),
        stock_cards=message.stock_cards,
        auction=known.auction_codes + message.auction,
        exchanges=known.exchange_codes + message.exchanges,
    )


def read_view(message: bots_pb2.View, of: Game, seat: int) -> View:
    """A view from a message. It trusts the referee: a view that makes no sense gives one that makes no sense."""
    return View(
        of,
        seat,
        message.dealer,
        message.hand,
        played=message.played,
        leaders=message.leaders,
        points=message.card_points,
        upcard=message.upcard,
        upcard_holder=message.upcard_holder - 1,
        stock=message.stock,
        shown=tuple(message.shown),
        stock_cards=message.stock_cards,
        auction=message.auction,
        exchanges=message.exchanges,
    )
