"""Words and numbers as people read them."""

from typing import Final

from carico.rules.actions import Action
from carico.rules.cards import Card
from carico.rules.game import Game

RANK_WORDS: Final = {
    "A": "ace",
    "3": "three",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "2": "two",
}
SUIT_WORDS: Final = {"C": "cups", "D": "coins", "S": "swords", "B": "batons"}
FRENCH_WORDS: Final = {"C": "hearts", "D": "diamonds", "S": "spades", "B": "clubs"}

MINUS: Final = "\N{MINUS SIGN}"
DASH: Final = "\N{EN DASH}"


def card_words(card: str, pack: str = "italian") -> str:
    """``AC`` is the ace of cups; of hearts in the French-suited pack."""
    suits = FRENCH_WORDS if pack == "french" else SUIT_WORDS
    return f"{RANK_WORDS[card[0]]} of {suits[card[1]]}"


def said_words(action: Action | Card) -> str:
    """What is said in an auction or before a draw, in words."""
    text = str(action)
    if action.kind == "exchange":
        return f"exchanges the {card_words(text.rsplit(maxsplit=1)[-1])} for the upcard"
    if action.kind == "decline":
        return "does not exchange"
    if action.kind == "pass":
        return "pass"
    if action.kind == "call":
        word = text.rsplit(maxsplit=1)[-1]
        return f"calls {SUIT_WORDS[word]}" if len(word) == 1 else f"calls the {card_words(word)}"
    if action.kind == "bid":
        rank, *points = text.removeprefix("bid ").split(" at ")
        named = RANK_WORDS.get(rank, rank)
        return f"bids the {named} at {points[0]}" if points else f"bids {named}"
    return text


def signed(value: float | None, digits: int = 1) -> str:
    """With its sign, and of zero without: ``+3.1``, ``0.0``; a dash where there is none."""
    if value is None:
        return DASH
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0:
        return text
    return f"{'+' if value > 0 else MINUS}{text}"


def minus(number: int) -> str:
    """A whole number, with a proper minus."""
    return f"{number}".replace("-", MINUS)


def duration(seconds: float | None) -> str:
    """``40 s``, ``12 min``, ``3 h 20 min``, ``2 d 4 h``; a dash where it is not known."""
    if seconds is None:
        return DASH
    if seconds < 1:
        return "under 1 s" if seconds else "0 s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min"
    return f"{hours // 24} d {hours % 24} h"


def milliseconds(ms: float | None) -> str:
    """``3 ms``, ``0.42 s``, ``12.0 s``; a dash where it is not known."""
    if ms is None:
        return DASH
    if ms < 100:
        return f"{ms:.0f} ms"
    return f"{ms / 1000:.2f} s" if ms < 10_000 else f"{ms / 1000:.1f} s"


def count(number: int) -> str:
    """With thin spaces between thousands."""
    return f"{number:,}".replace(",", "\N{THIN SPACE}")


def size(octets: int | None) -> str:
    """In MB or GB; a dash where it is not known."""
    if octets is None:
        return DASH
    return f"{octets / 1e9:.1f} GB" if octets >= 1e9 else f"{octets / 1e6:.1f} MB"


def game_words(game: Game) -> str:
    """``briscola, 2 players``, and its options."""
    options = ", ".join(f"{key} {value}" for key, value in game.options.items())
    return f"{game.variant.capitalize()}, {game.players} players" + (f" ({options})" if options else "")


def when(ms: int) -> str:
    """A time of the store's clock: 29 Nov 2026, 14:05 UTC."""
    from datetime import UTC, datetime

    at = datetime.fromtimestamp(ms / 1000, UTC)
    return f"{at.day} {at:%b %Y, %H:%M} UTC"
