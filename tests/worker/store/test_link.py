"""A server that is away, cannot write or is not fit for a season."""

import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.kit.cutting_proxy import CuttingProxy
from tests.kit.seasons import create, entries, leased, plan
from tests.kit.stores import kill, new_season
from worker.store.embedded import _SETTINGS, EmbeddedValkey
from worker.store.errors import StoreError, StoreUnavailable
from worker.store.link import Link
from worker.store.open import open_store
from worker.store.port import Store
from worker.store.redis import RedisStore
from worker.store.values import Commit


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedValkey]:
    """A server that a test may maltreat, if it makes good again."""
    with EmbeddedValkey(tmp_path_factory.mktemp("own")) as server:
        yield server


@pytest.fixture
def control(server: EmbeddedValkey) -> redis.Redis:
    return redis.Redis.from_url(server.url, decode_responses=True)


@pytest.fixture
def store(server: EmbeddedValkey) -> Store:
    return open_store(server.url)


def test_a_server_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("redis.retry.sleep", waits.append)
    with pytest.raises(StoreUnavailable, match=r"the store at redis://127\.0\.0\.1:1/0 is unavailable: .*see whether"):
        open_store("redis://carico:geheim@127.0.0.1:1/0")
    assert 0 < sum(waits) < 2
    waits.clear()
    with pytest.raises(StoreUnavailable) as told:
        RedisStore(Link("redis://carico:geheim@127.0.0.1:1/0")).seasons()
    assert 8 < sum(waits) < 20
    assert "geheim" not in str(told.value)


