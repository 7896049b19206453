"""Two hosts that share nothing but a wire: a season over TLS, as docs/operating.md says. It needs root."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from carico.record import verify
from clients.cli.failure import ExitCode
from tests.deploy.conftest import program
from tests.kit.league import wait_until

A, B = "10.201.77.1", "10.201.77.2"
CARICO = (sys.executable, "-P", "-m", "clients.cli")
SEASON = """\
name = "two-hosts"
game = "briscola-2"
deal_sets = 10
chunk = 5
legs = 2

[[entrant]]
bot = "here"
version = "1"

[[entrant]]
bot = "there"
version = "1"
"""


class Host:
    """A network of its own, with one end of the wire."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.environment: dict[str, str] = {"CARICO_DATA": str(folder / "no-league")}
        self.processes: list[subprocess.Popen[bytes]] = []
        folder.mkdir()

    def run(self, *command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """Runs a command on this host to its end."""
        return subprocess.run(
            ["ip", "netns", "exec", self.name, *command],
            cwd=self.folder,
            env={**os.environ, **self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=60,
        )

    def carico(self, *arguments: str) -> str:
        """What a command of carico prints; fails where it fails."""
        ran = self.run(*CARICO, *arguments)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def start(self, name: str, *command: str, **environment: str) -> Path:
        """Starts a program; returns its log."""
        log = self.folder / f"{name}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["ip", "netns", "exec", self.name, *command],
                cwd=self.folder,
                env={**os.environ, **self.environment, **environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        self.processes.append(process)
        return log

    def end(self) -> None:
        """Ends what it started."""
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[tuple[Host, Host]]:
    ip = program("ip", "iproute2")
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    a, b = (Host(f"carico-{os.getpid()}-{end}", tmp_path / end) for end in "ab")
    wires = f"ca{os.getpid()}", f"cb{os.getpid()}"
    if subprocess.run([ip, "netns", "add", a.name], capture_output=True).returncode:
        pytest.skip("this kernel or container gives no network namespaces")
    try:
        for command in (
            f"netns add {b.name}",
            f"link add {wires[0]} netns {a.name} type veth peer name {wires[1]} netns {b.name}",
            f"-n {a.name} addr add {A}/24 dev {wires[0]}",
            f"-n {b.name} addr add {B}/24 dev {wires[1]}",
            *(
                f"-n {host} link set {dev} up"
                for host, wire in ((a.name, wires[0]), (b.name, wires[1]))
                for dev in ("lo", wire)
            ),
        ):
            subprocess.run([ip, *command.split()], check=True)
        yield a, b
    finally:
        for host in (b, a):
            host.end()
            subprocess.run([ip, "netns", "del", host.name])


def certify(folder: Path) -> None:
    """An authority and a certificate for host A, by the very lines of the operator's page."""
    program("openssl", "openssl")
    page = (Path(__file__).parents[2] / "docs" / "operating.md").read_text()
    lines = next(block for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if "openssl req -x509" in block)
    subprocess.run(
        ["sh", "-eu"],
        input=lines.replace("DNS:a.example", f"IP:{A}"),
        cwd=folder,
        check=True,
        text=True,
        capture_output=True,
    )


def serve(a: Host) -> None:
    """Store and referee, on host A."""
    certify(a.folder)
    store = program("redis-server", "redis-server")
    tls = ("--tls-cert-file", "chain.pem", "--tls-key-file", "key.pem", "--tls-ca-cert-file", "ca.pem")
    keeps = ("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction", "--save", "")
    log = a.start(
        "store",
        store,
        *keeps,
        "--requirepass",
        "pass",
        "--port",
        "0",
        "--tls-port",
        "6379",
        "--bind",
        A,
        "--tls-auth-clients",
        "no",
        *tls,
    )
    wait_until(lambda: "Ready to accept connections" in log.read_text(), "the store is ready")
    a.environment |= {
        "CARICO_REDIS": f"rediss://:pass@{A}:6379/0?ssl_ca_certs={a.folder}/ca.pem",
        "CARICO_REFEREE": f"{A}:12040",
    }
    log = a.start(
        "referee",
        *CARICO,
        "referee",
        "--listen",
        "0.0.0.0:12040",
        "--tls-cert",
        "chain.pem",
        "--tls-key",
        "key.pem",
        "--organiser-token-file",
        "organiser.token",
        "--metrics",
        "9140",
        "--log-format",
        "json",
    )
    wait_until(lambda: "referee listening on" in log.read_text(), "the referee listens")


@pytest.mark.soak
@pytest.mark.timeout(300)
def test_a_season_on_two_hosts(hosts: tuple[Host, Host]) -> None:
    a, b = hosts
    serve(a)
    for name in ("ca.pem", "organiser.token"):
        shutil.copy(a.folder / name, b.folder / name)
    (b.folder / "organiser.token").chmod(0o600)
    b.environment |= {key: value.replace(str(a.folder), str(b.folder)) for key, value in a.environment.items()}
    organiser = ("--tls-ca", "ca.pem", "--organiser-token-file", "organiser.token")
    nothing_goes_in_plain_text(a, b)

    for host, bot, house in ((a, "here", "greedy"), (b, "there", "careful")):
        token = host.carico("bot", "register", bot, "--owner", bot, *organiser).strip()
        host.start(
            bot, *CARICO, "bot", "run", house, "--name", bot, "--version", "1", "--tls-ca", "ca.pem", CARICO_TOKEN=token
        )
    worker = b.start("worker", *CARICO, "worker", *organiser, "--metrics", "9141", "--log-format", "json")
    wait_until(lambda: "worker ready" in worker.read_text(), "the worker is ready")

    (b.folder / "season.toml").write_text(SEASON)
    b.carico("season", "create", "season.toml", *organiser)
    b.carico("season", "start", "two-hosts")

    def status() -> Any:
        return json.loads(a.carico("season", "status", "two-hosts", "--format", "json"))[0]["status"]

    wait_until(lambda: status() == "finished", "the season is finished", 120)
    a.carico("season", "export", "two-hosts", "--out", "out")
    records = [json.loads(line) for line in (a.folder / "out" / "records.jsonl").read_text().splitlines()]
    assert len(records) == 2 * 10 * 2
    for record in records:
        verify(record)
        assert record["outcome"]["faults"] == []


def nothing_goes_in_plain_text(a: Host, b: Host) -> None:
    """Off this machine no part sends or takes a token without TLS, and metrics stay where they are."""
    plain = a.run(*CARICO, "referee", "--listen", "0.0.0.0:12041", "--organiser-token-file", "organiser.token")
    assert plain.returncode == ExitCode.FAILED
    assert "--tls-cert" in plain.stderr
    plain = b.run(*CARICO, "worker", "--organiser-token-file", "organiser.token")
    assert plain.returncode == ExitCode.USAGE
    assert "--tls-ca" in plain.stderr
    fetch = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=5)"
    assert a.run(sys.executable, "-c", fetch, "http://127.0.0.1:9140/metrics").returncode == 0
    assert b.run(sys.executable, "-c", fetch, f"http://{A}:9140/metrics").returncode != 0
