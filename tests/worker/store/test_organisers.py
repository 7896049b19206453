"""What organisers decide: voids that outrank, withdrawals, and the log of who did what."""

from collections.abc import Callable

import pytest

from tests.kit.seasons import LONG_MS, create, entrant, entries, late, leased, plan
from tests.kit.stores import Clocked
from worker.store.errors import FixtureClosed, NotInSeason, UnknownSeason, WrongStatus
from worker.store.port import Store
from worker.store.values import (
    FAULTS_KEPT,
    ChunkState,
    Closing,
    Commit,
    FaultNote,
    Status,
    Void,
    Voided,
    Withdrew,
)
from worker.tournament.ledger import Withdrawal

WHY = 'ORGANISER: the deck was shown, "è"'


def play(store: Store, season: str, chunk: int, played: str = "as ever") -> list[str]:
    """Commits what is to be played of a chunk; the lines."""
    lease = leased(store, season, chunk)
    new = entries(lease.chunk, played, [n for n in lease.chunk.deal_sets if n not in lease.counted])
    assert store.commit(season, chunk, lease.fence, new) is Commit.RECORDED
    return [entry.record for entry in new]


def play_all(store: Store, season: str) -> None:
    for standing in store.chunks(season):
        if standing.state is not ChunkState.DONE:
            play(store, season, standing.chunk.number)


# --- void ---


def test_a_void_outranks_what_was_counted_and_the_set_is_played_again(store: Store, season: str) -> None:
    create(store, season, plan(entrants=2))
    first = play(store, season, 0)
    play(store, season, 1)
    assert store.status(season) is Status.FINISHED
    before = list(store.ledger(season))
    assert store.void_set(season, 1, 0, WHY) == Voided(attempt=1, deals=2)
    assert store.status(season) is Status.RUNNING
    assert list(store.ledger(season)) == before, "nothing leaves the ledger"
    assert store.voids(season) == [Void(1, 0, 0, WHY, tuple(first[2:]))]
    assert len(list(store.records(season))) == store.progress(season).deals == 6
    assert store.attempts(season) == {1: 1}
    assert [standing.state for standing in store.chunks(season)] == [ChunkState.OPEN, ChunkState.DONE]
    assert store.differences(season) == []

    assert store.sweep(season, 9, LONG_MS) == [0]
    lease = leased(store, season, 0)
    assert (lease.counted, dict(lease.attempts), lease.begun) == (frozenset({0}), {0: 0, 1: 1}, False)
    with pytest.raises(ValueError, match="no deal of its set 1"):
        store.commit(season, 0, lease.fence, entries(lease.chunk, deal_sets=[0]))
    again = entries(lease.chunk, "again", [1])
    assert store.commit(season, 0, lease.fence, again) is Commit.RECORDED
    assert store.status(season) is Status.FINISHED
    assert list(store.ledger(season, start=len(before))) == [(entry.key, entry.result) for entry in again]
    assert list(store.records(season))[:4] == [*first[:2], *(entry.record for entry in again)]
    assert store.progress(season).deals == 8
    assert "divergent" not in store.counters(season)
    assert store.differences(season) == []


def test_a_void_makes_whoever_plays_the_set_stale(store: Store, season: str) -> None:
    create(store, season, plan())
    lease, other = leased(store, season, 0), leased(store, season, 1)
    assert store.void_set(season, 0, 0, WHY) == Voided(attempt=1, deals=0)
    assert not store.heartbeat(season, 0, lease.fence, LONG_MS)
    assert store.commit(season, 0, lease.fence, entries(lease.chunk)) is Commit.STALE
    assert store.void(season, 0, lease.fence, 0, 1, "NO_START", []) is None
    assert store.heartbeat(season, 1, other.fence, LONG_MS)
    later = leased(store, season, 0)
    assert (later.fence > lease.fence, dict(later.attempts), later.counted) == (True, {0: 1, 1: 0}, frozenset())
    assert store.void(season, 0, later.fence, 0, 1, "NO_START", []) == 2


