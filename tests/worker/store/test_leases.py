import pytest

from tests.kit.seasons import LONG_MS, create, entries, leased, plan
from tests.kit.stores import EXACT, Clocked
from worker.store.port import Store
from worker.store.values import ChunkState, Commit, Lease, Reason, Refusal, Status, Waiting

REQUEUE_MS = 300_000


def states(store: Store, season: str) -> list[ChunkState]:
    return [standing.state for standing in store.chunks(season)]


def test_a_claim_says_all_that_its_owner_needs(store: Store, season: str) -> None:
    p = plan()
    create(store, season, p)
    lease = leased(store, season, 3, 1234)
    assert (lease.season, lease.chunk, lease.fixture) == (season, p.chunks[3], p.fixtures[1])
    assert lease.document == store.document(season)
    assert list(lease.entrants) == [p.entrants[entrant] for entrant in p.fixtures[1].entrants]
    assert (lease.fence, lease.begun, lease.attempts) == (1, False, {6: 0, 7: 0})
    assert lease.until_ms == lease.now_ms + 1234
    assert (lease.due_since_ms, lease.waited_ms) == (lease.now_ms, 0)
    standing = store.chunks(season)[3]
    assert (standing.state, standing.fence, standing.at_ms) == (ChunkState.LEASED, 1, lease.until_ms)
    assert store.counters(season) == {"claims": 1}


def test_why_a_claim_is_refused(store: Store, season: str) -> None:
    create(store, season, plan(), start=False)
    assert store.claim(season, 0, LONG_MS) == Refusal(Reason.NOT_RUNNING, status=Status.SCHEDULED)
    assert store.claim(season, 6, LONG_MS) == Refusal(Reason.UNKNOWN)
    store.set_status(season, Status.RUNNING)
    lease = leased(store, season, 0)
    refused = store.claim(season, 0, LONG_MS)
    assert isinstance(refused, Refusal)
    assert refused.reason is Reason.LEASED
    assert 0 < (refused.left_ms or 0) <= LONG_MS
    store.set_status(season, Status.PAUSED)
    assert store.claim(season, 1, LONG_MS) == Refusal(Reason.NOT_RUNNING, status=Status.PAUSED)
    store.commit(season, 0, lease.fence, entries(lease.chunk))
    assert store.claim(season, 0, LONG_MS) == Refusal(Reason.DONE)
    store.set_status(season, Status.CANCELLED)
    assert store.claim(season, 1, LONG_MS) == Refusal(Reason.NOT_RUNNING, status=Status.CANCELLED)
    assert store.claim(season, 99, LONG_MS) == Refusal(Reason.UNKNOWN)


def test_a_lease_that_has_run_out_goes_to_the_next_under_a_new_fence(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan())
    old = leased(store, season, 0, 20)
    clocked.wait(20)
    new = leased(store, season, 0)
    assert new.fence > old.fence
    assert not store.heartbeat(season, 0, old.fence, LONG_MS)
    assert not store.release(season, 0, old.fence, 0)
    assert store.mark_started(season, 0, old.fence, "a") is None
    assert store.void(season, 0, old.fence, 0, 0, "NO_START", []) is None
    assert store.close_fixture(season, 0, old.fence, {}) == "stale"
    assert store.commit(season, 0, old.fence, entries(old.chunk, "by the old")) is Commit.STALE
    assert store.progress(season) == store.progress(season).__class__(Status.RUNNING, 3, 3, 0, 0, 5, 1, 0, 0, 0)
    assert store.commit(season, 0, new.fence, entries(new.chunk, "by the new")) is Commit.RECORDED
    assert {result["played"] for _, result in store.ledger(season)} == {"by the new"}


@pytest.mark.parametrize("clocked", EXACT, indirect=True)
@pytest.mark.parametrize("early_ms", [1, 0, -1])
def test_a_lease_is_over_at_its_end(clocked: Clocked, early_ms: int) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan())
    leased(store, season, 0, 1000)
    clocked.wait(1000 - early_ms)
    swept = store.sweep(season, 1, REQUEUE_MS)
    claimed = store.claim(season, 0, 1000)
    if early_ms > 0:
        assert swept == [1]
        assert claimed == Refusal(Reason.LEASED, left_ms=early_ms)
    else:
        assert swept == [0]
        assert isinstance(claimed, Lease)


