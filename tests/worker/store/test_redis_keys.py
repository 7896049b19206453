"""What lies in Redis: under which keys, and nothing that is not needed any more."""

import pytest
import redis
from redis.crc import key_slot

from tests.kit.seasons import create, entries, late, leased, plan
from tests.kit.stores import new_season
from worker.store.keys import KINDS, SEASONS, faults_key, key, keys
from worker.store.open import open_store
from worker.store.values import Closing, Commit, FaultNote


@pytest.fixture
def client(valkey: str) -> redis.Redis:
    return redis.Redis.from_url(valkey, decode_responses=True)


def everything(valkey: str, season: str) -> None:
    """One of each: late entry, void, commit, closing, an organiser's void, a withdrawal, to the end."""
    store, p = open_store(valkey), plan(entrants=2)
    create(store, season, p, open_entry=True)
    store.admit(season, 2, *late(p))
    for chunk in store.sweep(season, 100, 1000):
        lease = leased(store, season, chunk)
        store.mark_started(season, chunk, lease.fence, "a")
        if chunk == 2:
            assert store.close_fixture(season, chunk, lease.fence, {}, even_if_begun=True) is Closing.CLOSED
            break
        store.void(season, chunk, lease.fence, lease.chunk.first_set, 0, "NO_START", [])
        store.commit(season, chunk, lease.fence, entries(lease.chunk))
    store.void_set(season, 0, 1, "ORGANISER: so", "ann")
    for chunk in (0, 4):
        lease = leased(store, season, chunk)
        store.mark_started(season, chunk, lease.fence, "a")
        if chunk == 0:
            assert store.late_records(season, chunk, lease.fence, 0, 0, ["line"])
        fault = FaultNote("season", {"why": "not"})
        assert store.commit(season, chunk, lease.fence, entries(lease.chunk), [fault]) is Commit.RECORDED
    assert store.withdraw(season, 2).closed == 1
    assert store.status(season) == "finished"


def test_a_season_is_on_one_slot_and_under_its_own_keys(valkey: str, client: redis.Redis) -> None:
    before, season = set(client.keys()), new_season()
    everything(valkey, season)
    made = set(client.keys()) - before - {SEASONS}
    faults = faults_key(season, "season")
    assert faults in made <= {*keys(season), faults}
    assert len({key_slot(one.encode()) for one in (*keys(season), faults)}) == 1
    assert client.sismember(SEASONS, season)


def test_a_finished_season_keeps_what_counts_and_no_more(valkey: str, client: redis.Redis) -> None:
    season = new_season()
    everything(valkey, season)
    working = {"open", "due", "enqueued", "leases", "holders", "started"}
    assert {kind for kind in KINDS if client.exists(key(season, kind))} == set(KINDS) - working


def test_a_deal_in_the_ledger_is_never_overwritten(valkey: str, client: redis.Redis) -> None:
    store, season = open_store(valkey), new_season()
    create(store, season, plan())
    lease = leased(store, season, 0)
    for kind in ("ledger", "records"):
        client.hset(key(season, kind), "0:0:1:0:0", '{"by":"hand"}')
    client.rpush(key(season, "arrival"), "0:0:1:0:0")
    assert store.commit(season, 0, lease.fence, entries(lease.chunk)) is Commit.RECORDED
    found = list(store.ledger(season))
    assert len(found) == 4
    assert found[0] == ((0, 0, 1, 0), {"by": "hand"})
    assert list(store.records(season))[1] == '{"by":"hand"}'
    assert store.counters(season)["divergent"] == 1
