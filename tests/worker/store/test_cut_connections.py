"""The connection is lost in the middle of a call: it is tried again, and has happened once."""

from collections.abc import Iterator

import pytest

from tests.kit.cutting_proxy import CuttingProxy, Where
from tests.kit.seasons import LONG_MS, create, entries, late, leased, plan
from tests.kit.stores import new_season
from worker.store.open import open_store
from worker.store.port import Store
from worker.store.values import Closing, Commit, Status

pytestmark = pytest.mark.parametrize("where", ["request", "answer"])


@pytest.fixture
def proxy(valkey: str) -> Iterator[CuttingProxy]:
    with CuttingProxy(valkey.removeprefix("unix://")) as proxy:
        yield proxy


@pytest.fixture
def store(proxy: CuttingProxy) -> Store:
    return open_store(proxy.url)


def test_commits_count_once_each(store: Store, proxy: CuttingProxy, where: Where) -> None:
    season, p = new_season(), plan(entrants=2, sets=60, size=1)
    create(store, season, p)
    for chunk in p.chunks:
        lease = leased(store, season, chunk.number)
        proxy.cut_next(where)
        answer = store.commit(season, chunk.number, lease.fence, entries(chunk))
        assert answer is (Commit.RECORDED if where == "request" else Commit.ALREADY)
    assert proxy.cuts == 60
    assert [entry.key for chunk in p.chunks for entry in entries(chunk)] == [key for key, _ in store.ledger(season)]
    assert len(list(store.records(season))) == 120
    assert store.status(season) is Status.FINISHED
    assert store.counters(season)["commits"] == 60
    assert "divergent" not in store.counters(season)


def test_every_other_call_happens_once(store: Store, proxy: CuttingProxy, where: Where) -> None:
    season, p = new_season(), plan()
    proxy.cut_next(where)
    create(store, season, p, open_entry=True, start=False)
    proxy.cut_next(where)
    store.set_status(season, Status.RUNNING)
    proxy.cut_next(where)
    lease = leased(store, season, 0)
    assert lease.fence == 1
    assert store.counters(season) == {"claims": 1}
    proxy.cut_next(where)
    assert store.heartbeat(season, 0, 1, LONG_MS)
    proxy.cut_next(where)
    assert store.mark_started(season, 0, 1, "a") == {0: "a", 1: "a"}
    proxy.cut_next(where)
    assert store.void(season, 0, 1, 0, 0, "NO_START", []) == 1
    assert len(store.voids(season)) == 1
    proxy.cut_next(where)
    assert store.admit(season, 3, *late(p))
    assert len(store.entrants(season)) == 4
    proxy.cut_next(where)
    closing = store.close_fixture(season, 0, 1, {}, even_if_begun=True)
    assert closing is (Closing.CLOSED if where == "request" else Closing.ALREADY)
    assert store.counters(season)["closures"] == 1
    lease = leased(store, season, 2)
    proxy.cut_next(where)
    store.release(season, 2, lease.fence, 0)
    assert not store.heartbeat(season, 2, lease.fence, LONG_MS)
    proxy.cut_next(where)
    swept = store.sweep(season, 100, LONG_MS)
    if where == "request":
        assert swept == list(range(2, 12))
    else:
        assert (swept, store.waiting(season).backlog) == ([], 10), "enqueued again when they are due again"
    proxy.cut_next(where)
    assert store.void_set(season, 6, 0, "ORGANISER: so", "ann").attempt == 1
    assert store.attempts(season)[6] == 1
    proxy.cut_next(where)
    lease = leased(store, season, 3)
    proxy.cut_next(where)
    assert store.late_records(season, 3, lease.fence, 6, 0, ["line"])
    assert store.voids(season)[-1].records == ("line",)
    proxy.cut_next(where)
    store.withdraw(season, 1, "ann")
    assert [deed.did for deed in store.log(season)] == ["void", "withdraw"]
    assert len(store.withdrawals(season)) == 1
    assert store.differences(season) == []
    assert proxy.cuts == 14
