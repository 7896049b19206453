"""The Redis scripts against the memory, step by step, by one clock: whatever is asked, both must say the same."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from tests.kit.seasons import Plan, create, entrant, entries, late, plan
from tests.kit.stores import HandClock, by_hand, new_season
from worker.store.errors import StoreError
from worker.store.memory import MemoryStore
from worker.store.port import Store
from worker.store.values import ChunkState, Commit, FaultNote, Lease, Status

CHUNKS = st.integers(0, 9)
SPANS = st.sampled_from([0, 1, 2, 5, 9, 10, 11, 100])
WORDS = st.sampled_from(["a", "b"])


class Twins(RuleBasedStateMachine):
    """Two stores that are told the same."""

    def __init__(self, redis: Store, clock: HandClock) -> None:
        super().__init__()
        self.redis, self.clock = redis, clock
        self.memory = MemoryStore(lambda: clock.now)
        self.season = new_season()
        self.leases: list[Lease] = []
        for store in (self.redis, self.memory):
            create(store, self.season, plan(entrants=2, sets=3, size=1), open_entry=True)

    def both(self, name: str, *arguments: Any, **named: Any) -> Any:
        """The same answer, or the same refusal, from both."""

        def answer(store: Store) -> Any:
            try:
                found = getattr(store, name)(self.season, *arguments, **named)
            except (StoreError, ValueError) as refused:
                return type(refused), str(refused)
            return list(found) if isinstance(found, Iterator) else found

        of_redis, of_memory = answer(self.redis), answer(self.memory)
        assert of_redis == of_memory, (name, arguments, named)
        return of_redis

    def held(self, pick: int, off: int) -> tuple[int, int]:
        """Chunk and fence of some lease ever granted, the fence sometimes a little off."""
        if not self.leases:
            return 0, off
        lease = self.leases[-1 - pick % len(self.leases)]
        return lease.chunk.number, lease.fence + off

    @rule(ms=SPANS | st.just(5_005))
    def time_passes(self, ms: int) -> None:
        self.clock.wait(ms)

    @rule(chunk=CHUNKS, lease_ms=SPANS)
    def claim(self, chunk: int, lease_ms: int) -> None:
        answer = self.both("claim", chunk, lease_ms)
        if isinstance(answer, Lease):
            self.leases.append(answer)

    @rule(pick=CHUNKS, off=st.sampled_from([0, 0, 0, -1, 1]), lease_ms=SPANS)
    def heartbeat(self, pick: int, off: int, lease_ms: int) -> None:
        self.both("heartbeat", *self.held(pick, off), lease_ms)

    @rule(pick=CHUNKS, off=st.sampled_from([0, 0, 0, -1, 1]), delay_ms=SPANS, excused=st.booleans())
    def release(self, pick: int, off: int, delay_ms: int, excused: bool) -> None:
        self.both("release", *self.held(pick, off), delay_ms, excused=excused)

    @rule(limit=st.integers(0, 4), requeue_ms=SPANS)
    def sweep(self, limit: int, requeue_ms: int) -> None:
        self.both("sweep", limit, requeue_ms)

    @rule(pick=CHUNKS, off=st.sampled_from([0, 0, 0, -1, 1]), incarnation=WORDS)
    def start(self, pick: int, off: int, incarnation: str) -> None:
        self.both("mark_started", *self.held(pick, off), incarnation)

    @rule(pick=CHUNKS, off=st.sampled_from([0, 0, 0, -1, 1]), played=WORDS, other=st.integers(0, 20))
    def commit(self, pick: int, off: int, played: str, other: int) -> None:
        chunk, fence = self.held(pick, off)
        standing = self.memory.chunks(self.season)[other % 3 if other < 3 else chunk]
        lease = next((one for one in self.leases if (one.chunk.number, one.fence) == (chunk, fence)), None)
        sets = [n for n in standing.chunk.deal_sets if lease is None or n not in lease.counted]
        faults = [FaultNote("bot-0", {"fence": fence})] * (other % 3)
        answer = self.both("commit", chunk, fence, entries(standing.chunk, played, sets), faults)
        if answer is Commit.RECORDED:
            assert standing.state is not ChunkState.DONE

    @rule(
        pick=CHUNKS,
        off=st.sampled_from([0, 0, 0, -1, 1]),
        shift=st.sampled_from([0] * 9 + [1]),
        late=st.integers(-1, 1),
    )
    def void(self, pick: int, off: int, shift: int, late: int) -> None:
        chunk, fence = self.held(pick, off)
        deal_set = self.memory.chunks(self.season)[chunk].chunk.first_set + shift
        attempt = max(0, self.memory.attempts(self.season).get(deal_set, 0) + late)
        self.both("void", chunk, fence, deal_set, attempt, "NO_START", ['{"è":1}'] * (attempt % 3))

    @rule(pick=CHUNKS, off=st.sampled_from([0, 0, 0, -1, 1]), even_if_begun=st.booleans())
    def close(self, pick: int, off: int, even_if_begun: bool) -> None:
        self.both("close_fixture", *self.held(pick, off), {"lost_by": [0]}, even_if_begun=even_if_begun)

    @rule(to=st.sampled_from([*Status, Status.RUNNING, Status.RUNNING, Status.PAUSED]))
    def set_status(self, to: Status) -> None:
        if to is not Status.CANCELLED or self.memory.progress(self.season).done > 1:
            self.both("set_status", to)

    @rule(again=st.booleans(), slow=st.sampled_from([0, 0, 0, 1]))
    def admit(self, again: bool, slow: int) -> None:
        before = Plan(
            self.memory.entrants(self.season),
            self.memory.fixtures(self.season),
            [standing.chunk for standing in self.memory.chunks(self.season)],
        )
        if len(before.chunks) < 9:
            comer, fixtures, chunks = late(before, sets=2, size=2)
            self.both("admit", len(before.entrants) - slow, entrant(0) if again else comer, fixtures, chunks)

    @rule(deal_set=st.integers(-1, 6), late=st.sampled_from([0, 0, 0, -1, 1]), by=st.sampled_from([None, "ann@host"]))
    def void_set(self, deal_set: int, late: int, by: str | None) -> None:
        attempt = max(0, self.memory.attempts(self.season).get(deal_set, 0) + late)
        self.both("void_set", deal_set, attempt, 'ORGANISER: \u00e8 "so"', by)

    @rule(pick=CHUNKS, off=st.sampled_from([0, 0, 0, -1, 1]), late=st.integers(-1, 0))
    def late_records(self, pick: int, off: int, late: int) -> None:
        chunk, fence = self.held(pick, off)
        deal_set = self.memory.chunks(self.season)[chunk].chunk.first_set
        attempt = max(0, self.memory.attempts(self.season).get(deal_set, 0) + late)
        self.both("late_records", chunk, fence, deal_set, attempt, [f'{{"fence":{fence}}}'])

    @precondition(lambda self: self.memory.progress(self.season).done > 1)
    @rule(entrant=st.integers(0, 3), by=st.sampled_from([None, "bob"]))
    def withdraw(self, entrant: int, by: str | None) -> None:
        self.both("withdraw", entrant, by)

    @invariant()
    def all_follows_from_the_ledger(self) -> None:
        assert self.both("differences") == []

    @invariant()
    def both_stand_alike(self) -> None:
        for name in ("progress", "chunks", "waiting", "vitals"):
            self.both(name)

    def teardown(self) -> None:
        for name in (
            "ledger",
            "records",
            "voids",
            "attempts",
            "closures",
            "withdrawals",
            "log",
            "counters",
            "entrants",
            "fixtures",
        ):
            self.both(name)
        self.both("faults", "bot-0")
        told = [
            [(event.kind, event.data) for event in store.events(self.season, count=1000)]
            for store in (self.redis, self.memory)
        ]
        assert told[0] == told[1]
        self.check_that_every_chunk_is_counted_wholly_or_not_at_all()

    def check_that_every_chunk_is_counted_wholly_or_not_at_all(self) -> None:
        closed = self.redis.closures(self.season)
        keys = [json.loads(line)["key"] for line in self.redis.records(self.season)]
        counted = [(fixture, deal_set) for deal_set, fixture, _, _ in keys]
        for standing in self.redis.chunks(self.season):
            deals = [counted.count((standing.chunk.fixture, deal_set)) for deal_set in standing.chunk.deal_sets]
            if standing.state is ChunkState.DONE and standing.chunk.fixture not in closed:
                assert set(deals) == {2}
            elif standing.state is ChunkState.DONE:
                assert set(deals) in ({0}, {2})
            else:
                assert 0 in deals
                assert set(deals) <= {0, 2}


@pytest.fixture
def twins(valkey: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Twins]:
    store, clock = by_hand(valkey, monkeypatch)
    return lambda: Twins(store, clock)


def run(twins: Callable[[], Twins], examples: int, steps: int) -> None:
    machine: Any = twins  # a factory does as well as a class
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


def test_redis_does_what_the_memory_does(twins: Callable[[], Twins]) -> None:
    run(twins, examples=50, steps=30)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_redis_does_what_the_memory_does_for_long(twins: Callable[[], Twins]) -> None:
    run(twins, examples=2000, steps=100)
