"""Parts are kept running and nothing is left behind, with real processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from clients.cli.supervisor import MOST_DEATHS, GivenUp, Part, Supervisor
from tests.clients.cli.command import Marked
from tests.kit.league import wait_until

SLEEP = "import time\nprint('up', flush=True)\ntime.sleep(600)\n"
STUBBORN = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + SLEEP
PARENT = (
    "import subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "print('up', child.pid, flush=True)\ntime.sleep(600)\n"
)


def python(name: str, code: str, stage: int = 0, patience: float = 20.0, **environment: str) -> Part:
    return Part(name, [sys.executable, "-c", code], environment, stage, patience)


@pytest.fixture
def supervisor(tmp_path: Path, marked: Marked, monkeypatch: pytest.MonkeyPatch) -> Iterator[Supervisor]:
    for key, value in marked.environment().items():
        monkeypatch.setenv(key, value)
    made = Supervisor(tmp_path)
    yield made
    made.stop(lambda: True)


def wait_for(supervisor: Supervisor, name: str, word: str = "up") -> None:
    wait_until(lambda: word in supervisor.log_of(name).read_text(), f"{name} says {word}", 20)


def gone(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def ignores(pid: int, number: signal.Signals) -> bool:
    status = (Path("/proc") / str(pid) / "status").read_text()
    mask = next(line.split()[1] for line in status.splitlines() if line.startswith("SigIgn:"))
    return bool(int(mask, 16) >> (number - 1) & 1)


def test_a_part_has_its_environment_its_log_and_its_end(supervisor: Supervisor) -> None:
    code = (
        "import os, signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(print('bye')))\n"
        "print('up', os.environ['A'], os.getpgrp() == os.getpid(), flush=True)\n"
        "print('err', file=sys.stderr)\ntime.sleep(600)\n"
    )
    supervisor.start(python("one", code, A="b"))
    wait_for(supervisor, "one", "err")
    supervisor.stop()
    assert supervisor.log_of("one").read_text().split() == ["up", "b", "True", "err", "bye"]


def test_what_dies_is_started_again(supervisor: Supervisor) -> None:
    supervisor.start(python("one", SLEEP))
    wait_for(supervisor, "one")
    first = supervisor.processes()["one"]
    os.kill(first, signal.SIGKILL)
    died: list[str] = []

    def again() -> bool:
        died.extend(supervisor.check())
        return supervisor.processes().get("one", first) != first

    wait_until(again, "it runs again", 20)
    assert died == ["one"]


def test_what_a_dead_leader_leaves_is_killed(supervisor: Supervisor) -> None:
    supervisor.start(python("one", PARENT))
    wait_for(supervisor, "one")
    child = int(supervisor.log_of("one").read_text().split()[1])
    os.kill(supervisor.processes()["one"], signal.SIGKILL)
    wait_until(lambda: supervisor.check() == ["one"], "its death is seen", 20)
    wait_until(lambda: gone(child), "its child is gone", 10)


def test_a_part_that_does_not_stay_up_is_given_up_with_the_end_of_its_log(supervisor: Supervisor) -> None:
    supervisor.start(python("good", SLEEP))
    supervisor.start(python("bad", "print('why \\x1b[31m it ends'); raise SystemExit(1)"))

    def given_up() -> bool:
        supervisor.check()
        return False

    with pytest.raises(GivenUp) as told:
        wait_until(given_up, "it is given up", 30)
    text = str(told.value)
    assert text.startswith("bad ended 5 times")
    assert "why \\x1b[31m it ends" in text
    assert "\x1b" not in text
    assert supervisor.log_of("bad").read_text().count("why") == 5
    assert "good" in supervisor.processes()


@pytest.mark.parametrize("end", ["os.kill(os.getpid(), 9)", "sys.exit(3)"])
def test_a_part_that_is_killed_or_finds_nobody_is_never_given_up(supervisor: Supervisor, end: str) -> None:
    supervisor.start(python("one", f"import os, sys; print('up', flush=True); {end}"))

    def often() -> bool:
        supervisor.check()
        return supervisor.log_of("one").read_text().count("up") > MOST_DEATHS + 1

    wait_until(often, "it was started again and again", 30)


def test_a_stubborn_part_is_killed_when_its_patience_is_over(supervisor: Supervisor) -> None:
    supervisor.start(python("one", STUBBORN, patience=0.1))
    wait_for(supervisor, "one")
    pid = supervisor.processes()["one"]
    supervisor.stop()
    assert gone(pid)


def test_urgent_waits_for_nobody(supervisor: Supervisor) -> None:
    for name in ("one", "two"):
        supervisor.start(python(name, STUBBORN, stage=len(name), patience=1000))
        wait_for(supervisor, name)
    pids = supervisor.processes().values()
    begun = time.monotonic()
    supervisor.stop(lambda: time.monotonic() - begun > 0.2)
    assert all(map(gone, pids))


def test_parts_end_stage_by_stage(supervisor: Supervisor, tmp_path: Path) -> None:
    code = (
        "import os, signal, sys, time\n"
        "def end(*_):\n"
        "    time.sleep(0.1)\n"
        f"    with open({str(tmp_path / 'order')!r}, 'a') as file: file.write(os.environ['NAME'])\n"
        "    sys.exit()\n"
        "signal.signal(signal.SIGTERM, end)\n" + SLEEP
    )
    for name, stage in (("c", 3), ("a", 1), ("b", 2)):
        supervisor.start(python(name, code, stage=stage, NAME=name))
    for name in "abc":
        wait_for(supervisor, name)
    supervisor.stop()
    assert (tmp_path / "order").read_text() == "abc"


def test_a_program_that_is_not_there(supervisor: Supervisor) -> None:
    supervisor.start(Part("one", ["/nothing/here"]))
    wait_for(supervisor, "one", "No such file")


def test_a_killed_supervisor_takes_all_with_it(tmp_path: Path, marked: Marked) -> None:
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom clients.cli.supervisor import Part, Supervisor\n"
        f"supervisor = Supervisor(Path({str(tmp_path)!r}))\n"
        f"supervisor.start(Part('one', [sys.executable, '-c', {PARENT!r}]))\n"
        f"supervisor.start(Part('two', [sys.executable, '-c', {STUBBORN!r}]))\n"
        "print('ready', flush=True)\ntime.sleep(600)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], env=marked.environment(), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == "ready\n"
    for name in ("one", "two"):
        log = tmp_path / f"{name}.log"
        wait_until(lambda log=log: "up" in log.read_text(), "it is up", 20)  # type: ignore[misc]
    assert len(marked.alive()) == 5
    process.kill()
    process.wait()
    wait_until(lambda: not marked.alive(), "all is gone", 10)


def test_the_watchdog_alone_suffices(tmp_path: Path, marked: Marked, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where there is no PR_SET_PDEATHSIG, or for the children of a leader that it killed."""
    from carico import watchdog

    leader = subprocess.Popen(
        [sys.executable, "-c", PARENT], env=marked.environment(), stdout=subprocess.PIPE, start_new_session=True
    )
    assert leader.stdout is not None
    with leader.stdout:
        leader.stdout.readline()
    other = subprocess.Popen([sys.executable, "-c", SLEEP], env=marked.environment(), start_new_session=True)
    dog = subprocess.Popen([sys.executable, "-I", "-S", watchdog.__file__], stdin=subprocess.PIPE, text=True)
    assert dog.stdin is not None
    dog.stdin.write(f"+{leader.pid}\n+{other.pid}\n-{other.pid}\n")
    dog.stdin.flush()
    wait_until(lambda: ignores(dog.pid, signal.SIGINT), "it takes no notice of Ctrl-C", 10)
    dog.send_signal(signal.SIGINT)
    assert len(marked.alive()) == 3
    dog.stdin.close()
    assert leader.wait(10) == -signal.SIGKILL
    dog.wait(10)
    wait_until(lambda: list(marked.alive()) == [other.pid], "the group is gone", 10)
    other.kill()
    other.wait()


def test_a_watchdog_that_was_killed_is_replaced_and_told_everything(supervisor: Supervisor, marked: Marked) -> None:
    supervisor.start(python("one", SLEEP))
    wait_for(supervisor, "one")
    dogs = [pid for pid, command in marked.alive().items() if "watchdog" in command]
    assert len(dogs) == 1
    os.kill(dogs[0], signal.SIGKILL)
    supervisor.start(python("two", SLEEP))

    def replaced() -> bool:
        supervisor.check()
        return any("watchdog" in command and pid not in dogs for pid, command in marked.alive().items())

    wait_until(replaced, "there is another", 10)
