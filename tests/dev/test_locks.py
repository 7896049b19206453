"""The lock files: complete, with hashes, and free of any address; and a light base for the authors of bots."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "proto/generator.lock", "deploy/requirements.lock", "benches/peers.lock")
PIN = re.compile(r"^(?P<name>[a-z0-9.-]+)==\S+(?: ; [^\\]+)? \\$")


def project() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return table


def name_of(requirement: str) -> str:
    """The bare name: `celery` of `celery[redis]>=5.7`."""
    return re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0].lower()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_is_a_pin_or_a_hash_and_every_pin_has_one(lock: str) -> None:
    hashed = True
    for line in (ROOT / lock).read_text().splitlines():
        if re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?", line):
            hashed = True
        else:
            assert PIN.match(line), f"neither a pin nor a hash: {line}"
            assert hashed, f"no hash before {line}"
            hashed = False
    assert hashed


@pytest.mark.parametrize("lock", LOCKS)
def test_no_address_and_no_folder_is_in_a_lock(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert not re.search(r"://|--(?:extra-)?index-url|--find-links|--trusted-host|^-|\bfile:|@ ", text, re.MULTILINE)


def test_the_lock_holds_every_dependency_and_the_build_backend() -> None:
    text = (ROOT / "requirements.lock").read_text()
    locked = {match["name"] for line in text.splitlines() if (match := PIN.match(line))}
    table = project()
    asked = table["dependencies"] + table["optional-dependencies"]["league"] + table["optional-dependencies"]["dev"]
    backend = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert {name_of(requirement) for requirement in asked + backend} <= locked


def test_the_image_holds_what_a_host_of_a_league_needs_in_the_versions_that_are_tested() -> None:
    tested, image = ((ROOT / lock).read_text() for lock in ("requirements.lock", "deploy/requirements.lock"))
    pins = {line for line in image.splitlines() if PIN.match(line)}
    assert pins <= set(tested.splitlines())
    table = project()
    asked = table["dependencies"] + table["optional-dependencies"]["league"]
    assert {name_of(requirement) for requirement in asked} <= {line.partition("==")[0] for line in pins}


def test_the_author_of_a_bot_installs_four_packages() -> None:
    requirements = project()["dependencies"]
    assert {name_of(requirement) for requirement in requirements} == {"grpcio", "protobuf", "typer", "rich"}
    assert "grpcio>=1.71.2,<2" in requirements
    assert "protobuf>=5.29.6,<8" in requirements, "must install beside protobuf 5.29 to 7"
