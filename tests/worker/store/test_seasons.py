from collections.abc import Callable

import pytest

from tests.kit.seasons import create, entrant, entries, late, leased, plan
from worker.store.errors import AlreadyEntered, EntryClosed, SeasonExists, UnknownSeason, WrongStatus
from worker.store.port import Store
from worker.store.values import Commit, Progress, Reason, Refusal, Status
from worker.tournament.chunks import Chunk
from worker.tournament.fixtures import Fixture

S, R, P, F, C = Status.SCHEDULED, Status.RUNNING, Status.PAUSED, Status.FINISHED, Status.CANCELLED


def play_all(store: Store, season: str) -> None:
    for standing in store.chunks(season):
        if standing.at_ms is not None and standing.state != "done":
            lease = leased(store, season, standing.chunk.number)
            assert store.commit(season, lease.chunk.number, lease.fence, entries(lease.chunk)) is Commit.RECORDED


def test_a_season_is_read_as_it_was_made(store: Store, season: str) -> None:
    document = {"z": "last first", "a": [1, {"è": None}], "secret": "00ff", "empty": {}, "none": []}
    p = plan()
    store.create(season, document, p.entrants, p.fixtures, p.chunks, open_entry=True)
    assert store.status(season) is S
    assert store.document(season) == document
    assert list(store.document(season)) == list(document)
    assert store.entrants(season) == p.entrants
    assert store.fixtures(season) == p.fixtures
    assert [standing.chunk for standing in store.chunks(season)] == p.chunks
    assert store.progress(season) == Progress(S, 3, 3, 0, 0, 6, 0, 0, 0, 0)
    assert (list(store.ledger(season)), list(store.records(season)), store.voids(season)) == ([], [], [])
    assert (store.attempts(season), store.closures(season), store.counters(season)) == ({}, {}, {})


def test_many_fixtures_and_chunks_keep_their_numbers(store: Store, season: str) -> None:
    p = plan(entrants=8, sets=5, size=2)
    create(store, season, p)
    assert store.fixtures(season) == p.fixtures
    assert [standing.chunk for standing in store.chunks(season)] == p.chunks
    assert len(p.chunks) == 84


def test_an_id_is_taken_once(store: Store, season: str) -> None:
    create(store, season, plan())
    with pytest.raises(SeasonExists, match=season):
        create(store, season, plan(entrants=2))
    assert len(store.entrants(season)) == 3
    assert store.status(season) is R


@pytest.mark.parametrize("bad", ["", "a b", "a:b", "a{b}", "-a", "è", "a\n", "x" * 41])
def test_an_id_is_a_name(store: Store, bad: str) -> None:
    with pytest.raises(ValueError, match="season's id"):
        create(store, bad, plan())
    with pytest.raises(ValueError, match="season's id"):
        store.claim(bad, 0, 1000)
    with pytest.raises(ValueError, match="season's id"):
        store.status(bad)


def test_seasons_are_listed_oldest_first(store: Store, season: str) -> None:
    names = [f"{season}-{letter}" for letter in "cab"]
    for i, name in enumerate(names):
        create(store, name, plan(), open_entry=i == 1, start=i == 2)
    mine = {one.id: one for one in store.seasons() if one.id in names}
    assert sorted(mine) == sorted(names)
    assert [mine[name].status for name in names] == [S, S, R]
    assert [mine[name].open_entry for name in names] == [False, True, False]
    listed = [(one.created_ms, one.id) for one in store.seasons()]
    assert listed == sorted(listed)


