"""Deals worked by hand from the rules, as data: `tests/golden/deals/GAME.json`, a list of deals of one game.

A deal has `name`, `why` (what it shows, in plain words), `options`, `dealer`, `deck` (realised order) and `source`
(derived order) as cards with spaces between, `auction` (the actions before the first trick, Chiamata only), `tricks`,
`faults`, `stand_in` and `expected` (what the outcome of the record must be). A trick has its `actions`, its `winner`,
its `points`, its `exchanges` as [seat, card given, card taken] and its `draws` as [seat, card] in the order of drawing.
`legal` and `illegal` name actions that the seat to act may, or may not, take after so many actions of the deal.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.kit.naive.hashes import hash_of

FOLDER = Path(__file__).parents[1] / "golden" / "deals"


@dataclass(frozen=True)
class GoldenDeal:
    """One deal of a file, with the name of its game."""

    game: str
    told: dict[str, Any]

    def __str__(self):
        return f"{self.game}: {self.told['name']}"

    @property
    def actions(self):
        """All actions, as in a record."""
        return [
            *self.told.get("auction", []),
            *(action for trick in self.told["tricks"] for action in trick["actions"]),
        ]

    @property
    def stages(self):
        """The actions before the first trick, and each trick with what follows it up to the draw."""
        before = {"actions": self.told.get("auction", [])}
        return [before, *self.told["tricks"]]

    @property
    def tricks(self):
        """For each trick its winner, points, exchanges and draws."""
        return [
            (trick["winner"], trick["points"], trick.get("exchanges", []), trick.get("draws", []))
            for trick in self.told["tricks"]
        ]

    def may(self, position):
        """The actions that are legal after so many actions, and those that are not, as far as the file names any."""
        return [[what for at, what in self.told.get(key, []) if at == position] for key in ("legal", "illegal")]

    @property
    def outcome(self):
        """The expected outcome in the form of a record."""
        expected = dict(self.told["expected"])
        rest = {
            key: expected.pop(key) for key in ("caller", "partner", "called", "target", "penalties") if key in expected
        }
        return {**expected, "faults": self.told.get("faults", []), **rest}

    @property
    def record(self):
        """The deal as a record of no season; the order of its pack comes from no key."""
        variant, players = self.game.split("-")
        shuffle = {
            "scheme": "carico.shuffle/1",
            "stock": "shared" if self.told["options"].get("open") else "role",
            "source": self.told["source"].split(),
            "commitment": None,
            "key": "",
        }
        record = {
            "format": "carico.deal/1",
            "season": None,
            "deal_set": self.told["dealer"],
            "fixture": None,
            "seating": 0,
            "deal": 0,
            "attempt": 0,
            "match": "golden",
            "variant": variant,
            "players": int(players),
            "options": self.told["options"],
            "time_control": None,
            "dealer": self.told["dealer"],
            "deck": self.told["deck"].split(),
            "seats": [{"bot": f"bot-{seat}", "version": "1", "owner": "o"} for seat in range(int(players))],
            "actions": self.actions,
            "clock": [],
            "stand_in": self.told.get("stand_in", []),
            "outcome": self.outcome,
            "shuffle": shuffle,
        }
        return {**record, "hash": hash_of(record)}


def golden_deals():
    """Every deal of every file."""
    return [
        GoldenDeal(file.stem, told) for file in sorted(FOLDER.glob("*.json")) for told in json.loads(file.read_text())
    ]
