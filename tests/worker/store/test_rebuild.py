"""What the store keeps beside the ledger is broken by hand, found, and made anew."""

from collections.abc import Callable
from typing import Any

import pytest
import redis

from tests.kit.seasons import create, entries, late, leased, plan
from tests.kit.stores import new_season
from worker.store.keys import KINDS, key
from worker.store.open import open_store
from worker.store.port import Store
from worker.store.values import Commit, Status

Client = Any


@pytest.fixture
def client(valkey: str) -> Client:
    return redis.Redis.from_url(valkey, decode_responses=True)


@pytest.fixture
def store(valkey: str) -> Store:
    return open_store(valkey)


@pytest.fixture
def season(store: Store) -> str:
    """Chunk 0 was counted, set 1 of it is void; chunk 1 is counted; 2 is leased; a newcomer; one has withdrawn."""
    id_, p = new_season(), plan()
    create(store, id_, p, open_entry=True)
    for chunk in (0, 1):
        lease = leased(store, id_, chunk)
        assert store.commit(id_, chunk, lease.fence, entries(lease.chunk)) is Commit.RECORDED
    store.void_set(id_, 1, 0, "ORGANISER: so")
    store.admit(id_, 3, *late(p))
    lease = leased(store, id_, 2)
    store.void(id_, 2, lease.fence, 4, 0, "NO_START", [])
    store.withdraw(id_, 3)
    return id_


def content(client: Client, season: str) -> dict[str, object]:
    """All that follows from the rest, and all that it follows from; not times and fences."""
    found: dict[str, object] = {}
    for kind in KINDS:
        name = key(season, kind)
        of = client.type(name)
        if kind in ("open", "due"):
            found[kind] = sorted(client.zrange(name, 0, -1))
        elif kind == "done":
            found[kind] = sorted(client.hkeys(name))
        elif of == "hash" and kind not in ("fences", "holders", "counters"):
            found[kind] = {field: value for field, value in client.hgetall(name).items() if field != "dealt_ms"}
        elif of == "list":
            found[kind] = sorted(client.lrange(name, 0, -1))
    return found


Harm = Callable[[Client, Callable[[str], str]], object]
HARMS: dict[str, Harm] = {
    "deal set 1 is kept as nothing, it must be 1": lambda c, k: c.hdel(k("attempts"), 1),
    "deal set 4 is kept as 7, it must be 1": lambda c, k: c.hset(k("attempts"), 4, 7),
    "deal set 9 is kept as 2, it must be nothing": lambda c, k: c.hset(k("attempts"), 9, 2),
    "chunks of fixture 0 is kept as [0], it must be [0,1]": lambda c, k: c.hset(k("members"), 0, "[0]"),
    'number of ["bot-1","1.0"] is kept as nothing': lambda c, k: c.hdel(k("pairs"), '["bot-1","1.0"]'),
    "counted for 1:2 (chunk:deal set) is not that of the ledger": lambda c, k: c.hdel(k("played"), "1:2"),
    "counted for 0:1 (chunk:deal set) has no such deals": lambda c, k: c.hset(k("played"), "0:1", '["1:0:0:0:1"]'),
    "the number of deals that a void outranks is not 2": lambda c, k: c.hset(k("season"), "outranked", 3),
    "deal 2:0:0:0:0 is in the ledger and not in the order of arrival": lambda c, k: c.lrem(
        k("arrival"), 0, "2:0:0:0:0"
    ),
    "deal 8:0:0:0:0 is in the order of arrival and not in the ledger": lambda c, k: c.rpush(k("arrival"), "8:0:0:0:0"),
    "deal 2:0:0:0:0 stands more than once": lambda c, k: c.rpush(k("arrival"), "2:0:0:0:0"),
    "chunk 1 has all its deals": lambda c, k: (
        c.hdel(k("done"), 1),
        c.zadd(k("due"), {1: 1}),
        c.zadd(k("open"), {1: 1}),
    ),
    "chunk 4 is marked as done, and not all": lambda c, k: (
        c.hset(k("done"), 4, 1),
        c.zrem(k("due"), 4),
        c.zrem(k("open"), 4),
    ),
    "chunk 1 is done and waits": lambda c, k: c.zadd(k("leases"), {1: 1}),
    "chunk 4 is neither done nor leased nor open": lambda c, k: (c.zrem(k("due"), 4), c.zrem(k("open"), 4)),
    "chunk 5 is neither done": lambda c, k: c.zrem(k("open"), 5),
    "the counter voids is not 2": lambda c, k: c.hincrby(k("counters"), "voids", 1),
    "the counter closures is not 3": lambda c, k: c.hdel(k("counters"), "closures"),
    "the season is finished, and some of it is not played": lambda c, k: c.hset(k("season"), "status", "finished"),
}


@pytest.mark.parametrize("told", HARMS)
def test_each_harm_is_told_and_mended(store: Store, season: str, client: Client, told: str) -> None:
    assert store.differences(season) == []
    before, counters = content(client, season), store.counters(season)
    HARMS[told](client, lambda kind: key(season, kind))
    found = store.differences(season)
    assert len([text for text in found if told in text]) == 1, found
    assert store.differences(season) == found, "looking changes nothing"
    assert store.rebuild(season, "ann") == found
    assert store.differences(season) == []
    assert content(client, season) == before
    assert store.counters(season) == counters
    assert store.rebuild(season, "ann") == []
    assert [deed.details for deed in store.log(season)] == [{"replaced": len(found)}, {"replaced": 0}]


def test_a_season_that_was_played_to_its_end_is_finished(store: Store, client: Client) -> None:
    id_, p = new_season(), plan(entrants=2)
    create(store, id_, p)
    for chunk in (0, 1):
        lease = leased(store, id_, chunk)
        store.commit(id_, chunk, lease.fence, entries(lease.chunk))
    client.hset(key(id_, "season"), "status", "running")
    assert store.rebuild(id_) == ["all of the season is played, and it is not finished"]
    assert store.status(id_) is Status.FINISHED


def test_a_chunk_that_was_lost_is_played_again(store: Store, season: str, client: Client) -> None:
    client.hset(key(season, "done"), 4, 1)
    client.zrem(key(season, "due"), 4)
    store.rebuild(season)
    lease = leased(store, season, 4)
    assert store.commit(season, 4, lease.fence, entries(lease.chunk)) is Commit.RECORDED
