"""Each bench runs with settings as small as they come and tells finite ratios; how great they are is not judged."""

import json
import math
from pathlib import Path

import pytest

from benches.__main__ import main
from benches.arena import PEERS, open_spiel
from benches.catalogue import BENCHES
from benches.lists import list_shaped, plain
from benches.rounds import Comparison, compare
from carico.v1 import bots_pb2


@pytest.mark.parametrize("name", BENCHES)
def test_a_bench_tells_finite_ratios(name, capsys, monkeypatch):
    if not Path("/proc/self/stat").exists():
        pytest.skip("CPU time of another process is read from /proc")
    monkeypatch.setattr("benches.referees.BOTS", 4)
    monkeypatch.setattr("benches.idle.BOTS", 10)
    monkeypatch.setattr("benches.season.LONGER", 0.1)
    monkeypatch.setattr("benches.arena.PEERS", Path("missing"))
    assert main(["--only", name, "--rounds", "1", "--seconds", "0.2", "--format", "json"]) == 0
    told = capsys.readouterr()
    rows = json.loads(told.out)
    assert [(row["subject"], row["yardstick"]) for row in rows] == [
        (comparison.subject, comparison.yardstick) for comparison in BENCHES[name].comparisons
    ]
    for row in rows:
        assert row["bench"] == name
        if row["yardstick"] == "open-spiel":
            assert (row["ratio"], row["aim"]) == (None, "open_spiel is not installed")
            assert row["value"] > 0
            continue
        assert 0 < row["least"] <= row["ratio"] <= row["greatest"] < math.inf
    for row in rows:
        if row["quantity"] == "actions/frame":
            assert row["value"] > 1.5, "many deals of one bot go together"
            assert row["yardstick_value"] > 1.5
    assert len(told.err.splitlines()) == len(BENCHES[name].subjects)


def test_ratios_are_taken_within_a_round():
    """The median of the ratios, which is not the ratio of the medians."""
    rounds = [
        {"ours": {"games/s": 30.0}, "theirs": {"games/s": 10.0}},
        {"ours": {"games/s": 20.0}, "theirs": {"games/s": 5.0}},
        {"ours": {"games/s": 20.0}, "theirs": {"games/s": 10.0}},
    ]
    result = compare(Comparison("ours", "theirs", "games/s"), rounds)
    assert (result.ratio, result.least, result.greatest) == (3, 2, 4)
    assert (result.value, result.yardstick_value) == (20, 10)


@pytest.mark.skipif(not PEERS.exists(), reason="./dev bench installs open_spiel")
def test_open_spiel_counts_decisions_and_not_what_chance_did():
    told = open_spiel(0.1)
    assert 52 <= told["actions/game"] <= 64, "13 cards of each, and three passed by each in most deals"
    assert told["actions/s"] > 0


def test_what_is_missing_in_one_round_has_no_ratio():
    rounds = [{"ours": {"games/s": 30.0}, "theirs": {"games/s": 10.0}}, {"ours": {"games/s": 20.0}, "theirs": {}}]
    result = compare(Comparison("ours", "theirs", "games/s"), rounds)
    assert (result.value, result.yardstick_value, result.ratio) == (25, None, None)


def test_list_shaped_messages_hold_what_the_contract_holds():
    ask = bots_pb2.Ask(match="m", seat=1, view=bots_pb2.View(hand=b"\x01\x02", upcard=3))
    ask.bank.seconds = 60
    frame = list_shaped()(asks=[plain(ask)])
    again = list_shaped().FromString(frame.SerializeToString()).asks[0]
    assert (again.match, again.seat, list(again.view.hand), again.view.upcard) == ("m", 1, [1, 2], 3)
    assert again.bank.seconds == 60


@pytest.mark.parametrize("wrong", [["--rounds", "0"], ["--seconds", "-1"], ["--seconds", "inf"], ["--only", "x"]])
def test_a_wrong_setting_is_told(wrong, capsys):
    with pytest.raises(SystemExit) as ended:
        main(wrong)
    assert ended.value.code == 2
    assert wrong[0] in capsys.readouterr().err
