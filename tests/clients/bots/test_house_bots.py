"""The house bots: legal and repeatable in every game, and small."""

import ast
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


ROOM = Path(str(clients.bots.__file__)).parent
SHARED = {"bidding", "worlds"}
"""What bots have in common: files that are no bot."""


@pytest.mark.parametrize(
    "path", [path for path in ROOM.glob("*.py") if path.stem != "__init__"], ids=lambda path: path.stem
)
def test_a_file_of_the_room_fits_on_one_screen_and_imports_only_carico_and_what_bots_share(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= 110
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    named = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in imports}
    shared = {"clients.bots", *(f"clients.bots.{name}" for name in SHARED)} if path.stem not in SHARED else set()
    assert named <= {"carico", "math", "typing"} | shared


def test_the_table_names_every_bot_of_the_room() -> None:
    modules = {path.stem for path in ROOM.glob("*.py")} - {"__init__"} - SHARED
    assert {spec.partition(":")[0].rpartition(".")[2] for spec in HOUSE_BOTS.values()} == modules
