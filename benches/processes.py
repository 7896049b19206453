"""Python processes that a bench starts, each ended by whoever started it."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent

PYTHON: Final = Path(sys.executable)

TERM_S: Final = 15
"""How long a server may take for its end."""


class Failed(Exception):
    """A process of a bench did not do its work; the text has what it wrote."""


@dataclass(frozen=True, slots=True)
class Server:
    """A process that serves."""

    address: str
    pid: int


def run(*arguments: str, profile: Path | None = None, python: Path = PYTHON) -> Any:
    """Runs ``python -m ARGUMENTS`` and returns what its last line says in JSON. Raises Failed."""
    done = subprocess.run(
        _command(arguments, profile, python),
        cwd=ROOT,
        env=_environment({}),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Failed(f"{' '.join(arguments)} ended with {done.returncode}:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def run_together(number: int, *arguments: str) -> list[Any]:
    """Runs ``python -m ARGUMENTS`` so many times at once; returns what the last line of each says in JSON.

    Each prints a line when it is ready, and waits for one before it begins. Raises Failed.
    """
    with ExitStack() as ends:
        processes = [ends.enter_context(_piped(arguments)) for _ in range(number)]
        for process in processes:
            assert process.stdout is not None
            if not process.stdout.readline():
                raise Failed(f"{' '.join(arguments)} did not get ready")
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("begin\n")
            process.stdin.flush()
        told = [process.communicate()[0] for process in processes]
        if any(process.returncode for process in processes):
            raise Failed(f"{' '.join(arguments)} ended with {[process.returncode for process in processes]}")
        return [json.loads(lines.splitlines()[-1]) for lines in told]


@contextmanager
def _piped(arguments: tuple[str, ...]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        _command(arguments, None),
        cwd=ROOT,
        env=_environment({}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def serve(*arguments: str, extra: Mapping[str, str] | None = None, profile: Path | None = None) -> Iterator[Server]:
    """``python -m ARGUMENTS`` as a server: the last word of its first line is its address. Raises Failed."""
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            _command(arguments, profile),
            cwd=ROOT,
            env=_environment(extra or {}),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        try:
            line = process.stdout.readline().split()
            if not line:
                errors.seek(0)
                raise Failed(f"{' '.join(arguments)} did not start:\n{errors.read()}")
            yield Server(line[-1], process.pid)
        finally:
            process.terminate()
            try:
                process.wait(TERM_S)
            except subprocess.TimeoutExpired:
                process.kill()


def cpu_seconds(pid: int) -> float:
    """CPU time that a process has used, all its threads, user and system, in s; in steps of the kernel's ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def fine_cpu_seconds(pid: int) -> float:
    """The same in steps of the scheduler, of the threads that run now."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def _command(arguments: tuple[str, ...], profile: Path | None, python: Path = PYTHON) -> list[str]:
    profiler = ["-m", "cProfile", "-o", str(profile)] if profile is not None else []
    return [str(python), *profiler, "-m", *arguments]


def _environment(extra: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, "GRPC_VERBOSITY": "ERROR", **extra}
