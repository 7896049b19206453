"""Where metrics are asked for, and how ``carico serve`` hands that on to its parts."""

import re
import signal
import subprocess
from pathlib import Path

import pytest

from carico.log_lines import LogFormat
from clients.cli.failure import BadUsage, ExitCode
from clients.cli.league import Watched
from clients.cli.parameters import metrics_address
from tests.clients.cli.command import Marked
from tests.kit.league import wait_until
from tests.kit.scraped import scrape


def test_a_bare_port_is_this_machine_s_alone() -> None:
    assert metrics_address("9140") == "127.0.0.1:9140"
    assert metrics_address("0.0.0.0:0") == "0.0.0.0:0"
    assert metrics_address("[::1]:9140") == "[::1]:9140"
    assert metrics_address(None) is None


@pytest.mark.parametrize("text", ["", "here", "unix:/tmp/x", "127.0.0.1:70000", "70000", ":9140"])
def test_what_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(BadUsage):
        metrics_address(text)


def test_each_part_has_a_port_of_its_own() -> None:
    watched = Watched("127.0.0.1:9140", LogFormat.JSON)
    assert watched.arguments(0) == ["--log-format", "json", "--metrics", "127.0.0.1:9140"]
    assert watched.arguments(2)[-1] == "127.0.0.1:9142"
    assert Watched("127.0.0.1:0").arguments(2)[-1] == "127.0.0.1:0"
    assert Watched().arguments(1) == ["--log-format", "text"]
    with pytest.raises(BadUsage, match="65536"):
        Watched("127.0.0.1:65535").arguments(1)


def printed_url(log: Path) -> str:
    """Where a part says that its metrics are."""
    printed = re.compile(r"^metrics on (http://127\.0\.0\.1:\d+/metrics)$", re.MULTILINE)
    wait_until(lambda: log.exists() and printed.search(log.read_text()) is not None, f"{log} names a place")
    return str(printed.findall(log.read_text())[0])


def test_a_served_league_can_be_watched(tmp_path: Path, marked: Marked) -> None:
    data = tmp_path / "data"
    arguments = ("--data", data, "--listen", "127.0.0.1:0", "--workers", "2", "--metrics", "0")
    league = marked.start("serve", *arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    urls = [printed_url(data / "logs" / f"{part}.log") for part in ("referee", "worker-1", "worker-2")]
    for url, name in zip(urls, ("carico_referee_info", "carico_store_up", "carico_store_up"), strict=True):
        assert name in scrape(url).names
    assert len(set(urls)) == 3
    league.send_signal(signal.SIGINT)
    assert league.wait(30) == 0


def test_a_taken_place_is_one_line(tmp_path: Path, marked: Marked) -> None:
    ran = marked.run(
        "referee",
        "--in-memory",
        "--listen",
        "127.0.0.1:0",
        "--metrics",
        "192.0.2.1:9140",
        "--data",
        tmp_path,
        "--organiser-token-file",
        tmp_path / "token",
    )
    assert ran.returncode == ExitCode.FAILED
    assert "192.0.2.1:9140" in ran.stderr
    assert ran.stderr.count("\n") == 1