def test_a_server_that_comes_back_is_waited_for(
    server: EmbeddedValkey, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = new_season()
    create(store, season, plan())
    lease = leased(store, season, 0)
    waits: list[float] = []

    def back_after_three(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            server.restart()

    monkeypatch.setattr("redis.retry.sleep", back_after_three)
    kill(server)
    assert store.commit(season, 0, lease.fence, entries(lease.chunk)) is Commit.RECORDED
    assert len(waits) == 3


def test_a_server_that_does_not_answer_is_asked_again(
    server: EmbeddedValkey, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = new_season()
    create(store, season, plan())
    link = Link(server.url)
    link.client.connection_pool.connection_kwargs["socket_timeout"] = 0.05
    asked_again: list[float] = []

    def wake(seconds: float) -> None:
        asked_again.append(seconds)
        os.kill(server.pid, signal.SIGCONT)

    monkeypatch.setattr("redis.retry.sleep", wake)
    os.kill(server.pid, signal.SIGSTOP)
    assert RedisStore(link).status(season) == "running"
    assert asked_again


@pytest.mark.parametrize(
    ("setting", "bad", "good", "why"),
    [
        ("maxmemory", "1", "0", "out of memory.*raise its maxmemory|OOM.*raise its maxmemory"),
        ("min-replicas-to-write", "1", "0", "NOREPLICAS.*bring them back"),
    ],
)
def test_a_server_that_may_not_write_says_why(
    store: Store, control: redis.Redis, setting: str, bad: str, good: str, why: str
) -> None:
    season = new_season()
    create(store, season, plan())
    lease = leased(store, season, 0)
    control.config_set(setting, bad)
    try:
        with pytest.raises(StoreUnavailable, match=why):
            store.commit(season, 0, lease.fence, entries(lease.chunk))
    finally:
        control.config_set(setting, good)
    assert store.progress(season).deals == 0
    assert store.commit(season, 0, lease.fence, entries(lease.chunk)) is Commit.RECORDED


def test_a_replica_is_no_store(store: Store, control: redis.Redis) -> None:
    season = new_season()
    create(store, season, plan())
    control.replicaof("127.0.0.1", 1)
    try:
        with pytest.raises(StoreUnavailable, match="address of its primary"):
            store.claim(season, 0, 1000)
    finally:
        control.replicaof("NO", "ONE")


def fill_the_disk(server: EmbeddedValkey) -> None:
    """The server may write no more bytes to its files."""
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))


def play_until_it_fails(store: Store, season: str, why: str) -> int:
    """Commits chunks until the store says why it can't; returns how many it acknowledged."""
    done = 0

    def play_on() -> None:
        nonlocal done
        for chunk in range(400):
            lease = leased(store, season, chunk)
            done += store.commit(season, chunk, lease.fence, entries(lease.chunk)) is Commit.RECORDED

    with pytest.raises(StoreUnavailable, match=why):
        play_on()
    return done


def test_a_full_disk_under_the_private_store_costs_nothing_that_was_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that syncs every write ends where it can't, with last words that say why; started again it has all."""
    monkeypatch.setattr("redis.retry.sleep", lambda _: None)
    season = new_season()
    with EmbeddedValkey(tmp_path) as server:
        store = open_store(server.url)
        create(store, season, plan(entrants=2, sets=400, size=1))
        fill_the_disk(server)
        done = play_until_it_fails(store, season, "see whether it is running")
        assert "AOF" in "".join(server.last_words())
        server.restart()
        # The commit that was never acknowledged may have been written whole, or not at all.
        assert store.progress(season).done in (done, done + 1)
        assert len(list(store.records(season))) == 2 * store.progress(season).done
        create(store, new_season(), plan())


def test_a_full_disk_under_a_server_that_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that syncs every second refuses to write, and writes again by itself when there is room."""
    monkeypatch.setitem(_SETTINGS, "appendfsync", "everysec")
    season = new_season()
    with EmbeddedValkey(tmp_path) as server:
        store = open_store(server.url)
        create(store, season, plan(entrants=2, sets=400, size=1))
        fill_the_disk(server)
        done = play_until_it_fails(store, season, "make room")
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        while True:
            try:
                create(store, f"{season}-after", plan())
                break
            except StoreUnavailable:
                continue
        assert store.progress(season).done == done
        server.restart()
        assert store.progress(season).done == done
        assert len(list(store.records(season))) == 2 * done


def test_whoever_is_not_let_in_is_told_at_once(
    server: EmbeddedValkey, control: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("redis.retry.sleep", lambda _: pytest.fail("no use in waiting"))
    allowed = ["+@read", "+info", "+multi", "+exec"]
    control.acl_setuser("reader", enabled=True, passwords=["+pass"], keys=["carico:*"], commands=allowed)
    with pytest.raises(StoreUnavailable, match="another user or password"):
        open_store(f"{server.url}?username=reader&password=wrong")
    store = open_store(f"{server.url}?username=reader&password=pass")
    assert isinstance(store.seasons(), list)
    with pytest.raises(StoreUnavailable, match="may not do that"):
        create(store, new_season(), plan())


def test_a_server_that_throws_keys_away_is_refused(server: EmbeddedValkey, control: redis.Redis) -> None:
    control.config_set("maxmemory-policy", "allkeys-lru")
    try:
        with pytest.raises(StoreError, match=r"allkeys-lru.*set maxmemory-policy noeviction"):
            open_store(server.url)
    finally:
        control.config_set("maxmemory-policy", "noeviction")


def test_an_old_server_is_refused(server: EmbeddedValkey) -> None:
    with CuttingProxy(server.url.removeprefix("unix://")) as proxy:
        proxy.altered = (b"redis_version:7", b"redis_version:6")
        with pytest.raises(StoreError, match=r"is Redis 6\.\S+: 7\.0 or newer"):
            open_store(proxy.url)
        proxy.altered = (b"redis_version:7", b"redis_version:8")
        assert open_store(proxy.url).seasons() == open_store(server.url).seasons()


def test_what_is_kept_stays_through_kills(tmp_path: Path) -> None:
    season, p = new_season(), plan(entrants=2, sets=8, size=1)
    with EmbeddedValkey(tmp_path / "data") as server:
        store = open_store(server.url)
        create(store, season, p)
        for chunk in p.chunks:
            lease = leased(store, season, chunk.number)
            kill(server)
            server.restart()
            assert store.commit(season, chunk.number, lease.fence, entries(chunk)) is Commit.RECORDED
    with EmbeddedValkey(tmp_path / "data") as server:
        store = open_store(server.url)
        assert [key for key, _ in store.ledger(season)] == [entry.key for chunk in p.chunks for entry in entries(chunk)]
        assert store.progress(season).done == 8
