"""What a worker does with a chunk: claim -> play -> commit. The referee plays; this decides what is played and kept."""

import json
import logging
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final

from carico.record import Place, Played, SeatName, deal_record, dumps, void_record
from worker.fault_notes import fault_notes
from worker.pace import Pace
from worker.referee_client import MatchOrder, MatchReleased, MatchState, RefereeClient, RefereeUnavailable, Status
from worker.store.port import Store
from worker.store.values import Closing, Commit, Entry, FaultNote, Lease, Refusal
from worker.tournament.document import SeasonDocument
from worker.tournament.entrants import Entrant
from worker.tournament.fixtures import MatchPlan, dealer, seating
from worker.tournament.ledger import NO_START, DealResult, no_show, no_start

LOG_LOST: Final = "LOG_LOST"
"""The referee came back without its match log: the set is void, since its cards had been seen."""

RESULT_LOST: Final = "RESULT_LOST"
"""The referee had handed a result over, and the store came back without it."""

VOIDS_TO_CLOSE: Final = 2
"""So many voids of one deal set for want of a first action close the fixture."""

FIRST_LOOK_MS: Final = 100
"""How soon it first looks again for an entrant that is not there; then ever later."""

logger = logging.getLogger("carico.worker")


@dataclass(frozen=True, slots=True)
class Terms:
    """How a worker leases and waits, in ms."""

    lease_ms: int = 10_000
    """How long a lease lasts without a heartbeat."""
    beat_ms: int = 2_000
    """How long one wait at the referee lasts; a heartbeat follows each."""
    look_again_ms: int = 500
    """When to look again for an entrant that is not there; sooner at first (``FIRST_LOOK_MS``)."""
    longest_ms: int = 600_000
    """After so long the chunk is given back; whoever claims it next awaits the matches that still run."""


class Came(Enum):
    """What came of a chunk's turn."""

    COMMITTED = "committed"
    REFUSED = "refused"
    """It is done, or another worker has it, or the season stands still."""
    AWAITED = "awaited"
    """An entrant is not there yet."""
    WALKOVER = "walkover"
    STALE = "stale"
    """Another worker was given the chunk meanwhile."""
    GIVEN_BACK = "given back"


class _Stale(Exception):
    """The fence is worth nothing any more."""


def play_chunk(store: Store, referee: RefereeClient, season: str, chunk: int, terms: Terms, pace: Pace) -> Came:
    """Claims a chunk, sees it played and commits it. Safe to run any number of times, anywhere, and to be killed.

    Raises what the store and the referee raise where they can't be reached; the chunk then comes round again.
    """
    lease = store.claim(season, chunk, terms.lease_ms)
    if isinstance(lease, Refusal):
        return Came.REFUSED
    try:
        return _Turn(store, referee, lease, terms, pace).run()
    except _Stale:
        return Came.STALE
    except MatchReleased:
        # Its results were committed by another worker between our claim and now.
        return Came.STALE
    except RefereeUnavailable:
        store.release(season, chunk, lease.fence, terms.look_again_ms, excused=True)
        raise


def match_id(season: str, plan: MatchPlan, attempt: int) -> str:
    """The id of a match at the referee: the same whoever asks, so that it is never played twice."""
    return f"{season}/{plan.deal_set}/{plan.fixture}/{plan.seating}/{attempt}"


