"""What a worker decides about a chunk, with a referee of the test's own making; the real one is in test_season.py."""

import json
from collections.abc import Mapping, Sequence

import pytest

from carico.record import DealLog
from carico.rules import shuffle
from carico.rules.deal import Deal
from carico.rules.game import game
from carico.rules.outcome import Fault, FaultReason
from carico.rules.stand_in import stand_in
from tests.kit.stores import HandClock
from worker.play import Came, Terms, play_chunk
from worker.referee_client import BotState, MatchOrder, MatchReleased, MatchState, RefereeUnavailable, Status
from worker.store.memory import MemoryStore
from worker.store.values import Lease
from worker.store.values import Status as SeasonStatus
from worker.tournament.chunks import chunks
from worker.tournament.document import SeasonDocument
from worker.tournament.entrants import Entrant
from worker.tournament.schedule import round_robin
from worker.tournament.season import Entry, SeasonSpec

TERMS = Terms(lease_ms=1_000, beat_ms=0, look_again_ms=100, longest_ms=60_000)


class Referee:
    """Plays every match by the stand-in's rule at once; what a test wants otherwise it says by id."""

    def __init__(self) -> None:
        self.incarnation_now = "first"
        self.here = ["a", "b"]
        self.orders: dict[str, MatchOrder] = {}
        self.started: list[str] = []
        self.void: dict[str, str] = {}
        self.never_ends: set[str] = set()
        self.released: dict[str, bool] = {}
        self.down = False

    def incarnation(self) -> str:
        self._up()
        return self.incarnation_now

    def bots(self, names: object = ()) -> list[BotState]:
        self._up()
        return [BotState(name, name, "1" if name in self.here else None) for name in ("a", "b")]

    def start(self, orders: Sequence[MatchOrder]) -> None:
        self._up()
        for order in orders:
            if order.id in self.released:
                raise MatchReleased(order.id)
            if order.id not in self.orders:
                self.orders[order.id] = order
                self.started.append(order.id)

    def wait(self, ids: Sequence[str], wait_ms: int) -> Mapping[str, MatchState]:
        self._up()
        return {id_: self._state(id_) for id_ in ids}

    def abort(self, ids: Sequence[str], reason: str) -> None:
        for id_ in ids:
            if id_ in self.never_ends:
                self.never_ends.discard(id_)
                self.void[id_] = reason

    def release(self, ids: Sequence[str], *, counted: bool) -> None:
        for id_ in ids:
            self.orders.pop(id_, None)
            self.released[id_] = counted

    def forget_all(self) -> None:
        """As a referee does that comes back without its log."""
        self.orders.clear()
        self.incarnation_now = "second"

    def _up(self) -> None:
        if self.down:
            raise RefereeUnavailable("down")

    def _state(self, id_: str) -> MatchState:
        if id_ in self.released:
            return MatchState(Status.RELEASED)
        if id_ not in self.orders:
            return MatchState(Status.UNKNOWN)
        if id_ in self.never_ends:
            return MatchState(Status.RUNNING)
        order = self.orders[id_]
        deal = Deal(order.game, order.dealer, order.source)
        while not deal.over:
            deal.apply(stand_in(deal))
        faults = [Fault(seat, FaultReason.DISCONNECT, 0) for seat in (0, 1)] if id_ in self.void else []
        log = DealLog(deal.actions, [(1, 0, 60_000)] * len(deal.actions), [], faults)
        status = Status.VOID if id_ in self.void else Status.ENDED
        return MatchState(status, f"handle-{id_}", (log,), self.void.get(id_, ""))


class Setup:
    """A season of two entrants, one fixture of four deal sets in two chunks."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.store = MemoryStore(lambda: self.clock.now)
        self.referee = Referee()
        spec = SeasonSpec("s", game("briscola-2"), (Entry("a", "1"), Entry("b", "1")), deal_sets=4, chunk=2, seed=3)
        self.document = SeasonDocument(spec, shuffle.practice_secret(3))
        fixtures = round_robin(2, 2, 1, 4)
        entrants = [Entrant("a", "1", "A"), Entrant("b", "1", "B")]
        self.store.create("s", self.document.to_json(), entrants, fixtures, list(chunks(fixtures, 2)), open_entry=False)
        self.store.set_status("s", SeasonStatus.RUNNING)

    def play(self, chunk: int = 0, terms: Terms = TERMS) -> Came:
        return play_chunk(self.store, self.referee, "s", chunk, terms)  # type: ignore[arg-type]

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
    setup.referee.never_ends.clear()
    assert setup.play() is Came.COMMITTED
    assert setup.referee.started == started


def test_a_late_owner_is_stale_and_starts_nothing_again(setup: Setup) -> None:
    first = setup.store.claim("s", 0, 1_000)
    assert isinstance(first, Lease)
    setup.clock.wait(1_001)
    assert setup.play() is Came.COMMITTED
    started = len(setup.referee.started)
    from worker.play import _Turn

    with pytest.raises(Exception) as caught:  # noqa: PT011
        _Turn(setup.store, setup.referee, first, TERMS).run()  # type: ignore[arg-type]
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