def test_an_unknown_season_is_told(store: Store, season: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: store.status(season),
        lambda: store.set_status(season, R),
        lambda: store.document(season),
        lambda: store.entrants(season),
        lambda: store.fixtures(season),
        lambda: store.chunks(season),
        lambda: store.progress(season),
        lambda: store.admit(season, 0, entrant(0), [], []),
        lambda: store.heartbeat(season, 0, 1, 1),
        lambda: store.release(season, 0, 1, 1),
        lambda: store.sweep(season, 1, 1),
        lambda: store.waiting(season),
        lambda: store.mark_started(season, 0, 1, "a"),
        lambda: store.commit(season, 0, 1, []),
        lambda: store.void(season, 0, 1, 0, 0, "NO_START", []),
        lambda: store.close_fixture(season, 0, 1, {}),
        lambda: store.ledger(season),
        lambda: store.records(season),
        lambda: store.voids(season),
        lambda: store.attempts(season),
        lambda: store.closures(season),
        lambda: store.counters(season),
        lambda: store.events(season),
        lambda: store.last_event(season),
    ]
    for call in calls:
        with pytest.raises(UnknownSeason, match=season):
            call()
    assert store.claim(season, 0, 1000) == Refusal(Reason.UNKNOWN)
    assert season not in [one.id for one in store.seasons()]


