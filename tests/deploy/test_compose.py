"""The compose file and the image: valid, and in agreement with the commands that they run. No container runs here."""

import os
import re
import subprocess
import sys
from typing import Any

import pytest

from tests.deploy.conftest import program
from tests.kit.deployed import DEPLOY, load

COMPOSE = load("compose.yaml")
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "carico"}


def words(service: Any) -> list[str]:
    command = service["command"]
    return list(command) if isinstance(command, list) else str(command).split()


def test_docker_compose_takes_it() -> None:
    path = program("docker-compose", "docker-compose")
    command = [path, "--file", str(DEPLOY / "compose.yaml"), "config", "--quiet"]
    ran = subprocess.run(command, env={**os.environ, "STORE_PASSWORD": "x"}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    without = {key: value for key, value in os.environ.items() if key != "STORE_PASSWORD"}
    ran = subprocess.run(command, env=without, capture_output=True, text=True)
    assert ran.returncode != 0
    assert "deploy/.env" in ran.stderr, "a store without a password is refused"


@pytest.mark.parametrize("name", [name for name in OURS if name != "organiser"])
def test_each_command_is_one_with_these_options(name: str) -> None:
    given = words(OURS[name])
    verb = given[: 2 if given[0] == "bot" else 1]
    ran = subprocess.run([sys.executable, "-m", "clients.cli", *verb, "--help"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    options = [word for word in given if word.startswith("--")]
    assert options
    for option in options:
        assert re.search(rf"^  {option}\b", ran.stdout, re.MULTILINE), option


def test_secrets_are_files_that_the_services_name() -> None:
    for name, service in OURS.items():
        mounted = {word.rpartition("/")[2] for word in words(service) if word.startswith("/run/secrets/")}
        if name != "organiser":
            assert mounted == set(service["secrets"]), name
        assert set(service["secrets"]) <= set(COMPOSE["secrets"])
    serving = ("referee", "office")
    assert "key" not in {
        secret for name, service in OURS.items() if name not in serving for secret in service["secrets"]
    }
    assert "organiser" not in OURS["office"]["secrets"], "it asks the referee"


def test_what_others_reach_speaks_tls_and_metrics_stay_inside() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {
        "referee": ["12040:12040"],
        "office": ["12041:12041"],
        "prometheus": ["127.0.0.1:9090:9090"],
    }
    for name in ("referee", "office"):
        assert "--tls-cert" in words(OURS[name])
        assert "--admin" not in words(OURS[name])
    assert COMPOSE["networks"]["inner"] == {"internal": True}
    for name in ("store", "worker"):
        assert SERVICES[name]["networks"] == ["inner"]


def test_prometheus_scrapes_the_ports_that_are_served() -> None:
    jobs = {job["job_name"]: job for job in load("prometheus/prometheus.yml")["scrape_configs"]}
    (target,) = jobs["carico-referee"]["static_configs"][0]["targets"]
    assert f"--metrics 0.0.0.0:{target.removeprefix('referee:')}" in SERVICES["referee"]["command"]
    (target,) = jobs["carico-office"]["static_configs"][0]["targets"]
    assert f"--metrics 0.0.0.0:{target.removeprefix('office:')}" in SERVICES["office"]["command"]
    found = jobs["carico-worker"]["dns_sd_configs"][0]
    assert found["names"] == ["worker"]
    assert f"--metrics 0.0.0.0:{found['port']}" in SERVICES["worker"]["command"]


def test_the_store_forgets_nothing() -> None:
    for setting in ("--appendonly yes", "--appendfsync always", "--maxmemory-policy noeviction"):
        assert setting in SERVICES["store"]["command"]


def test_the_image_copies_what_is_there_and_what_is_let_through() -> None:
    let_through = {line[1:] for line in (DEPLOY.parent / ".dockerignore").read_text().splitlines() if line[0] == "!"}
    copied = [
        name
        for line in (DEPLOY / "Containerfile").read_text().splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for name in line.split()[1:-1]
    ]
    assert copied
    for name in copied:
        assert (DEPLOY.parent / name).exists(), name
    assert set(copied) == let_through


def test_nobody_in_the_image_is_root() -> None:
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    assert [line for line in lines if line.startswith("USER ")] == ["USER 10120:10120"]
    assert any("useradd --uid 10120" in line for line in lines)