def test_a_lost_answer_voids_nothing_twice(store: Store, season: str) -> None:
    create(store, season, plan())
    play(store, season, 0)
    assert store.void_set(season, 0, 0, WHY, "ann") == Voided(1, 2)
    assert store.void_set(season, 0, 0, WHY, "ann") == Voided(1, 0)
    assert len(store.voids(season)) == len(store.log(season)) == store.counters(season)["voids"] == 1
    assert store.void_set(season, 0, 1, "ORGANISER: once more") == Voided(2, 0)
    assert store.attempts(season) == {0: 2}


def test_what_was_found_of_an_attempt_later_is_filed_once(store: Store, season: str) -> None:
    create(store, season, plan())
    leased(store, season, 0)
    store.void_set(season, 1, 0, WHY)
    lease = leased(store, season, 0)
    assert not store.late_records(season, 0, lease.fence - 1, 1, 0, ["stale"])
    assert store.late_records(season, 0, lease.fence, 1, 0, ["a", "b"])
    assert store.late_records(season, 0, lease.fence, 1, 0, ["another story"])
    assert store.voids(season) == [Void(1, 0, 0, WHY, ("a", "b"))]
    for deal_set, attempt, why in ((1, 1, "is not void"), (0, 0, "is not void"), (2, 0, "is not of")):
        with pytest.raises(ValueError, match=why):
            store.late_records(season, 0, lease.fence, deal_set, attempt, [])


def test_a_worker_never_voids_what_counts(store: Store, season: str) -> None:
    create(store, season, plan())
    play(store, season, 0)
    store.void_set(season, 1, 0, WHY)
    lease = leased(store, season, 0)
    with pytest.raises(ValueError, match="deal set 0 counts already"):
        store.void(season, 0, lease.fence, 0, 0, "LOG_LOST", [])


def test_what_an_organiser_cannot_void(store: Store, season: str) -> None:
    create(store, season, plan())
    with pytest.raises(NotInSeason, match="no deal set 12"):
        store.void_set(season, 12, 0, WHY)
    with pytest.raises(ValueError, match="the current one is 0"):
        store.void_set(season, 0, 1, WHY)
    for reason in ("", "two\nlines", "x" * 501):
        with pytest.raises(ValueError, match="reason"):
            store.void_set(season, 0, 0, reason)
    lease = leased(store, season, 2)
    assert store.close_fixture(season, 2, lease.fence, {}) is Closing.CLOSED
    for deal_set in range(4, 8):
        with pytest.raises(FixtureClosed, match="fixture 1 was closed"):
            store.void_set(season, deal_set, 0, WHY)
    play(store, season, 0)
    play(store, season, 1)
    store.withdraw(season, plan().fixtures[0].entrants[0])
    with pytest.raises(FixtureClosed, match="has withdrawn"):
        store.void_set(season, 0, 0, WHY)
    assert (store.voids(season), store.attempts(season)) == ([], {})


@pytest.mark.parametrize("status", [Status.SCHEDULED, Status.PAUSED, Status.CANCELLED])
def test_a_void_leaves_the_status_but_for_finished(store: Store, season: str, status: Status) -> None:
    create(store, season, plan(), start=status is Status.PAUSED)
    if status is not Status.SCHEDULED:
        store.set_status(season, status)
    if status is Status.CANCELLED:
        with pytest.raises(WrongStatus, match="is cancelled"):
            store.void_set(season, 0, 0, WHY)
        return
    assert store.void_set(season, 0, 0, WHY) == Voided(1, 0)
    assert store.status(season) is status


# --- withdrawals ---


