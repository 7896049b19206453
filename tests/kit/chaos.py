"""Strikes against a running league, drawn from a seed: which, whom, and at how many chunks done."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import redis

from tests.kit.cutting_proxy import CuttingProxy, Where, is_commit
from tests.kit.league import League, wait_until
from worker.store.values import Status

TORN: Final = b"*3\r\n$3\r\nSET\r\n$19\r\ncarico:{s}:never-wr"
"""The beginning of a command, as a kill leaves it at the end of the log."""

REFUSALS: Final = (
    ("maxmemory", "1", "0"),
    ("min-replicas-to-write", "1", "0"),
)
"""Settings under which the store refuses to write, and those under which it writes again."""


class Chaos:
    """Workers that send everything thrice, die in the middle of calls and lose connections, and what is done to all."""

    def __init__(
        self, league: League, proxy: CuttingProxy, seed: int, workers: int, deaths: float, cuts: float
    ) -> None:
        """``deaths`` is the share of calls that end a pool child, ``cuts`` that of commits without an answer."""
        self.told: list[str] = []
        self._league, self._proxy, self._seed = league, proxy, seed
        self._chance = random.Random(seed)
        self._workers = [f"worker-{number}" for number in range(workers)]
        self._deaths = deaths
        self._starts = 0
        cutting = random.Random(f"cuts {seed}")

        def choose(request: bytes) -> Where | None:
            return "answer" if is_commit(request) and cutting.random() < cuts else None

        proxy.choose = choose
        for worker in self._workers:
            self._start(worker)
        self._strikes: dict[str, tuple[int, Callable[[], None]]] = {
            "a pool child is killed": (6, self.kill_child),
            "a worker is killed, not its pool": (4, self.kill_worker),
            "a worker is killed with its pool": (2, self.kill_group),
            "a worker is stopped for longer than its lease": (2, self.stop_worker),
            "a pool child is stopped for longer than its lease": (2, self.stop_child),
            "the store is killed": (3, self.kill_store),
            "the store is killed in the middle of a write": (2, self.tear_log),
            "the store refuses to write": (2, self.refuse),
            "the store becomes a replica": (1, self.replica),
            "the referee is killed": (3, self.kill_referee),
            "all connections to the store are cut": (2, self.cut_all),
            "all is killed at once": (1, self.kill_all),
        }

    def strike_until_finished(self, season: str, chunks: int, strikes: int) -> None:
        """Strikes at so many moments of a season, counted by its chunks, then waits for its end."""
        names = list(self._strikes)
        weights = [weight for weight, _ in self._strikes.values()]
        # Each at least once where there is room, in an order drawn by the seed; the more likely ones more often.
        plan = self._chance.sample(names, len(names))[:strikes]
        plan += self._chance.choices(names, weights, k=max(0, strikes - len(names)))
        moments = sorted(self._chance.sample(range(1, chunks - 2 * len(self._workers)), strikes))
        for moment, name in zip(moments, plan, strict=True):
            self._wait_for(season, moment)
            time.sleep(self._chance.random() * 0.1)
            self.told.append(f"{moment}: {name}")
            self._strikes[name][1]()
        self._league.wait_finished(season, 120)

    def _wait_for(self, season: str, done: int) -> None:
        def come() -> bool:
            progress = self._league.store.progress(season)
            return progress.done >= done or progress.status is Status.FINISHED

        wait_until(come, f"{done} chunks are done", 60)

    # --- strikes ---

    def kill_child(self) -> None:
        pool = children(self._league.processes[self._chance.choice(self._workers)].pid)
        if pool:
            kill(self._chance.choice(pool), signal.SIGKILL)

    def kill_worker(self) -> None:
        name = self._chance.choice(self._workers)
        pool = children(self._league.processes[name].pid)
        self._league.kill_alone(name)
        wait_until(lambda: not any(map(alive, pool)), "the pool of a killed worker is gone")
        self._start(name)

    def kill_group(self) -> None:
        name = self._chance.choice(self._workers)
        self._league.kill(name)
        self._start(name)

    def stop_worker(self) -> None:
        process = self._league.processes[self._chance.choice(self._workers)]
        self._stop([process.pid, *children(process.pid)])

    def stop_child(self) -> None:
        pool = children(self._league.processes[self._chance.choice(self._workers)].pid)
        self._stop(pool[:1])

    def kill_store(self) -> None:
        self._kill_store()
        time.sleep(self._chance.random())
        self._league.valkey.restart()

    def tear_log(self) -> None:
        self._kill_store()
        (log,) = (self._league.valkey.directory / "appendonlydir").glob("*.incr.aof")
        with log.open("ab") as file:
            file.write(TORN)
        self._league.valkey.restart()

    def refuse(self) -> None:
        setting, bad, good = self._chance.choice(REFUSALS)
        with redis.Redis.from_url(self._league.valkey.url) as control:
            control.config_set(setting, bad)
            time.sleep(0.5 + self._chance.random())
            control.config_set(setting, good)

    def replica(self) -> None:
        with redis.Redis.from_url(self._league.valkey.url) as control:
            control.replicaof("127.0.0.1", 1)
            time.sleep(0.5 + self._chance.random())
            control.replicaof("NO", "ONE")

    def kill_referee(self) -> None:
        self._league.kill("referee")
        self._league.restart_referee()

    def cut_all(self) -> None:
        self._proxy.cut_all()

    def kill_all(self) -> None:
        for name in (*self._workers, "referee"):
            self._league.kill(name)
        self._kill_store()
        self._league.valkey.restart()
        self._league.restart_referee()
        for name in self._workers:
            self._start(name)

    # --- how ---

    def _start(self, name: str) -> None:
        self._starts += 1
        doom = f"{self._seed * 1000 + self._starts} {self._deaths}"
        self._league.start_worker(name, through=self._proxy.url, doom=doom)

    def _stop(self, pids: list[int]) -> None:
        for pid in pids:
            kill(pid, signal.SIGSTOP)
        time.sleep(self._league.lease_ms / 1000 + self._chance.random())
        for pid in pids:
            kill(pid, signal.SIGCONT)

    def _kill_store(self) -> None:
        os.kill(self._league.valkey.pid, signal.SIGKILL)
        wait_until(lambda: not self._league.valkey.alive, "the store is dead")


def kill(pid: int, number: int) -> None:
    """Sends a signal to a process that may have ended."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def children(pid: int) -> list[int]:
    """The processes that this one has started and that live."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(child) for child in found.stdout.split()]


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
