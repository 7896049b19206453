"""Bots from files, and what is said about those that can't be loaded."""

import sys
from pathlib import Path

import pytest

from carico.bot import Bot
from carico.load import LoadError, checked, fingerprint, load, names_a_file
from clients.bots import HOUSE_BOTS
from clients.bots.greedy import Greedy
from clients.bots.random_bot import RandomBot

GOOD = """\
from dataclasses import dataclass
from carico import Bot, Card, View
from clients.bots.greedy import Greedy
import helper_of_this_test

@dataclass
class First(Bot):
    kept: int = 3

    def act(self, view: View) -> Card:
        return view.legal[helper_of_this_test.PLACE]

class Second(First):
    pass

class Needy(First):
    def __init__(self, depth):
        pass

class Failing(First):
    def __init__(self):
        raise OSError("no model here")

class Empty(Bot):
    pass

number = 3
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "helper_of_this_test.py").write_text("PLACE = 0\n")
    (tmp_path / "good.py").write_text(GOOD)
    return tmp_path


def refusal(text: str) -> str:
    with pytest.raises(LoadError) as error:
        load(text)
    return str(error.value)


def test_a_class_of_a_file_with_what_lies_beside_it(here: Path) -> None:
    made = load("good.py:First")
    assert issubclass(made, Bot)
    assert made.__name__ == "First"
    assert fingerprint(made) == fingerprint(load(f"{here}/good.py:Second")) != ""


def test_two_files_of_one_name(here: Path) -> None:
    (here / "other").mkdir()
    (here / "other" / "good.py").write_text(GOOD.replace("kept: int = 3", "kept: int = 4"))
    first, second = load("good.py:First"), load("other/good.py:First")
    assert (first().kept, second().kept) == (3, 4)  # type: ignore[attr-defined]
    for made in (first, second):
        assert sys.modules[made.__module__].First is made


BOTS = "its bots are First, Second, Needy, Failing, Empty"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("none.py:First", "none.py: there is no such file"),
        ("good.txt:First", "no Python file"),
        ("good.py", f"which class? Write good.py:First; {BOTS}"),
        ("good.py:Third", f"good.py has no class Third; {BOTS}"),
        ("good.py:number", "number is not a Bot"),
        ("good.py:View", "View is not a Bot"),
        ("good.py:Needy", "Needy can't be made without arguments"),
        ("good.py:Failing", "Failing can't be made: OSError: no model here"),
        ("good.py:Empty", "Empty has no act: write def act(self, view)"),
        ("good.py:Bot", "Bot has no act"),
    ],
)
def test_what_can_not_be_loaded(here: Path, text: str, told: str) -> None:
    (here / "good.txt").write_text("")
    assert told in refusal(text)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import carico\nclass A(Bot)\n", "bad.py, line 2: expected ':'"),
        ("x = 1\nimport no_such_library\n", "bad.py, line 2: No module named 'no_such_library'"),
        ("from carico import Boot\n", "bad.py, line 1: cannot import name 'Boot' from 'carico'"),
        ("\n\nx = 1 / 0\n", "bad.py, line 3: ZeroDivisionError: division by zero"),
        ("import helper_with_a_mistake\n", "helper_with_a_mistake.py"),
        ("", "bad.py has no class A; it holds no bot: write class MyBot(Bot)"),
    ],
)
def test_files_with_mistakes(here: Path, code: str, told: str) -> None:
    (here / "helper_with_a_mistake.py").write_text("if:\n")
    (here / "bad.py").write_text(code)
    assert told in refusal("bad.py:A")


def test_a_file_that_failed_is_read_anew(here: Path) -> None:
    (here / "bad.py").write_text("1 / 0")
    refusal("bad.py:First")
    (here / "bad.py").write_text(GOOD)
    assert load("bad.py:First")


def test_names_and_files_are_told_apart() -> None:
    assert all(names_a_file(text) for text in ("a.py:B", "a.py", "dir/a.py:B", "a:B"))
    assert not any(names_a_file(text) for text in (*HOUSE_BOTS, "mybot", "greedy-2"))


def test_a_class_that_is_fine_comes_back() -> None:
    assert checked(Greedy) is Greedy


def test_the_fingerprint_is_that_of_the_source_file() -> None:
    assert len(fingerprint(RandomBot)) == 64
    assert fingerprint(RandomBot) != fingerprint(Greedy)
    assert fingerprint(type("Made", (Bot,), {"__module__": "nowhere"})) == ""