def test_before_half_was_played_all_fixtures_leave(store: Store, season: str) -> None:
    p = plan(entrants=4)
    create(store, season, p)
    mine = [f.number for f in p.fixtures if 0 in f.entrants]
    for chunk in [c.number for c in p.chunks if c.fixture == mine[0]]:
        play(store, season, chunk)
    playing = next(c.number for c in p.chunks if c.fixture == mine[1])
    lease = leased(store, season, playing)
    withdrew = store.withdraw(season, 0)
    assert withdrew == Withdrew(Withdrawal(0, played=1, fixtures=3), closed=2)
    assert withdrew.withdrawal.annuls
    assert not store.heartbeat(season, playing, lease.fence, LONG_MS)
    assert store.commit(season, playing, lease.fence, entries(lease.chunk)) is Commit.ALREADY
    assert store.closures(season) == {n: {"fixture": n, "reason": "WITHDRAWN", "lost_by": [0]} for n in mine[1:]}
    assert store.progress(season).deals == 8, "what was played stays in the ledger"
    assert store.withdraw(season, 0) == Withdrew(withdrew.withdrawal, closed=0)
    assert store.withdrawals(season) == [withdrew.withdrawal]
    assert store.progress(season).withdrawn == 1
    assert store.differences(season) == []

    # Of the next one, the fixture against it does not count: one of two is played, which is half.
    others = [f.number for f in p.fixtures if 1 in f.entrants and 0 not in f.entrants]
    for chunk in [c.number for c in p.chunks if c.fixture == others[0]]:
        play(store, season, chunk)
    withdrew = store.withdraw(season, 1)
    assert withdrew == Withdrew(Withdrawal(1, played=1, fixtures=2), closed=1)
    assert not withdrew.withdrawal.annuls
    play_all(store, season)
    assert store.status(season) is Status.FINISHED
    assert store.differences(season) == []


def test_fixtures_against_one_that_stayed_in_the_table_go_on_counting(store: Store, season: str) -> None:
    p = plan()
    create(store, season, p)
    first, second = [f.number for f in p.fixtures if 0 in f.entrants]
    for chunk in [c.number for c in p.chunks if c.fixture == first]:
        play(store, season, chunk)
    assert not store.withdraw(season, 0).withdrawal.annuls
    other = next(i for i in p.fixtures[second].entrants if i != 0)
    assert store.withdraw(season, other) == Withdrew(Withdrawal(other, played=1, fixtures=2), closed=1)


def test_a_late_commit_into_a_closed_fixture_is_told_so_whatever_it_brings(store: Store, season: str) -> None:
    create(store, season, plan())
    lease = leased(store, season, 0)
    store.withdraw(season, plan().fixtures[0].entrants[0])
    assert store.commit(season, 0, lease.fence, entries(lease.chunk, deal_sets=[1])) is Commit.ALREADY
    assert store.progress(season).deals == 0


def test_a_fixture_half_played_is_not_played(store: Store, season: str) -> None:
    create(store, season, plan(entrants=2))
    play(store, season, 0)
    withdrew = store.withdraw(season, 1)
    assert withdrew == Withdrew(Withdrawal(1, 0, 1), 1)
    assert store.status(season) is Status.FINISHED
    assert [event.kind for event in store.events(season)][-3:] == ["withdrawal", "closure", "status"]


def test_who_can_not_withdraw(store: Store, season: str) -> None:
    create(store, season, plan(entrants=2))
    with pytest.raises(NotInSeason, match="no entrant 2"):
        store.withdraw(season, 2)
    play_all(store, season)
    with pytest.raises(WrongStatus, match="is finished"):
        store.withdraw(season, 0)


def test_no_newcomer_meets_one_that_has_withdrawn(store: Store, season: str) -> None:
    p = plan()
    create(store, season, p, open_entry=True)
    store.withdraw(season, 1)
    assert not store.admit(season, 3, *late(p))
    assert len(store.entrants(season)) == 3
    comer, fixtures, chunks = late(p)
    assert store.admit(season, 3, comer, fixtures[:1], [chunk for chunk in chunks if chunk.fixture == 3])


# --- log ---


