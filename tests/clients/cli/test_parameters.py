"""Options of the game on the command line."""

import pytest

from clients.cli.failure import BadUsage
from clients.cli.parameters import chosen_game, game_options, random_seed


def test_values_are_json_else_text() -> None:
    found = game_options(
        ["hand=5", "open=true", "upcard=bottom", 'missing="2D"', "x=", 'm={"a":[1]}', "n=null", "e=a=b"]
    )
    assert found == {
        "hand": 5,
        "open": True,
        "upcard": "bottom",
        "missing": "2D",
        "x": "",
        "m": {"a": [1]},
        "n": None,
        "e": "a=b",
    }


@pytest.mark.parametrize("given", [["hand"], ["=5"], ["hand=5", "hand=6"]])
def test_bad_options(given: list[str]) -> None:
    with pytest.raises(BadUsage, match="--option"):
        game_options(given)


def test_deeply_nested_json_is_a_text() -> None:
    assert game_options(["x=" + "[" * 100_000])["x"].startswith("[[")


@pytest.mark.parametrize(("name", "options"), [("briscola-5", {}), ("poker", {}), ("briscola-2", {"hand": [1]})])
def test_a_game_that_is_not_played(name: str, options: dict[str, object]) -> None:
    with pytest.raises(BadUsage):
        chosen_game(name, options)


def test_random_seeds_differ() -> None:
    assert len({random_seed() for _ in range(20)}) > 15
