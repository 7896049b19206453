"""Runs the parts of a league as processes of their own, starts again what dies unasked, and leaves nothing behind.

Each part is the leader of a process group of its own. Three things see to its end: ``stop``, which asks first; the
death of this process, with which Linux kills each leader (``die_with_parent``); and the ``watchdog``, which then kills
the groups. All of it is to be called from the main thread, since Linux takes the end of the starting thread for that of
the parent.
"""

import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from carico import die_with_parent, watchdog
from clients.cli.failure import ExitCode, Failure
from clients.cli.plain_text import plain
from clients.cli.signals import held_back

BARE: Final = (sys.executable, "-I", "-S")
"""An interpreter that starts in ten milliseconds."""

STEADY_SECONDS: Final = 10.0
"""A part that ran for so long has started well."""

MOST_DEATHS: Final = 5
"""So many deaths in a row before it ran steadily, and it is given up."""

FROM_OUTSIDE: Final = (-signal.SIGKILL, -signal.SIGTERM, ExitCode.UNREACHABLE)
"""Ends that are no fault of the part: somebody killed it, or what it needs is away. They count as no deaths."""

FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 10.0
"""The pauses before a part is started again, in seconds: each is twice the one before."""

TAIL_LINES: Final = 12


@dataclass(frozen=True, slots=True)
class Part:
    """A process to keep running."""

    name: str
    """Names its log, too."""
    command: Sequence[str]
    """The first word is the path of a program."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Put over this process's own."""
    stage: int = 0
    """Parts end in rising order of their stage."""
    patience: float = 5.0
    """Seconds that it may take to end when asked; then it is killed."""


@dataclass(slots=True)
class _Running:
    part: Part
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    deaths: int = 0
    """In a row, none of them after a steady run."""
    again_at: float = 0.0


class GivenUp(Failure):
    """A part that does not stay up; its text has the end of its log."""


class Supervisor:
    """Keeps parts running until ``stop``. ``logs`` is the folder of their logs, which must be there."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._parts: dict[str, _Running] = {}
        self._watchdog = self._start_watchdog()

    def start(self, part: Part) -> None:
        """Starts a part. It is looked after from now on."""
        self._parts[part.name] = running = _Running(part)
        self._launch(running)

    def check(self) -> list[str]:
        """Starts again what died, after a pause that doubles with each death; returns what died since the last call.

        To be called a few times a second. Raises GivenUp for a part that died five times in a row after its start by
        its own fault: one that is killed, or can't reach what it needs, is started again for ever.
        """
        if self._watchdog.poll() is not None:
            self._watchdog = self._start_watchdog()
        now = time.monotonic()
        died = []
        for running in self._parts.values():
            if running.process is None:
                if now >= running.again_at:
                    self._launch(running)
            elif _has_ended(running.process):
                died.append(running.part.name)
                self._plan_again(running, self._bury(running), now)
        return died

    def processes(self) -> dict[str, int]:
        """The process ids of the parts that run now, by name."""
        return {name: running.process.pid for name, running in self._parts.items() if running.process is not None}

    def stop(self, urgent: Callable[[], bool] = lambda: False) -> None:
        """Ends all parts, stage by stage: asks each, waits for its patience, kills what is left of its group.

        As soon as ``urgent`` says so it kills them all at once. Nothing runs any more when it returns.
        """
        alive = [running for running in self._parts.values() if running.process is not None]
        for stage in sorted({running.part.stage for running in alive}):
            self._end_stage([running for running in alive if running.part.stage == stage], urgent)
        self._parts.clear()
        self._end_watchdog()

    def tail(self, name: str) -> str:
        """The last lines of a part's log, made harmless."""
        try:
            with self.log_of(name).open(encoding="utf-8", errors="backslashreplace") as log:
                return "\n".join(f"  {plain(line.rstrip())}" for line in deque(log, TAIL_LINES))
        except OSError:
            return ""

    def log_of(self, name: str) -> Path:
        """Where a part's log is."""
        return self._logs / f"{name}.log"

    # --- one part ---

    def _launch(self, running: _Running) -> None:
        part = running.part
        try:
            log = self.log_of(part.name).open("ab")
        except OSError as error:
            raise Failure(f"{self.log_of(part.name)}: cannot write this log: {error.strerror}") from error
        # A signal must not come between the start and the note of it.
        with log, held_back():
            process = _popen([*BARE, die_with_parent.__file__, str(os.getpid()), *part.command], part.environment, log)
            running.process, running.started = process, time.monotonic()
            self._tell_watchdog(f"+{process.pid}")

    def _bury(self, running: _Running) -> int:
        """Kills what is left of the group of a part whose leader has ended, and lets go of it; returns how it ended."""
        process = running.process
        assert process is not None
        _kill_group(process.pid)
        code = process.wait()
        self._tell_watchdog(f"-{process.pid}")
        running.process = None
        return code

    def _plan_again(self, running: _Running, code: int, now: float) -> None:
        if code in FROM_OUTSIDE:
            running.again_at = now + FIRST_PAUSE
            return
        if now - running.started >= STEADY_SECONDS:
            running.deaths = 0
        running.deaths += 1
        if running.deaths >= MOST_DEATHS:
            name = running.part.name
            raise GivenUp(
                f"{name} ended {running.deaths} times right after its start, so it is given up. "
                f"The end of {self.log_of(name)}:\n{self.tail(name)}"
            )
        running.again_at = now + min(FIRST_PAUSE * 2.0 ** (running.deaths - 1), LONGEST_PAUSE)

    def _end_stage(self, ending: Sequence[_Running], urgent: Callable[[], bool]) -> None:
        asked = time.monotonic()
        for running in ending:
            if running.process is not None:
                with suppress(ProcessLookupError):
                    os.kill(running.process.pid, signal.SIGTERM)
        left = list(ending)
        while left and not urgent():
            for running in left:
                late = time.monotonic() - asked >= running.part.patience
                if running.process is not None and (late or _has_ended(running.process)):
                    self._bury(running)
            left = [running for running in left if running.process is not None]
            if left:
                time.sleep(0.02)
        for running in left:
            self._bury(running)

    # --- the watchdog ---

    def _start_watchdog(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*BARE, watchdog.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            text=True,
        )
        self._watchdog = process
        for pid in self.processes().values():
            self._tell_watchdog(f"+{pid}")
        return process

    def _tell_watchdog(self, line: str) -> None:
        # Where it has just died the pipe is broken; check() starts another, which is told everything.
        with suppress(BrokenPipeError):
            _input_of(self._watchdog).write(f"{line}\n")
            _input_of(self._watchdog).flush()

    def _end_watchdog(self) -> None:
        with suppress(BrokenPipeError):
            _input_of(self._watchdog).close()
        self._watchdog.wait()


def _popen(command: Sequence[str], environment: Mapping[str, str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
        start_new_session=True,
    )


def _input_of(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdin is not None
    return process.stdin


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the leader has ended. It is left as it is, so that its process id still names its group and no other."""
    if hasattr(os, "waitid"):
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return process.poll() is not None


def _kill_group(group: int) -> None:
    # macOS says EPERM where only zombies are left in the group.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
