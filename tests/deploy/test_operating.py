"""The operator's page: its commands exist with their options, and its files are there."""

import re
import shlex
import subprocess
import sys
from functools import cache

import pytest

from tests.kit.deployed import DEPLOY

PAGE = (DEPLOY.parent / "docs" / "operating.md").read_text()
VERBS = {"referee": 1, "worker": 1, "office": 1, "bot": 2, "season": 2}


def commands() -> list[list[str]]:
    """What the page runs with carico, its own words only; those of the container begin after ``organiser``."""
    found = []
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line.partition("#")[0])
            for start in ("carico", "organiser"):
                if start in words and words.index(start) + 1 < len(words) and words[words.index(start) + 1] in VERBS:
                    found.append(words[words.index(start) + 1 :])
                    break
    return found


@cache
def help_of(*verb: str) -> str:
    ran = subprocess.run([sys.executable, "-m", "clients.cli", *verb, "--help"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_there_are_commands() -> None:
    assert len(commands()) >= 10


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_a_command_exists_with_its_options(words: list[str]) -> None:
    told = help_of(*words[: VERBS[words[0]]])
    for option in (word for word in words if word.startswith("--")):
        assert re.search(rf"^  {option}\b", told, re.MULTILINE), option


@pytest.mark.parametrize("name", re.findall(r"`?(deploy/[A-Za-z/.]+[A-Za-z])`?", PAGE))
def test_a_file_that_it_names_is_there(name: str) -> None:
    made_by_the_operator = ("deploy/secrets", "deploy/.env")
    assert name.startswith(made_by_the_operator) or (DEPLOY.parent / name).exists()


def test_what_could_not_be_tried_is_marked() -> None:
    assert "### With containers (not run)" in PAGE
