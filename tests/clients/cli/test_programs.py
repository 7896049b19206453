"""Programs that speak JSON lines in ``carico arena`` and ``carico bot run``."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from carico import bridge
from carico.record import verify
from clients.cli.data_directory import DataDirectory
from clients.cli.failure import ExitCode
from tests.clients.cli.command import Here, Marked, one_line
from tests.kit.league import wait_until
from tests.kit.programs import GOOD, program

FIRST = "from carico import Bot\n\nclass First(Bot):\n    def act(self, view):\n        return view.legal[0]\n"


@pytest.mark.parametrize(("game", "others"), [("briscola-2", 1), ("briscola-3", 2), ("briscola-4", 1)])
def test_a_program_plays_in_the_arena_as_a_class_does(game: str, others: int, tmp_path: Path, carico: Here) -> None:
    Path("mine.py").write_text(FIRST)
    words = ["arena", *["greedy"] * others, "--game", game, "--deal-sets", 4, "--seed", 3]
    one = carico(*words, "--out", tmp_path / "one", "mine.py:First")
    other = carico(*words, "--out", tmp_path / "other", "--", *program(tmp_path, name="first.py"))
    assert (one.code, other.code) == (0, 0), one.err + other.err
    assert other.err == ""
    assert one.out == other.out
    for line in (tmp_path / "other" / "records.jsonl").read_text().splitlines():
        verify(json.loads(line))


def test_two_programs_by_their_command_lines(tmp_path: Path, carico: Here) -> None:
    words = [f"cmd:{' '.join(program(tmp_path, name='a.py'))}", f"cmd:{' '.join(program(tmp_path, name='b.py'))}"]
    done = carico("arena", *words, "--deal-sets", 2, "--seed", 1, "--format", "json")
    assert sorted(row["bot"] for row in json.loads(done.out)) == ["a", "b"]


def test_the_program_is_told_starts_asks_and_ends(tmp_path: Path, carico: Here) -> None:
    log = tmp_path / "log"
    keeps = program(
        tmp_path,
        GOOD,
        before=f"import sys\nsys.stdin = map(lambda l: (open({str(log)!r}, 'a').write(l), l)[1], sys.stdin)",
    )
    done = carico("arena", "greedy", "--deal-sets", 2, "--seed", 1, "--", *keeps)
    assert done.code == 0, done.err
    told = [json.loads(line) for line in log.read_text().splitlines()]
    assert told[0]["type"] == "hello"
    starts = [message for message in told if message["type"] == "start"]
    ends = [message for message in told if message["type"] == "end"]
    assert len({start["match"] for start in starts}) == 4
    assert [start["match"] for start in starts] == [end["match"] for end in ends]
    for start, end in zip(starts, ends, strict=True):
        asks = [m for m in told if m["type"] == "ask" and m["match"] == start["match"]]
        assert [ask["number"] for ask in asks] == list(range(1, 21))
        assert {ask["seat"] for ask in asks} == set(start["seats"]) == set(end["seats"])
        assert sum(end["card_points"]) == 120
        assert len(start["seed"]) == 64


def test_mistakes_in_the_arena_cost_the_deal(tmp_path: Path, carico: Here) -> None:
    odd = program(tmp_path, "        answer(message, 'nonsense' if message['stock'] == 0 else None)\n", name="odd.py")
    done = carico("arena", "greedy", "--deal-sets", 2, "--seed", 1, "--format", "json", "--", *odd)
    assert done.code == 0
    assert {row["bot"]: row["forfeits"] for row in json.loads(done.out)} == {"greedy": 0, "odd": 4}
    assert "'nonsense'" in done.err
    assert "Traceback" not in done.err


def test_a_program_that_does_not_stay_up_ends_the_arena(
    tmp_path: Path, carico: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge, "FIRST_PAUSE_S", 0.001)
    done = carico("arena", "greedy", "--deal-sets", 9, "--seed", 1, "--", *program(tmp_path, "        sys.exit(7)\n"))
    assert (done.code, done.out) == (ExitCode.FAILED, "")
    assert "given up" in done.err.splitlines()[-1]
    assert "exit code 7" in done.err.splitlines()[-1]


@pytest.fixture
def referee(marked: Marked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A referee that the commands find through CARICO_DATA."""
    directory = DataDirectory(tmp_path / "data")
    directory.path.mkdir()
    token = directory.organiser_token_file
    words = ["referee", "--in-memory", "--listen", "127.0.0.1:0", "--organiser-token-file", token]
    process = marked.start(*words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    with process.stdout:
        address = process.stdout.readline().split()[-1]
    directory.announce(address, "")
    monkeypatch.setenv("CARICO_DATA", str(directory.path))
    yield address
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0


def running(marked: Marked, command: list[str]) -> "subprocess.Popen[str]":
    words = ["bot", "run", "--name", "mybot", "--version", "1", "--", *command]
    process = marked.start(*words, stderr=subprocess.PIPE)
    assert process.stderr is not None
    line = process.stderr.readline()
    while line and "connected" not in line:
        line = process.stderr.readline()
    assert "connected" in line
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_program_joins_and_goes_with_all_that_it_started(
    number: int, referee: str, carico: Here, marked: Marked, tmp_path: Path
) -> None:
    carico("bot", "register", "mybot", "--owner", "me", "--save")
    before = "import subprocess; subprocess.Popen(['sleep', '100'])"
    process = running(marked, program(tmp_path, before=before))
    shown = json.loads(carico("bot", "list", "mybot", "--format", "json").out)[0]
    assert (shown["connected"], shown["version"]) == (True, "1")
    assert any("sleep 100" in command for command in marked.alive().values())
    process.send_signal(number)
    code = process.wait(20)
    assert code == (ExitCode.INTERRUPTED if number == signal.SIGINT else -number)
    assert process.stderr is not None
    with process.stderr:
        assert "Traceback" not in process.stderr.read()
    wait_until(lambda: not any("sleep 100" in command for command in marked.alive().values()), "it is gone", 10)


def test_a_program_that_is_killed_comes_back(referee: str, carico: Here, marked: Marked, tmp_path: Path) -> None:
    carico("bot", "register", "mybot", "--owner", "me", "--save")
    process = running(marked, program(tmp_path))
    (pid,) = [pid for pid, words in marked.alive().items() if "program.py" in words and "clients.cli" not in words]
    os.kill(pid, signal.SIGKILL)
    assert process.stderr is not None
    with process.stderr:
        assert "signal 9" in process.stderr.readline()
        wait_until(
            lambda: any("program.py" in w and "clients.cli" not in w for w in marked.alive().values()), "it is back", 10
        )
        process.send_signal(signal.SIGINT)
        process.wait(20)


def test_programs_that_cannot_play(referee: str, carico: Here) -> None:
    carico("bot", "register", "mybot", "--owner", "me", "--save")
    none = carico("bot", "run", "--name", "mybot", "--version", "1", "--", "./none")
    assert none.code == ExitCode.USAGE
    assert one_line(none.err)
    mute = carico("bot", "run", "--name", "mybot", "--version", "1", "--", "false")
    assert mute.code == ExitCode.FAILED
    assert "exit code 1, and never said hello" in mute.err
