"""``carico check`` from end to end: for classes, for programs, in three formats."""

import csv
import io
import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from carico import bridge
from clients.cli.failure import ExitCode
from tests.clients.cli.command import Done, Here, Marked, one_line
from tests.kit.programs import GOOD, program

BOTS = """
import random
from carico import Bot
class First(Bot):
    def act(self, view):
        return view.legal[0]
class Dice(Bot):
    def act(self, view):
        return random.choice(view.legal)
class Broken(Bot):
    def act(self, view):
        return view.legal[7]
class Escape(Bot):
    def act(self, view):
        raise RuntimeError("\\x1b[31m red")
"""


@pytest.fixture(autouse=True)
def bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "FIRST_PAUSE_S", 0.001)
    Path("bots.py").write_text(BOTS)


def rows(done: Done) -> dict[tuple[str, str | None], dict[str, Any]]:
    return {(row["check"], row["game"]): row for row in json.loads(done.out)}


def failed(done: Done) -> list[str]:
    return [row["check"] for row in json.loads(done.out) if row["result"] == "FAILED"]


@pytest.mark.parametrize("bot", ["bots.py:First", "careful"])
def test_a_good_bot(bot: str, carico: Here) -> None:
    done = carico("check", bot, "--states", 40)
    assert (done.code, done.err) == (0, "")
    assert "all ok" in done.out
    assert "FAILED" not in done.out


def test_a_bad_bot_and_its_mend(carico: Here) -> None:
    done = carico("check", "bots.py:Broken", "--states", 40)
    assert done.code == ExitCode.FAILED
    assert "exceptions, briscola-2: mend the line" in done.out
    assert "IndexError" in done.err
    assert 'bots.py", line' in done.err


def test_three_formats_say_the_same(carico: Here) -> None:
    words = ["check", "bots.py:Dice", "--game", "briscola-3", "--game", "briscola-4", "--states", 60]
    as_json = carico(*words, "--format", "json")
    as_csv = carico(*words, "--format", "csv")
    assert as_json.code == as_csv.code == ExitCode.FAILED
    found = json.loads(as_json.out)
    lines = list(csv.DictReader(io.StringIO(as_csv.out)))
    assert [(row["check"], row["game"] or "", row["result"]) for row in found] == [
        (line["check"], line["game"], line["result"]) for line in lines
    ]
    assert list(found[0]) == ["check", "game", "result", "seen", "mend"]
    assert {row["game"] for row in found} == {None, "briscola-3", "briscola-4"}
    for row in found:
        assert (row["mend"] is None) == (row["result"] == "ok")
    assert {"repeats", "separate deals"} <= set(failed(as_json))


def test_what_a_bot_says_is_harmless_to_the_terminal(carico: Here) -> None:
    done = carico("check", "bots.py:Escape")
    assert done.code == ExitCode.FAILED
    assert "\x1b" not in done.out
    assert "\x1b" not in done.err


def test_a_file_that_does_not_load_is_a_finding(carico: Here) -> None:
    Path("bad.py").write_text("import nothing_of_that_name\n")
    done = carico("check", "bad.py:My", "--format", "json")
    assert done.code == ExitCode.FAILED
    (row,) = json.loads(done.out)
    assert (row["check"], row["result"]) == ("loads", "FAILED")
    assert "nothing_of_that_name" in row["seen"]


@pytest.mark.parametrize(
    "words",
    [
        ["nobody"],
        ["none.py:My"],
        ["greedy", "--game", "poker-2"],
        ["greedy", "--states", "0"],
        ["--", "./none"],
        ["greedy", "--action-limit-ms", "100000000"],
        ["--"],
        ["cmd:'"],
    ],
)
def test_bad_usage(words: list[str], carico: Here) -> None:
    done = carico("check", *words)
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert one_line(done.err)


def test_an_act_over_the_limit(carico: Here) -> None:
    Path("slow.py").write_text(
        "import time\nfrom carico import Bot\nclass Slow(Bot):\n    def act(self, view):\n"
        "        time.sleep(0.01)\n        return view.legal[0]\n"
    )
    done = carico("check", "slow.py:Slow", "--states", 10, "--action-limit-ms", 5, "--format", "json")
    assert failed(done) == ["time"]
    assert carico("check", "slow.py:Slow", "--states", 10).code == 0


# --- programs ---


def test_a_good_program(tmp_path: Path, carico: Here) -> None:
    done = carico("check", "--states", 40, "--format", "json", "--game", "briscola-4", "--", *program(tmp_path))
    assert (done.code, done.err) == (0, "")
    assert {check for check, _ in rows(done)} >= {"speaks", "legal", "repeats", "restart", "lines", "stays up", "ends"}
    again = carico("check", "--states", 40, f"cmd:{shlex.join(program(tmp_path))}")
    assert again.code == 0


DICE = "        import random; answer(message, random.choice(message['legal']))\n"
FROM_THE_HANDLE = "        answer(message, message['legal'][int(message['match'], 16) % len(message['legal'])])\n"
REMEMBERS = "        answer(message, message['legal'][asked % len(message['legal'])])\n"
CHEATS = "        answer(message, 'AC')\n"
QUITS = "        sys.exit(7) if message['stock'] == 0 else answer(message)\n"
TALKS = "        print('hm'); answer(message)\n"


@pytest.mark.parametrize(
    ("on_ask", "checks"),
    [
        (DICE, {"repeats", "separate deals"}),
        (FROM_THE_HANDLE, {"repeats", "separate deals"}),
        (REMEMBERS, {"repeats", "separate deals"}),
        (CHEATS, {"legal"}),
        (QUITS, {"exceptions", "stays up"}),
        (TALKS, {"lines"}),
    ],
)
def test_a_program_with_a_fault(on_ask: str, checks: set[str], tmp_path: Path, carico: Here) -> None:
    done = carico("check", "--states", 40, "--format", "json", "--", *program(tmp_path, on_ask))
    assert done.code == ExitCode.FAILED
    assert checks <= set(failed(done))
    for row in json.loads(done.out):
        assert (row["mend"] is None) == (row["result"] == "ok")


def test_a_program_that_does_not_speak(carico: Here) -> None:
    done = carico("check", "--format", "json", "--", "true")
    assert (done.code, failed(done)) == (ExitCode.FAILED, ["speaks"])
    assert "never said hello" in rows(done)["speaks", None]["seen"]


def test_a_program_that_does_not_end(tmp_path: Path, carico: Here) -> None:
    done = carico("check", "--states", 10, "--format", "json", "--", *program(tmp_path, after="time.sleep(100)"))
    assert (done.code, failed(done)) == (ExitCode.FAILED, ["ends"])


def test_a_program_that_hangs_in_an_ask(tmp_path: Path, carico: Here) -> None:
    hangs = f"        if message['stock'] < 20: time.sleep(100)\n{GOOD}"
    words = ["--states", 10, "--action-limit-ms", 100, "--format", "json"]
    done = carico("check", *words, "--", *program(tmp_path, hangs))
    assert done.code == ExitCode.FAILED
    assert {"time", "repeats"} <= set(failed(done))


def test_nothing_is_left_running(tmp_path: Path, marked: Marked) -> None:
    command = program(tmp_path, before="import subprocess; subprocess.Popen(['sleep', '100'])")
    done = marked.run("check", "--states", "10", "--", *command)
    assert done.returncode == 0, done.stdout + done.stderr