def test_the_log_says_who_did_what_and_when(clocked: Clocked) -> None:
    store, season = clocked.store, clocked.season
    p = plan(entrants=2)
    store.create(season, {}, p.entrants, p.fixtures, p.chunks, open_entry=False, by="ann@host")
    for to in (Status.RUNNING, Status.RUNNING, Status.PAUSED):
        store.set_status(season, to, "bob")
    clocked.wait(5)
    store.set_status(season, Status.RUNNING)
    store.void_set(season, 1, 0, WHY, "è")
    store.rebuild(season, "ann@host")
    store.withdraw(season, 0, "bob")
    told = store.log(season)
    assert [(deed.by, deed.did, dict(deed.details)) for deed in told] == [
        ("ann@host", "create", {}),
        ("bob", "running", {}),
        ("bob", "paused", {}),
        ("è", "void", {"deal_set": 1, "attempt": 0, "reason": WHY, "deals": 0}),
        ("ann@host", "rebuild", {"replaced": 0}),
        ("bob", "withdraw", {"entrant": 0, "played": 0, "fixtures": 1, "closed": 1}),
    ]
    times = [deed.at_ms for deed in told]
    assert times == sorted(times)
    assert times[3] - times[2] >= 5


def test_who_did_it_is_a_name(store: Store, season: str) -> None:
    create(store, season, plan())
    calls: list[Callable[[str], object]] = [
        lambda by: store.set_status(season, Status.PAUSED, by),
        lambda by: store.withdraw(season, 0, by),
        lambda by: store.void_set(season, 0, 0, WHY, by),
        lambda by: store.rebuild(season, by),
        lambda by: store.create(f"{season}-2", {}, [entrant(0)], [], [], open_entry=True, by=by),
    ]
    for call in calls:
        for wrong in ("", "a\nb", "x" * 121, "\x1b[31m"):
            with pytest.raises(ValueError, match="by ="):
                call(wrong)
    assert store.log(season) == []
    assert store.status(season) is Status.RUNNING


def test_an_unknown_season(store: Store, season: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: store.withdraw(season, 0),
        lambda: store.void_set(season, 0, 0, WHY),
        lambda: store.late_records(season, 0, 1, 0, 0, []),
        lambda: store.withdrawals(season),
        lambda: store.faults(season, "bot"),
        lambda: store.log(season),
        lambda: store.differences(season),
        lambda: store.rebuild(season),
    ]
    for call in calls:
        with pytest.raises(UnknownSeason, match=season):
            call()


# --- faults ---


def test_faults_are_kept_beside_the_records(store: Store, season: str) -> None:
    create(store, season, plan())
    lease = leased(store, season, 0)
    notes = [FaultNote("bot-0", {"n": 1, "è": ['"']}), FaultNote("bot-1", {"n": 2}), FaultNote("bot-0", {"n": 3})]
    assert store.commit(season, 0, lease.fence - 1, entries(lease.chunk), notes) is Commit.STALE
    for _ in range(2):
        store.commit(season, 0, lease.fence, entries(lease.chunk), notes)
    found = store.faults(season, "bot-0")
    assert [{name: note[name] for name in note if name != "at_ms"} for note in found] == [
        {"n": 1, "è": ['"']},
        {"n": 3},
    ]
    assert all(note["at_ms"] >= lease.now_ms for note in found)
    assert [note["n"] for note in store.faults(season, "bot-1")] == [2]
    assert store.faults(season, "bot-2") == []
    assert list(store.records(season)) == [entry.record for entry in entries(lease.chunk)]


def test_of_many_faults_the_latest_are_kept(store: Store, season: str) -> None:
    create(store, season, plan())
    for chunk in (0, 1):
        lease = leased(store, season, chunk)
        notes = [FaultNote("bot-0", {"n": chunk * 1000 + i}) for i in range(FAULTS_KEPT - 50)]
        store.commit(season, chunk, lease.fence, entries(lease.chunk), notes)
    found = [note["n"] for note in store.faults(season, "bot-0")]
    assert (len(found), found[0], found[-1]) == (FAULTS_KEPT, 100, 1000 + FAULTS_KEPT - 51)


def test_a_fault_is_a_bots(store: Store, season: str) -> None:
    create(store, season, plan())
    lease = leased(store, season, 0)
    for name in ("a:b", "", "{x}"):
        with pytest.raises(ValueError, match="bot's name"):
            store.commit(season, 0, lease.fence, entries(lease.chunk), [FaultNote(name, {"n": 1})])
        with pytest.raises(ValueError, match="bot's name"):
            store.faults(season, name)
    assert store.progress(season).deals == 0
