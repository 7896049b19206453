from threading import Thread

import pytest

from tests.kit.seasons import create, entries, late, leased, plan
from worker.store.port import Store
from worker.store.values import Event, Status


def test_a_live_view_is_told_in_order(store: Store, season: str) -> None:
    p = plan(entrants=2)
    create(store, season, p, open_entry=True)
    lease = leased(store, season, 0)
    store.void(season, 0, lease.fence, 1, 0, "NO_START", [])
    store.commit(season, 0, lease.fence, entries(lease.chunk))
    store.admit(season, 2, *late(p))
    store.close_fixture(season, 2, leased(store, season, 2).fence, {})
    told = store.events(season)
    assert [(event.kind, dict(event.data)) for event in told] == [
        ("status", {"status": "scheduled"}),
        ("status", {"status": "running"}),
        ("void", {"chunk": 0, "deal_set": 1, "attempt": 0, "reason": "NO_START"}),
        ("commit", {"chunk": 0, "fixture": 0, "deals": 4}),
        ("entrant", {"entrant": 2}),
        ("closure", {"fixture": 1}),
    ]
    assert store.events(season, told[2].id) == told[3:]
    assert store.events(season, told[2].id, count=2) == told[3:5]
    assert store.last_event(season) == told[-1].id
    assert store.events(season, told[-1].id) == []
    assert store.events(season, told[-1].id, block_ms=1) == []


def test_a_live_view_may_wait(store: Store, season: str) -> None:
    create(store, season, plan())
    last = store.last_event(season)
    heard: list[Event] = []
    listener = Thread(target=lambda: heard.extend(store.events(season, last, block_ms=5000)))
    listener.start()
    store.set_status(season, Status.PAUSED)
    listener.join()
    assert [event.data for event in heard] == [{"status": "paused"}]


@pytest.mark.parametrize("wait", [-1, 5001])
def test_a_wait_is_shorter_than_the_patience_of_a_connection(store: Store, season: str, wait: int) -> None:
    create(store, season, plan())
    with pytest.raises(ValueError, match="block_ms"):
        store.events(season, block_ms=wait)