def test_a_heartbeat_extends_and_never_shortens(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan())
    lease = leased(store, season, 0, 20)
    assert store.heartbeat(season, 0, lease.fence, LONG_MS)
    clocked.wait(20)
    assert store.heartbeat(season, 0, lease.fence, 1)
    clocked.wait(1)
    refused = store.claim(season, 0, LONG_MS)
    assert isinstance(refused, Refusal)
    assert refused.reason is Reason.LEASED


def test_a_heartbeat_takes_a_lost_lease_back_if_nobody_has_it(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan())
    lease = leased(store, season, 0, 20)
    clocked.wait(20)
    assert store.sweep(season, 1, REQUEUE_MS) == [0]
    assert states(store, season)[0] is ChunkState.OPEN
    assert store.heartbeat(season, 0, lease.fence, LONG_MS)
    assert states(store, season)[0] is ChunkState.LEASED
    assert store.waiting(season).backlog == 0
    assert isinstance(store.claim(season, 0, LONG_MS), Refusal)


def test_a_commit_counts_after_the_lease_if_nobody_has_it(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan())
    lease = leased(store, season, 0, 20)
    clocked.wait(20)
    assert store.sweep(season, 1, REQUEUE_MS) == [0]
    assert store.commit(season, 0, lease.fence, entries(lease.chunk)) is Commit.RECORDED
    assert store.claim(season, 0, LONG_MS) == Refusal(Reason.DONE)
    assert store.waiting(season).backlog == 0


def test_a_released_chunk_waits_for_its_time_and_its_fence_is_dead(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan(entrants=2))
    lease = leased(store, season, 0)
    store.release(season, 0, lease.fence, 0)
    for chunk in store.sweep(season, 2, LONG_MS):
        lease = leased(store, season, chunk)
        assert store.release(season, chunk, lease.fence, 40)
        assert not store.release(season, chunk, lease.fence, 40)
        assert not store.heartbeat(season, chunk, lease.fence, LONG_MS)
        assert store.commit(season, chunk, lease.fence, entries(lease.chunk)) is Commit.STALE
    clocked.wait(40)
    assert store.waiting(season) == Waiting(0, 0)
    assert store.sweep(season, 9, REQUEUE_MS) == [0, 1]
    assert leased(store, season, 0).fence > lease.fence


def test_a_late_release_takes_a_chunk_out_of_the_backlog(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan(entrants=2, sets=1))
    lease = leased(store, season, 0, 20)
    clocked.wait(20)
    assert store.sweep(season, 9, REQUEUE_MS) == [0]
    assert store.waiting(season).backlog == 1
    assert store.release(season, 0, lease.fence, LONG_MS)
    assert store.waiting(season).backlog == 0


@pytest.mark.parametrize("clocked", EXACT, indirect=True)
def test_a_chunk_is_due_at_its_time(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan(entrants=2, sets=1))
    store.release(season, 0, leased(store, season, 0).fence, 40)
    assert store.waiting(season) == Waiting(0, 40)
    clocked.wait(39)
    assert store.sweep(season, 9, 70) == []
    assert store.waiting(season) == Waiting(0, 1)
    clocked.wait(1)
    assert store.sweep(season, 9, 70) == [0]
    assert store.waiting(season) == Waiting(1, 70)
    clocked.wait(69)
    assert store.sweep(season, 9, 70) == []
    clocked.wait(1)
    assert store.waiting(season) == Waiting(0, 0)
    assert store.sweep(season, 9, 70) == [0]


def test_a_released_chunk_may_be_claimed_before_its_time(store: Store, season: str) -> None:
    create(store, season, plan())
    assert store.release(season, 0, leased(store, season, 0).fence, LONG_MS)
    assert leased(store, season, 0).waited_ms >= 0


