"""The command ``carico`` in tests: as a function, as a process, and what its processes leave behind."""

import os
import subprocess
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from clients.cli.main import main

CARICO = (sys.executable, "-P", "-m", "clients.cli")
MARK = "CARICO_TEST_MARK"


@dataclass(frozen=True)
class Done:
    """What a command came to."""

    code: int
    out: str
    err: str


class Here:
    """Runs commands in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Done:
        self._capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        found = self._capsys.readouterr()
        return Done(code, found.out, found.err)


@dataclass
class Marked:
    """Processes that carry a mark in their environment, as do all that they start."""

    mark: str = field(default_factory=lambda: uuid.uuid4().hex)

    def environment(self) -> dict[str, str]:
        """The environment of a process so marked."""
        return {**os.environ, MARK: self.mark}

    def run(self, *arguments: str | Path, timeout: float = 100, **more: Any) -> "subprocess.CompletedProcess[str]":
        """Runs a command to its end."""
        return subprocess.run(
            [*CARICO, *map(str, arguments)],
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=timeout,
            **more,
        )

    def start(self, *arguments: str | Path, **more: Any) -> "subprocess.Popen[str]":
        """Starts a command in a session of its own."""
        return subprocess.Popen(
            [*CARICO, *map(str, arguments)],
            env=self.environment(),
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            text=True,
            **more,
        )

    def alive(self) -> dict[int, str]:
        """The processes that live and carry the mark, with their command lines; zombies do not live."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                marked = f"{MARK}={self.mark}".encode() in (folder / "environ").read_bytes()
                if marked and (folder / "stat").read_text().rpartition(")")[2].split()[0] != "Z":
                    found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
        return found


def one_line(text: str) -> bool:
    """Whether this is one line and no more."""
    return text.endswith("\n") and text.count("\n") == 1 and len(text) > 1


def without(record: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """The record without these keys."""
    return {key: value for key, value in record.items() if key not in keys}
