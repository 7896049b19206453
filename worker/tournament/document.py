"""A season's document: what the store keeps of it, the secret of its decks included."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from carico.rules import shuffle
from worker.tournament.season import SeasonSpec


@dataclass(frozen=True, slots=True)
class Deck:
    """One deck of a season: its key and its cards in derived order."""

    key: bytes
    source: bytes


@dataclass(frozen=True, slots=True)
class SeasonDocument:
    """A season and its secret. Whoever reads it can tell every deck of the season, so it never leaves the platform."""

    spec: SeasonSpec
    secret: bytes
    """S of the shuffle page, 32 bytes: from the seed of a practice season, else from the system's generator."""

    def deck(self, deal_set: int, deal: int, attempt: int) -> Deck:
        """The deck of a deal of a deal set, in the attempt that is current."""
        key = shuffle.deck_key(self._master, self.spec.game.name, deal_set, deal, attempt)
        return Deck(key, shuffle.source(key, self.spec.game.pack))

    def bot_seed(self, bot: str) -> bytes:
        """The seed of a house bot in this season."""
        return shuffle.bot_seed(self._master, bot)

    @property
    def _master(self) -> bytes:
        return shuffle.master(self.secret)

    def to_json(self) -> dict[str, Any]:
        """Plain data for the store."""
        return {"spec": self.spec.to_json(), "secret": self.secret.hex()}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "SeasonDocument":
        """The reverse of ``to_json``. Raises BadField or RulesError for a document of another kind."""
        return cls(SeasonSpec.from_json(found["spec"]), bytes.fromhex(found["secret"]))
