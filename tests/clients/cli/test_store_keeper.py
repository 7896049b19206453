"""The private store comes back by itself, however often it dies and whatever it lacked."""

import resource
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from clients.cli.store_keeper import StoreKeeper
from tests.kit.league import wait_until
from tests.kit.seasons import create, plan
from tests.kit.stores import kill, new_season
from worker.store.embedded import EmbeddedValkey
from worker.store.errors import StoreUnavailable
from worker.store.open import open_store


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey(tmp_path / "store") as server:
        yield server


def kept_alive(keeper: StoreKeeper, server: EmbeddedValkey) -> None:
    def alive() -> bool:
        keeper.check()
        return server.alive

    wait_until(alive, "the store runs again", 30)


def test_a_store_that_is_killed_again_and_again(server: EmbeddedValkey) -> None:
    told: list[str] = []
    keeper, url = StoreKeeper(server, told.append), server.url
    season = new_season()
    create(open_store(url), season, plan())
    for _ in range(4):
        kill(server)
        kept_alive(keeper, server)
    assert server.url == url
    assert open_store(url).progress(season).open == 6
    assert sum("ended and is started again" in line for line in told) == 4


def test_a_store_that_cannot_be_started_is_tried_again_until_it_can(server: EmbeddedValkey, tmp_path: Path) -> None:
    told: list[str] = []
    keeper, season = StoreKeeper(server, told.append), new_season()
    store = open_store(server.url)
    create(store, season, plan())
    kill(server)
    log, away = tmp_path / "store" / "appendonlydir", tmp_path / "away"
    log.rename(away)
    log.touch()  # what is in its place is no folder

    def refused() -> bool:
        keeper.check()
        return any("can't be started and is tried again" in line and "Not a directory" in line for line in told)

    wait_until(refused, "it says why it can't be started", 30)
    log.unlink()
    shutil.move(away, log)
    kept_alive(keeper, server)
    assert told[-1] == "the store is back"
    assert store.progress(season).open == 6


def test_a_full_disk_is_told_with_its_mend(server: EmbeddedValkey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redis.retry.sleep", lambda _: None)
    told: list[str] = []
    keeper, store = StoreKeeper(server, told.append), open_store(server.url)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    with pytest.raises(StoreUnavailable):
        create(store, new_season(), plan())
    wait_until(lambda: not server.alive, "the store has ended")
    kept_alive(keeper, server)
    assert f"make room on the disk of {server.directory}" in told[0]
    create(store, new_season(), plan())
