import logging
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.cli.command import Here, Marked
from tests.kit.league import wait_until


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No league is near: an empty directory, a config folder of its own, no settings of the user's."""
    for name in [name for name in os.environ if name.startswith("CARICO_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.fixture(autouse=True)
def log_ends_with_its_test() -> Iterator[None]:
    """What a command that serves has set up in this process writes to a stream that is gone after its test."""
    yield
    root = logging.getLogger()
    root.handlers[:] = [handler for handler in root.handlers if type(handler) is not logging.StreamHandler]


@pytest.fixture
def carico(capsys: pytest.CaptureFixture[str]) -> Here:
    return Here(capsys)


@pytest.fixture
def marked() -> Iterator[Marked]:
    """Processes of this test; that none of them outlives it is part of every test that uses it."""
    made = Marked()
    yield made
    try:
        wait_until(lambda: not made.alive(), "nothing is left running", 10)
    finally:
        for pid in made.alive():
            os.kill(pid, signal.SIGKILL)
