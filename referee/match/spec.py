"""What a match is before its first event."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from carico.rules.game import Game, game
from carico.time_control import TimeControl


@dataclass(frozen=True, slots=True)
class Seat:
    """Who has a seat: a bot, in one version. The bot's token owns the seat."""

    bot: str
    version: str


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """A match as it was ordered. With the log of its events it tells all that happened."""

    id: str
    """The organiser's id; no bot ever sees it."""
    handle: str
    """The opaque random handle that the bots see."""
    game: Game
    dealer: int
    source: bytes
    """The pack of the first deal in derived order."""
    seats: tuple[Seat, ...]
    time_control: TimeControl | None
    """None where no clock runs, as in an arena."""
    more_sources: tuple[bytes, ...] = ()
    """The packs of the deals that may follow in this match; none where a match is one deal."""

    @property
    def sources(self) -> tuple[bytes, ...]:
        """The packs of all deals that may be played."""
        return self.source, *self.more_sources

    def dealer_of(self, deal: int) -> int:
        """Who deals a deal of the match, from 0: the deal moves right every time (rules.md section 2)."""
        return (self.dealer + deal) % len(self.seats)

    def seats_of(self, bot: str) -> tuple[int, ...]:
        """The seats that a bot has, in order."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.bot == bot)

    def sits(self, bot: str, seat: int) -> bool:
        """Whether a bot has a seat; any number may be asked for, also one that is no seat."""
        return 0 <= seat < len(self.seats) and self.seats[seat].bot == bot

    def version_of(self, bot: str) -> str:
        """The version in which a bot has its seats; empty where it has none."""
        for seat in self.seats:
            if seat.bot == bot:
                return seat.version
        return ""

    def to_json(self) -> dict[str, Any]:
        """Plain data for the log."""
        return {
            "id": self.id,
            "handle": self.handle,
            "game": self.game.name,
            "options": dict(self.game.options),
            "dealer": self.dealer,
            "sources": [source.hex() for source in self.sources],
            "seats": [[seat.bot, seat.version] for seat in self.seats],
            "time_control": self.time_control.to_json() if self.time_control else None,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "MatchSpec":
        """The reverse of ``to_json``."""
        terms = data["time_control"]
        source, *more_sources = map(bytes.fromhex, data["sources"])
        return MatchSpec(
            id=data["id"],
            handle=data["handle"],
            game=game(data["game"], data["options"]),
            dealer=data["dealer"],
            source=source,
            seats=tuple(Seat(bot, version) for bot, version in data["seats"]),
            time_control=TimeControl(**terms) if terms is not None else None,
            more_sources=tuple(more_sources),
        )
