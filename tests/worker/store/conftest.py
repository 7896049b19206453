"""Every back end under the same suite."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.stores import BACKENDS, ON_THE_PATH, Clocked, HandClock, by_hand
from worker.store.embedded import EmbeddedValkey
from worker.store.memory import MemoryStore
from worker.store.open import open_store
from worker.store.port import Store


@pytest.fixture(scope="session")
def on_the_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    assert ON_THE_PATH is not None
    with EmbeddedValkey(tmp_path_factory.mktemp("path"), Path(ON_THE_PATH)) as server:
        yield server.url


@pytest.fixture(params=BACKENDS)
def clocked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Clocked:
    if request.param == "memory":
        clock = HandClock()
        return Clocked(MemoryStore(lambda: clock.now), clock.wait)
    if request.param == "valkey by hand":
        store, clock = by_hand(request.getfixturevalue("valkey"), monkeypatch)
        return Clocked(store, clock.wait)
    url = request.getfixturevalue("valkey" if request.param == "valkey" else "on_the_path")
    return Clocked(open_store(url), lambda ms: time.sleep((ms + 2) / 1000))


@pytest.fixture
def store(clocked: Clocked) -> Store:
    return clocked.store


@pytest.fixture
def season(clocked: Clocked) -> str:
    """The id of a season that is not there yet."""
    return clocked.season
