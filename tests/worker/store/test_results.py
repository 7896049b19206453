from dataclasses import replace
from threading import Barrier, Thread

import pytest

from tests.kit.seasons import LONG_MS, create, entries, leased, plan
from worker.store.port import Store
from worker.store.values import ChunkState, Closing, Commit, Entry, Status, Void
from worker.tournament.ledger import DealKey


def test_a_commit_is_read_as_it_was_written(store: Store, season: str) -> None:
    create(store, season, plan())
    for chunk in (4, 0, 2):
        lease = leased(store, season, chunk)
        assert store.commit(season, chunk, lease.fence, entries(lease.chunk, f"in {chunk}")) is Commit.RECORDED
    arrived = [entry for chunk in (4, 0, 2) for entry in entries(plan().chunks[chunk], f"in {chunk}")]
    assert list(store.ledger(season)) == [(entry.key, entry.result) for entry in arrived]
    assert list(store.ledger(season, start=5)) == [(entry.key, entry.result) for entry in arrived[5:]]
    assert list(store.ledger(season, start=12)) == []
    assert list(store.records(season)) == [entry.record for entry in sorted(arrived, key=lambda entry: entry.key)]
    of_fixture = {one: list(store.records(season, one)) for one in (0, 1, 99)}
    written = sorted(arrived, key=lambda entry: entry.key)
    assert of_fixture == {n: [one.record for one in written if one.key.fixture == n] for n in of_fixture}
    assert [standing.state is ChunkState.DONE for standing in store.chunks(season)] == [True, False] * 3
    assert store.progress(season).deals == 12


def test_records_are_ordered_by_number_and_not_by_letter(store: Store, season: str) -> None:
    create(store, season, plan(entrants=2, sets=12, size=12))
    lease = leased(store, season, 0)
    store.commit(season, 0, lease.fence, entries(lease.chunk, deal_sets=range(11, -1, -1)))
    assert list(store.records(season)) == [entry.record for entry in entries(lease.chunk)]


def test_records_are_kept_to_the_letter(store: Store, season: str) -> None:
    create(store, season, plan(entrants=2, sets=1))
    lease = leased(store, season, 0)
    line = '{"bot":"perché ♣ \\u0000 \\\\/ ","n":[1,2.50,{}]}'
    store.commit(season, 0, lease.fence, [Entry(DealKey(0, 0, 0, 0), {"n": [], "o": {}, "è": None}, line)])
    assert list(store.records(season)) == [line]
    assert [result for _, result in store.ledger(season)] == [{"n": [], "o": {}, "è": None}]


def test_the_same_commit_three_times_counts_once(store: Store, season: str) -> None:
    create(store, season, plan())
    lease = leased(store, season, 0)
    assert store.commit(season, 0, lease.fence, entries(lease.chunk)) is Commit.RECORDED
    before = (list(store.ledger(season)), list(store.records(season)), store.progress(season), store.events(season))
    for _ in range(2):
        assert store.commit(season, 0, lease.fence, entries(lease.chunk)) is Commit.ALREADY
    assert before == (
        list(store.ledger(season)),
        list(store.records(season)),
        store.progress(season),
        store.events(season),
    )
    assert store.counters(season) == {"claims": 1, "commits": 1, "repeats": 2}


def test_another_story_of_a_done_chunk_is_counted_and_changes_nothing(store: Store, season: str) -> None:
    create(store, season, plan())
    lease = leased(store, season, 0)
    store.commit(season, 0, lease.fence, entries(lease.chunk, "one way"))
    assert store.commit(season, 0, lease.fence + 1, entries(lease.chunk, "another")) is Commit.ALREADY
    assert {result["played"] for _, result in store.ledger(season)} == {"one way"}
    assert store.counters(season)["divergent"] == 4


@pytest.mark.parametrize("fence", [0, -1, 2, 10])
def test_a_fence_that_nobody_was_given_commits_nothing(store: Store, season: str, fence: int) -> None:
    create(store, season, plan())
    assert store.commit(season, 1, fence, entries(plan().chunks[1])) is Commit.STALE, "never claimed"
    leased(store, season, 0)
    assert store.commit(season, 0, fence, entries(plan().chunks[0])) is Commit.STALE
    assert list(store.ledger(season)) == []
    assert store.counters(season)["stale"] == 2


