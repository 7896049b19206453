"""What an arena records of any game is found right by the independent judge, with faults, options and several deals."""

from typing import Any

import pytest

from carico.arena import Entrant, play_fixture
from carico.bot import Bot
from carico.record import SeatName, dumps
from carico.rules.actions import Action
from carico.rules.cards import Card
from carico.rules.game import Game, game
from carico.rules.view import View
from clients.bots.random_bot import RandomBot
from tests.kit.deals import EVERY
from tests.kit.naive.files import judge_file

SEED = 11
BASE: tuple[tuple[str, dict[str, Any]], ...] = tuple((name, {}) for name in EVERY)
MATCHES: tuple[tuple[str, dict[str, Any]], ...] = tuple(
    (name, {"match": {"deals": 5} if name == "chiamata-5" else {"first_to": 2, "cap": 5}}) for name in EVERY
)
OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("briscola-2", {"hand": 5, "upcard": "bottom", "open": True}),
    ("briscola-3", {"missing": "2B", "deal": "packet"}),
    ("briscola-4", {"partners": "start", "match": {"best_of": 3}}),
    ("briscolone-2", {"hand": 3}),
    ("chiamata-5", {"auction": "points", "forced_last": True, "tie60": "draw"}),
    ("chiamata-5", {"chiamata_lead": "caller", "capot": 1, "multipliers": [[71, 2], [81, 3]]}),
    ("brisca-2", {"exchange_margin": 0, "exchange_max": 1, "hand": 5}),
    ("brisca-3", {"pack": 39, "exchange_margin": 2}),
    ("brisca-4", {"exchange_margin": None, "partners": "last3"}),
    ("brisca-6", {"pack": 48, "upcard": "bottom", "match": {"best_of": 2}}),
)


class Sloppy(RandomBot):
    """Legal but for one ask in thirty, in any phase."""

    def act(self, view: View) -> Card | Action:
        if self.chance(view).random() < 1 / 30:
            raise ZeroDivisionError("as I was written")
        return super().act(view)


class Eager(RandomBot):
    """Exchanges when it can, and bids seldom enough for auctions to end low."""

    def act(self, view: View) -> Card | Action:
        if view.phase == "exchange":
            return view.legal[-1]
        if view.phase == "auction":
            return view.legal[min(int(self.chance(view).expovariate(0.7)), len(view.legal) - 1)]
        return super().act(view)


def judged(of: Game, *made: type[Bot], sets: int = 2) -> Any:
    """What the judge counts in the records of a fixture; it must find nothing wrong."""
    names = [SeatName(f"bot-{i}", "1", f"owner è {i}") for i in range(len(made))]
    entrants = [Entrant(name, bot) for name, bot in zip(names, made, strict=True)]
    records = list(play_fixture(of, entrants, range(sets), SEED))
    # A match of the arena is a line per deal: the order of the lines is that of an export.
    data = "".join(dumps(record) + "\n" for record in records).encode()
    found, counts = judge_file(data, SEED)
    assert [str(problem) for _, problem in found] == []
    assert counts["deals"] == len(records) >= sets * len(of.places)
    return counts


@pytest.mark.parametrize(("name", "options"), BASE + MATCHES + OPTIONS, ids=str)
def test_the_judge_finds_the_records_of_an_arena_right(name: str, options: dict[str, Any]) -> None:
    of = game(name, options)
    bots = [Sloppy, Eager, RandomBot, Eager, Sloppy, RandomBot]
    counts = judged(of, *bots[: len(of.places)])
    assert counts["deal of a match"] == (counts["deals"] if "match" in options else 0)


def test_what_is_rare_happens_in_these_deals() -> None:
    """So the test above sees exchanges with both cards, declines, faults, and auctions that come to a call."""
    brisca = judged(game("brisca-2"), Eager, Sloppy, sets=10)
    assert brisca["exchange with the 7"]
    assert brisca["exchange with the 2"]
    assert brisca["decline"]
    assert brisca["ILLEGAL_ACTION"]
    chiamata = judged(game("chiamata-5"), Eager, Eager, RandomBot, Eager, Sloppy, sets=2)
    assert chiamata["bid"] > chiamata["call"] > 0
    assert chiamata["pass"]
