"""What a worker tells of seasons and of the store: read there, bounded, cached, and something even without it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kit.scraped import Scraped, collected
from tests.kit.seasons import LONG_MS, create, entries, leased, plan
from tests.kit.stores import HandClock, new_season
from worker import metrics
from worker.metrics import MOST_SEASONS, OUTCOMES, worker_registry
from worker.store.embedded import EmbeddedValkey
from worker.store.errors import StoreUnavailable
from worker.store.memory import MemoryStore
from worker.store.open import open_store
from worker.store.port import Store
from worker.store.values import Status
from worker.sweeps import Sweeps


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def store(clock: HandClock) -> MemoryStore:
    return MemoryStore(lambda: clock.now)


def told(store: Store) -> Scraped:
    """A scrape that nothing was read before."""
    return collected(worker_registry(Sweeps(), lambda: store))


def turns(found: Scraped, season: str) -> dict[str, float]:
    """The turns that any outcome had."""
    every = {outcome: found("carico_season_turns_total", season=season, outcome=outcome) for outcome in OUTCOMES}
    return {outcome: number for outcome, number in every.items() if number}


def test_turns_are_told_by_what_came_of_them(store: MemoryStore, clock: HandClock) -> None:
    create(store, "one", plan(entrants=3, sets=4, size=2))
    first = leased(store, "one", 0)
    store.claim("one", 0, 1000)  # refused: leased
    store.commit("one", 0, first.fence, entries(first.chunk))
    store.commit("one", 0, first.fence, entries(first.chunk))  # repeated
    second = leased(store, "one", 1)
    store.release("one", 1, second.fence, 0)
    third = leased(store, "one", 2)
    store.release("one", 2, third.fence, 0, excused=True)
    fourth = leased(store, "one", 3)
    clock.wait(LONG_MS)
    assert told(store)("carico_season_overdue_leases", season="one") == 1
    store.sweep("one", 10, 1000)
    leased(store, "one", 3)
    store.heartbeat("one", 3, fourth.fence, 1000)  # lost
    store.commit("one", 3, fourth.fence, entries(fourth.chunk))  # stale
    fifth = leased(store, "one", 4)
    store.void("one", 4, fifth.fence, fifth.chunk.first_set, 0, "NO_START", [])
    store.close_fixture("one", 4, fifth.fence, {})
    found = told(store)
    assert turns(found, "one") == dict.fromkeys(OUTCOMES, 1)
    assert found("carico_season_claims_total", season="one") == 6
    assert found("carico_season_leases_expired_total", season="one") == 1
    assert found("carico_season_overdue_leases", season="one") == 0
    assert found("carico_season_voids_total", season="one") == 1
    assert found("carico_season_deals_total", season="one") == 4
    assert found("carico_season_backlog_chunks", season="one") >= 1
    states = {state: found("carico_season_chunks", season="one", state=state) for state in ("open", "leased", "done")}
    assert states == {"open": 2, "leased": 1, "done": 3}


def test_the_time_since_a_deal_was_started(store: MemoryStore, clock: HandClock) -> None:
    name = "carico_season_since_deal_started_seconds"
    create(store, "one", plan(entrants=2, sets=2, size=1), start=False)
    assert name not in told(store).names, "nothing is due yet"
    clock.wait(5_000)
    store.set_status("one", Status.RUNNING)
    clock.wait(7_000)
    assert told(store)(name, season="one") == 7, "it should have started one by now"
    lease = leased(store, "one", 0)
    assert told(store)(name, season="one") == 7, "a claim starts nothing yet"
    store.mark_started("one", 0, lease.fence, "a")
    clock.wait(3_000)
    store.heartbeat("one", 0, lease.fence, 1000)
    assert told(store)(name, season="one") == 3
    store.set_status("one", Status.PAUSED)
    assert name not in told(store).names, "a paused season stands still on purpose"
    clock.wait(60_000)
    store.set_status("one", Status.RUNNING)
    assert told(store)(name, season="one") == 0


def test_only_so_many_seasons_are_told_apart_and_those_that_run_come_first(
    store: MemoryStore, clock: HandClock
) -> None:
    create(store, "old-and-running", plan(entrants=2))
    create(store, "old-and-paused", plan(entrants=2))
    store.set_status("old-and-paused", Status.PAUSED)
    for number in range(MOST_SEASONS + 5):
        clock.wait(1)
        create(store, f"new-{number:02}", plan(entrants=2), start=False)
    found = told(store)
    seasons = found.labels("carico_season_deals_total", "season")
    assert len(seasons) == MOST_SEASONS
    newest = {f"new-{number:02}" for number in range(7, MOST_SEASONS + 5)}
    assert seasons == {"old-and-running", "old-and-paused", *newest}
    assert found("carico_seasons", status="scheduled") == MOST_SEASONS + 5
    assert found("carico_seasons", status="running") == 1


class Counting:
    """Opens a store, counts how often it is read, and may have it away."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.reads = 0
        self.away = False

    def __call__(self) -> Any:
        return self

    def seasons(self) -> Any:
        self.reads += 1
        if self.away:
            raise StoreUnavailable("in the test's hand")
        return self.store.seasons()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


def test_a_crowd_of_scrapes_reads_the_store_once_in_a_second(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(metrics.time, "monotonic", lambda: now)
    create(store, "one", plan(entrants=2))
    counting = Counting(store)
    registry = worker_registry(Sweeps(), counting)
    assert counting.reads == 0, "nothing is read before somebody asks"
    for _ in range(5):
        collected(registry)
    assert counting.reads == 1
    now += 1.0
    collected(registry)
    assert counting.reads == 2


def test_without_the_store_the_rest_is_told(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(metrics.time, "monotonic", lambda: now)
    create(store, "one", plan(entrants=2))
    counting, sweeps = Counting(store), Sweeps(done=3, failed=2)
    registry = worker_registry(sweeps, counting)
    counting.away = True
    found = collected(registry)
    assert found("carico_store_up") == 0
    assert found("carico_worker_sweeps_total") == 3
    assert found("carico_worker_sweeps_failed_total") == 2
    assert not {name for name in found.names if name.startswith("carico_season")}
    counting.away = False
    now += 1.0
    assert collected(registry)("carico_store_up") == 1


def test_a_real_store_tells_of_its_memory_and_its_disk(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path) as server:
        season = new_season()
        store = open_store(server.url)
        create(store, season, plan(entrants=2))
        lease = leased(store, season, 0)
        store.mark_started(season, 0, lease.fence, "a")
        found = told(store)
        assert found("carico_season_claims_total", season=season) == 1
        assert 0 <= found("carico_season_since_deal_started_seconds", season=season) < 60
        assert found("carico_store_up") == 1
        assert found("carico_store_writes_ok") == 1
        assert found("carico_store_memory_bytes") > 0
        assert found("carico_store_log_bytes") > 0
        assert 0 < found("carico_store_disk_free_bytes") < found("carico_store_disk_bytes")
        store.set_status(season, Status.CANCELLED)


def test_a_store_that_is_away_is_not_waited_for() -> None:
    def open_it() -> Store:
        return open_store("redis://127.0.0.1:1/0", tries=0, answer_s=1.0)

    opening: Callable[[], Store] = open_it
    assert collected(worker_registry(Sweeps(), opening))("carico_store_up") == 0