def test_a_commit_is_of_its_whole_chunk_and_of_nothing_else(store: Store, season: str) -> None:
    create(store, season, plan())
    lease = leased(store, season, 0)
    whole = entries(lease.chunk)
    for wrong, why in [
        (entries(lease.chunk, deal_sets=[0]), "no deal of its set 1"),
        ([], "no deal of its set 0"),
        (whole + entries(lease.chunk, deal_sets=[2]), "deal set 2 is not of"),
        (whole + entries(plan().chunks[2]), "is not of"),
        ([*whole, replace(whole[0], key=DealKey(0, 1, 0, 0))], "fixture=1.* is not of"),
        ([*whole, replace(whole[0], key=DealKey(-1, 0, 0, 0))], "deal set -1 is not of"),
        (whole + whole[:1], "two|twice"),
    ]:
        with pytest.raises(ValueError, match=why):
            store.commit(season, 0, lease.fence, wrong)
    assert store.progress(season).deals == 0
    assert store.commit(season, 0, lease.fence, whole) is Commit.RECORDED


def test_a_record_is_one_line() -> None:
    for wrong in ("", "a\nb", "a\n"):
        with pytest.raises(ValueError, match="one line"):
            Entry(DealKey(0, 0, 0, 0), {}, wrong)
        with pytest.raises(ValueError, match="one line"):
            Void(0, 0, 0, "NO_START", (wrong,))


def test_a_result_is_plain_json(store: Store, season: str) -> None:
    create(store, season, plan(entrants=2, sets=1))
    lease = leased(store, season, 0)
    with pytest.raises(ValueError, match="JSON"):
        store.commit(season, 0, lease.fence, [Entry(DealKey(0, 0, 0, 0), {"x": float("nan")}, "line")])
    assert store.progress(season).deals == 0


