"""The store is away, read-only or full in the middle of a season: a clear message, nothing lost, no restart by hand."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis

from clients.cli.failure import ExitCode
from clients.cli.store_keeper import StoreKeeper
from tests.kit.league import League, wait_until
from worker.audit.run import audit
from worker.referee_client import RefereeUnavailable
from worker.store.embedded import _SETTINGS, EmbeddedValkey
from worker.store.server_binary import server_binary
from worker.store.values import Status

BOTS = ("random", "greedy")
SETS = 40
NO_LIMIT = resource.RLIM_INFINITY


@dataclass(frozen=True)
class Illness:
    """How a store gets ill and well again, and what its clients are to say of it."""

    name: str
    fall: Callable[[redis.Redis, int], object]
    heal: Callable[[redis.Redis, int], object]
    mend: str


def setting(name: str, bad: str, good: str, mend: str) -> Illness:
    return Illness(name, lambda client, _: client.config_set(name, bad), lambda c, _: c.config_set(name, good), mend)


ILLNESSES = (
    Illness(
        "a replica",
        lambda client, _: client.replicaof("127.0.0.1", 1),
        lambda client, _: client.replicaof("NO", "ONE"),
        "give the address of its primary",
    ),
    Illness(
        "a user who may only read",
        lambda client, _: client.execute_command("ACL", "SETUSER", "default", "-@write"),
        lambda client, _: client.execute_command("ACL", "SETUSER", "default", "+@all"),
        "give it the commands and the keys carico:*",
    ),
    Illness(
        "a full disk",
        lambda _, pid: resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, NO_LIMIT)),
        lambda _, pid: resource.prlimit(pid, resource.RLIMIT_FSIZE, (NO_LIMIT, NO_LIMIT)),
        "make room there",
    ),
    setting("min-replicas-to-write", "1", "0", "bring them back"),
    setting("maxmemory", "1", "0", "raise its maxmemory"),
)


def carico(league: League, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-P", "-m", "clients.cli", *arguments, "--redis", league.valkey.url]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def one_sentence(ran: "subprocess.CompletedProcess[str]", code: ExitCode, words: str) -> None:
    assert ran.returncode == code, ran
    assert words in ran.stderr
    assert ran.stderr.count("\n") == 1, ran.stderr


def begin(league: League) -> None:
    for bot in BOTS:
        league.start_bot(bot)
    league.start_worker()
    wait_until(lambda: sum(bot.version is not None for bot in league.referee.bots()) == len(BOTS), "all bots are here")


def play_some(league: League, season: str) -> None:
    """A season that has just begun when this returns."""
    league.create(season, BOTS, deal_sets=SETS, chunk=1)
    wait_until(lambda: league.store.progress(season).done > 1, "some of it is played")
    assert league.store.status(season) is Status.RUNNING


def check(league: League, season: str) -> None:
    """It goes on to its end; the parts are those that were started, and what they committed counts once."""
    league.wait_finished(season)
    assert [name for name, process in league.processes.items() if process.poll() is not None] == []
    assert len(list(league.store.ledger(season))) == len(list(league.store.records(season))) == 2 * SETS
    assert league.store.counters(season)["commits"] == SETS
    assert league.store.voids(season) == []
    assert audit(league.store, season).findings == []
    worker = (league.directory / "worker.log").read_text()
    assert "raised unexpected" not in worker  # how Celery names a task's error that nobody expected
    assert "Unrecoverable" not in worker
    assert "Traceback" not in (league.directory / "referee.log").read_text()


def said(league: League, words: str, since: int) -> bool:
    return words in (league.directory / "worker.log").read_text()[since:]


def live_through(league: League, control: redis.Redis, season: str, illness: Illness) -> None:
    play_some(league, season)
    since = len((league.directory / "worker.log").read_text())
    illness.fall(control, league.valkey.pid)
    wait_until(lambda: said(league, illness.mend, since), f"the worker says {illness.mend}")
    with pytest.raises(RefereeUnavailable, match="STORE_DOWN"):
        league.register(f"late-{since}")
    one_sentence(carico(league, "season", "pause", season), ExitCode.UNREACHABLE, illness.mend)
    status = carico(league, "season", "status", season)
    assert (status.returncode, status.stderr) == (ExitCode.FINE, "")
    illness.heal(control, league.valkey.pid)
    check(league, season)


def test_a_store_that_refuses_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_SETTINGS, "appendfsync", "everysec")  # as a Redis of the operator's usually does
    with League(tmp_path) as league:
        begin(league)
        control = redis.Redis.from_url(league.valkey.url)
        for number, illness in enumerate(ILLNESSES):
            live_through(league, control, f"s{number}", illness)


def test_a_store_that_is_away_for_ten_seconds(tmp_path: Path) -> None:
    with League(tmp_path) as league:
        begin(league)
        play_some(league, "s")
        command = [sys.executable, "-P", "-m", "clients.cli", "season", "watch", "s", "--redis", league.valkey.url]
        seen = tmp_path / "watched"
        with seen.open("w") as out:
            watch = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        try:
            wait_until(lambda: "season s is running" in seen.read_text(), "the watch has begun")
            os.kill(league.valkey.pid, signal.SIGKILL)
            away = time.monotonic()
            why = "see whether it is running and whether the address is right"
            one_sentence(carico(league, "season", "status", "s"), ExitCode.UNREACHABLE, why)
            wait_until(lambda: said(league, why, 0), "the worker says that the store is away")
            time.sleep(max(0.0, away + 10 - time.monotonic()))
            assert watch.poll() is None
            league.valkey.restart()
            check(league, "s")
            assert watch.wait(30) == 0
            assert "season s is finished" in seen.read_text()
            assert "Traceback" not in seen.read_text()
        finally:
            watch.kill()


class Filling(EmbeddedValkey):
    """A private store whose disk is full as long as a file says so."""

    def __init__(self, directory: Path) -> None:
        self.full = directory.parent / "full"
        program = directory.parent / "server"
        program.write_text(f'#!/bin/sh\n[ -e "{self.full}" ] && ulimit -f 1\nexec "{server_binary()}" "$@"\n')
        program.chmod(0o755)
        super().__init__(directory, program)

    def fill(self) -> None:
        self.full.touch()
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (1, NO_LIMIT))


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[tuple[League, Filling, list[str]]]:
    """A league with a private store that is kept as `carico serve` keeps it, and what that tells."""
    told: list[str] = []
    league = League(tmp_path)
    league.valkey = store = Filling(tmp_path / "store")
    over = threading.Event()

    def keep() -> None:
        keeper = StoreKeeper(store, told.append)
        while not over.wait(0.1):
            keeper.check()

    with league:
        keeping = threading.Thread(target=keep)
        keeping.start()
        try:
            yield league, store, told
        finally:
            over.set()
            keeping.join()


def test_a_private_store_on_a_full_disk(kept: tuple[League, Filling, list[str]]) -> None:
    league, store, told = kept
    begin(league)
    play_some(league, "s")
    store.fill()
    room = f"make room on the disk of {store.directory}"
    wait_until(lambda: sum(room in line for line in told) > 2, "the mend is told, and the store is tried again")
    wait_until(lambda: said(league, "see whether it is running", 0), "the worker says what is wrong")
    store.full.unlink()
    check(league, "s")