@pytest.mark.parametrize(
    ("fixtures", "chunks", "why"),
    [
        ([Fixture(1, 0, 0, (0, 1), 0, 2)], [], "must have the number 0"),
        ([Fixture(0, 0, 0, (0, 1), 0, 2)], [Chunk(1, 0, 0, 2)], "must have the number 0"),
        ([Fixture(0, 0, 0, (0, 1), 0, 2)], [Chunk(0, 0, 0, 1), Chunk(0, 0, 1, 1)], "must have the number 1"),
        ([Fixture(0, 0, 0, (0, 3), 0, 2)], [], "not among the 3"),
        ([Fixture(0, 0, 0, (0, 1), 0, 2)], [Chunk(0, 1, 0, 2)], "not in the plan"),
        ([Fixture(0, 0, 0, (0, 1), 0, 2)], [Chunk(0, 0, 0, 3)], "not within the deal sets"),
        ([Fixture(0, 0, 0, (0, 1), 0, 2)], [Chunk(0, 0, 0, 0)], "not within the deal sets"),
        ([Fixture(0, 0, 0, (0, 1), 0, 2)], [Chunk(0, 0, 0, 2), Chunk(1, 0, 1, 1)], "that another chunk"),
    ],
)
def test_a_plan_must_agree_with_itself(
    store: Store, season: str, fixtures: list[Fixture], chunks: list[Chunk], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        store.create(season, {}, plan().entrants, fixtures, chunks, open_entry=False)
    with pytest.raises(UnknownSeason):
        store.status(season)


def test_nobody_is_entered_twice(store: Store, season: str) -> None:
    with pytest.raises(ValueError, match=r"bot-0 1\.0 is entered twice"):
        store.create(season, {}, [entrant(0), entrant(0)], [], [], open_entry=False)


def test_what_an_organiser_may_do_with_a_season(store: Store, season: str) -> None:
    ways: dict[Status, list[Status]] = {S: [], R: [R], P: [R, P], C: [C]}
    allowed = {(S, R), (S, C), (R, P), (R, C), (P, R), (P, C)}
    for start, steps in ways.items():
        for to in Status:
            name = f"{season}-{start}-{to}"
            create(store, name, plan(), start=False)
            for step in steps:
                store.set_status(name, step)
            before = store.last_event(name)
            if start is to or (start, to) in allowed:
                store.set_status(name, to)
                assert store.status(name) is to
                assert [event.data for event in store.events(name, before)] == [{"status": to}] * (start is not to)
            else:
                with pytest.raises(WrongStatus, match=f"is {start}: it cannot be {to}"):
                    store.set_status(name, to)
                assert store.status(name) is start


def test_the_last_chunk_finishes_the_season(store: Store, season: str) -> None:
    create(store, season, plan(entrants=2))
    first, last = leased(store, season, 0), leased(store, season, 1)
    store.commit(season, 1, last.fence, entries(last.chunk))
    assert store.status(season) is R
    store.commit(season, 0, first.fence, entries(first.chunk))
    assert store.status(season) is F
    for to in (R, P, C, S):
        with pytest.raises(WrongStatus):
            store.set_status(season, to)


def test_a_season_may_finish_while_it_is_paused(store: Store, season: str) -> None:
    create(store, season, plan(entrants=2, sets=2))
    lease = leased(store, season, 0)
    store.set_status(season, P)
    assert store.commit(season, 0, lease.fence, entries(lease.chunk)) is Commit.RECORDED
    assert store.status(season) is F


def test_a_late_entrant_comes_with_its_fixtures(store: Store, season: str) -> None:
    p = plan()
    create(store, season, p, open_entry=True)
    comer, fixtures, chunks = late(p)
    assert store.admit(season, 3, comer, fixtures, chunks)
    assert store.entrants(season) == [*p.entrants, comer]
    assert store.fixtures(season) == p.fixtures + fixtures
    assert [standing.chunk for standing in store.chunks(season)] == p.chunks + chunks
    assert store.progress(season).open == 12
    assert store.sweep(season, 100, 1000) == list(range(12))
    assert leased(store, season, 11).fixture == fixtures[-1]


def test_of_two_late_entrants_the_slower_plans_again(store: Store, season: str) -> None:
    p = plan()
    create(store, season, p, open_entry=True)
    comer, fixtures, chunks = late(p)
    assert store.admit(season, 3, comer, fixtures, chunks)
    slower = entrant(9)
    assert not store.admit(season, 3, slower, fixtures, chunks)
    assert store.entrants(season) == [*p.entrants, comer]
    assert store.progress(season).fixtures == 6
    grown = plan()._replace(
        entrants=store.entrants(season), fixtures=store.fixtures(season), chunks=[c.chunk for c in store.chunks(season)]
    )
    _, fixtures, chunks = late(grown)
    assert store.admit(season, 4, slower, fixtures, chunks)
    assert store.entrants(season)[4] == slower


def test_a_finished_open_season_runs_again_for_a_late_entrant(store: Store, season: str) -> None:
    p = plan(entrants=2)
    create(store, season, p, open_entry=True)
    play_all(store, season)
    assert store.status(season) is F
    before = store.last_event(season)
    assert store.admit(season, 2, *late(p))
    assert store.status(season) is R
    assert [event.kind for event in store.events(season, before)] == ["entrant", "status"]
    play_all(store, season)
    assert store.status(season) is F
    assert store.progress(season).done == 6


def test_who_is_not_let_in(store: Store, season: str) -> None:
    p = plan()
    comer, fixtures, chunks = late(p)
    create(store, season, p)
    with pytest.raises(EntryClosed, match=season):
        store.admit(season, 3, comer, fixtures, chunks)
    other = f"{season}-open"
    create(store, other, p, open_entry=True)
    with pytest.raises(AlreadyEntered, match=r"bot-2 1\.0"):
        store.admit(other, 3, entrant(2), fixtures, chunks)
    assert store.admit(other, 3, comer, fixtures, chunks)
    with pytest.raises(AlreadyEntered, match=r"bot-3 1\.0"):
        store.admit(other, 3, comer, fixtures, chunks)
    store.set_status(other, C)
    with pytest.raises(WrongStatus, match="cannot be entered"):
        store.admit(other, 4, entrant(4), [], [])


def test_a_late_plan_goes_on_from_the_numbers_that_are_there(store: Store, season: str) -> None:
    p = plan()
    create(store, season, p, open_entry=True)
    comer, fixtures, chunks = late(p)
    with pytest.raises(ValueError, match="must have the number 3"):
        store.admit(season, 3, comer, late(plan(entrants=3, sets=4)._replace(fixtures=p.fixtures[:2]))[1], [])
    shifted = [Chunk(chunk.number + 1, chunk.fixture, chunk.first_set, chunk.sets) for chunk in chunks]
    with pytest.raises(ValueError, match="must have the number 6"):
        store.admit(season, 3, comer, fixtures, shifted)
    assert store.entrants(season) == p.entrants
    assert store.progress(season).fixtures == 3
