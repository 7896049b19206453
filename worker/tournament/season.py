"""What a season is, as its file says: a value with every default filled in."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal

from carico.rules.game import Game, game
from carico.time_control import TimeControl
from worker.tournament.json_fields import BadField, only, text, whole

Doors = Literal["open", "closed"]
"""``open`` lets a late entrant in after the start, ``closed`` does not."""

Pairs = Literal["fixed", "rotating"]
"""``fixed``: an entrant plays all seats of its side. ``rotating``: it plays one seat, and its partner changes."""

DEFAULT_LEGS: Final = 1
DEFAULT_DEAL_SETS: Final = 25
DEFAULT_CHUNK: Final = 5
DEFAULT_NO_SHOW_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A version of a bot that the file enters; its owner is whoever registered the bot."""

    bot: str
    version: str


@dataclass(frozen=True, slots=True)
class SeasonSpec:
    """A season as it was asked for. ``read_season`` makes it from a file and keeps to the ranges written there."""

    name: str
    """The season's id."""
    game: Game
    """The game with its options."""
    entries: tuple[Entry, ...] = ()
    """In the order of the file, which is the order of the entrants."""
    entry: Doors = "closed"
    legs: int = DEFAULT_LEGS
    """How often every entrant meets every other; with rotating pairs, how often it has every other as its partner."""
    deal_sets: int = DEFAULT_DEAL_SETS
    """Deal sets in every fixture."""
    chunk: int = DEFAULT_CHUNK
    """Deal sets that are leased, played and committed at once, at most."""
    seed: int | None = None
    """Of a practice season, whose decks can be repeated; None: the secret comes from the system's generator."""
    no_show_ms: int = DEFAULT_NO_SHOW_MS
    """How long an absent entrant is waited for when its fixture is due, in ms."""
    time_control: TimeControl = field(default_factory=TimeControl)
    pairs: Pairs = "fixed"
    """``rotating`` for games of four in two sides only."""

    @property
    def rotating(self) -> bool:
        """Whether entrants are individuals whose partners change."""
        return self.pairs == "rotating"

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """The seats that each entrant of a table takes: those of its place in the game, or one each."""
        return tuple((seat,) for seat in range(self.game.players)) if self.rotating else self.game.places

    def to_json(self) -> dict[str, Any]:
        """The season as plain JSON."""
        return {
            "name": self.name,
            "game": self.game.name,
            "options": dict(self.game.options),
            "entries": [[entry.bot, entry.version] for entry in self.entries],
            "entry": self.entry,
            "legs": self.legs,
            "deal_sets": self.deal_sets,
            "chunk": self.chunk,
            "seed": self.seed,
            "no_show_ms": self.no_show_ms,
            "time_control": self.time_control.to_json(),
            "pairs": self.pairs,
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "SeasonSpec":
        """The season of ``to_json``. Raises ValueError on anything else: BadField, or RulesError for the game."""
        found = {"pairs": "fixed", **found}  # a season that was made before there were others
        only(found, [field.name for field in fields(cls)] + ["options"])
        if found["entry"] not in ("open", "closed"):
            raise BadField(f"entry = {found['entry']!r}: must be open or closed")
        if found["pairs"] not in ("fixed", "rotating"):
            raise BadField(f"pairs = {found['pairs']!r}: must be fixed or rotating")
        try:
            entries = tuple(Entry(bot, version) for bot, version in found["entries"])
        except (TypeError, ValueError) as wrong:
            raise BadField(f"entries = {found['entries']!r}: must be pairs of bot and version") from wrong
        return cls(
            name=text(found, "name"),
            game=game(text(found, "game"), found["options"]),
            entries=entries,
            entry=found["entry"],
            legs=whole(found, "legs", least=1),
            deal_sets=whole(found, "deal_sets", least=1),
            chunk=whole(found, "chunk", least=1),
            seed=None if found["seed"] is None else whole(found, "seed"),
            no_show_ms=whole(found, "no_show_ms"),
            time_control=_time_control(found["time_control"]),
            pairs=found["pairs"],
        )


def _time_control(found: Mapping[str, Any]) -> TimeControl:
    names = list(TimeControl().to_json())
    only(found, names)
    return TimeControl(**{name: whole(found, name) for name in names})
