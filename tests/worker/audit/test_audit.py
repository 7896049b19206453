"""The audit: silent on what is sound, and each kind of harm is told where it is."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import redis

from tests.kit.played_season import PlayedSeason
from worker.audit.run import audit
from worker.store.keys import key
from worker.store.memory import MemoryStore
from worker.store.open import open_store
from worker.store.port import Store
from worker.store.values import Closing, Lease, Status
from worker.tournament.ledger import DealResult, no_start
from worker.tournament.standings import standings


@pytest.fixture(params=["memory", "valkey"])
def store(request: pytest.FixtureRequest) -> Store:
    return (
        MemoryStore(lambda: 1_800_000_000_000)
        if request.param == "memory"
        else open_store(request.getfixturevalue("valkey"))
    )


def told(store: Store, season: str) -> list[tuple[str, str]]:
    return [(finding.area, finding.text) for finding in audit(store, season).findings]


def test_a_season_is_sound_at_every_moment_of_its_life(store: Store) -> None:
    season = PlayedSeason(store, chunk=2)
    assert told(store, season.id) == []
    season.play(0)
    report = audit(store, season.id)
    assert (report.clean, report.status, report.deals, report.verified, report.sets) == (True, "running", 4, 4, 2)
    season.referee.void[f"{season.id}/2/1/0/0"] = "NO_START"
    season.play(1)
    assert told(store, season.id) == []
    store.void_set(season.id, 0, 0, "ORGANISER: shown")
    report = audit(store, season.id)
    assert (report.findings, report.deals, report.verified) == ([], 6, 10)
    assert [(v.deal_set, v.attempt, v.reason) for v in report.voids] == [(2, 0, "NO_START"), (0, 0, "ORGANISER: shown")]
    assert report.voids[1].led
    assert report.void_rate == 2 / 5
    season.play()
    assert store.status(season.id) is Status.FINISHED
    report = audit(store, season.id)
    assert (report.findings, report.deals) == ([], 12)
    entrants, fixtures = store.entrants(season.id), store.fixtures(season.id)
    records = [DealResult.from_record(json.loads(line)) for line in store.records(season.id)]
    assert report.rows == standings(entrants, fixtures, ((0,), (1,)), records)
    assert sum(row.deals for row in report.rows) == 24


def test_withdrawals_and_closures_are_sound(store: Store) -> None:
    season = PlayedSeason(store)
    season.play(0)
    lease = store.claim(season.id, 2, 60_000)
    assert isinstance(lease, Lease)
    closed = store.close_fixture(season.id, 2, lease.fence, no_start(lease.fixture).to_json(), even_if_begun=True)
    assert closed is Closing.CLOSED
    assert told(store, season.id) == []
    store.withdraw(season.id, store.fixtures(season.id)[0].entrants[0])
    assert told(store, season.id) == []
    left = [row for row in audit(store, season.id).rows if row.deals]
    assert left == []


@pytest.fixture
def broken(valkey: str) -> "Broken":
    season = PlayedSeason(open_store(valkey))
    season.play(0)
    season.store.void_set(season.id, 0, 0, "ORGANISER: shown")
    season.play()
    assert told(season.store, season.id) == []
    return Broken(season, redis.Redis.from_url(valkey, decode_responses=True))


class Broken:
    """A finished season with one void, on which a test lays its hands."""

    def __init__(self, season: PlayedSeason, client: Any) -> None:
        self.season, self.client = season, client

    def key(self, kind: str) -> str:
        return key(self.season.id, kind)

    def change(self, kind: str, field: str, change: Callable[[dict[str, Any]], Any]) -> None:
        """Changes a JSON object in a hash."""
        found = json.loads(self.client.hget(self.key(kind), field))
        change(found)
        self.client.hset(self.key(kind), field, json.dumps(found))


Harm = Callable[[Broken], object]
Change = Callable[[dict[str, Any]], object]
DEAL = "2:1:0:0:0"


def _record(change: Change) -> Harm:
    return lambda broken: broken.change("records", DEAL, change)


def _result(change: Change) -> Harm:
    return lambda broken: broken.change("ledger", DEAL, change)


def _cut(*fields: str) -> Harm:
    """Takes deals out of the ledger as if they had never come."""

    def cut(broken: Broken) -> None:
        for field in fields:
            broken.client.hdel(broken.key("ledger"), field)
            broken.client.lrem(broken.key("arrival"), 0, field)

    return cut


def _closure(reason: str, lost_by: int) -> Harm:
    closure = json.dumps({"fixture": 0, "reason": reason, "lost_by": [lost_by]})
    return lambda broken: broken.client.hset(broken.key("closures"), 0, closure)


def _swap_actions(record: dict[str, Any]) -> None:
    record["actions"][0], record["actions"][1] = record["actions"][1], record["actions"][0]


def _another_story(broken: Broken) -> None:
    """Record and result agree with each other, and not with the cards."""

    def turn(found: dict[str, Any]) -> None:
        found["scores"].reverse()
        found["winners"] = [1 - seat for seat in found["winners"]]

    broken.change("records", DEAL, lambda record: turn(record["outcome"]))
    broken.change("ledger", DEAL, turn)


def _void_again(broken: Broken) -> None:
    void = json.loads(broken.client.lindex(broken.key("voids"), 0))
    broken.client.lset(broken.key("voids"), 0, json.dumps({**void, "deal_set": 3, "attempt": 1}))


def _same_deck(broken: Broken) -> None:
    """Set 3 was played with the deck of set 2, and its record says so truly."""
    deck = broken.season.document.deck(2, 0, 0)
    other = json.loads(broken.client.hget(broken.key("records"), DEAL))
    assert other["shuffle"]["key"] == deck.key.hex()
    broken.client.hset(broken.key("records"), "3:1:0:0:0", json.dumps({**other, "deal_set": 3}))


def _stranger(broken: Broken) -> None:
    found = broken.client.hget(broken.key("ledger"), DEAL)
    broken.client.hset(broken.key("ledger"), "2:0:0:0:0", found)
    broken.client.rpush(broken.key("arrival"), "2:0:0:0:0")


HARMS: list[tuple[str, str, Harm]] = [
    ("records", "outcome.winners: the record says", _another_story),
    ("records", "actions[0]", _record(_swap_actions)),
    ("records", "another result than the ledger", _result(lambda r: r.update(penalties=[0, 1]))),
    ("records", "has no record", lambda b: b.client.hdel(b.key("records"), DEAL)),
    ("records", "line 0 of the records is none", lambda b: b.client.hset(b.key("records"), "0:0:0:0:1", "{}")),
    ("records", "seats: the record says", _record(lambda r: r["seats"].reverse())),
    ("records", "season: the record says", _record(lambda r: r.update(season="x"))),
    ("records", "time_control", _record(lambda r: r["time_control"].update(bank_ms=1))),
    ("records", "shuffle", _record(lambda r: r["shuffle"].update(key="00" * 32))),
    ("records", "no result in the ledger", _cut(DEAL)),
    ("chunks", "counted in part", _cut(DEAL)),
    ("chunks", "have no result", _cut(DEAL, "2:1:1:0:0")),
    ("ledger", "is filed under", _result(lambda r: r.update(seating=1))),
    ("ledger", "is not in the schedule", _stranger),
    ("ledger", "stands in it more than once", lambda b: b.client.rpush(b.key("arrival"), DEAL)),
    ("ledger", "counts for nothing", _result(lambda r: r.update(attempt=4))),
    ("ledger", "no void says why", lambda b: b.client.ltrim(b.key("voids"), 1, 0)),
    ("voids", "attempts are missing", _void_again),
    ("voids", "a record of it is none", lambda b: b.change("records", "0:0:0:0:0", lambda r: r["actions"].pop())),
    ("decks", "played one deck in more than one deal set: 2 (attempt 0), 3 (attempt 0)", _same_deck),
    ("closures", "nobody of (0,) has withdrawn", _closure("WITHDRAWN", 0)),
    ("closures", "had begun", _closure("NO_SHOW", 0)),
    ("closures", "not all in it", _closure("NO_START", 9)),
    ("store", "is marked as done", lambda b: b.client.hdel(b.key("ledger"), DEAL, "2:1:1:0:0")),
    ("store", "can't be read", lambda b: b.client.hset(b.key("ledger"), DEAL, "[]")),
    ("store", "brought a second time", lambda b: b.client.hset(b.key("counters"), "divergent", 1)),
    ("store", "it counts 11 deals", lambda b: b.client.hincrby(b.key("season"), "outranked", 1)),
]


@pytest.mark.parametrize(("area", "text", "harm"), HARMS, ids=[f"{area}: {text[:30]}" for area, text, _ in HARMS])
def test_each_harm_is_told(broken: Broken, area: str, text: str, harm: Harm) -> None:
    harm(broken)
    found = told(broken.season.store, broken.season.id)
    assert [one for one in found if one[0] == area and text in one[1]], found


def test_a_rebuild_leaves_nothing_that_does_not_follow(broken: Broken) -> None:
    broken.client.hdel(broken.key("done"), 1)
    broken.client.hset(broken.key("attempts"), 0, 5)
    store, season = broken.season.store, broken.season.id
    assert told(store, season)
    store.rebuild(season)
    assert told(store, season) == []


def test_an_audit_of_a_running_season_gives_no_false_alarm(valkey: str) -> None:
    """A chunk is committed, and a set becomes void, at each moment between two of its readings."""
    for moment in range(16):
        season = PlayedSeason(open_store(valkey))
        season.play(0)
        assert told(Meddled(season, moment, lambda s: s.play(1)), season.id) == []  # type: ignore[arg-type]
        assert told(Meddled(season, moment, lambda s: s.store.void_set(s.id, 0, 0, "x")), season.id) == []  # type: ignore[arg-type]
        assert told(Meddled(season, moment, lambda s: s.play(0)), season.id) == []  # type: ignore[arg-type]
        assert told(Meddled(season, moment, lambda s: s.store.withdraw(s.id, 0)), season.id) == []  # type: ignore[arg-type]


class Meddled:
    """The store, in which something happens just before the n-th reading."""

    def __init__(self, season: PlayedSeason, moment: int, deed: Callable[[PlayedSeason], object]) -> None:
        self._season, self._left, self._deed = season, moment, deed

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._season.store, name)

        def call(*arguments: Any) -> Any:
            if self._left == 0:
                self._deed(self._season)
            self._left -= 1
            return method(*arguments)

        return call
