"""Seasons in memory: the model that the Redis scripts are held to, and a store for the tests of other rooms."""

# ruff: noqa: D102 - the promises stand on the port

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from worker.store import text
from worker.store.errors import AlreadyEntered, EntryClosed, SeasonExists, UnknownSeason, WrongStatus
from worker.store.memory_season import MemorySeason, Whose
from worker.store.plan import (
    check_attempt,
    check_block,
    check_deal_set,
    check_entrants,
    check_entries,
    check_meetings,
    check_season_id,
)
from worker.store.port import Store
from worker.store.values import (
    ALLOWED_FROM,
    ChunkStanding,
    Closing,
    Commit,
    Entry,
    Event,
    Lease,
    Progress,
    Reason,
    Refusal,
    Season,
    Server,
    Status,
    Vitals,
    Void,
    Waiting,
)
from worker.tournament.chunks import Chunk
from worker.tournament.entrants import Entrant
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import DealKey


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
    ) -> None:
        check_season_id(season)
        check_entrants(entrants)
        check_meetings(len(entrants), fixtures, chunks, first_fixture=0, first_chunk=0)
        made = MemorySeason(self._clock(), text.compact(document), open_entry)
        made.append(self._clock(), entrants, fixtures, chunks)
        made.move(self._clock(), Status.SCHEDULED)
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

    def set_status(self, season: str, status: Status) -> None:
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
            if len(one.entrants) != seen:
                return False
            check_meetings(seen + 1, fixtures, chunks, first_fixture=len(one.fixtures), first_chunk=len(one.chunks))
            one.append(self._clock(), [entrant], fixtures, chunks)
            one.event("entrant", {"entrant": seen})
            if one.status is Status.FINISHED and chunks:
                one.move(self._clock(), Status.RUNNING)
            return True

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
                wanted.fence,
                now,
                now + lease_ms,
                one.see(fixture.number, now),
                fixture.number in one.begun,
                {deal_set: one.attempts[deal_set] for deal_set in wanted.plan.deal_sets},
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

    def commit(self, season: str, chunk: int, fence: int, entries: Sequence[Entry]) -> Commit:
        arguments = text.entry_arguments(entries)
        results = {entry.key: result for entry, result in zip(entries, arguments[1::3], strict=True)}
        with self._season(season) as one:
            if 0 <= chunk < len(one.chunks):
                check_entries(one.chunks[chunk].plan, list(results))
            whose = one.whose(chunk, fence)
            if whose is Whose.STALE:
                one.counters["stale"] += 1
                return Commit.STALE
            one.counters["divergent"] += sum(one.ledger.get(key, result) != result for key, result in results.items())
            if whose is Whose.DONE:
                one.counters["repeats"] += 1
                return Commit.ALREADY
            for entry in entries:
                if entry.key not in one.ledger:
                    one.ledger[entry.key], one.records[entry.key] = results[entry.key], entry.record
            held = one.chunks[chunk]
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
                one.voids.append(void)
                one.attempts[deal_set] += 1
                one.counters["voids"] += 1
                one.event("void", text.void_event(void))
            return one.attempts[deal_set]

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
            one.closures[fixture] = closed
            for member in one.chunks:
                if member.plan.fixture == fixture and member.done_ms is None:
                    member.finish(self._clock())
            one.counters["closures"] += 1
            one.event("closure", {"fixture": fixture})
            one.finish_if_all_done(self._clock())
            return Closing.CLOSED

    # --- what counts ---

    def ledger(self, season: str, start: int = 0) -> Iterator[tuple[DealKey, dict[str, Any]]]:
        with self._season(season) as one:
            found = list(one.ledger.items())[start:]
        return ((key, text.read_object(result)) for key, result in found)

    def records(self, season: str) -> Iterator[str]:
        with self._season(season) as one:
            found = sorted(one.records.items())
        return (line for _, line in found)

    def voids(self, season: str) -> list[Void]:
        with self._season(season) as one:
            return list(one.voids)

    def attempts(self, season: str) -> dict[int, int]:
        with self._season(season) as one:
            return {deal_set: attempt for deal_set, attempt in sorted(one.attempts.items()) if attempt}

    def closures(self, season: str) -> dict[int, dict[str, Any]]:
        with self._season(season) as one:
            return {fixture: text.read_object(closure) for fixture, closure in sorted(one.closures.items())}

    def counters(self, season: str) -> dict[str, int]:
        with self._season(season) as one:
            return one.counted()

    def vitals(self, season: str) -> Vitals:
        with self._season(season) as one:
            return one.vitals(self._clock())

    def server(self) -> Server:
        return Server()

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