def test_many_hands_at_once(store: Store, season: str) -> None:
    """64 chunks, each committed by three threads at the same moment: every deal once, and one end."""
    p = plan(entrants=2, sets=64, size=1)
    create(store, season, p)
    leases = [leased(store, season, chunk.number) for chunk in p.chunks]
    answers: list[Commit] = []
    start = Barrier(64)

    def commit(mine: int) -> None:
        start.wait()
        for lease in (leases[mine], leases[mine - 1], leases[mine - 2]):
            answers.append(store.commit(season, lease.chunk.number, lease.fence, entries(lease.chunk)))

    threads = [Thread(target=commit, args=(i,)) for i in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers.count(Commit.RECORDED) == 64
    assert answers.count(Commit.ALREADY) == 128
    assert len(dict(store.ledger(season))) == len(list(store.ledger(season))) == len(list(store.records(season))) == 128
    assert store.counters(season) == {"claims": 64, "commits": 64, "repeats": 128}
    assert [event.data for event in store.events(season, count=1000)].count({"status": "finished"}) == 1


def test_of_many_claims_at_once_one_is_granted(store: Store, season: str) -> None:
    create(store, season, plan(entrants=2))
    start = Barrier(16)
    answers: list[object] = []

    def claim() -> None:
        start.wait()
        answers.append(getattr(store.claim(season, 0, LONG_MS), "fence", None))

    threads = [Thread(target=claim) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(str(answer) for answer in answers) == ["1"] + ["None"] * 15


def test_the_incarnation_of_the_referee_is_noted_once_an_attempt(store: Store, season: str) -> None:
    create(store, season, plan())
    lease = leased(store, season, 0, 1)
    assert not lease.begun
    assert store.mark_started(season, 0, lease.fence, "first:x") == {0: "first:x", 1: "first:x"}
    assert store.mark_started(season, 0, lease.fence, "second") == {0: "first:x", 1: "first:x"}
    assert store.void(season, 0, lease.fence, 1, 0, "LOST_LOG", []) == 1
    assert store.mark_started(season, 0, lease.fence, "second") == {0: "first:x", 1: "second"}
    assert store.mark_started(season, 0, lease.fence, "third") == {0: "first:x", 1: "second"}
    assert store.mark_started(season, 0, lease.fence + 1, "third") is None
    assert leased(store, season, 1).begun, "the fixture has begun, in whichever chunk"
    assert not leased(store, season, 2).begun
    assert store.progress(season).begun == 1
    store.commit(season, 0, lease.fence, entries(lease.chunk))
    assert store.mark_started(season, 0, lease.fence, "third") is None


def test_a_void_attempt_is_filed_once_and_raises_the_attempt(store: Store, season: str) -> None:
    create(store, season, plan())
    lease = leased(store, season, 0)
    assert store.void(season, 0, lease.fence, 1, 0, "NO_START", ['{"a":"è"}', '{"b":"\\/"}']) == 1
    assert store.void(season, 0, lease.fence, 1, 0, "NO_START", ["another story"]) == 1
    assert store.void(season, 0, lease.fence, 1, 1, "REFEREE", []) == 2
    assert store.voids(season) == [
        Void(1, 0, 0, "NO_START", ('{"a":"è"}', '{"b":"\\/"}')),
        Void(1, 1, 0, "REFEREE", ()),
    ]
    assert store.attempts(season) == {1: 2}
    assert store.progress(season).voids == 2
    assert store.counters(season)["voids"] == 2
    store.release(season, 0, lease.fence, 0)
    assert leased(store, season, 0).attempts == {0: 0, 1: 2}


def test_what_cannot_be_void(store: Store, season: str) -> None:
    create(store, season, plan())
    lease = leased(store, season, 0)
    with pytest.raises(ValueError, match="the current one is 0"):
        store.void(season, 0, lease.fence, 0, 1, "NO_START", [])
    with pytest.raises(ValueError, match="deal set 2 is not of"):
        store.void(season, 0, lease.fence, 2, 0, "NO_START", [])
    assert store.void(season, 0, lease.fence + 1, 0, 0, "NO_START", []) is None
    store.commit(season, 0, lease.fence, entries(lease.chunk))
    assert store.void(season, 0, lease.fence, 0, 0, "NO_START", []) is None
    assert (store.voids(season), store.attempts(season)) == ([], {})


def test_a_walkover_closes_the_whole_fixture_once(store: Store, season: str) -> None:
    create(store, season, plan())
    mine, other = leased(store, season, 2), leased(store, season, 3)
    assert store.close_fixture(season, 2, mine.fence + 1, {"lost_by": [9]}) is Closing.STALE
    assert store.close_fixture(season, 2, mine.fence, {"lost_by": [0]}) is Closing.CLOSED
    assert store.close_fixture(season, 2, mine.fence, {"lost_by": [1]}) is Closing.ALREADY
    assert store.close_fixture(season, 3, other.fence, {"lost_by": [1]}) is Closing.ALREADY
    assert store.closures(season) == {1: {"lost_by": [0]}}
    assert store.commit(season, 3, other.fence, entries(other.chunk)) is Commit.ALREADY
    assert not store.heartbeat(season, 3, other.fence, LONG_MS)
    assert [standing.state is ChunkState.DONE for standing in store.chunks(season)] == [False] * 2 + [True] * 2 + [
        False
    ] * 2
    assert store.sweep(season, 9, LONG_MS) == [0, 1, 4, 5]
    progress = store.progress(season)
    assert (progress.closed, progress.deals, progress.done) == (1, 0, 2)


def test_a_fixture_that_has_begun_is_no_walkover(store: Store, season: str) -> None:
    create(store, season, plan())
    away, playing = leased(store, season, 0), leased(store, season, 1)
    store.mark_started(season, 1, playing.fence, "a")
    assert store.close_fixture(season, 0, away.fence, {}) is Closing.BEGUN
    assert store.closures(season) == {}
    assert store.commit(season, 1, playing.fence, entries(playing.chunk)) is Commit.RECORDED
    assert store.close_fixture(season, 0, away.fence, {"why": "void twice"}, even_if_begun=True) is Closing.CLOSED
    assert store.closures(season) == {0: {"why": "void twice"}}
    assert store.progress(season).deals == 4, "what was played stays"
    assert store.chunks(season)[1].at_ms is not None


def test_a_walkover_may_be_the_end_of_a_season(store: Store, season: str) -> None:
    create(store, season, plan(entrants=2))
    lease = leased(store, season, 1)
    assert store.close_fixture(season, 1, lease.fence, {}) is Closing.CLOSED
    assert store.status(season) is Status.FINISHED
    assert store.events(season)[-1].data == {"status": "finished"}
