"""``carico demo`` from end to end, as processes: it plays, it shows, it ends, and nothing stays behind."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path
from typing import Any

import pytest

from carico.record import verify
from clients.cli.failure import ExitCode
from tests.clients.cli.command import CARICO, Marked, without
from tests.kit.league import wait_until
from worker.tournament.entrants import Entrant
from worker.tournament.ledger import DealResult
from worker.tournament.rows import standings_json
from worker.tournament.schedule import round_robin
from worker.tournament.standings import standings

MYBOT = """\
from carico import Bot, Card, View

class MyBot(Bot):
    def act(self, view: View) -> Card:
        return min(view.legal, key=lambda card: card.points)
"""


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "records.jsonl").read_text("utf-8").splitlines()]


def assert_verified(marked: Marked, out: Path) -> None:
    done = marked.run("verify", out)
    assert (done.returncode, done.stderr) == (ExitCode.FINE, ""), done.stdout
    assert done.stdout.endswith("the table made anew: all agrees\n")
    assert "not provable" not in done.stdout


def first_line_with(process: "subprocess.Popen[str]", word: str) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if word in line:
            return line
    raise AssertionError(f"it ended without a line with {word!r}")


class Terminal:
    """A terminal with a process in it."""

    def __init__(self, marked: Marked, *arguments: str, **environment: str) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        marked_environment = marked.environment() | {"TERM": "xterm"} | environment
        self.process = subprocess.Popen(
            [*CARICO, *arguments],
            env=marked_environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  # Ctrl-C reaches it then
        )
        os.close(theirs)
        self.text = ""

    def read_until(self, word: str, seconds: float = 100) -> str:
        """Reads until the word was shown since the last call; returns what was."""
        end = time.monotonic() + seconds
        start = len(self.text)
        while word not in self.text[start:]:
            assert time.monotonic() < end, f"no {word!r} in {self.text[-2000:]}"
            if select.select([self._ours], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self._ours, 65536).decode(errors="replace")
                except OSError:
                    raise AssertionError(f"it ended without {word!r}: {self.text[start:]}") from None
        return self.text[start:]

    def press(self, keys: bytes) -> None:
        """As if somebody typed them."""
        os.write(self._ours, keys)

    def drain(self) -> None:
        """Reads what is left, so that nobody waits for a reader."""
        while True:
            try:
                if not os.read(self._ours, 65536):
                    break
            except OSError:
                break
        os.close(self._ours)


def test_it_plays_shows_and_ends_by_itself(tmp_path: Path, marked: Marked) -> None:
    out = tmp_path / "out"
    words = ["--bots", "random,greedy,greedy", "--deal-sets", "2", "--seed", "7", "--option", "hand=2"]
    done = marked.run("demo", *words, "--out", out)
    assert done.returncode == 0, done.stdout + done.stderr
    assert marked.alive() == {}
    assert_verified(marked, out)
    found = records(out)
    names = ["random", "greedy", "greedy-2"]
    entrants = [Entrant(name, "1", name) for name in names]
    fixtures = round_robin(3, 2, 2, 2)
    assert [(r["deal_set"], r["fixture"], r["seating"]) for r in found] == [
        (s, f.number, r) for f in fixtures for s in f.deal_sets for r in (0, 1)
    ]
    for record in found:
        verify(record)
        first = [names[i] for i in fixtures[record["fixture"]].entrants]
        assert [seat["bot"] for seat in record["seats"]] == first[:: -1 if record["seating"] else 1]
        assert all(seat["owner"] == seat["bot"] and seat["version"] == "1" for seat in record["seats"])
        assert record["outcome"]["faults"] == []
        assert record["options"] == {"hand": 2}
        assert len(record["clock"]) == len(record["actions"]) == 40
    rows = standings(entrants, fixtures, ((0,), (1,)), map(DealResult.from_record, found))
    table = json.loads((out / "standings.json").read_text())
    assert table == standings_json(found[0]["season"], "briscola-2", "finished", rows)
    assert "fixture 6 of 6" in done.stdout
    assert re.search(r"^ +1 +\S+ +1 +4 ", done.stdout, re.MULTILINE)
    assert f"records: 24 deals in {out / 'records.jsonl'}" in done.stdout
    assert re.search(
        r"CARICO_TOKEN=\$\((/\S+) bot register mybot --owner me --data (/\S+/league)\) \1 bot run", done.stdout
    )
    assert done.stderr == ""


def test_two_runs_with_one_seed_differ_in_handles_and_clocks_only(tmp_path: Path, marked: Marked) -> None:
    for name in ("a", "b"):
        words = ["--bots", "random,careful", "--deal-sets", "3", "--seed", "5", "--out", str(tmp_path / name)]
        assert marked.run("demo", *words).returncode == 0
    a, b = (records(tmp_path / name) for name in "ab")
    assert len(a) == 12
    differing = ["season", "match", "clock"]
    assert [json.dumps(without(r, differing)) for r in a] == [json.dumps(without(r, differing)) for r in b]
    words = ["random", "careful", "--deal-sets", "3", "--seed", "5", "--out", str(tmp_path / "arena")]
    assert marked.run("arena", *words).returncode == 0
    same = ["deal_set", "seating", "deck", "seats", "actions", "outcome", "shuffle", "hash"]
    first_fixture = [[r[key] for key in same] for r in a if r["fixture"] == 0]
    assert first_fixture == [[r[key] for key in same] for r in records(tmp_path / "arena")]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_the_middle_ends_everything(number: signal.Signals, tmp_path: Path, marked: Marked) -> None:
    words = ["demo", "--bots", "random,greedy", "--deal-sets", "10000", "--data", str(tmp_path / "data")]
    process = marked.start(*words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    first_line_with(process, "of 40000 deals")
    assert len(marked.alive()) > 6
    process.send_signal(number)
    assert process.wait(30) == 128 + number
    assert marked.alive() == {}
    assert not (tmp_path / "data" / "league.json").exists()


@pytest.mark.parametrize("pause", [0.1, 0.5, 1.0, 2.0])
def test_ctrl_c_while_it_starts_ends_everything(pause: float, tmp_path: Path, marked: Marked) -> None:
    process = marked.start("demo", "--data", str(tmp_path / "data"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    time.sleep(pause)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) in (ExitCode.INTERRUPTED, -signal.SIGINT, 1)
    assert marked.alive() == {}


def test_a_second_ctrl_c_ends_it_at_once(tmp_path: Path, marked: Marked) -> None:
    process = marked.start("demo", "--deal-sets", "10000", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    first_line_with(process, "deals; ")
    for _ in range(3):
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    assert process.wait(30) == ExitCode.INTERRUPTED
    wait_until(lambda: marked.alive() == {}, "nothing is left", 5)


def test_a_killed_demo_leaves_nothing_running(tmp_path: Path, marked: Marked) -> None:
    process = marked.start("demo", "--deal-sets", "10000", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    first_line_with(process, "deals; ")
    process.kill()
    process.wait()
    wait_until(lambda: marked.alive() == {}, "nothing is left", 10)


def test_a_newcomer_takes_the_line_and_appears_in_the_table(tmp_path: Path, marked: Marked) -> None:
    data = tmp_path / "data"
    Path("mybot.py").write_text(MYBOT)
    terminal = Terminal(marked, "demo", "--bots", "random,greedy", "--deal-sets", "2", "--data", str(data))
    shown = terminal.read_until("the league goes on")
    line = re.findall(r"CARICO_TOKEN=\$\([^\r\n\x1b]*", shown)[-1]
    newcomer = subprocess.Popen(["sh", "-c", line], env=marked.environment(), start_new_session=True)
    try:
        shown = terminal.read_until("records: 16 deals")
        assert re.search(r"mybot +1 +2 ", shown)
        standing = marked.run("season", "standings", "demo", "--data", data, "--format", "json")
        rows = {row["bot"]: row for row in json.loads(standing.stdout)}
        assert rows["mybot"]["fixtures"] == 2
        assert rows["mybot"]["owner"] == "me"
        assert rows["mybot"]["forfeits"] == 0
        assert len(records(data / "out")) == 16
        terminal.press(b"\x03")
        terminal.drain()
        assert terminal.process.wait(30) == 0
    finally:
        os.killpg(newcomer.pid, signal.SIGTERM)
        newcomer.wait()


def test_a_part_that_dies_is_started_again_and_the_season_ends(tmp_path: Path, marked: Marked) -> None:
    words = ["demo", "--bots", "random,greedy", "--deal-sets", "60", "--seed", "7", "--out", str(tmp_path / "out")]
    process = marked.start(*words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    first_line_with(process, "deals; ")
    for part in ("bot run greedy", "clients.cli referee", "clients.cli worker", "valkey-server"):
        for pid in [pid for pid, command in marked.alive().items() if part in command]:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.5)
    assert process.stdout is not None
    said = process.stdout.read()
    assert process.wait(60) == 0, said
    assert "is started again" in said
    found = records(tmp_path / "out")
    assert len(found) == 240
    for record in found:
        verify(record)


def test_larger_tables_take_any_number_of_bots(tmp_path: Path, marked: Marked) -> None:
    out = tmp_path / "out"
    bots = ("--bots", "random,greedy,careful,greedy")
    done = marked.run("demo", "--game", "briscola-3", "--deal-sets", "1", "--seed", "1", *bots, "--out", out)
    assert done.returncode == 0, done.stdout + done.stderr
    assert_verified(marked, out)
    assert len(records(out)) == 12  # two legs: all four tables of three, each deck in three seatings
    table = json.loads((out / "standings.json").read_text())
    assert len(table["rows"]) == 4
    assert {row["match_points"] for row in table["rows"]} == {None}


def test_house_bots_of_two_sides_have_a_process_per_seat(tmp_path: Path, marked: Marked) -> None:
    out, data = tmp_path / "out", tmp_path / "data"
    words = ("--game", "briscola-4", "--bots", "greedy,random", "--deal-sets", "1", "--seed", "1")
    done = marked.run("demo", *words, "--out", out, "--data", data)
    assert done.returncode == 0, done.stdout + done.stderr
    found = records(out)
    assert len(found) == 4
    assert not any(record["outcome"]["faults"] for record in found)
