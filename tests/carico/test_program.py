"""Programs on a leash: lines to and fro, and nothing of them that outlives us."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from carico.cannot_play import CannotPlay
from carico.json_lines import LINE_LIMIT
from carico.program import LineTooLong, Program, located
from tests.kit.league import wait_until

ROOT = Path(__file__).parents[2]
PARENT = """
import sys, time
from carico.program import Program
program = Program(sys.argv[1:])
print(program.pid, flush=True)
time.sleep(100)
"""


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def shell(script: str) -> Program:
    return Program(["/bin/sh", "-c", script])


def read(program: Program, lines: int = 1) -> list[bytes]:
    """That many lines, or fewer where the output ends before."""
    found: list[bytes] = []
    while len(found) < lines and not program.ended:
        assert select.select([program.output], [], [], 20)[0]
        found += program.lines()
    return found


@pytest.fixture
def cat() -> Iterator[Program]:
    program = Program(["/bin/cat"])
    yield program
    program.kill()


def test_lines_to_and_fro(cat: Program) -> None:
    cat.say(b"one\n")
    cat.say(b"two\n\n  \nthree\n")
    assert read(cat, 3) == [b"one", b"two", b"three"]
    assert not cat.waits_to_write


def test_a_line_in_pieces_is_one_line() -> None:
    program = shell("printf 'a'; sleep 0.05; printf 'b'; sleep 0.05; echo c")
    assert read(program) == [b"abc"]
    program.kill()


def test_a_program_that_does_not_read_holds_nobody_up() -> None:
    program = shell("sleep 100")
    program.say(b"x" * 1_000_000 + b"\n")
    assert program.waits_to_write
    program.flush()
    assert program.kill() == "it was killed"


def test_a_program_that_takes_its_time_gets_everything() -> None:
    program = shell("sleep 0.1; wc -c")
    program.say(b"x" * 1_000_000)
    while program.waits_to_write:
        select.select([], [program.input], [], 20)
        program.flush()
    os.close(os.dup(program.input))
    assert program._process.stdin is not None
    program._process.stdin.close()
    assert read(program)[0].strip() == b"1000000"
    program.kill()


@pytest.mark.parametrize("length", [LINE_LIMIT - 1, LINE_LIMIT])
@pytest.mark.parametrize("end", ["; echo", ""])
def test_the_longest_line(length: int, end: str) -> None:
    program = shell(f"head -c {length} /dev/zero | tr '\\0' x{end}; sleep 100")
    try:
        if length < LINE_LIMIT and end:
            assert read(program) == [b"x" * length]
        elif length == LINE_LIMIT:
            with pytest.raises(LineTooLong):
                read(program)
    finally:
        program.kill()


def test_a_flood_is_read_in_parts() -> None:
    program = shell("yes")
    assert 0 < len(read(program)) < 1_000_000
    program.kill()


@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("exit 3", "it ended with exit code 3"),
        ("kill -SEGV $$", "it died of signal 11, Segmentation fault"),
        ("exec >&-; sleep 100", "it closed its stdout and was killed"),
    ],
)
def test_how_it_ended(script: str, how: str) -> None:
    program = shell(script)
    assert read(program) == []
    assert program.kill() == how


def test_it_ends_when_its_input_ends() -> None:
    assert shell("cat").close()


def test_what_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carico.program.END_S", 0.1)
    program = shell("trap '' TERM; while :; do sleep 1; done")
    assert not program.close()
    assert not alive(program.pid)


def test_what_it_started_goes_with_it() -> None:
    program = shell("sleep 100 & echo $!; exit 0")
    child = int(read(program)[0])
    assert alive(child)
    program.kill()
    wait_until(lambda: not alive(child), "the child is gone", 10)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_however_its_parent_ends(number: int) -> None:
    command = [sys.executable, "-c", PARENT, "/bin/sh", "-c", "sleep 101 & sleep 100; :"]
    parent = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert parent.stdout is not None
    with parent.stdout:
        pid = int(parent.stdout.readline())

    def group() -> list[int]:
        # Field 5 of stat, the third after the name, is the process group.
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == pid and fields[0] != "Z":
                found.append(int(stat.parent.name))
        return found

    wait_until(lambda: len(group()) == 3, "the program has started its children", 10)
    parent.send_signal(number)
    parent.wait(20)
    wait_until(lambda: not group(), "nothing is left", 10)


def test_what_is_no_program(tmp_path: Path) -> None:
    with pytest.raises(CannotPlay, match="no such program"):
        located([str(tmp_path / "nothing")])
    (tmp_path / "text").touch(0o644)
    with pytest.raises(CannotPlay, match="chmod"):
        located([str(tmp_path / "text")])
    with pytest.raises(CannotPlay, match="which program"):
        located([])
    assert located(["sh", "-c", "x"])[1:] == ["-c", "x"]
    assert located(["sh"])[0].startswith("/")


def test_a_file_that_cannot_be_run_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "junk").write_bytes(b"\0\1\2")
    (tmp_path / "junk").chmod(0o755)
    program = Program(located([str(tmp_path / "junk")]))
    assert read(program) == []
    assert program.kill() == "it ended with exit code 1"
    assert "Exec format error" in capfd.readouterr().err
