from typing import Any

import pytest

from carico.rules.game import game
from worker.tournament.entrants import Entrant, is_name
from worker.tournament.season import Entry, SeasonSpec

SPEC = SeasonSpec(
    "spring", game("briscola-4", {"hand": 4}), (Entry("a", "1"), Entry("b", "2")), "open", 2, 5, 3, 7, 1000
)


def test_json_comes_back_as_it_was() -> None:
    assert SeasonSpec.from_json(SPEC.to_json()) == SPEC
    unseeded = SeasonSpec("autumn", game("briscola-2"))
    assert SeasonSpec.from_json(unseeded.to_json()) == unseeded


@pytest.mark.parametrize(
    "wrong",
    [
        {"legs": 0},
        {"entry": "ajar"},
        {"entries": [["a"]]},
        {"seed": -1},
        {"name": 3},
        {"time_control": {}},
        {"time_control": {**SPEC.to_json()["time_control"], "grace_ms": 1.5}},
        {"x": 1},
    ],
)
def test_what_is_no_season_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must be|missing|unknown"):
        SeasonSpec.from_json(SPEC.to_json() | wrong)


def test_an_entrant_comes_back_from_json_as_it_was() -> None:
    entrant = Entrant("bot", "1.0", "Ada")
    assert Entrant.from_json(entrant.to_json()) == entrant
    with pytest.raises(ValueError, match="owner"):
        Entrant.from_json({"bot": "bot", "version": "1.0", "owner": None})


@pytest.mark.parametrize("name", ["a", "greedy-2", "1.0_rc", "x" * 40])
def test_names(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize("name", ["", "-a", ".a", "a b", "a/b", "x" * 41, "a\n", "è", "<b>", "٣"])
def test_no_names(name: str) -> None:
    assert not is_name(name)
