"""A game: variant, number of players and options, and what follows from them (rules.md sections 1, 2, 8, 9 and 10).

``game("briscola-2")`` is the way in; it gives the same object for the same game, so games may be compared with ``is``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

from carico.rules.errors import UnknownGame
from carico.rules.match_form import MatchForm, match_form
from carico.rules.options import Chosen, chosen_options, defaults_of, thawed
from carico.rules.variants import VARIANTS, Seating, pack_of


@dataclass(frozen=True, eq=False)
class Game:
    """A game as it is played: immutable, one object per game. Made by ``game``."""

    name: str
    """Variant and players, ``briscola-2``; options are no part of it."""
    variant: str
    """``briscola``, ``briscolone``, ``chiamata`` or ``brisca``."""
    players: int
    chosen: Chosen = field(repr=False)
    """What ``options`` is made of."""
    pack: bytes = field(repr=False)
    """The cards of a deal, in the order in which derivation starts, one byte a card."""
    hand: int
    """Cards in a full hand."""
    sides: tuple[tuple[int, ...], ...]
    """Seats that win together: two sides, or one side a seat. At Chiamata each deal makes its own: one a seat here."""
    stock: str
    """``role``: each role has its own cards of the stock; ``shared``: one stock, the winner draws first."""
    by_packet: bool = field(repr=False)
    """Whether a hand is dealt at a time rather than a card at a time."""
    has_upcard: bool = field(repr=False)
    """Whether a card is turned up and names trumps: not at Briscolone and Chiamata."""
    upcard_last: bool = field(repr=False)
    """Whether the pack's last card is the upcard, instead of the one after the hands."""
    exchange_margin: int | None = field(repr=False)
    """Draw rounds at the end that nobody may exchange before, 0 to 2; None where there is no exchange."""
    exchange_max: int | None = field(repr=False)
    """Most exchanges between a trick and the draw; None for no limit."""
    auction: str | None = field(repr=False)
    """What is bid at Chiamata: ``rank`` or ``points``; None where there is no auction."""
    forced_last: bool = field(repr=False)
    """Whether the last seat has to bid when all the others have passed."""
    caller_leads: bool = field(repr=False)
    """Whether the caller leads the first trick, instead of mano."""
    draw_at_60: bool = field(repr=False)
    """Whether 60-60 counts for nobody at target 61; else the caller has failed."""
    capot: int = field(repr=False)
    """What scores are multiplied by when one side has all 120 card points."""
    multipliers: tuple[tuple[int, int], ...] = field(repr=False)
    """(target, factor), targets rising: what scores are multiplied by from that target on."""
    open: bool
    """Scoperta: all hands and the stock lie face up."""
    partners: str
    """When partners see each other's hands: ``none``, ``last3`` (once the stock is used up) or ``start``."""
    match: MatchForm | None
    """How many deals make a match; None where a match is one deal. A ``Deal`` is always one of them."""
    side_of: tuple[int, ...] = field(repr=False)
    """For each seat the index of its side in ``sides``."""

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that differ from the default, as JSON has them, in the order of the record format."""
        return MappingProxyType({key: thawed(key, value) for key, value in self.chosen})

    @property
    def most_deals(self) -> int:
        """How many deals a match may have."""
        return 1 if self.match is None else self.match.most_deals

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """The seats that one entrant takes: a whole side where there are two, else a single seat."""
        return self.sides

    @cached_property
    def only_plays(self) -> bool:
        """Whether nothing is ever decided but which card to play."""
        return self.auction is None and self.exchange_margin is None

    @cached_property
    def shows_more(self) -> bool:
        """Whether a view can hold more than hand, plays and upcard: open hands, an auction, exchanges."""
        return self.open or self.partners != "none" or not self.only_plays

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
        return self.players * self.hand + (1 if self.has_upcard and not self.upcard_last else 0)

    @cached_property
    def sorted_options(self) -> list[tuple[str, Any]]:
        """The options by name: the same for the same game, whatever version wrote them."""
        return sorted(self.options.items())

    def __reduce__(self) -> tuple[Any, ...]:
        return game, (self.name, dict(self.options))


def game(name: str, options: Mapping[str, Any] | None = None) -> Game:
    """The game of that name (``briscola-4``) with these options; an option at its default may be given or left out.

    ``carico.rules.variants`` says which options a game takes. Raises UnknownGame or OptionError with the mend.
    """
    return _game(name, chosen_options(name, seating_of(name), options or {}))


@cache
def _game(name: str, chosen: Chosen) -> Game:
    seating = seating_of(name)
    variant, players = name.partition("-")[0], seating.players
    own = defaults_of(seating)
    values = {**own, **dict(chosen)}
    sides: tuple[tuple[int, ...], ...]
    if seating.sides:
        sides = tuple(range(0, players, 2)), tuple(range(1, players, 2))
    else:
        sides = tuple((seat,) for seat in range(players))
    options = dict(chosen)
    form = options.get("match")
    return Game(
        name=name,
        variant=variant,
        players=players,
        chosen=chosen,
        pack=pack_of(values.get("pack", seating.packs[0]), values.get("missing", "")),
        hand=values.get("hand", seating.hand),
        sides=sides,
        stock="shared" if values.get("open") else "role",
        by_packet=values["deal"] == "packet",
        has_upcard=seating.upcard,
        upcard_last=values.get("upcard") == "bottom",
        exchange_margin=values.get("exchange_margin"),
        exchange_max=values.get("exchange_max"),
        auction=values.get("auction"),
        forced_last=values.get("forced_last", False),
        caller_leads=values.get("chiamata_lead") == "caller",
        draw_at_60=values.get("tie60") == "draw",
        capot=values.get("capot", 1),
        multipliers=values.get("multipliers", ()),
        open=values.get("open", False),
        partners=values.get("partners", "none"),
        match=None if form is None else match_form(dict(form), variant == "chiamata"),
        side_of=tuple(next(i for i, side in enumerate(sides) if seat in side) for seat in range(players)),
    )


def game_names() -> tuple[str, ...]:
    """The names of all games that this version plays."""
    return tuple(f"{variant}-{players}" for variant, tables in VARIANTS.items() for players in tables)


def seating_of(name: str) -> Seating:
    """What the rules fix for the game of that name. Raises UnknownGame."""
    parts = re.fullmatch(r"([a-z]+)-([1-9])", name)
    tables = VARIANTS.get(parts[1], {}) if parts else {}
    if parts and int(parts[2]) in tables:
        return tables[int(parts[2])]
    raise UnknownGame(f"{name!r} is no game of this version: it plays {', '.join(game_names())}")
