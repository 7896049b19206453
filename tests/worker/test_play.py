"""What a worker decides about a chunk, with a referee of the test's own making; the real one is in test_season.py."""

import json
from collections.abc import Mapping, Sequence

import pytest

from carico.rules import shuffle
from carico.rules.game import game
from carico.rules.outcome import Fault, FaultReason
from tests.kit.instant_referee import InstantReferee
from tests.kit.paces import AllAtOnce, OneAfterTheOther
from tests.kit.stores import HandClock
from worker.pace import Pace
from worker.play import Came, Terms, play_chunk
from worker.referee_client import MatchState, RefereeUnavailable
from worker.store.memory import MemoryStore
from worker.store.values import ChunkState, Lease
from worker.store.values import Status as SeasonStatus
from worker.tidy import release_what_is_done
from worker.tournament.chunks import chunks
from worker.tournament.document import SeasonDocument
from worker.tournament.entrants import Entrant
from worker.tournament.schedule import round_robin
from worker.tournament.season import Entry, SeasonSpec

TERMS = Terms(lease_ms=1_000, beat_ms=0, look_again_ms=100, longest_ms=60_000)


class Setup:
    """A season of two entrants, one fixture of four deal sets in two chunks."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.pace: Pace = AllAtOnce()
        self.store = MemoryStore(lambda: self.clock.now)
        self.referee = InstantReferee()
        spec = SeasonSpec("s", game("briscola-2"), (Entry("a", "1"), Entry("b", "1")), deal_sets=4, chunk=2, seed=3)
        self.document = SeasonDocument(spec, shuffle.practice_secret(3))
        fixtures = round_robin(2, 2, 1, 4)
        entrants = [Entrant("a", "1", "A"), Entrant("b", "1", "B")]
        self.store.create("s", self.document.to_json(), entrants, fixtures, list(chunks(fixtures, 2)), open_entry=False)
        self.store.set_status("s", SeasonStatus.RUNNING)

    def play(self, chunk: int = 0, terms: Terms = TERMS) -> Came:
        return play_chunk(self.store, self.referee, "s", chunk, terms, self.pace)  # type: ignore[arg-type]

    def records(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.store.records("s")]


@pytest.fixture
def setup() -> Setup:
    return Setup()


def test_a_chunk_is_played_committed_and_released(setup: Setup) -> None:
    assert setup.play() is Came.COMMITTED
    assert setup.referee.started == ["s/0/0/0/0", "s/0/0/1/0", "s/1/0/0/0", "s/1/0/1/0"]
    assert setup.referee.released == dict.fromkeys(setup.referee.started, True)
    assert [(r["deal_set"], r["seating"], r["dealer"]) for r in setup.records()] == [
        (0, 0, 0),
        (0, 1, 0),
        (1, 0, 1),
        (1, 1, 1),
    ]
    assert setup.play() is Came.REFUSED
    assert setup.play(1) is Came.COMMITTED
    assert setup.store.status("s") is SeasonStatus.FINISHED


def test_a_second_owner_awaits_what_still_runs(setup: Setup) -> None:
    setup.referee.never_ends.add("s/0/0/0/0")
    assert setup.play(terms=Terms(lease_ms=1_000, beat_ms=0, longest_ms=0)) is Came.GIVEN_BACK
    started = list(setup.referee.started)
    assert len(started) == 4
    setup.referee.never_ends.clear()
    assert setup.play() is Came.COMMITTED
    assert setup.referee.started == started


def test_bots_that_nobody_knows_begin_with_one_match(setup: Setup) -> None:
    setup.pace = Pace()
    setup.referee.never_ends.add("s/0/0/0/0")
    assert setup.play(terms=Terms(lease_ms=1_000, beat_ms=0, longest_ms=0)) is Came.GIVEN_BACK
    assert setup.referee.started == ["s/0/0/0/0"]
    setup.referee.never_ends.clear()
    assert setup.play() is Came.COMMITTED
    assert setup.referee.started == ["s/0/0/0/0", "s/0/0/1/0", "s/1/0/0/0", "s/1/0/1/0"]


def test_a_late_owner_is_stale_and_starts_nothing_again(setup: Setup) -> None:
    first = setup.store.claim("s", 0, 1_000)
    assert isinstance(first, Lease)
    setup.clock.wait(1_001)
    assert setup.play() is Came.COMMITTED
    started = len(setup.referee.started)
    from worker.play import _Turn

    with pytest.raises(Exception) as caught:  # noqa: PT011
        _Turn(setup.store, setup.referee, first, TERMS, Pace()).run()  # type: ignore[arg-type]
    assert type(caught.value).__name__ == "_Stale"
    assert len(setup.referee.started) == started
    assert len(setup.records()) == 4


def test_matches_lost_with_the_log_are_never_dealt_again(setup: Setup) -> None:
    setup.referee.never_ends.update(("s/0/0/0/0", "s/1/0/1/0"))
    assert setup.play(terms=Terms(lease_ms=1_000, beat_ms=0, longest_ms=0)) is Came.GIVEN_BACK
    setup.referee.never_ends.clear()
    setup.referee.forget_all()
    assert setup.play() is Came.COMMITTED
    assert {r["attempt"] for r in setup.records()} == {1}
    for record in setup.records():
        key = setup.document.deck(int(str(record["deal_set"])), 0, 1).key.hex()
        assert record["shuffle"]["key"] == key  # type: ignore[index]
    assert [(v.deal_set, v.attempt, v.reason, v.records) for v in setup.store.voids("s")] == [
        (0, 0, "LOG_LOST", ()),
        (1, 0, "LOG_LOST", ()),
    ]


def test_a_result_that_the_store_has_lost_is_played_again_with_the_next_deck(setup: Setup) -> None:
    setup.referee.released["s/1/0/1/0"] = True
    assert setup.play() is Came.COMMITTED
    assert [(r["deal_set"], r["attempt"]) for r in setup.records()] == [(0, 0), (0, 0), (1, 1), (1, 1)]
    assert [(v.deal_set, v.reason) for v in setup.store.voids("s")] == [(1, "RESULT_LOST")]


def test_a_lost_result_is_also_found_when_others_of_its_set_were_played_before(setup: Setup) -> None:
    setup.pace = Pace()  # begins with one match, and goes on with all others
    setup.referee.released["s/0/0/1/0"] = True
    assert setup.play() is Came.COMMITTED
    assert [(r["deal_set"], r["attempt"]) for r in setup.records()] == [(0, 1), (0, 1), (1, 0), (1, 0)]
    assert setup.referee.started.count("s/0/0/0/0") == setup.referee.started.count("s/0/0/0/1") == 1
    (void,) = setup.store.voids("s")
    assert (void.deal_set, void.reason, len(void.records)) == (0, "RESULT_LOST", 1)
    assert setup.referee.released["s/0/0/0/0"] is False


def test_matches_that_were_never_started_keep_their_deck(setup: Setup) -> None:
    lease = setup.store.claim("s", 0, 1_000)
    assert isinstance(lease, Lease)
    setup.store.mark_started("s", 0, lease.fence, "first")  # and then its owner dies, before the referee hears of it
    setup.clock.wait(1_001)
    assert setup.play() is Came.COMMITTED
    assert {r["attempt"] for r in setup.records()} == {0}
    assert setup.store.voids("s") == []


def test_a_deal_that_nobody_began_is_void_and_played_again_with_the_next_deck(setup: Setup) -> None:
    setup.referee.void["s/1/0/0/0"] = "NO_START"
    assert setup.play() is Came.COMMITTED
    assert [(r["deal_set"], r["attempt"]) for r in setup.records()] == [(0, 0), (0, 0), (1, 1), (1, 1)]
    (void,) = setup.store.voids("s")
    assert (void.deal_set, void.attempt, void.reason) == (1, 0, "NO_START")
    filed = [json.loads(line) for line in void.records]
    assert [(r["seating"], r["attempt"], r["reason"]) for r in filed] == [(0, 0, "NO_START"), (1, 0, "NO_START")]
    assert setup.referee.released["s/1/0/1/0"] is False


def test_void_twice_for_want_of_a_start_closes_the_fixture_to_nobody(setup: Setup) -> None:
    setup.referee.void.update({"s/0/0/0/0": "NO_START", "s/0/0/1/1": "NO_START"})
    assert setup.play() is Came.WALKOVER
    assert setup.store.closures("s") == {0: {"fixture": 0, "reason": "NO_START", "lost_by": [0, 1]}}
    assert setup.store.status("s") is SeasonStatus.FINISHED
    assert setup.records() == []
    assert setup.referee.orders == {}


def test_an_absent_entrant_is_waited_for_and_then_loses(setup: Setup) -> None:
    setup.referee.here = ["b"]
    for _ in range(60):
        assert setup.play() is Came.AWAITED
        setup.clock.wait(1_000)
    assert setup.play(1) is Came.WALKOVER
    assert setup.store.closures("s") == {0: {"fixture": 0, "reason": "NO_SHOW", "lost_by": [0]}}
    assert setup.referee.started == []


def test_an_absent_entrant_is_looked_for_soon_at_first_and_then_ever_later(setup: Setup) -> None:
    setup.referee.here = ["b"]
    pauses = []
    for _ in range(7):
        assert setup.play(terms=Terms()) is Came.AWAITED
        due = setup.store.chunks("s")[0].at_ms
        assert due is not None
        pauses.append(due - setup.clock.now)
        setup.clock.wait(pauses[-1])
    assert pauses == [100, 150, 225, 337, 500, 500, 500]


def test_a_chunk_that_nobody_began_before_is_started_without_a_look(setup: Setup) -> None:
    looks: list[int] = []
    wait = setup.referee.wait
    setup.referee.wait = lambda ids, wait_ms: looks.append(wait_ms) or wait(ids, wait_ms)  # type: ignore[func-returns-value,method-assign]
    assert setup.play(terms=Terms(beat_ms=7)) is Came.COMMITTED
    assert looks == [7]


def test_a_long_chunk_keeps_its_lease(setup: Setup) -> None:
    """Its matches come one after the other, and none of them takes long."""
    setup.pace, begun = OneAfterTheOther(), setup.clock.now
    wait = setup.referee.wait

    def slow(ids: Sequence[str], wait_ms: int) -> Mapping[str, MatchState]:
        setup.clock.wait(TERMS.lease_ms // 2)
        lease = setup.store.chunks("s")[0]
        assert lease.state is ChunkState.LEASED
        assert (lease.at_ms or 0) > setup.clock.now
        return wait(ids, wait_ms)

    setup.referee.wait = slow  # type: ignore[method-assign]
    assert setup.play() is Came.COMMITTED
    assert setup.clock.now == begun + 4 * TERMS.lease_ms // 2


def test_a_fixture_that_has_begun_is_no_walkover(setup: Setup) -> None:
    assert setup.play(0) is Came.COMMITTED
    setup.referee.here = ["b"]
    setup.clock.wait(100_000)
    assert setup.play(1) is Came.COMMITTED
    assert setup.store.closures("s") == {}


def test_a_referee_that_is_down_costs_nothing(setup: Setup) -> None:
    setup.referee.down = True
    with pytest.raises(RefereeUnavailable):
        setup.play()
    setup.referee.down = False
    assert setup.play() is Came.COMMITTED
    assert {r["attempt"] for r in setup.records()} == {0}


# --- an organiser's void ---


def test_a_set_that_an_organiser_voids_is_broken_off_filed_and_played_with_the_next_deck(setup: Setup) -> None:
    setup.referee.never_ends.update(("s/0/0/0/0", "s/1/0/1/0"))
    assert setup.play(terms=Terms(lease_ms=1_000, beat_ms=0, longest_ms=0)) is Came.GIVEN_BACK
    setup.store.void_set("s", 1, 0, "ORGANISER: shown")
    setup.referee.never_ends.discard("s/0/0/0/0")
    assert setup.play() is Came.COMMITTED
    assert [(r["deal_set"], r["attempt"]) for r in setup.records()] == [(0, 0), (0, 0), (1, 1), (1, 1)]
    (void,) = setup.store.voids("s")
    filed = [json.loads(line) for line in void.records]
    assert [(r["deal_set"], r["seating"], r["attempt"], r["reason"]) for r in filed] == [
        (1, 0, 0, "ORGANISER: shown"),
        (1, 1, 0, "ORGANISER: shown"),
    ]
    assert setup.referee.released["s/1/0/1/0"] is False
    assert setup.referee.orders == {}
    assert setup.store.differences("s") == []


def test_whoever_plays_a_set_meanwhile_is_stale(setup: Setup) -> None:
    lease = setup.store.claim("s", 0, 1_000)
    assert isinstance(lease, Lease)
    setup.store.void_set("s", 0, 0, "ORGANISER: shown")
    from worker.play import _Turn

    with pytest.raises(Exception) as caught:  # noqa: PT011
        _Turn(setup.store, setup.referee, lease, TERMS, Pace()).run()  # type: ignore[arg-type]
    assert type(caught.value).__name__ == "_Stale"
    assert setup.referee.started == []


def test_of_a_chunk_that_was_done_only_the_void_set_is_played_again(setup: Setup) -> None:
    assert setup.play(0) is Came.COMMITTED
    assert setup.play(1) is Came.COMMITTED
    before = setup.records()
    setup.store.void_set("s", 0, 0, "ORGANISER: shown")
    started = len(setup.referee.started)
    assert setup.play(0) is Came.COMMITTED
    assert setup.referee.started[started:] == ["s/0/0/0/1", "s/0/0/1/1"]
    assert setup.records()[2:] == before[2:]
    assert {r["attempt"] for r in setup.records()[:2]} == {1}
    assert [json.loads(line) for line in setup.store.voids("s")[0].records] == before[:2]
    assert setup.store.status("s") is SeasonStatus.FINISHED


def test_each_void_of_a_set_is_ended_also_two_at_once(setup: Setup) -> None:
    setup.referee.never_ends.update(("s/0/0/0/0", "s/1/0/1/0"))
    assert setup.play(terms=Terms(lease_ms=1_000, beat_ms=0, longest_ms=0)) is Came.GIVEN_BACK
    setup.store.void_set("s", 0, 0, "ORGANISER: one")
    setup.store.void_set("s", 0, 1, "ORGANISER: two")
    setup.referee.never_ends.clear()
    assert setup.play() is Came.COMMITTED
    assert [(v.attempt, len(v.records)) for v in setup.store.voids("s")] == [(0, 2), (1, 0)]
    assert {r["attempt"] for r in setup.records()[:2]} == {2}


def test_a_void_that_is_filed_already_keeps_its_records(setup: Setup) -> None:
    """Its worker died before it could release the matches."""
    setup.referee.never_ends.add("s/0/0/0/0")
    assert setup.play(terms=Terms(lease_ms=1_000, beat_ms=0, longest_ms=0)) is Came.GIVEN_BACK
    lease = setup.store.claim("s", 0, 1_000)
    assert isinstance(lease, Lease)
    assert setup.store.void("s", 0, lease.fence, 0, 0, "NO_START", ["line"]) == 1
    setup.clock.wait(1_001)
    setup.referee.never_ends.clear()
    assert setup.play() is Came.COMMITTED
    assert [void.records for void in setup.store.voids("s")] == [("line",)]
    assert setup.referee.orders == {}


def test_what_a_closed_fixture_left_at_the_referee_is_released_and_does_not_count(setup: Setup) -> None:
    setup.referee.never_ends.add("s/1/0/0/0")
    assert setup.play(terms=Terms(lease_ms=1_000, beat_ms=0, longest_ms=0)) is Came.GIVEN_BACK
    assert setup.play(1) is Came.COMMITTED
    setup.store.withdraw("s", 0)
    setup.referee.never_ends.clear()
    assert release_what_is_done(setup.store, setup.referee) == 4  # type: ignore[arg-type]
    counts = {id_: counts for id_, counts in setup.referee.released.items() if id_.startswith(("s/0/", "s/1/"))}
    assert list(counts.values()) == [False] * 4


def test_a_walkover_of_a_withdrawn_entrant_ends_its_chunks(setup: Setup) -> None:
    lease = setup.store.claim("s", 0, 1_000)
    assert isinstance(lease, Lease)
    assert setup.store.withdraw("s", 0).closed == 1
    from worker.play import _Turn

    with pytest.raises(Exception) as caught:  # noqa: PT011
        _Turn(setup.store, setup.referee, lease, TERMS, Pace()).run()  # type: ignore[arg-type]
    assert type(caught.value).__name__ == "_Stale"
    assert setup.play(1) is Came.REFUSED
    assert setup.store.status("s") is SeasonStatus.FINISHED


def test_the_owner_of_a_faulty_bot_is_told_with_the_last_exchange(setup: Setup) -> None:
    setup.referee.faults["s/0/0/1/0"] = (Fault(1, FaultReason.ILLEGAL_ACTION, 7), "it does not hold AC")
    assert setup.play() is Came.COMMITTED
    (note,) = setup.store.faults("s", "a")
    assert setup.store.faults("s", "b") == []
    record = setup.records()[1]
    exchange = note.pop("exchange")
    note.pop("at_ms")
    assert note == {
        "season": "s",
        "deal_set": 0,
        "fixture": 0,
        "seating": 1,
        "deal": 0,
        "attempt": 0,
        "match": "handle-s/0/0/1/0",
        "version": "1",
        "seat": 1,
        "reason": "ILLEGAL_ACTION",
        "after": 7,
        "detail": "it does not hold AC",
    }
    acted = [row for row in record["actions"][:7] if row[0] == 1]  # type: ignore[index]
    assert exchange["last"] == acted[-1][1:]
    assert exchange["last_used_ms"] == 100
    assert len(exchange["hand"]) == 2 + exchange["asked"]
    assert len(exchange["table"]) == 1
    assert not set(exchange["hand"]) & {row[2] for row in record["actions"][:7]}  # type: ignore[index]
    assert exchange["trump"] in "CDSB"
