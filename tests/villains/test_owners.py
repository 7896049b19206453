"""Each fault reaches its owner: a whole season with one villain for each reason, and ``carico bot faults NAME``."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from carico.record import replay
from carico.rules.cards import card_name
from carico.rules.view import view
from carico.time_control import TimeControl
from tests.kit.league import League, wait_until

VILLAINS = {
    "Cheat": ("ILLEGAL_ACTION", "may not play "),
    "Nameless": ("ILLEGAL_ACTION", "may not "),
    "Usurper": ("PROTOCOL", "which is not its own"),
    "Babbler": ("PROTOCOL", "no frame of the contract"),
    "Sleeper": ("TIME_FORFEIT", "the action limit is 150 ms"),
    "Deserter": ("DISCONNECT", "away"),
}


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[League]:
    """A season that is over: every villain has met an honest bot, in both seats."""
    with League(tmp_path_factory.mktemp("league")) as league:
        league.start_bot("greedy", seed=bytes(32))
        names = [league.start_villain(kind) for kind in VILLAINS]
        league.start_worker()
        wait_until(lambda: sum(bot.version is not None for bot in league.referee.bots()) == 1 + len(names), "all here")
        terms = TimeControl(action_limit_ms=150, grace_ms=200)
        league.create("s", ["greedy", *names], deal_sets=1, chunk=1, time_control=terms)
        league.wait_finished("s")
        yield league


def carico(league: League, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", "from clients.cli.main import main; main()", *arguments, "--redis", league.valkey.url],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    return done.stdout


def records(league: League) -> list[dict[str, Any]]:
    return [json.loads(line) for line in league.store.records("s")]


def test_honest_bots_have_no_faults(league: League) -> None:
    assert json.loads(carico(league, "bot", "faults", "greedy", "--format", "json")) == []


@pytest.mark.parametrize("kind", VILLAINS)
def test_its_owner_is_told_reason_and_exchange(league: League, kind: str) -> None:
    reason, words = VILLAINS[kind]
    name = kind.lower()
    text = carico(league, "bot", "faults", name, "--format", "json")
    rows = json.loads(text)
    by_deal = {(r["deal_set"], r["seating"]): r for r in records(league)}
    mine = {
        (key, seat, why, after)
        for key, r in by_deal.items()
        for seat, why, after in r["outcome"]["faults"]
        if r["seats"][seat]["bot"] == name
    }
    assert {((row["deal_set"], row["seating"]), row["seat"], row["reason"], row["after"]) for row in rows} == mine
    assert any(row["reason"] == reason and words in row["detail"] for row in rows)
    for row in rows:
        record = by_deal[row["deal_set"], row["seating"]]
        deal = replay({**record, "actions": record["actions"][: row["after"]]})
        seen = view(deal, row["seat"])
        asked = " ".join(card_name(card) for card in seen.hand)
        assert f"hand {asked}" in row["exchange"]
        assert row["detail"]
        assert ("; its last answer: play " in row["exchange"]) == any(
            seat == row["seat"] for seat, *_ in record["actions"][: row["after"]]
        )
        hidden = {card_name(card) for card in deal.hands[1 - row["seat"]]}
        if row["reason"] != "ILLEGAL_ACTION":  # it may name the very card that it tried to play
            assert not hidden & set(row["detail"].replace(",", " ").split())
        assert not hidden & set(row["exchange"].replace(",", " ").replace(";", " ").split())
    assert "carico_" not in text, "no token is shown"


def test_the_table_for_humans_has_it_too(league: League) -> None:
    assert "TIME_FORFEIT" in carico(league, "bot", "faults", "sleeper")


def test_a_card_that_was_not_legal_is_named_and_no_other_hidden_one(league: League) -> None:
    for row in json.loads(carico(league, "bot", "faults", "cheat", "--format", "json")):
        record = next(r for r in records(league) if (r["deal_set"], r["seating"]) == (row["deal_set"], row["seating"]))
        deal = replay({**record, "actions": record["actions"][: row["after"]]})
        own = {card_name(card) for card in deal.hands[row["seat"]]}
        if row["reason"] == "ILLEGAL_ACTION":
            tried, _, could = row["detail"].partition(":")
            assert "may not play " in tried
            assert set(could.replace(",", " ").split()) <= own | {"it", "may", "play"}
