"""The house bots: legal and repeatable in every game, of rising strength, and small."""

import ast
import statistics
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import clients.bots
from carico.arena import Entrant, play_fixture
from carico.bot import Bot
from carico.problem import Problem
from carico.record import SeatName, verify
from carico.rules.game import Game, game, game_names
from clients.bots import HOUSE_BOTS


def house(name: str) -> type[Bot]:
    module, _, made = HOUSE_BOTS[name].partition(":")
    found: type[Bot] = getattr(import_module(module), made)
    return found


def play(of: Game, names: list[str], sets: int, seed: int = 3) -> list[dict[str, Any]]:
    """The records, without the handles; nobody makes a mistake."""
    problems: list[Problem] = []
    entrants = [Entrant(SeatName(f"{name}-{i}", "1", name), house(name)) for i, name in enumerate(names)]
    records = list(play_fixture(of, entrants, range(sets), seed, problems.append))
    assert not problems, problems[0].text + problems[0].traceback
    for record in records:
        del record["match"]
    return records


def lead(records: list[dict[str, Any]], bot: str, sides: int) -> tuple[float, float]:
    """By how much a bot outscores the mean of the others in card points a deal, and that in standard errors.

    One figure a deal set counts, the mean of its seatings.
    """
    by_set: dict[int, list[float]] = {}
    for record in records:
        mine = sum(
            points
            for seat, points in zip(record["seats"], record["outcome"]["card_points"], strict=True)
            if seat["bot"] == bot
        )
        by_set.setdefault(record["deal_set"], []).append(mine - (120 - mine) / (sides - 1))
    means = [statistics.mean(figures) for figures in by_set.values()]
    mean = statistics.mean(means)
    return mean, mean / (statistics.stdev(means) / len(means) ** 0.5)


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("bot", HOUSE_BOTS)
def test_every_house_bot_plays_every_game_and_repeats_itself(bot: str, name: str) -> None:
    of = game(name)
    names = [bot, *["greedy"] * (len(of.places) - 1)]
    records = play(of, names, sets=6)
    for record in records:
        verify({**record, "match": ""})
    assert play(of, names, sets=6) == records


@pytest.mark.parametrize("bot", HOUSE_BOTS)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("briscola-2", {"hand": 5}),
        ("briscola-2", {"hand": 1}),
        ("briscola-2", {"open": True}),
        ("briscola-2", {"upcard": "bottom", "deal": "packet"}),
        ("briscola-3", {"hand": 12}),
        ("briscola-4", {"partners": "last3"}),
        ("briscola-6", {"partners": "start", "open": True}),
    ],
)
def test_options_break_no_house_bot(bot: str, name: str, options: dict[str, Any]) -> None:
    of = game(name, options)
    play(of, [bot, *["random"] * (len(of.places) - 1)], sets=2)


ORDER = list(HOUSE_BOTS)


@pytest.mark.parametrize(("weaker", "stronger", "least"), [(*ORDER[:2], 15), (*ORDER[1:3], 10), (*ORDER[2:], 3)])
def test_strength_rises(weaker: str, stronger: str, least: float) -> None:
    points, errors = lead(play(game("briscola-2"), [stronger, weaker], sets=150), f"{stronger}-0", sides=2)
    assert points >= least
    assert errors > 4


@pytest.mark.parametrize("name", ["briscola-3", "briscola-4", "briscola-6"])
@pytest.mark.parametrize(("weaker", "stronger"), [ORDER[:2], ORDER[1:3], ORDER[1::2]])
def test_strength_rises_at_larger_tables_too(weaker: str, stronger: str, name: str) -> None:
    of = game(name)
    records = play(of, [stronger, *[weaker] * (len(of.places) - 1)], sets=80)
    points, errors = lead(records, f"{stronger}-0", len(of.places))
    assert points > 0
    assert errors > 2.5


@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_a_house_bot_fits_on_one_screen_and_imports_only_carico(name: str) -> None:
    text = Path(str(import_module(HOUSE_BOTS[name].partition(":")[0]).__file__)).read_text()
    assert len(text.splitlines()) <= 66
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    named = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in imports}
    assert named <= {"carico", "math"}


def test_the_table_names_every_bot_of_the_room() -> None:
    room = Path(str(clients.bots.__file__)).parent
    modules = {path.stem for path in room.glob("*.py")} - {"__init__"}
    assert {spec.partition(":")[0].rpartition(".")[2] for spec in HOUSE_BOTS.values()} == modules
