"""``carico serve`` with seasons by file and bots of their own, as an organiser runs it."""

import json
import os
import signal
import stat
import subprocess
from pathlib import Path

from carico.record import verify
from clients.cli.data_directory import DataDirectory
from clients.cli.failure import ExitCode
from tests.clients.cli.command import Marked
from tests.kit.league import wait_until

SEASON = """\
name = "{name}"
game = "briscola-2"
deal_sets = 3
chunk = 1
no_show = "10m"

[[entrant]]
bot = "random"
version = "1"

[[entrant]]
bot = "greedy"
version = "1"
"""


def serve(marked: Marked, data: Path) -> "subprocess.Popen[str]":
    process = marked.start(
        "serve", "--data", data, "--listen", "127.0.0.1:0", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "Ctrl-C ends the league" in line:
            return process
    raise AssertionError("it ended before it served")


def done(marked: Marked, *arguments: str | Path) -> str:
    ran = marked.run(*arguments)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def finished(marked: Marked, data: Path, season: str) -> bool:
    rows = json.loads(done(marked, "season", "status", season, "--data", data, "--format", "json"))
    return bool(rows[0]["status"] == "finished")


def organised_from_elsewhere(marked: Marked, data: Path) -> None:
    """The office of the league does what it is asked to, and its parts have admin sockets for their owner alone."""
    log = data / "logs" / "office.log"
    wait_until(lambda: "office listening on" in log.read_text(), "the office listens")
    office = log.read_text().split("office listening on ")[1].split()[0]
    token = ("--organiser-token-file", data / "organiser.token")
    done(marked, "season", "rebuild", "one", "--by", "far", "--office", office, *token)
    deeds = json.loads(done(marked, "season", "log", "one", "--data", data, "--format", "json"))
    assert deeds[-1]["by"] == "far from 127.0.0.1"
    for part in ("referee", "office"):
        socket = DataDirectory(data).admin_socket(part)
        if socket is not None:
            assert stat.S_IMODE(socket.stat().st_mode) == 0o600


def test_a_league_that_stays(tmp_path: Path, marked: Marked) -> None:
    data = tmp_path / "data"
    league = serve(marked, data)
    bots = []
    for name in ("random", "greedy"):
        done(marked, "bot", "register", name, "--owner", "me", "--save", "--data", data)
        bots.append(marked.start("bot", "run", name, "--name", name, "--version", "1", "--data", data))
    for name in ("one", "two"):
        Path("season.toml").write_text(SEASON.format(name=name))
        assert "1 fixtures" in done(marked, "season", "create", "season.toml", "--data", data)
    Path("season.toml").write_text(SEASON.format(name="three").replace("greedy", "nobody"))
    refused = marked.run("season", "create", "season.toml", "--data", data)
    assert (refused.returncode, refused.stderr.count("nobody")) == (ExitCode.USAGE, 1)
    done(marked, "season", "start", "one", "--data", data)
    wait_until(lambda: finished(marked, data, "one"), "the first season is finished")

    organised_from_elsewhere(marked, data)
    second = marked.run("serve", "--data", data, "--listen", "127.0.0.1:0")
    assert second.returncode == ExitCode.FAILED
    assert "a league runs in this directory already" in second.stderr

    league.send_signal(signal.SIGINT)
    assert league.wait(30) == 0
    for bot in bots:
        bot.terminate()
        bot.wait(20)
    assert not (data / "league.json").exists()
    assert marked.run("season", "list", "--data", data).returncode == ExitCode.UNREACHABLE

    league = serve(marked, data)
    bots = [
        marked.start("bot", "run", name, "--name", name, "--version", "1", "--data", data)
        for name in ("random", "greedy")
    ]
    assert finished(marked, data, "one")
    done(marked, "season", "start", "two", "--data", data)
    wait_until(lambda: finished(marked, data, "two"), "the second season is finished")
    done(marked, "season", "export", "two", "--data", data, "--out", tmp_path / "out")
    lines = (tmp_path / "out" / "records.jsonl").read_text().splitlines()
    assert len(lines) == 6
    for line in lines:
        verify(json.loads(line))
        assert {seat["owner"] for seat in json.loads(line)["seats"]} == {"me"}

    os.kill(league.pid, signal.SIGKILL)
    league.wait()
    for bot in bots:
        bot.terminate()
        bot.wait(20)


def test_a_port_that_is_taken_is_told_at_once(tmp_path: Path, marked: Marked) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        ran = marked.run("serve", "--data", tmp_path / "data", "--listen", address)
    assert ran.returncode == ExitCode.FAILED
    assert address in ran.stderr
    assert ran.stderr.count("\n") == 1
