"""One season as MemoryStore keeps it: chunks and their two clocks, and what the sweeper sees."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from worker.store import text
from worker.store.values import (
    UNSEEN_MS,
    ChunkStanding,
    ChunkState,
    Deed,
    Progress,
    Reason,
    Refusal,
    Status,
    Vitals,
    Void,
    Waiting,
)
from worker.tournament.chunks import Chunk
from worker.tournament.entrants import Entrant
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import DealKey, Withdrawal


class Whose(Enum):
    """Whether a fence may still write for its chunk."""

    OURS = "ours"
    DONE = "done"
    STALE = "stale"


@dataclass
class MemoryChunk:
    """A chunk and its clocks: exactly one of them is set, or none in a cancelled season."""

    plan: Chunk
    due: int | None
    """Open, and when it is enqueued next."""
    lease_until: int | None = None
    """Leased, and when the lease ends."""
    done_ms: int | None = None
    """Done, and when it was."""
    fence: int = 0
    enqueued: bool = False
    """Handed out by a sweep and not claimed since."""
    started: dict[int, tuple[int, str]] = field(default_factory=dict)
    """Deal set -> attempt and incarnation."""
    counted: set[int] = field(default_factory=set)
    """Deal sets whose results count."""

    def lease(self, until: int) -> None:
        """To leased."""
        self.due, self.lease_until, self.enqueued = None, until, False

    def open(self, due: int | None) -> None:
        """To open."""
        self.due, self.lease_until = due, None

    def finish(self, now: int) -> None:
        """To done."""
        self.due, self.lease_until, self.done_ms, self.enqueued = None, None, now, False
        self.started.clear()

    def reopen(self, now: int) -> None:
        """To open, whoever holds it or had it done."""
        self.done_ms, self.enqueued = None, False
        self.fence += 1
        self.open(now)

    def standing(self) -> ChunkStanding:
        """How the port shows it."""
        for state, at in ((ChunkState.DONE, self.done_ms), (ChunkState.LEASED, self.lease_until)):
            if at is not None:
                return ChunkStanding(self.plan, state, self.fence, at)
        return ChunkStanding(self.plan, ChunkState.OPEN, self.fence, self.due)


@dataclass
class MemorySeason:
    """All that a season keeps; whoever calls holds the store's lock."""

    created_ms: int
    document: str
    open_entry: bool
    status: Status = Status.SCHEDULED
    dealt_ms: int | None = None
    """When a chunk's matches were last started, or else when it was set running."""
    entrants: list[Entrant] = field(default_factory=list)
    fixtures: list[Fixture] = field(default_factory=list)
    chunks: list[MemoryChunk] = field(default_factory=list)
    seen: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Fixture -> due since when, and its last claim."""
    begun: set[int] = field(default_factory=set)
    attempts: Counter[int] = field(default_factory=Counter)
    voids: list[Void] = field(default_factory=list)
    closures: dict[int, str] = field(default_factory=dict)
    withdrawn: dict[int, Withdrawal] = field(default_factory=dict)
    ledger: dict[tuple[DealKey, int], str] = field(default_factory=dict)
    """By key and attempt; so are the records."""
    records: dict[tuple[DealKey, int], str] = field(default_factory=dict)
    late: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    """Deal set and attempt -> lines that were found after it had become void."""
    faults: dict[str, list[str]] = field(default_factory=dict)
    log: list[Deed] = field(default_factory=list)
    counters: Counter[str] = field(default_factory=Counter)
    events: list[tuple[str, str]] = field(default_factory=list)

    def append(
        self, now: int, entrants: Sequence[Entrant], fixtures: Sequence[Fixture], chunks: Sequence[Chunk]
    ) -> None:
        """Takes in a plan."""
        self.entrants += entrants
        self.fixtures += fixtures
        self.chunks += (MemoryChunk(chunk, due=now) for chunk in chunks)

    def event(self, kind: str, data: Mapping[str, Any]) -> None:
        """Tells live views."""
        self.events.append((kind, text.compact(data)))

    def deed(self, now: int, by: str | None, did: str, details: Mapping[str, Any]) -> None:
        """Into the organisers' log, where it was one."""
        if by is not None:
            self.log.append(Deed(now, by, did, details))

    def counted(self) -> Iterator[DealKey]:
        """The deals that no void outranks."""
        return (key for key, attempt in self.ledger if attempt == self.attempts[key.deal_set])

    def file(self, void: Void) -> None:
        """An attempt becomes void."""
        self.voids.append(void)
        self.attempts[void.deal_set] += 1
        self.counters["voids"] += 1
        self.event("void", text.void_event(void))

    def with_lines(self, void: Void) -> Void:
        """The void with all that is known of it: what it was filed with, what it outranked, what was found later."""
        deals = [
            line
            for (key, attempt), line in self.records.items()
            if (key.deal_set, attempt) == (void.deal_set, void.attempt)
        ]
        return replace(void, records=(*void.records, *deals, *self.late.get((void.deal_set, void.attempt), ())))

    def fixtures_left_of(self, entrant: int) -> list[int]:
        """The fixtures of an entrant that are still in the table."""
        out = {one.entrant for one in self.withdrawn.values() if one.annuls}
        return [f.number for f in self.fixtures if entrant in f.entrants and out.isdisjoint(f.entrants)]

    def finished(self, fixture: int) -> bool:
        """Whether a fixture was closed or all its chunks are done."""
        members = [chunk for chunk in self.chunks if chunk.plan.fixture == fixture]
        return fixture in self.closures or (bool(members) and all(chunk.done_ms is not None for chunk in members))

    def close(self, now: int, fixture: int, closure: str) -> None:
        """Makes all chunks of a fixture done, and says why."""
        self.closures[fixture] = closure
        for member in self.chunks:
            if member.plan.fixture == fixture and member.done_ms is None:
                member.finish(now)
        self.counters["closures"] += 1
        self.event("closure", {"fixture": fixture})

    def differences(self) -> list[str]:
        """What does not follow from ledger, voids and closures; a list in memory can hardly be otherwise."""
        told = []
        for chunk in self.chunks:
            should = chunk.plan.fixture in self.closures or chunk.counted == set(chunk.plan.deal_sets)
            if should != (chunk.done_ms is not None):
                told.append(f"chunk {chunk.plan.number} is done: {not should}, and must be: {should}")
        if self.status is Status.FINISHED and any(chunk.done_ms is None for chunk in self.chunks):
            told.append("the season is finished, and some of it is not played")
        return sorted(told)

    def move(self, now: int, status: Status) -> None:
        """To another status."""
        self.status = status
        if status is Status.RUNNING:
            self.dealt_ms = now
        self.event("status", {"status": status})

    def resume(self, now: int) -> None:
        """What waits unclaimed is due at once, and no-show times start again."""
        for chunk in self.chunks:
            if chunk.enqueued:
                chunk.due, chunk.enqueued = now, False
        self.seen.clear()

    def see(self, fixture: int, now: int) -> int:
        """Since when a fixture that is claimed is due."""
        since, last = self.seen.get(fixture, (now, now))
        since += max(0, now - last - UNSEEN_MS)
        self.seen[fixture] = (since, now)
        return since

    def cancel(self) -> None:
        """No chunk is leased or will ever be."""
        for chunk in self.chunks:
            if chunk.done_ms is None:
                chunk.open(None)
                chunk.enqueued = False

    def finish_if_all_done(self, now: int) -> None:
        """The season's end."""
        if all(chunk.done_ms is not None for chunk in self.chunks):
            self.move(now, Status.FINISHED)

    def whose(self, chunk: int, fence: int) -> Whose:
        """Whether this fence may still write for the chunk."""
        known = self.chunks[chunk] if 0 <= chunk < len(self.chunks) else None
        if known and known.done_ms is not None:
            return Whose.DONE
        if not known or not known.fence or known.fence != fence or self.status is Status.CANCELLED:
            return Whose.STALE
        return Whose.OURS

    def refusal(self, chunk: MemoryChunk, now: int) -> Refusal | None:
        """Why a chunk of this season is not to be had, if so."""
        if chunk.done_ms is not None:
            return Refusal(Reason.DONE)
        if self.status is not Status.RUNNING:
            return Refusal(Reason.NOT_RUNNING, status=self.status)
        if chunk.lease_until is not None and chunk.lease_until > now:
            return Refusal(Reason.LEASED, left_ms=chunk.lease_until - now)
        return None

    def sweep(self, now: int, limit: int, requeue_ms: int) -> list[int]:
        """Opens what has run out and hands out what is due."""
        for chunk in self.chunks:
            if chunk.lease_until is not None and chunk.lease_until <= now:
                chunk.open(now)
                self.counters["expired"] += 1
        due = [chunk for chunk in self.chunks if chunk.due is not None and chunk.due <= now]
        given = due[: max(0, limit - self._backlog(now))]
        for chunk in given:
            chunk.due, chunk.enqueued = now + requeue_ms, True
        self.counters["enqueued"] += len(given)
        return [chunk.plan.number for chunk in given]

    def waiting(self, now: int) -> Waiting:
        """The backlog and the next due."""
        clocks = [at for chunk in self.chunks for at in (chunk.due, chunk.lease_until) if at is not None]
        soonest = max(0, min(clocks) - now) if clocks and self.status is Status.RUNNING else None
        return Waiting(self._backlog(now), soonest)

    def progress(self) -> Progress:
        """How far it is."""
        leased = sum(chunk.lease_until is not None for chunk in self.chunks)
        done = sum(chunk.done_ms is not None for chunk in self.chunks)
        return Progress(
            status=self.status,
            entrants=len(self.entrants),
            fixtures=len(self.fixtures),
            begun=len(self.begun),
            closed=len(self.closures),
            open=len(self.chunks) - leased - done,
            leased=leased,
            done=done,
            deals=sum(1 for _ in self.counted()),
            voids=len(self.voids),
            withdrawn=len(self.withdrawn),
        )

    def vitals(self, now: int) -> Vitals:
        """How it does."""
        return Vitals(
            self.progress(),
            self._backlog(now),
            sum(chunk.lease_until is not None and chunk.lease_until <= now for chunk in self.chunks),
            None if self.dealt_ms is None else now - self.dealt_ms,
            self.tally(),
        )

    def tally(self) -> dict[str, int]:
        """The counters that ever counted."""
        return {name: value for name, value in sorted(self.counters.items()) if value}

    def _backlog(self, now: int) -> int:
        return sum(1 for chunk in self.chunks if chunk.enqueued and chunk.due is not None and chunk.due > now)
