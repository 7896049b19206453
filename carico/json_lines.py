"""Messages of JSON lines, for bots that are programs: values to lines and lines to values, without I/O.

``proto/JSONLINES.md`` is the contract.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from carico.codec import NO_ACTION
from carico.rules.actions import parse_action
from carico.rules.errors import BadNotation
from carico.rules.game import Game
from carico.rules.view import View
from carico.session import MatchEnded
from carico.time_control import TimeControl

VERSION: Final = 1
"""The version of these messages."""

LINE_LIMIT: Final = 65_536
"""Most bytes in a line, its end included."""

Message = Mapping[str, Any]


class BadLine(ValueError):
    """A line that is no message of a bot; its text says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """The program is ready."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The program decides an ask."""

    match: str
    seat: int
    number: int
    action: str
    """As written; ``read_action`` says what it means."""


def hello(bot: str, version: str) -> Message:
    """The first message to a program."""
    return {"type": "hello", "protocol": VERSION, "bot": bot, "version": version}


def start(match: str, seats: tuple[int, ...], of: Game, terms: TimeControl | None, seed: bytes) -> Message:
    """A match begins, or goes on with a program that was started again."""
    return {
        "type": "start",
        "match": match,
        "seats": list(seats),
        "game": of.name,
        "options": dict(of.options),
        "players": of.players,
        "sides": [list(side) for side in of.sides],
        "time": terms.to_json() if terms is not None else None,
        "seed": seed.hex(),
    }


def ask(match: str, seat: int, number: int, view: View, bank_ms: int | None) -> Message:
    """A seat must act; ``bank_ms`` is None where no clock runs."""
    return {
        "type": "ask",
        "match": match,
        "seat": seat,
        "number": number,
        "legal": legal(view),
        "bank_ms": bank_ms,
        "hand": names(view.hand),
        "table": names(view.table),
        "leader": view.leader,
        "trump": view.trump,
        "upcard": str(view.upcard) if view.upcard is not None else None,
        "upcard_holder": view.upcard_holder if view.upcard_holder >= 0 else None,
        "stock": view.stock,
        "dealer": view.dealer,
        "card_points": list(view.card_points),
        "tricks": [
            {"leader": trick.leader, "cards": names(trick.cards), "winner": trick.winner} for trick in view.tricks
        ],
        "unseen": names(view.unseen),
        "shown": {str(other): names(cards) for other, cards in view.shown.items()},
        "stock_cards": names(view.stock_cards),
    }


def end(ended: MatchEnded) -> Message:
    """A match is over."""
    return {
        "type": "end",
        "match": ended.match,
        "seats": list(ended.seats),
        "void": ended.void,
        "winners": list(ended.winners),
        "card_points": list(ended.card_points),
        "scores": list(ended.scores),
        "faults": [
            {"seat": fault.seat, "reason": str(fault.reason), "after": fault.after, "detail": detail}
            for fault, detail in zip(ended.faults, ended.details, strict=True)
        ],
    }


def to_line(message: Message) -> bytes:
    """One line of ASCII, without spaces outside of texts."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def names(cards: tuple[Any, ...]) -> list[str]:
    """Cards as they are written."""
    return [str(card) for card in cards]


def legal(view: View) -> list[str]:
    """What the seat may do, each as the text that an answer repeats: a card to play."""
    return names(view.legal)


def read(line: bytes) -> Greeting | Reply:
    """The message in a line from a program. Raises BadLine."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise BadLine(f"this is no JSON: {_shown(line)}") from None
    if not isinstance(message, dict):
        raise BadLine(f"this is no JSON object: {_shown(line)}")
    match message.get("type"):
        case "hello":
            if message.get("protocol") != VERSION:
                raise BadLine(f'hello has to say "protocol":{VERSION}: {_shown(line)}')
            return Greeting()
        case "answer":
            return _reply(message, line)
    raise BadLine(f'"type" has to be "hello" or "answer": {_shown(line)}')


def read_action(text: str) -> int:
    """The action that an answer names; NO_ACTION of the codec where it names none."""
    try:
        return parse_action(text)
    except BadNotation:
        return NO_ACTION


def _reply(message: dict[str, Any], line: bytes) -> Reply:
    for key, kind in (("match", str), ("seat", int), ("number", int), ("action", str)):
        if type(message.get(key)) is not kind:
            what = "a text" if kind is str else "a whole number"
            raise BadLine(f'answer has to have "{key}", {what}: {_shown(line)}')
    return Reply(message["match"], message["seat"], message["number"], message["action"])


def _shown(line: bytes) -> str:
    text = line[:120].decode("utf-8", "backslashreplace").rstrip("\r\n")
    return repr(text) + (" ..." if len(line) > 120 else "")
