"""The example in Node: it installs from its lock file, plays at a referee, and says why it can't."""

import asyncio
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.kit.example_bots import EXAMPLES, PROTO, plays_whole_matches
from tests.kit.served import Served

OUT_OF_REACH = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "network")


def major() -> int:
    """Node's major version, 0 where there is none."""
    if not shutil.which("node") or not shutil.which("npm"):
        return 0
    return int(subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.lstrip("v").split(".")[0])


pytestmark = pytest.mark.skipif(
    major() < 18, reason="there is no Node 18 or newer with npm here (Debian: apt-get install nodejs npm)"
)


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, installed in a folder of its own."""
    folder = tmp_path_factory.mktemp("node") / "bot"
    shutil.copytree(EXAMPLES / "node", folder, ignore=shutil.ignore_patterns("node_modules"))
    words = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=110)
    if done.returncode != 0 and any(sign in done.stderr for sign in OUT_OF_REACH):
        pytest.skip(f"npm can't reach its registry: {done.stderr.strip().splitlines()[0]}")
    assert done.returncode == 0, done.stderr
    return folder / "bot.js"


def test_the_lock_file_names_hashes_and_no_registry() -> None:
    lock = json.loads((EXAMPLES / "node" / "package-lock.json").read_text())
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert not any("resolved" in package for package in packages.values())


async def test_it_plays_at_a_referee(bot: Path, served: Served, tmp_path: Path) -> None:
    command = ["node", str(bot), "--name", "nodebot", "--bot-version", "1"]
    await plays_whole_matches(served, "nodebot", command, tmp_path / "log", CARICO_PROTO=str(PROTO))
    assert "connected" in (tmp_path / "log").read_text()


async def run(bot: Path, served: Served, *words: str, token: str = "carico_wrong") -> tuple[int | None, str]:
    environment = {**os.environ, "CARICO_TOKEN": token, "CARICO_REFEREE": served.address, "CARICO_PROTO": str(PROTO)}
    process = await asyncio.create_subprocess_exec(
        "node", str(bot), *words, stderr=asyncio.subprocess.PIPE, stdin=asyncio.subprocess.DEVNULL, env=environment
    )
    async with asyncio.timeout(20):
        _, errors = await process.communicate()
    return process.returncode, errors.decode()


async def test_it_says_why_it_cannot_play(bot: Path, served: Served) -> None:
    code, errors = await run(bot, served, "--name", "nodebot")
    assert code == 1
    assert "BAD_TOKEN" in errors
    code, errors = await run(bot, served)
    assert code == 2
    assert "usage" in errors
