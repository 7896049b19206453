"""Nothing is lost and nothing counted twice, whoever is killed; the table is that of an undisturbed season."""

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kit.league import League, wait_until
from worker.audit.run import audit
from worker.store.values import Status

BOTS = ("random", "greedy", "careful")
SEED = bytes(range(32))
SETS = 24
CHUNK = 4


def begin(league: League, workers: int = 2) -> None:
    for bot in BOTS:
        league.start_bot(bot, seed=SEED)
    for number in range(workers):
        league.start_worker(f"worker-{number}")
    wait_until(lambda: sum(bot.version is not None for bot in league.referee.bots()) == len(BOTS), "all bots are here")


def played(league: League) -> list[dict[str, Any]]:
    """The records without what differs from run to run."""
    records = [json.loads(line) for line in league.store.records("s")]
    for record in records:
        del record["match"], record["clock"]
    return records


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    with League(tmp_path_factory.mktemp("calm")) as league:
        begin(league)
        league.create("s", BOTS, deal_sets=SETS, chunk=CHUNK)
        league.wait_finished("s")
        return played(league)


def children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(child) for child in found.stdout.split()]


def harass(league: League, strike: Callable[[int], None], least: int) -> None:
    """Strikes as long as the season runs, each time something has been claimed since; fewer strikes say nothing."""
    strikes = claims = 0

    def claimed() -> bool:
        return league.store.counters("s").get("claims", 0) > claims or finished()

    def finished() -> bool:
        return league.store.status("s") is Status.FINISHED

    while True:
        wait_until(claimed, "a chunk is claimed", 100)
        if finished():
            break
        time.sleep(0.03)
        strike(strikes)
        claims = league.store.counters("s").get("claims", 0)
        strikes += 1
    assert strikes >= least


def check(league: League, undisturbed: list[dict[str, Any]]) -> None:
    keys = [key for key, _ in league.store.ledger("s")]
    assert len(keys) == len(set(keys)) == len(undisturbed)
    assert league.store.counters("s").get("divergent", 0) == 0
    assert played(league) == undisturbed
    assert league.store.progress("s").voids == 0
    assert league.store.progress("s").open == league.store.progress("s").leased == 0
    assert audit(league.store, "s").findings == []


def test_workers_and_pool_children_are_killed(league: League, undisturbed: list[dict[str, Any]]) -> None:
    begin(league)
    league.create("s", BOTS, deal_sets=SETS, chunk=CHUNK)
    chance = random.Random(1)

    def strike(number: int) -> None:
        name = f"worker-{number % 2}"
        process = league.processes[name]
        pool = children(process.pid)
        if number % 3 != 2 and pool:
            os.kill(chance.choice(pool), signal.SIGKILL)
        elif number % 3 == 2:
            league.kill_alone(name)
            wait_until(lambda: not any(map(alive, pool)), "the pool of a killed worker is gone")
            league.start_worker(name)

    harass(league, strike, least=4)
    check(league, undisturbed)
    # A worker that died between commit and release leaves its matches with the referee: one that tidies up frees them.
    from worker.tidy import release_what_is_done

    release_what_is_done(league.store, league.referee)
    assert league.referee.ended() == []


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_referee_is_killed(league: League, undisturbed: list[dict[str, Any]]) -> None:
    begin(league)
    league.create("s", BOTS, deal_sets=SETS, chunk=CHUNK)

    def strike(number: int) -> None:
        if number < 4:
            before = league.store.progress("s").deals
            league.kill("referee")
            league.restart_referee()
            wait_until(
                lambda: league.store.progress("s").deals > before or league.store.status("s") is Status.FINISHED,
                "the season goes on",
            )

    harass(league, strike, least=2)
    check(league, undisturbed)


def test_the_store_is_killed(league: League, undisturbed: list[dict[str, Any]]) -> None:
    begin(league)
    league.create("s", BOTS, deal_sets=SETS, chunk=CHUNK)

    def strike(number: int) -> None:
        if number < 4:
            before = league.store.progress("s").deals
            league.valkey.restart()
            wait_until(
                lambda: league.store.progress("s").deals > before or league.store.status("s") is Status.FINISHED,
                "the season goes on",
            )

    harass(league, strike, least=2)
    check(league, undisturbed)


def test_every_message_comes_three_times(league: League, undisturbed: list[dict[str, Any]]) -> None:
    from worker.app import make_app
    from worker.settings import Settings
    from worker.tasks import PLAY

    begin(league)
    app = make_app(Settings(league.valkey.url, league.address, "not needed to send"))
    league.create("s", BOTS, deal_sets=SETS, chunk=CHUNK)
    for chunk in range(3 * SETS // CHUNK):
        for _ in range(3):
            app.send_task(PLAY, ("s", chunk))
    league.wait_finished("s")
    check(league, undisturbed)
    assert league.store.counters("s")["commits"] == 3 * SETS // CHUNK
