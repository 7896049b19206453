"""The README's bot is a bot, and short; what it says of commands and exit codes is so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[1] / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_bot_of_the_readme_plays(tmp_path: Path) -> None:
    (code,) = blocks("python")
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    (tmp_path / "mybot.py").write_text(code)
    played = subprocess.run(
        [sys.executable, "-m", "clients.cli", "arena", "random", "mybot.py:MyBot", "--deal-sets", "20", "--seed", "1"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[1]), "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert played.returncode == 0, played.stderr
    assert "mybot" in played.stdout


@pytest.mark.parametrize("line", [line for block in blocks("sh") for line in block.splitlines() if "season" in line])
def test_the_commands_of_the_readme_exist(line: str) -> None:
    words = line.split("#", maxsplit=1)[0].split()
    command = words[1 : words.index("season") + 2]
    asked = subprocess.run([sys.executable, "-m", "clients.cli", *command, "--help"], capture_output=True, text=True)
    assert asked.returncode == 0, asked.stderr
    for option in re.findall(r"--[a-z-]+", line.split("#", maxsplit=1)[0]):
        assert option in asked.stdout


def test_the_exit_codes_of_the_readme_are_those_of_the_help() -> None:
    from clients.cli.failure import EXIT_CODES

    told = {int(code): meaning for code, meaning in re.findall(r"^\| (\d+) \| (.*?) \|$", README, re.MULTILINE)}
    assert told == {int(code): meaning for code, meaning in EXIT_CODES.items()}