class _Turn:
    """One lease of one chunk."""

    def __init__(self, store: Store, referee: RefereeClient, lease: Lease, terms: Terms, pace: Pace) -> None:
        self._store = store
        self._referee = referee
        self._lease = lease
        self._terms = terms
        self._pace = pace
        self._document = SeasonDocument.from_json(lease.document)
        self._deck = cache(self._document.deck)
        self._entrants = dict(zip(lease.fixture.entrants, lease.entrants, strict=True))
        # Others count already: the chunk was done, and an organiser voided some of its sets.
        deal_sets = [deal_set for deal_set in lease.chunk.deal_sets if deal_set not in lease.counted]
        self._attempts = {deal_set: lease.attempts.get(deal_set, 0) for deal_set in deal_sets}
        self._incarnation = ""

    def run(self) -> Came:
        lease, store = self._lease, self._store
        if not lease.begun and (came := self._await_entrants()) is not None:
            return came
        self._incarnation = self._referee.incarnation()
        noted = self._begin()
        self._end_what_was_voided()
        if any(incarnation != self._incarnation for incarnation in noted.values()):
            self._void_what_was_lost(noted)
        try:
            played = self._play()
        except MatchReleased:
            self._void_what_was_lost(self._begin())
            played = self._play()
        if played is None:
            return Came.GIVEN_BACK
        if not played:
            return Came.WALKOVER
        entries, faults = self._counted(played)
        done = store.commit(lease.season, lease.chunk.number, lease.fence, entries, faults)
        if done is Commit.STALE:
            raise _Stale
        self._referee.release([self._id(plan) for plan in played], counted=True)
        return Came.COMMITTED

    # --- before the first match ---

    def _await_entrants(self) -> Came | None:
        """Before a fixture has begun: None where all are there, else what became of it."""
        lease, store = self._lease, self._store
        absent = self._absent()
        if not absent:
            return None
        if lease.waited_ms < self._document.spec.no_show_ms:
            soon = min(FIRST_LOOK_MS + lease.waited_ms // 2, self._terms.look_again_ms)
            store.release(lease.season, lease.chunk.number, lease.fence, soon)
            return Came.AWAITED
        closure = no_show(lease.fixture, absent).to_json()
        match store.close_fixture(lease.season, lease.chunk.number, lease.fence, closure):
            case Closing.CLOSED | Closing.ALREADY:
                return Came.WALKOVER
            case Closing.STALE:
                raise _Stale
            case Closing.BEGUN:
                return None

    def _absent(self) -> list[int]:
        here = {
            (state.bot, state.version)
            for state in self._referee.bots({entrant.bot for entrant in self._entrants.values()})
        }
        return [i for i, entrant in self._entrants.items() if (entrant.bot, entrant.version) not in here]

    def _begin(self) -> Mapping[int, str]:
        """From here the fixture has begun. Returns the incarnation noted for the attempt of each deal set."""
        lease = self._lease
        noted = self._store.mark_started(lease.season, lease.chunk.number, lease.fence, self._incarnation)
        if noted is None:
            raise _Stale
        return {deal_set: incarnation for deal_set, incarnation in noted.items() if deal_set in self._attempts}

    def _end_what_was_voided(self) -> None:
        """An organiser may have voided attempts that were being played: ends them and files how far they got."""
        lease = self._lease
        earlier = {(deal_set, a) for deal_set, current in self._attempts.items() for a in range(current)}
        for void in self._store.voids(lease.season) if earlier else ():
            if (void.deal_set, void.attempt) not in earlier:
                continue
            plans = {self._id(plan, void.attempt): plan for plan in self._plans(void.deal_set)}
            if not self._found(list(plans)):
                continue
            records = self._void_records(plans, void.attempt, void.reason)
            if not void.records:
                filed = self._store.late_records(
                    lease.season, lease.chunk.number, lease.fence, void.deal_set, void.attempt, records
                )
                if not filed:
                    raise _Stale
            self._referee.release(list(plans), counted=False)
            self._beat()

    def _found(self, ids: list[str]) -> bool:
        """Whether the referee has any of these matches."""
        states = self._referee.wait(ids, 0).values()
        return any(state.status not in (Status.UNKNOWN, Status.RELEASED) for state in states)

    def _void_what_was_lost(self, noted: Mapping[int, str]) -> None:
        """Cards that have been seen are never dealt again where what was played is lost.

        That is so where an earlier referee may have begun the matches and lost its log, which the noted incarnation
        tells; and where the referee has handed over a result that the store does not hold, since it lost its last
        second: then the referee will not start the match.
        """
        states = self._referee.wait([self._id(plan) for plan in self._all_plans()], 0)
        self._beat()
        for deal_set, incarnation in noted.items():
            found = {states[self._id(plan)].status for plan in self._plans(deal_set)}
            if Status.RELEASED in found:
                self._void(deal_set, RESULT_LOST)
            elif Status.UNKNOWN in found and incarnation != self._incarnation:
                self._void(deal_set, LOG_LOST)

    # --- play ---

    def _play(self) -> dict[MatchPlan, MatchState] | None:
        """All matches of the chunk with their ends; {} where the fixture was closed, None where time is up."""
        end = time.monotonic() + self._terms.longest_ms / 1000
        waiting, open_ = list(self._all_plans()), list[MatchPlan]()
        ended: dict[MatchPlan, MatchState] = {}
        while waiting or open_:
            if not open_:
                open_ = self._begin_some(waiting)
            states = self._wait(open_, last=not waiting)
            again = {plan.deal_set for plan, state in states.items() if state.status in (Status.VOID, Status.UNKNOWN)}
            for deal_set in sorted(again):
                reasons = {states[plan].void_reason for plan in self._plans(deal_set) if plan in states} - {""}
                self._void(deal_set, min(reasons, default=LOG_LOST))
                if self._closed_for_want_of_a_start(deal_set):
                    return {}
                plans = list(self._plans(deal_set))
                ended = {plan: state for plan, state in ended.items() if plan not in plans}
                waiting = plans + [plan for plan in waiting if plan not in plans]
            if again:
                self._incarnation = self._referee.incarnation()
                self._begin()
            for plan, state in states.items():
                if state.status is Status.ENDED and plan.deal_set not in again:
                    ended[plan] = state
                    self._pace.learn(self._bots(plan), state.deals)
            open_ = [plan for plan in open_ if plan not in ended and plan.deal_set not in again]
            if time.monotonic() > end and (waiting or open_):
                self._store.release(self._lease.season, self._lease.chunk.number, self._lease.fence, 0)
                return None
        return {plan: ended[plan] for plan in self._all_plans()}

    def _begin_some(self, waiting: list[MatchPlan]) -> list[MatchPlan]:
        """Starts the next matches, as many as the bots have time for, and takes them off the list."""
        limit = self._document.spec.time_control.action_limit_ms
        count = self._pace.at_once(self._bots(waiting[0]), limit)
        begun = waiting[:count]
        del waiting[:count]
        self._referee.start([self._order(plan) for plan in begun])
        return begun

    def _wait(self, open_: list[MatchPlan], *, last: bool) -> dict[MatchPlan, MatchState]:
        """Waits for the ends of these matches, or a beat long. Raises _Stale where the chunk is another's by now.

        Where these are the ``last`` and all have ended, the commit comes next and will tell.
        """
        found = self._referee.wait([self._id(plan) for plan in open_], self._terms.beat_ms)
        if any(state.status is Status.RELEASED for state in found.values()):
            raise _Stale
        if not last or any(state.status is not Status.ENDED for state in found.values()):
            self._beat()
        return {plan: found[self._id(plan)] for plan in open_}

    def _bots(self, plan: MatchPlan) -> list[tuple[str, str]]:
        return [(entrant.bot, entrant.version) for entrant in self._seats(plan)]

    def _beat(self) -> None:
        lease = self._lease
        if not self._store.heartbeat(lease.season, lease.chunk.number, lease.fence, self._terms.lease_ms):
            raise _Stale

    def _void(self, deal_set: int, reason: str) -> None:
        """Ends the attempt of a deal set: it does not count, and the next one has another deck."""
        lease = self._lease
        attempt = self._attempts[deal_set]
        plans = {self._id(plan): plan for plan in self._plans(deal_set)}
        records = self._void_records(plans, attempt, reason)
        logger.warning(
            "season %s: attempt %d of deal set %d is void: %s",
            *(lease.season, attempt, deal_set, reason),
            extra={
                "season": lease.season,
                "match": [json.loads(record)["match"] for record in records],
                "chunk": lease.chunk.number,
                "fixture": lease.fixture.number,
                "deal_set": deal_set,
                "attempt": attempt,
            },
        )
        current = self._store.void(lease.season, lease.chunk.number, lease.fence, deal_set, attempt, reason, records)
        if current is None:
            raise _Stale
        self._referee.release(list(plans), counted=False)
        self._attempts[deal_set] = current

    def _void_records(self, plans: Mapping[str, MatchPlan], attempt: int, reason: str) -> list[str]:
        """Ends these matches and tells how far each of them got."""
        self._referee.abort(list(plans), reason)
        states = self._referee.wait(list(plans), self._terms.beat_ms)
        return [
            dumps(void_record(played, states[id_].void_reason or reason))
            for id_, plan in plans.items()
            for played in self._deals(plan, states[id_], attempt)
        ]

    def _closed_for_want_of_a_start(self, deal_set: int) -> bool:
        """Closes the fixture where a deal set was void twice because nobody ever answered."""
        lease, store = self._lease, self._store
        unstarted = [v for v in store.voids(lease.season) if v.deal_set == deal_set and v.reason == NO_START]
        if len(unstarted) < VOIDS_TO_CLOSE:
            return False
        closure = no_start(lease.fixture).to_json()
        closing = store.close_fixture(lease.season, lease.chunk.number, lease.fence, closure, even_if_begun=True)
        if closing is Closing.STALE:
            raise _Stale
        ids = [self._id(plan) for plan in self._all_plans()]
        self._referee.abort(ids, "FIXTURE_CLOSED")
        self._referee.wait(ids, self._terms.beat_ms)
        self._referee.release(ids, counted=False)
        return True

    # --- what is played ---

    def _all_plans(self) -> Iterator[MatchPlan]:
        return (plan for deal_set in self._attempts for plan in self._plans(deal_set))

    def _plans(self, deal_set: int) -> Iterator[MatchPlan]:
        return self._lease.fixture.matches(range(deal_set, deal_set + 1))

    def _id(self, plan: MatchPlan, attempt: int | None = None) -> str:
        return match_id(self._lease.season, plan, self._attempts[plan.deal_set] if attempt is None else attempt)

    def _seats(self, plan: MatchPlan) -> list[Entrant]:
        places = self._document.spec.places
        return [self._entrants[i] for i in seating(self._lease.fixture, plan.seating, places)]

    def _order(self, plan: MatchPlan) -> MatchOrder:
        spec = self._document.spec
        return MatchOrder(
            id=self._id(plan),
            game=spec.game,
            dealer=dealer(plan.deal_set, 0, spec.game.players),
            sources=tuple(
                self._deck(plan.deal_set, deal, self._attempts[plan.deal_set]).source
                for deal in range(spec.game.most_deals)
            ),
            seats=tuple((entrant.bot, entrant.version) for entrant in self._seats(plan)),
            time_control=spec.time_control,
        )

    def _deals(self, plan: MatchPlan, state: MatchState, attempt: int) -> Iterator[Played]:
        """What was played of a match, deal by deal."""
        spec = self._document.spec
        for deal, log in enumerate(state.deals):
            deck = self._deck(plan.deal_set, deal, attempt)
            yield Played(
                place=Place(self._lease.season, plan.deal_set, plan.fixture, plan.seating, deal, attempt),
                match=state.handle,
                game=spec.game,
                dealer=dealer(plan.deal_set, deal, spec.game.players),
                source=deck.source,
                key=deck.key,
                seats=[SeatName(entrant.bot, entrant.version, entrant.owner) for entrant in self._seats(plan)],
                time_control=spec.time_control,
                log=log,
            )

    def _counted(self, played: Mapping[MatchPlan, MatchState]) -> tuple[list[Entry], list[FaultNote]]:
        """What the chunk counts for, and what the owners of faulty bots are told."""
        entries: list[Entry] = []
        faults: list[FaultNote] = []
        for plan, state in played.items():
            records = map(deal_record, self._deals(plan, state, self._attempts[plan.deal_set]))
            for record, details in zip(records, state.fault_details, strict=True):
                result = DealResult.from_record(record)
                entries.append(Entry(result.key, result.to_json(), dumps(record)))
                faults += fault_notes(record, details)
        return entries, faults
