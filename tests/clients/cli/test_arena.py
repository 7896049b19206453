"""``carico arena`` from end to end."""

import csv
import io
import json
import resource
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from carico.record import verify
from clients.cli.failure import ExitCode
from tests.clients.cli.command import CARICO, Here, one_line, without
from worker.tournament.entrants import Entrant
from worker.tournament.ledger import DealResult
from worker.tournament.rows import standings_json
from worker.tournament.schedule import single_fixture
from worker.tournament.standings import standings

FIRST = "from carico import Bot\n\nclass First(Bot):\n    def act(self, view):\n        return view.legal[0]\n"
WRONG = "from carico import Bot\n\nclass Wrong(Bot):\n    def act(self, view):\n        raise RuntimeError('oh no')\n"


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "records.jsonl").read_text("utf-8").splitlines()]


def place(record: Mapping[str, Any]) -> tuple[int, int, int]:
    return record["deal_set"], record["seating"], record["deal"]


@pytest.mark.parametrize(
    ("game", "bots", "seats"),
    [
        ("briscola-2", ["greedy", "random"], ["greedy", "random"]),
        ("briscola-3", ["greedy", "random", "greedy"], ["greedy", "random", "greedy-2"]),
        ("briscola-4", ["greedy", "greedy"], ["greedy", "greedy-2", "greedy", "greedy-2"]),
    ],
)
def test_records_and_table_to_the_letter(
    game: str, bots: list[str], seats: list[str], tmp_path: Path, carico: Here
) -> None:
    out = tmp_path / "new" / "out"
    done = carico("arena", *bots, "--game", game, "--deal-sets", 3, "--seed", 7, "--out", out, "--option", "hand=2")
    assert done.code == 0, done.err
    assert sorted(path.name for path in out.iterdir()) == ["records.jsonl", "standings.json"]
    found = records(out)
    places = len(bots)
    assert [place(record) for record in found] == [(s, r, 0) for s in range(3) for r in range(places)]
    for record in found:
        verify(record)
        assert record["season"] is None
        assert record["fixture"] is None
        assert record["time_control"] is None
        assert record["clock"] == []
        assert record["options"] == {"hand": 2}
        assert all(seat["owner"] == seat["bot"] for seat in record["seats"])
    assert [seat["bot"] for seat in found[0]["seats"]] == seats
    names = list(dict.fromkeys(seats))
    sides = [[i for i, seat in enumerate(seats) if seat == name] for name in names]
    rows = standings(
        [Entrant(name, "1", name) for name in names],
        [single_fixture(places, 3)],
        sides,
        map(DealResult.from_record, found),
    )
    assert json.loads((out / "standings.json").read_text("utf-8")) == standings_json(None, game, "finished", rows)


def test_two_runs_with_one_seed_differ_in_the_handles_only(tmp_path: Path, carico: Here) -> None:
    for name in ("a", "b"):
        carico("arena", "random", "greedy", "--deal-sets", 4, "--seed", 9, "--out", tmp_path / name)
    a, b = ((tmp_path / name / "records.jsonl").read_bytes() for name in "ab")
    for one, other in zip(records(tmp_path / "a"), records(tmp_path / "b"), strict=True):
        a = a.replace(one["match"].encode(), b"")
        b = b.replace(other["match"].encode(), b"")
    assert a == b
    assert (tmp_path / "a" / "standings.json").read_bytes() == (tmp_path / "b" / "standings.json").read_bytes()


def test_a_random_seed_is_told_and_repeats_the_run(tmp_path: Path, carico: Here) -> None:
    first = carico("arena", "random", "greedy", "--deal-sets", 3, "--out", tmp_path / "a")
    assert one_line(first.err)
    seed = first.err.split()[-1]
    again = carico("arena", "random", "greedy", "--deal-sets", 3, "--seed", seed, "--out", tmp_path / "b")
    assert again.out == first.out
    assert [without(r, ["match"]) for r in records(tmp_path / "a")] == [
        without(r, ["match"]) for r in records(tmp_path / "b")
    ]


def test_the_table_in_three_formats(carico: Here) -> None:
    words = ["arena", "random", "greedy", "--deal-sets", 5, "--seed", 1]
    shown = carico(*words).out
    found = json.loads(carico(*words, "--format", "json").out)
    lines = list(csv.DictReader(io.StringIO(carico(*words, "--format", "csv").out)))
    assert [row["bot"] for row in found] == [line["bot"] for line in lines] == ["greedy", "random"]
    assert list(found[0])[:5] == ["position", "bot", "version", "owner", "fixtures"]
    best = found[0]
    assert best["margin"] == round((best["card_points_for"] - best["card_points_against"]) / best["deals"], 2)
    assert "briscola-2, 5 deal sets, seed 1" in shown
    assert f"{best['margin']}" in shown


def test_a_bot_of_ones_own_and_its_mistakes(carico: Here) -> None:
    Path("mine.py").write_text(FIRST)
    Path("wrong.py").write_text(WRONG)
    done = carico("arena", "mine.py:First", "wrong.py:Wrong", "--deal-sets", 3, "--seed", 1, "--format", "json")
    assert done.code == 0
    assert [(row["bot"], row["forfeits"]) for row in json.loads(done.out)] == [("first", 0), ("wrong", 6)]
    assert done.err.count("told once") == 1
    assert "wrong.py" in done.err


def test_a_folder_that_cannot_be_made_is_told_before_anything_is_played(tmp_path: Path, carico: Here) -> None:
    (tmp_path / "file").touch()
    for out in (tmp_path / "file", tmp_path / "file" / "out", "/proc/out"):
        done = carico("arena", "random", "greedy", "--deal-sets", 100_000, "--seed", 1, "--out", out)
        assert done.code in (ExitCode.FAILED, ExitCode.USAGE)
        assert one_line(done.err)


def test_a_full_disk_leaves_no_half_file(tmp_path: Path) -> None:
    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    done = subprocess.run(
        [*CARICO, "arena", "random", "greedy", "--deal-sets", "50", "--seed", "1", "--out", str(tmp_path / "out")],
        capture_output=True,
        text=True,
        preexec_fn=small_disk,
    )
    assert done.returncode == ExitCode.FAILED
    assert one_line(done.stderr)
    assert "records.jsonl" in done.stderr
    assert list((tmp_path / "out").iterdir()) == []
