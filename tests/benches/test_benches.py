"""Each bench runs with settings as small as they come and tells finite ratios; how great they are is not judged."""

import json
import math
from pathlib import Path

import pytest

from benches.__main__ import main
from benches.catalogue import BENCHES
from benches.rounds import Comparison, compare


@pytest.mark.parametrize("name", BENCHES)
def test_a_bench_tells_finite_ratios(name, capsys, monkeypatch):
    if name == "referee" and not Path("/proc/self/stat").exists():
        pytest.skip("CPU time of another process is read from /proc")
    monkeypatch.setattr("benches.catalogue.BOTS", 4)
    assert main(["--only", name, "--rounds", "1", "--seconds", "0.5", "--format", "json"]) == 0
    told = capsys.readouterr()
    rows = json.loads(told.out)
    assert [(row["subject"], row["yardstick"]) for row in rows] == [
        (comparison.subject, comparison.yardstick) for comparison in BENCHES[name].comparisons
    ]
    for row in rows:
        assert row["bench"] == name
        assert 0 < row["least"] <= row["ratio"] <= row["greatest"] < math.inf
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


@pytest.mark.parametrize("wrong", [["--rounds", "0"], ["--seconds", "-1"], ["--seconds", "inf"], ["--only", "x"]])
def test_a_wrong_setting_is_told(wrong, capsys):
    with pytest.raises(SystemExit) as ended:
        main(wrong)
    assert ended.value.code == 2
    assert wrong[0] in capsys.readouterr().err
