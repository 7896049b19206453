"""The example in C: it compiles without a warning, passes the kit, and plays at a referee."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from carico.program_bots import ProgramBots
from carico.rules.game import game
from carico.testing import check_bot
from tests.kit.deals import EVERY
from tests.kit.example_bots import EXAMPLES, plays_whole_matches
from tests.kit.served import Served

COMPILER = next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here (Debian: apt-get install gcc)")


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tmp_path_factory.mktemp("c") / "bot"
    words = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", str(made)]
    assert COMPILER is not None
    subprocess.run([COMPILER, *words, str(EXAMPLES / "c" / "bot.c")], check=True)
    return str(made)


def test_it_passes_the_kit(bot: str) -> None:
    told: list[str] = []
    bots = ProgramBots([bot], name="c", tell=told.append)
    found = list(check_bot(bots, [game(name) for name in EVERY], states=100, begin_again=bots.bridge.restart))
    assert [finding for finding in found if not finding.ok] == []
    assert bots.close()
    assert told == bots.bridge.stops == bots.bridge.bad_lines == []


async def test_it_plays_at_a_referee(bot: str, served: Served, tmp_path: Path) -> None:
    run = [sys.executable, "-m", "clients.cli", "bot", "run", "--name", "cbot", "--version", "1", "--", bot]
    await plays_whole_matches(served, "cbot", run, tmp_path / "log")
    assert "connected" in (tmp_path / "log").read_text()