def test_a_sweep_hands_out_in_the_order_of_numbers(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan(entrants=6, sets=2, size=1))
    for chunk, delay in ((11, 0), (2, 10), (20, 5)):
        store.release(season, chunk, leased(store, season, chunk).fence, delay)
    clocked.wait(10)
    assert store.sweep(season, 100, REQUEUE_MS) == list(range(30))
    assert store.sweep(season, 100, REQUEUE_MS) == []
    assert store.counters(season)["enqueued"] == 30


def test_a_sweep_finds_the_due_among_many_that_are_not(store: Store, season: str) -> None:
    create(store, season, plan(entrants=2, sets=350, size=1))
    later = {*range(130), 199, 200, 201, 349}
    for chunk in later:
        store.release(season, chunk, leased(store, season, chunk).fence, LONG_MS)
    due = [chunk for chunk in range(350) if chunk not in later]
    assert store.sweep(season, 150, REQUEUE_MS) == due[:150]
    assert store.sweep(season, 1000, REQUEUE_MS) == due[150:]
    assert store.sweep(season, 1000, REQUEUE_MS) == []


def test_a_sweep_never_lets_the_backlog_grow_above_its_limit(store: Store, season: str) -> None:
    create(store, season, plan(entrants=4, sets=2, size=1))
    assert store.sweep(season, 4, REQUEUE_MS) == [0, 1, 2, 3]
    assert store.sweep(season, 4, REQUEUE_MS) == []
    assert store.waiting(season).backlog == 4
    assert store.waiting(season).due_in_ms == 0
    leased(store, season, 1)
    leased(store, season, 2)
    assert store.waiting(season).backlog == 2
    assert store.sweep(season, 4, REQUEUE_MS) == [4, 5]
    assert store.sweep(season, 0, REQUEUE_MS) == []
    assert store.sweep(season, 6, REQUEUE_MS) == [6, 7]


def test_lost_messages_do_not_stop_a_season(clocked: Clocked) -> None:
    """All that was enqueued is lost, the whole backlog; what is due again is no backlog."""
    store, season = clocked.store, clocked.season
    create(store, season, plan(entrants=4, sets=2, size=1))
    assert store.sweep(season, 3, 20) == [0, 1, 2]
    clocked.wait(20)
    assert store.waiting(season).backlog == 0
    assert store.sweep(season, 3, REQUEUE_MS) == [0, 1, 2]


def test_dead_leases_come_back_however_often_they_are_swept(clocked: Clocked) -> None:
    """The livelock: a sweep that moved the lease's end would keep a dead worker's chunk for ever."""
    store, season = clocked.store, clocked.season
    create(store, season, plan(entrants=2, sets=1))
    leased(store, season, 0, 30)
    for _ in range(3):
        store.sweep(season, 9, 1)
        clocked.wait(10)
    assert store.sweep(season, 9, REQUEUE_MS) == [0]
    assert store.counters(season)["expired"] == 1
    leased(store, season, 0)


def test_a_sweep_leaves_live_leases_alone(store: Store, season: str) -> None:
    create(store, season, plan())
    lease = leased(store, season, 0)
    assert store.sweep(season, 100, REQUEUE_MS) == [1, 2, 3, 4, 5]
    standing = store.chunks(season)[0]
    assert (standing.state, standing.at_ms) == (ChunkState.LEASED, lease.until_ms)


@pytest.mark.parametrize("status", [Status.SCHEDULED, Status.PAUSED, Status.CANCELLED, Status.FINISHED])
def test_only_a_running_season_is_swept(store: Store, season: str, status: Status) -> None:
    create(store, season, plan(entrants=2, sets=2), start=status is not Status.SCHEDULED)
    if status is Status.FINISHED:
        lease = leased(store, season, 0)
        store.commit(season, 0, lease.fence, entries(lease.chunk))
    elif status is not Status.SCHEDULED:
        store.set_status(season, status)
    assert store.status(season) is status
    assert store.sweep(season, 100, REQUEUE_MS) == []
    assert store.waiting(season) == Waiting(0, None)


