"""Seasons in memory: the model that the Redis scripts are held to, and a store for the tests of other rooms."""

# ruff: noqa: D102 - the promises stand on the port

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from worker.store import text
from worker.store.errors import AlreadyEntered, EntryClosed, FixtureClosed, SeasonExists, UnknownSeason, WrongStatus
from worker.store.memory_season import MemorySeason, Whose
from worker.store.plan import (
    already_counts,
    check_attempt,
    check_block,
    check_bot,
    check_by,
    check_deal_set,
    check_entrants,
    check_entries,
    check_meetings,
    check_reason,
    check_season_id,
    check_void,
    missing,
    no_entrant,
    no_set,
)
from worker.store.port import Store
from worker.store.values import (
    ALLOWED_FROM,
    FAULTS_KEPT,
    ChunkStanding,
    Closing,
    Commit,
    Deed,
    Entry,
    Event,
    FaultNote,
    Lease,
    Progress,
    Reason,
    Refusal,
    Season,
    Server,
    Status,
    Vitals,
    Void,
    Voided,
    Waiting,
    Withdrew,
)
from worker.tournament.chunks import Chunk
from worker.tournament.entrants import Entrant
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import WITHDRAWN, DealKey, Withdrawal


class MemoryStore(Store):
    """The store in this process alone, by a clock that is handed in (whole milliseconds)."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._seasons: dict[str, MemorySeason] = {}
        self._changed = threading.Condition(threading.RLock())

    # --- seasons ---

    def create(
        self,
        season: str,
        document: Mapping[str, Any],
        entrants: Sequence[Entrant],
        fixtures: Sequence[Fixture],
        chunks: Sequence[Chunk],
        *,
        open_entry: bool,
        by: str | None = None,
    ) -> None:
        check_season_id(season)
        check_by(by)
        check_entrants(entrants)
        check_meetings(len(entrants), fixtures, chunks, first_fixture=0, first_chunk=0)
        made = MemorySeason(self._clock(), text.compact(document), open_entry)
        made.append(self._clock(), entrants, fixtures, chunks)
        made.move(self._clock(), Status.SCHEDULED)
        made.deed(self._clock(), by, "create", {})
        with self._changed:
            if season in self._seasons:
                raise SeasonExists(season)
            self._seasons[season] = made

    def seasons(self) -> list[Season]:
        with self._changed:
            found = [Season(name, one.status, one.open_entry, one.created_ms) for name, one in self._seasons.items()]
        return sorted(found, key=lambda one: (one.created_ms, one.id))

    def status(self, season: str) -> Status:
        with self._season(season) as one:
            return one.status

    def set_status(self, season: str, status: Status, by: str | None = None) -> None:
        check_by(by)
        with self._season(season) as one:
            if one.status is status:
                return
            if one.status not in ALLOWED_FROM[status]:
                raise WrongStatus(season, one.status, status)
            if status is Status.RUNNING:
                one.resume(self._clock())
            elif status is Status.CANCELLED:
                one.cancel()
            one.move(self._clock(), status)
            one.deed(self._clock(), by, status, {})

    def document(self, season: str) -> dict[str, Any]:
        with self._season(season) as one:
            return text.read_object(one.document)

    def entrants(self, season: str) -> list[Entrant]:
        with self._season(season) as one:
            return list(one.entrants)

    def fixtures(self, season: str) -> list[Fixture]:
        with self._season(season) as one:
            return list(one.fixtures)

    def chunks(self, season: str) -> list[ChunkStanding]:
        with self._season(season) as one:
            return [chunk.standing() for chunk in one.chunks]

    def progress(self, season: str) -> Progress:
        with self._season(season) as one:
            return one.progress()

    def admit(
        self, season: str, seen: int, entrant: Entrant, fixtures: Sequence[Fixture], chunks: Sequence[Chunk]
    ) -> bool:
        check_meetings(seen + 1, fixtures, chunks)
        with self._season(season) as one:
            if one.status is Status.CANCELLED:
                raise WrongStatus(season, one.status, "entered")
            if not one.open_entry:
                raise EntryClosed(season)
            if any((other.bot, other.version) == (entrant.bot, entrant.version) for other in one.entrants):
                raise AlreadyEntered(season, entrant.bot, entrant.version)
            if len(one.entrants) != seen or any(not one.withdrawn.keys().isdisjoint(f.entrants) for f in fixtures):
                return False
            check_meetings(seen + 1, fixtures, chunks, first_fixture=len(one.fixtures), first_chunk=len(one.chunks))
            one.append(self._clock(), [entrant], fixtures, chunks)
            one.event("entrant", {"entrant": seen})
            if one.status is Status.FINISHED and chunks:
                one.move(self._clock(), Status.RUNNING)
            return True

    def withdraw(self, season: str, entrant: int, by: str | None = None) -> Withdrew:
        check_by(by)
        with self._season(season) as one:
            if not 0 <= entrant < len(one.entrants):
                raise no_entrant(season, entrant)
            if entrant in one.withdrawn:
                return Withdrew(one.withdrawn[entrant], 0)
            if one.status in (Status.CANCELLED, Status.FINISHED):
                raise WrongStatus(season, one.status, "withdrawn from")
            mine = one.fixtures_left_of(entrant)
            unfinished = [fixture for fixture in mine if not one.finished(fixture)]
            withdrawal = Withdrawal(entrant, len(mine) - len(unfinished), len(mine))
            one.withdrawn[entrant] = withdrawal
            one.event("withdrawal", {"entrant": entrant})
            for fixture in unfinished:
                closure = {"fixture": fixture, "reason": WITHDRAWN, "lost_by": [entrant]}
                one.close(self._clock(), fixture, text.compact(closure))
            one.deed(self._clock(), by, "withdraw", {**withdrawal.to_json(), "closed": len(unfinished)})
            if unfinished:
                one.finish_if_all_done(self._clock())
            return Withdrew(withdrawal, len(unfinished))

    def void_set(self, season: str, deal_set: int, attempt: int, reason: str, by: str | None = None) -> Voided:
        check_by(by)
        check_reason(reason)
        with self._season(season) as one:
            if one.status is Status.CANCELLED:
                raise WrongStatus(season, one.status, "changed")
            homes = [chunk for chunk in one.chunks if deal_set in chunk.plan.deal_sets]
            if not homes:
                raise no_set(season, deal_set)
            check_attempt(deal_set, attempt, one.attempts[deal_set])
            if attempt < one.attempts[deal_set]:
                return Voided(one.attempts[deal_set], 0)
            for home in homes:
                fixture = one.fixtures[home.plan.fixture]
                if fixture.number in one.closures or not one.withdrawn.keys().isdisjoint(fixture.entrants):
                    raise FixtureClosed(season, deal_set, fixture.number)
            deals = sum(key.deal_set == deal_set for key in one.counted())
            for home in homes:
                home.counted.discard(deal_set)
                home.reopen(self._clock())
            void = Void(deal_set, attempt, homes[0].plan.number, reason, ())
            one.file(void)
            told = {"deal_set": deal_set, "attempt": attempt, "reason": reason, "deals": deals}
            one.deed(self._clock(), by, "void", told)
            if one.status is Status.FINISHED:
                one.move(self._clock(), Status.RUNNING)
            return Voided(one.attempts[deal_set], deals)

    # --- chunks ---

    def claim(self, season: str, chunk: int, lease_ms: int) -> Lease | Refusal:
        check_season_id(season)
        with self._changed:
            one = self._seasons.get(season)
            if one is None or not 0 <= chunk < len(one.chunks):
                return Refusal(Reason.UNKNOWN)
            wanted, now = one.chunks[chunk], self._clock()
            if (refusal := one.refusal(wanted, now)) is not None:
                one.counters["refused"] += 1
                return refusal
            wanted.lease(now + lease_ms)
            wanted.fence += 1
            one.counters["claims"] += 1
            fixture = one.fixtures[wanted.plan.fixture]
            return Lease(
                season,
                wanted.plan,
                fixture,
                text.read_object(one.document),
                tuple(one.entrants[entrant] for entrant in fixture.entrants),
                wanted.fence,
                now,
                now + lease_ms,
                one.see(fixture.number, now),
                fixture.number in one.begun,
                {deal_set: one.attempts[deal_set] for deal_set in wanted.plan.deal_sets},
                frozenset(wanted.counted),
            )

    def heartbeat(self, season: str, chunk: int, fence: int, lease_ms: int) -> bool:
        with self._season(season) as one:
            if one.whose(chunk, fence) is not Whose.OURS:
                one.counters["lost"] += 1
                return False
            held = one.chunks[chunk]
            held.lease(max(self._clock() + lease_ms, held.lease_until or 0))
            return True

    def release(self, season: str, chunk: int, fence: int, delay_ms: int, *, excused: bool = False) -> bool:
        with self._season(season) as one:
            if one.whose(chunk, fence) is not Whose.OURS:
                return False
            held = one.chunks[chunk]
            held.fence += 1
            held.open(self._clock() + delay_ms)
            held.enqueued = False
            one.counters["excused" if excused else "released"] += 1
            if excused:
                one.seen.pop(held.plan.fixture, None)
            return True

    def sweep(self, season: str, limit: int, requeue_ms: int) -> list[int]:
        with self._season(season) as one:
            return one.sweep(self._clock(), limit, requeue_ms) if one.status is Status.RUNNING else []

    def waiting(self, season: str) -> Waiting:
        with self._season(season) as one:
            return one.waiting(self._clock())

    def mark_started(self, season: str, chunk: int, fence: int, incarnation: str) -> dict[int, str] | None:
        with self._season(season) as one:
            if one.whose(chunk, fence) is not Whose.OURS:
                return None
            held = one.chunks[chunk]
            one.begun.add(held.plan.fixture)
            one.dealt_ms = self._clock()
            for deal_set in held.plan.deal_sets:
                attempt = one.attempts[deal_set]
                if held.started.get(deal_set, (-1, ""))[0] != attempt:
                    held.started[deal_set] = (attempt, incarnation)
            return {deal_set: held.started[deal_set][1] for deal_set in held.plan.deal_sets}

    def commit(
        self, season: str, chunk: int, fence: int, entries: Sequence[Entry], faults: Sequence[FaultNote] = ()
    ) -> Commit:
        for fault in faults:
            check_bot(fault.bot)
        notes = [(fault.bot, text.compact({"at_ms": self._clock(), **fault.note})) for fault in faults]
        arguments = text.entry_arguments(entries)
        results = {entry.key: result for entry, result in zip(entries, arguments[1::3], strict=True)}
        with self._season(season) as one:
            if 0 <= chunk < len(one.chunks):
                check_entries(one.chunks[chunk].plan, list(results))
            whose = one.whose(chunk, fence)
            if whose is Whose.STALE:
                one.counters["stale"] += 1
                return Commit.STALE
            held = one.chunks[chunk]
            sets = {key.deal_set for key in results}
            lacking = [n for n in held.plan.deal_sets if n not in sets and n not in held.counted]
            if lacking and whose is Whose.OURS:
                raise missing(chunk, lacking[0])
            fields = {key: (key, one.attempts[key.deal_set]) for key in results}
            one.counters["divergent"] += sum(one.ledger.get(fields[key], it) != it for key, it in results.items())
            if whose is Whose.DONE:
                one.counters["repeats"] += 1
                return Commit.ALREADY
            for entry in entries:
                field = fields[entry.key]
                if field not in one.ledger:
                    one.ledger[field], one.records[field] = results[entry.key], entry.record
            held.counted |= sets
            for bot, note in notes:
                one.faults[bot] = [*one.faults.get(bot, ()), note][-FAULTS_KEPT:]
            held.finish(self._clock())
            one.counters["commits"] += 1
            one.event("commit", {"chunk": chunk, "fixture": held.plan.fixture, "deals": len(entries)})
            one.finish_if_all_done(self._clock())
            return Commit.RECORDED

    def void(
        self, season: str, chunk: int, fence: int, deal_set: int, attempt: int, reason: str, records: Sequence[str]
    ) -> int | None:
        void = Void(deal_set, attempt, chunk, reason, tuple(records))
        with self._season(season) as one:
            if 0 <= chunk < len(one.chunks):
                check_deal_set(one.chunks[chunk].plan, deal_set)
            if one.whose(chunk, fence) is not Whose.OURS:
                return None
            check_attempt(deal_set, attempt, one.attempts[deal_set])
            if attempt == one.attempts[deal_set]:
                if deal_set in one.chunks[chunk].counted:
                    raise already_counts(deal_set)
                one.file(void)
            return one.attempts[deal_set]

    def late_records(
        self, season: str, chunk: int, fence: int, deal_set: int, attempt: int, records: Sequence[str]
    ) -> bool:
        lines = Void(deal_set, attempt, chunk, "", tuple(records)).records
        with self._season(season) as one:
            if 0 <= chunk < len(one.chunks):
                check_deal_set(one.chunks[chunk].plan, deal_set)
            if one.whose(chunk, fence) is not Whose.OURS:
                return False
            check_void(deal_set, attempt, void=attempt < one.attempts[deal_set])
            one.late.setdefault((deal_set, attempt), lines)
            return True

    def close_fixture(
        self, season: str, chunk: int, fence: int, closure: Mapping[str, Any], *, even_if_begun: bool = False
    ) -> Closing:
        closed = text.compact(closure)
        with self._season(season) as one:
            whose = one.whose(chunk, fence)
            if whose is not Whose.OURS:
                return Closing.ALREADY if whose is Whose.DONE else Closing.STALE
            fixture = one.chunks[chunk].plan.fixture
            if fixture in one.begun and not even_if_begun:
                return Closing.BEGUN
            one.close(self._clock(), fixture, closed)
            one.finish_if_all_done(self._clock())
            return Closing.CLOSED

    # --- what counts ---

    def ledger(self, season: str, start: int = 0) -> Iterator[tuple[DealKey, dict[str, Any]]]:
        with self._season(season) as one:
            found = list(one.ledger.items())[start:]
        return ((key, text.read_object(result)) for (key, _), result in found)

    def records(self, season: str, fixture: int | None = None) -> Iterator[str]:
        with self._season(season) as one:
            found = [
                one.records[key, one.attempts[key.deal_set]]
                for key in sorted(one.counted())
                if fixture in (None, key.fixture)
            ]
        return iter(found)

    def voids(self, season: str) -> list[Void]:
        with self._season(season) as one:
            return [one.with_lines(void) for void in one.voids]

    def attempts(self, season: str) -> dict[int, int]:
        with self._season(season) as one:
            return {deal_set: attempt for deal_set, attempt in sorted(one.attempts.items()) if attempt}

    def closures(self, season: str) -> dict[int, dict[str, Any]]:
        with self._season(season) as one:
            return {fixture: text.read_object(closure) for fixture, closure in sorted(one.closures.items())}

    def withdrawals(self, season: str) -> list[Withdrawal]:
        with self._season(season) as one:
            return [one.withdrawn[entrant] for entrant in sorted(one.withdrawn)]

    def faults(self, season: str, bot: str) -> list[dict[str, Any]]:
        check_bot(bot)
        with self._season(season) as one:
            return [text.read_object(note) for note in one.faults.get(bot, ())]

    def log(self, season: str) -> list[Deed]:
        with self._season(season) as one:
            return list(one.log)

    def differences(self, season: str) -> list[str]:
        with self._season(season) as one:
            return one.differences()

    def rebuild(self, season: str, by: str | None = None) -> list[str]:
        check_by(by)
        with self._season(season) as one:
            told = one.differences()
            one.deed(self._clock(), by, "rebuild", {"replaced": len(told)})
            return told

    def counters(self, season: str) -> dict[str, int]:
        with self._season(season) as one:
            return one.tally()

    def vitals(self, season: str) -> Vitals:
        with self._season(season) as one:
            return one.vitals(self._clock())

    def server(self) -> Server:
        return Server()

    def check_writable(self) -> None:
        """Nothing hinders it."""

    # --- live views ---

    def events(self, season: str, after: str = "0", *, count: int = 100, block_ms: int = 0) -> list[Event]:
        check_block(block_ms)
        with self._season(season) as one:
            start = int(after)
            self._changed.wait_for(lambda: len(one.events) > start, block_ms / 1000)
            found = enumerate(one.events[start : start + count], start + 1)
            return [text.read_event(str(number), kind, data) for number, (kind, data) in found]

    def last_event(self, season: str) -> str:
        with self._season(season) as one:
            return str(len(one.events))

    def close(self) -> None:
        pass

    @contextmanager
    def _season(self, season: str) -> Iterator[MemorySeason]:
        """The season, to this thread alone; who waits for events looks again afterwards."""
        check_season_id(season)
        with self._changed:
            if season not in self._seasons:
                raise UnknownSeason(season)
            yield self._seasons[season]
            self._changed.notify_all()
