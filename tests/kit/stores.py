"""Stores for tests: the memory, a real server by its own clock, and one by a clock in the test's hand."""

import os
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import pytest
import redis

from worker.store import scripts
from worker.store.embedded import EmbeddedValkey
from worker.store.link import Link
from worker.store.port import Store
from worker.store.redis import RedisStore

START_MS = 1_800_000_000_000
ON_THE_PATH = shutil.which("valkey-server") or shutil.which("redis-server")
BACKENDS = ["memory", "valkey", "valkey by hand", *(["on the PATH"] if ON_THE_PATH else [])]
EXACT = BACKENDS[:1] + BACKENDS[2:3]
"""Those whose time is in the test's hand."""

_numbers = count()


def new_season() -> str:
    """An id that no other test has."""
    return f"season-{next(_numbers)}"


def kill(server: EmbeddedValkey) -> None:
    """Kills the server without a word, once it has handed what it acknowledged to the system, and sees it dead.

    With everysec it keeps writes back for up to two seconds while it waits for the disk.
    """
    client = redis.Redis.from_url(server.url)
    while client.info("persistence")["aof_buffer_length"]:
        time.sleep(0.001)
    os.kill(server.pid, signal.SIGKILL)
    while server.alive:
        time.sleep(0.001)


@dataclass
class Clocked:
    """A store, and how its time passes."""

    store: Store
    wait: Callable[[int], None]
    """Lets at least so many milliseconds pass; with EXACT no more."""
    season: str = field(default_factory=new_season)


class HandClock:
    """Milliseconds that pass only when told to."""

    def __init__(self, tell: Callable[[int], object] = lambda _: None) -> None:
        self.now = START_MS
        self._tell = tell
        tell(self.now)

    def wait(self, ms: int) -> None:
        self.now += ms
        self._tell(self.now)


def by_hand(url: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Store, HandClock]:
    """A store whose scripts read a key of the test instead of the server's clock."""
    asked = "local time = redis.call('TIME')"
    told = "local told = redis.call('GET', 'clock')\nlocal time = {math.floor(told / 1000), told % 1000 * 1000}"
    assert asked in scripts.script("claim")
    monkeypatch.setattr("worker.store.redis.script", lambda name: scripts.script(name).replace(asked, told))
    client = redis.Redis.from_url(url)
    return RedisStore(Link(url)), HandClock(lambda now: client.set("clock", now))
