"""``carico season plan``: with nothing running."""

import csv
import io
import json
from pathlib import Path

import pytest

from clients.cli.failure import ExitCode
from tests.clients.cli.command import Here


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A season of seven at tables of three."""
    return written(tmp_path, 'game = "briscola-3"\ndeal_sets = 4\n', 7)


def written(folder: Path, head: str, entrants: int) -> Path:
    bots = "".join(f'[[entrant]]\nbot = "b{i}"\nversion = "1"\n' for i in range(entrants))
    path = folder / "season.toml"
    path.write_text(f'name = "s"\n{head}{bots}')
    return path


def test_the_schedule_its_balance_and_the_time_are_told(carico: Here, file: Path) -> None:
    done = carico("season", "plan", file, "--rate", 0.5)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "s: briscola-3"
    assert [line.split()[2] for line in lines[4:11]] == [str(number) for number in range(7)]
    assert all(len(line.split()) == 3 + 3 + 2 for line in lines[4:11])
    assert "every two meet 1 times" in done.out
    assert "everybody plays equally often in every seat" in done.out
    assert "84 deals, 3276 actions: about 2 min 48 s at 0.5 deals a second\n" in done.out


def test_json_has_all_of_it(carico: Here, file: Path) -> None:
    found = json.loads(carico("season", "plan", file, "--format", "json").out)
    assert [row["fixture"] for row in found["schedule"]] == list(range(7))
    assert all(len(row["entrants"]) == 3 for row in found["schedule"])
    assert (found["schedule"][1]["first_deal_set"], found["schedule"][1]["last_deal_set"]) == (4, 7)
    assert found["balance"]["meetings"] == {"least": 1, "most": 1}
    assert (found["matches"], found["deals"], found["actions"]) == (84, 84, 84 * 39)
    assert found["expected_seconds"] == round(84 / found["deals_per_second"])


def test_csv_is_the_schedule_alone(carico: Here, file: Path) -> None:
    done = carico("season", "plan", file, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert len(rows) == 7
    assert rows[0]["entrants"].count(" ") == 2
    assert "every two meet 1 times" in done.err


def test_bots_of_one_owner_are_kept_apart(carico: Here, file: Path) -> None:
    found = json.loads(carico("season", "plan", file, "--owner", "b0=me", "--owner", "b1=me", "--format", "json").out)
    assert not any({"b0", "b1"} <= set(row["entrants"]) for row in found["schedule"])
    assert found["balance"]["kept_apart"] == 1
    owners = [word for i in range(7) for word in ("--owner", f"b{i}={'me' if i else 'you'}")]
    done = carico("season", "plan", file, *owners)
    assert done.code == ExitCode.USAGE
    assert "briscola-3: 2 owners for tables of 3: two bots of one owner never sit at one such table" in done.err
    for wrong, told in (("b0", "write BOT=OWNER"), ("zed=me", "zed is not entered in the file")):
        done = carico("season", "plan", file, "--owner", wrong)
        assert done.code == ExitCode.USAGE
        assert told in done.err


def test_how_many_legs_would_be_even_is_told(carico: Here, tmp_path: Path) -> None:
    eight = carico("season", "plan", written(tmp_path, 'game = "briscola-3"\n', 8))
    assert "every two meet 1 to 2 times; equally often where legs is a multiple of 6\n" in eight.out
    even = carico("season", "plan", written(tmp_path, 'game = "briscola-3"\nlegs = 6\n', 8))
    assert "every two meet 6 times\n" in even.out


def test_two_sides_rotating_partners_and_nobody_yet(carico: Here, tmp_path: Path) -> None:
    fixed = written(tmp_path, 'game = "briscola-4"\nlegs = 2\n', 5)
    assert "every two meet 2 times" in carico("season", "plan", fixed).out
    rotating = written(tmp_path, 'game = "briscola-4"\npairs = "rotating"\n', 5)
    assert "every two are partners 1 times and opponents 2 times" in carico("season", "plan", rotating).out
    nobody = written(tmp_path, 'game = "briscola-3"\nentry = "open"\n', 2)
    assert "0 deals" in carico("season", "plan", nobody).out