def test_what_a_sweeper_waits_for(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan(entrants=2))
    assert store.waiting(season) == Waiting(0, 0)
    leased(store, season, 0, LONG_MS)
    assert store.sweep(season, 9, REQUEUE_MS) == [1]
    due_in = store.waiting(season).due_in_ms
    assert due_in is not None
    assert 0 < due_in <= REQUEUE_MS
    leased(store, season, 1, LONG_MS)
    due_in = store.waiting(season).due_in_ms
    assert due_in is not None
    assert REQUEUE_MS < due_in <= LONG_MS


def test_the_no_show_time_runs_from_the_first_claim_of_a_fixture(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan())
    first = leased(store, season, 0)
    store.release(season, 0, first.fence, 0)
    clocked.wait(10)
    for chunk in (0, 1):
        lease = leased(store, season, chunk)
        assert lease.due_since_ms == first.now_ms
        assert lease.waited_ms >= 10
    other = leased(store, season, 2)
    assert (other.fixture.number, other.waited_ms) == (1, 0)


@pytest.mark.parametrize("clocked", EXACT, indirect=True)
def test_of_an_outage_only_some_seconds_count_as_absence(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan())
    for chunk, passed, waited in (
        (0, 0, 0),
        (1, 5_000, 5_000),
        (0, 5_001, 10_000),
        (0, 3_600_000, 15_000),
        (1, 10, 15_010),
    ):
        clocked.wait(passed)
        lease = leased(store, season, chunk)
        assert lease.waited_ms == waited
        store.release(season, chunk, lease.fence, 0)


@pytest.mark.parametrize("clocked", EXACT, indirect=True)
def test_after_a_pause_or_an_excuse_nothing_is_remembered(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan())
    lease = leased(store, season, 0)
    store.release(season, 0, lease.fence, 0, excused=True)
    clocked.wait(3_600_000)
    lease = leased(store, season, 0)
    assert lease.waited_ms == 0
    store.release(season, 0, lease.fence, 0)
    store.set_status(season, Status.PAUSED)
    store.set_status(season, Status.RUNNING)
    clocked.wait(3_600_000)
    assert leased(store, season, 0).waited_ms == 0


def test_what_is_excused_is_no_absence(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan())
    lease = leased(store, season, 0)
    clocked.wait(10)
    store.release(season, 0, lease.fence, 0, excused=True)
    clocked.wait(10)
    assert leased(store, season, 1).waited_ms == 0
    assert not store.release(season, 0, lease.fence, 0, excused=True)
    clocked.wait(10)
    assert leased(store, season, 0).waited_ms >= 10


def test_a_pause_is_no_absence_and_what_was_refused_comes_back_at_once(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    create(store, season, plan(entrants=2))
    lease = leased(store, season, 0)
    store.release(season, 0, lease.fence, LONG_MS)
    assert store.sweep(season, 9, REQUEUE_MS) == [1]
    store.set_status(season, Status.PAUSED)
    clocked.wait(10)
    assert isinstance(store.claim(season, 1, LONG_MS), Refusal)
    store.set_status(season, Status.RUNNING)
    assert store.waiting(season) == Waiting(0, 0)
    assert store.sweep(season, 9, REQUEUE_MS) == [1], "the message was used up in the pause; chunk 0 waits on"
    assert leased(store, season, 1).waited_ms == 0


def test_a_cancelled_season_ends_every_lease(store: Store, season: str) -> None:
    create(store, season, plan())
    lease, other = leased(store, season, 0), leased(store, season, 2)
    store.commit(season, 2, other.fence, entries(other.chunk))
    store.set_status(season, Status.CANCELLED)
    assert not store.heartbeat(season, 0, lease.fence, LONG_MS)
    assert store.commit(season, 0, lease.fence, entries(lease.chunk)) is Commit.STALE
    assert store.commit(season, 2, other.fence, entries(other.chunk)) is Commit.ALREADY
    assert store.mark_started(season, 0, lease.fence, "a") is None
    assert store.void(season, 0, lease.fence, 0, 0, "NO_START", []) is None
    assert store.close_fixture(season, 0, lease.fence, {}) == "stale"
    assert states(store, season) == [ChunkState.OPEN] * 2 + [ChunkState.DONE] + [ChunkState.OPEN] * 3
    progress = store.progress(season)
    assert (progress.open, progress.leased, progress.done, progress.deals) == (5, 0, 1, 4)
