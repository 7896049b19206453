"""A game: variant, number of players and options, and what follows from them (rules.md sections 1, 2 and 8).

``game("briscola-2")`` is the way in; it gives the same object for the same game, so games may be compared with ``is``.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, Final

from carico.rules import cards
from carico.rules.errors import OptionError, UnknownGame
from carico.rules.match_form import MatchForm

SINGLES: Final = "singles"
SIDES: Final = "sides"


@dataclass(frozen=True)
class Seating:
    """What the rules fix for one number of players: the pack, and whether seats play alone or in two sides."""

    pack: bytes
    kind: str


FORTY: Final = cards.pack()
THIRTY_SIX: Final = cards.pack(without="2C2D2S2B")

BRISCOLA: Final[Mapping[int, Seating]] = MappingProxyType(
    {
        2: Seating(FORTY, SINGLES),
        3: Seating(cards.pack(without="2C"), SINGLES),
        4: Seating(FORTY, SIDES),
        6: Seating(THIRTY_SIX, SIDES),
    }
)
"""Rules.md section 1. Five players at Briscola always means Chiamata."""

VARIANTS: Final[Mapping[str, Mapping[int, Seating]]] = MappingProxyType({"briscola": BRISCOLA})
"""The variants that this version plays, with their numbers of players."""


@dataclass(frozen=True, eq=False)
class Game:
    """A game as it is played: immutable, one object per game. Made by ``game``."""

    name: str
    """Variant and players, ``briscola-2``; options are no part of it."""
    variant: str
    players: int
    options: Mapping[str, Any] = field(repr=False)
    """The options that differ from the default, in the order of the record format."""
    pack: bytes = field(repr=False)
    """The cards of a deal, in the order in which derivation starts, one byte a card."""
    hand: int
    """Cards in a full hand."""
    sides: tuple[tuple[int, ...], ...]
    """Seats that win together: two sides, or one side a seat."""
    stock: str
    """``role``: each role has its own cards of the stock; ``shared``: one stock, the winner draws first."""
    by_packet: bool = field(repr=False)
    """Whether a hand is dealt at a time rather than a card at a time."""
    upcard_last: bool = field(repr=False)
    """Whether the pack's last card is the upcard, instead of the one after the hands."""
    open: bool
    """Scoperta: all hands and the stock lie face up."""
    partners: str
    """When partners see each other's hands: ``none``, ``last3`` (once the stock is used up) or ``start``."""
    side_of: tuple[int, ...] = field(repr=False)
    """For each seat the index of its side in ``sides``."""
    match: MatchForm | None = None
    """How many deals make a match; None where a match is one deal."""

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """The seats that one entrant takes: a whole side where there are two, else a single seat."""
        return self.sides

    @cached_property
    def draw_rounds(self) -> int:
        """How many tricks are followed by a draw."""
        return len(self.pack) // self.players - self.hand

    @cached_property
    def tricks(self) -> int:
        """How many tricks a deal has."""
        return len(self.pack) // self.players

    @cached_property
    def first_drawn(self) -> int:
        """Where the first card to be drawn lies in a deal's source."""
        return self.players * self.hand + (0 if self.upcard_last else 1)

    def __reduce__(self) -> tuple[Any, ...]:
        return game, (self.name, dict(self.options))


def game(name: str, options: Mapping[str, Any] | None = None) -> Game:
    """The game of that name (``briscola-4``) with these options; an option at its default may be given or left out.

    Raises UnknownGame or OptionError with the mend.
    """
    _, seating, players = _table(name)
    known = _options_of(players, seating)
    values = dict(DEFAULTS)
    for key, value in (options or {}).items():
        if key not in known:
            raise OptionError(f"{name} has no option {key!r}: it takes {', '.join(known)}")
        _check(key, value, len(seating.pack) // players)
        values[key] = value
    return _game(name, tuple((key, value) for key, value in values.items() if value != DEFAULTS[key]))


@cache
def _game(name: str, chosen: tuple[tuple[str, Any], ...]) -> Game:
    variant, seating, players = _table(name)
    values = {**DEFAULTS, **dict(chosen)}
    sides: tuple[tuple[int, ...], ...]
    if seating.kind == SIDES:
        sides = tuple(range(0, players, 2)), tuple(range(1, players, 2))
    else:
        sides = tuple((seat,) for seat in range(players))
    return Game(
        name=name,
        variant=variant,
        players=players,
        options=MappingProxyType(dict(chosen)),
        pack=cards.pack(without=values["missing"]) if players == 3 else seating.pack,
        hand=values["hand"],
        sides=sides,
        stock="shared" if values["open"] else "role",
        by_packet=values["deal"] == "packet",
        upcard_last=values["upcard"] == "bottom",
        open=values["open"],
        partners=values["partners"],
        side_of=tuple(next(i for i, side in enumerate(sides) if seat in side) for seat in range(players)),
    )


DEFAULTS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "hand": 3,
        "deal": "single",
        "upcard": "next",
        "open": False,
        "partners": "none",
        "missing": "2C",
    }
)
"""The options and their defaults, in the order in which records write them."""

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "deal": ("single", "packet"),
        "upcard": ("next", "bottom"),
        "partners": ("none", "last3", "start"),
        "missing": ("2C", "2D", "2S", "2B"),
    }
)


def game_names() -> tuple[str, ...]:
    """The names of all games that this version plays."""
    return tuple(f"{variant}-{players}" for variant, tables in VARIANTS.items() for players in tables)


def _table(name: str) -> tuple[str, Seating, int]:
    parts = re.fullmatch(r"([a-z]+)-([1-9])", name)
    tables = VARIANTS.get(parts[1], {}) if parts else {}
    if parts and int(parts[2]) in tables:
        return parts[1], tables[int(parts[2])], int(parts[2])
    raise UnknownGame(f"{name!r} is no game of this version: it plays {', '.join(game_names())}")


def _options_of(players: int, seating: Seating) -> list[str]:
    absent = set() if seating.kind == SIDES else {"partners"}
    if players != 3:
        absent.add("missing")
    return [key for key in DEFAULTS if key not in absent]


def _check(key: str, value: Any, cards_a_seat: int) -> None:
    if key in _CHOICES and value not in _CHOICES[key]:
        raise OptionError(f"option {key} = {json.dumps(value, default=repr)}: write one of {', '.join(_CHOICES[key])}")
    if key == "hand" and (type(value) is not int or not 1 <= value < cards_a_seat):
        raise OptionError(
            f"option hand = {json.dumps(value, default=repr)}: write a whole number from 1 to {cards_a_seat - 1}"
        )
    if key == "open" and type(value) is not bool:
        raise OptionError(f"option open = {json.dumps(value, default=repr)}: write true or false")
