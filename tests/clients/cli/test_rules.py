"""``carico rules``."""

import pytest

from carico.rules.game import game, game_names
from carico.rules.words import rules_text
from clients.cli.failure import ExitCode
from tests.clients.cli.command import Here


@pytest.mark.parametrize("name", game_names())
def test_the_rules_of_every_game(name: str, carico: Here) -> None:
    done = carico("rules", name)
    assert (done.code, done.out, done.err) == (ExitCode.FINE, rules_text(game(name)), "")


def test_options_are_part_of_them(carico: Here) -> None:
    done = carico("rules", "brisca-6", "--option", "pack=48", "--option", "exchange_margin=null")
    assert done.out == rules_text(game("brisca-6", {"pack": 48, "exchange_margin": None}))
    match = carico("rules", "brisca-2", "--option", 'match={"first_to":3,"cap":9}')
    assert "first wins 3 deals" in match.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("briscola-5",), "'briscola-5' is no game of this version: it plays briscola-2"),
        (("briscola-2", "--option", "pack=40"), "briscola-2 has no option 'pack'"),
        (("brisca-3", "--option", "pack=40"), "option pack = 40: write one of 36, 39"),
        ((), "Missing argument"),
    ],
)
def test_mistakes_are_one_line(arguments: tuple[str, ...], words: str, carico: Here) -> None:
    done = carico("rules", *arguments)
    assert done.code == ExitCode.USAGE
    assert words in done.err
    assert done.err.count("\n") == 1
