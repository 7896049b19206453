"""House bots stand in order of strength in every game, by more than luck explains.

A bot plays against the next weaker one, which has all the other places, in every seating of each deck. It leads by its
card points, or its score, a deal beyond the mean of the others. One figure a deck counts, the mean of its seatings.
"""

import statistics
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from typing import NamedTuple

import pytest

from carico.arena import Entrant, play_fixture
from carico.bot import Bot
from carico.problem import Problem
from carico.record import SeatName
from carico.rules.game import Game, game, game_names
from clients.bots import HOUSE_BOTS

NEXT = list(pairwise(HOUSE_BOTS))
DEALS = {"greedy": 120, "careful": 180, "counter": 60}
"""By the stronger bot, how many deals of a game show its lead; counter's are the dearest."""
MORE = {("counter", "briscolone-2"): 300, ("counter", "brisca-2"): 140, ("counter", "chiamata-5"): 125}
"""Where it takes more of them."""
MANY = 400
"""Deals of a game in the long form."""
SEED = 5


class Lead(NamedTuple):
    """By how much a bot leads, a deal, and the standard error of that."""

    mean: float
    error: float

    @classmethod
    def of(cls, figures: Sequence[float]) -> "Lead":
        """The lead that these figures show, one a deck."""
        return cls(statistics.mean(figures), statistics.stdev(figures) / len(figures) ** 0.5)

    def __str__(self) -> str:
        return f"{self.mean:+6.2f} ± {self.error:.2f} (z {self.z:4.1f})"

    @property
    def z(self) -> float:
        """The lead in standard errors."""
        return self.mean / self.error


def entrant(bot: str, number: int) -> Entrant:
    module, _, name = HOUSE_BOTS[bot].partition(":")
    made: type[Bot] = getattr(import_module(module), name)
    return Entrant(SeatName(f"{bot}-{number}", "1", bot), made)


def leads(of: Game, stronger: str, weaker: str, deals: int, seed: int) -> tuple[Lead, Lead]:
    """The lead of one bot over the other in card points, and in score, in so many deals or a few more."""
    places = len(of.places)
    entrants = [entrant(stronger, 0), *(entrant(weaker, number) for number in range(1, places))]
    problems: list[Problem] = []
    sets: dict[int, list[tuple[float, float]]] = {}
    for record in play_fixture(of, entrants, range(-(-deals // places)), seed, problems.append):
        mine = [seat for seat, name in enumerate(record["seats"]) if name["bot"] == f"{stronger}-0"]
        outcome = record["outcome"]
        figures = beyond(outcome["card_points"], mine), beyond(outcome["scores"], mine)
        sets.setdefault(record["deal_set"], []).append(figures)
    assert not problems, problems[0].text + problems[0].traceback
    points, scores = zip(*(map(statistics.mean, zip(*figures, strict=True)) for figures in sets.values()), strict=True)
    return Lead.of(points), Lead.of(scores)


def beyond(figures: list[int], mine: list[int]) -> float:
    """By how much a side's figures, a seat, exceed the mean of the other seats."""
    own = sum(figures[seat] for seat in mine)
    return own / len(mine) - (sum(figures) - own) / (len(figures) - len(mine))


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize(("weaker", "stronger"), NEXT)
def test_strength_rises_in_every_game(weaker: str, stronger: str, name: str) -> None:
    deals = MORE.get((stronger, name), DEALS[stronger])
    points, scores = leads(game(name), stronger, weaker, deals, SEED)
    assert points.z > 2.5
    assert scores.mean > 0


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_strength_rises_in_every_game_over_many_deals(capsys: pytest.CaptureFixture[str]) -> None:
    unsure = []
    for name in game_names():
        for weaker, stronger in NEXT:
            points, scores = leads(game(name), stronger, weaker, MANY, SEED + 1)
            with capsys.disabled():
                print(f"\n{name:12} | {stronger:>7} over {weaker:7} | {points} | {scores}", end="", flush=True)
            if points.z < 4 or scores.z < 2:
                unsure.append((name, stronger, points, scores))
    assert not unsure
