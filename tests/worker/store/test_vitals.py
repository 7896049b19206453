"""What metrics are told of a season, by every back end."""

import pytest

from tests.kit.seasons import create, leased, plan
from tests.kit.stores import EXACT, Clocked
from worker.store.errors import UnknownSeason
from worker.store.port import Store
from worker.store.values import Status, Vitals


def test_they_are_what_the_other_reads_tell(store: Store, season: str) -> None:
    create(store, season, plan())
    lease = leased(store, season, 0)
    store.mark_started(season, 0, lease.fence, "a")
    assert store.sweep(season, 2, 60_000) == [1, 2]
    found = store.vitals(season)
    assert found.progress == store.progress(season)
    assert found.backlog == store.waiting(season).backlog == 2
    assert found.counters == store.counters(season) == {"claims": 1, "enqueued": 2}
    assert found.overdue == 0


@pytest.mark.parametrize("clocked", EXACT, indirect=True)
def test_idle_is_counted_from_the_last_start_of_deals(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season

    def vitals() -> Vitals:
        return store.vitals(season)

    create(store, season, plan(), start=False)
    assert vitals().idle_ms is None
    store.set_status(season, Status.RUNNING)
    clocked.wait(40)
    lease = leased(store, season, 0, lease_ms=100)
    assert vitals().idle_ms == 40
    store.mark_started(season, 0, lease.fence, "a")
    assert vitals().idle_ms == 0
    store.mark_started(season, 0, lease.fence + 1, "a")
    clocked.wait(100)
    assert (vitals().idle_ms, vitals().overdue) == (100, 1)
    store.mark_started(season, 0, lease.fence + 1, "a")
    assert vitals().idle_ms == 100, "a stale start is none"
    store.sweep(season, 0, 1)
    assert vitals().overdue == 0


def test_of_an_unknown_season_there_are_none(store: Store, season: str) -> None:
    with pytest.raises(UnknownSeason):
        store.vitals(season)
