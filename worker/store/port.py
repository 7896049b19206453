"""The store's promises. Every back end keeps them, and one suite of tests holds all of them to it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from worker.store.values import (
    ChunkStanding,
    Closing,
    Commit,
    Entry,
    Event,
    Lease,
    Progress,
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


class Store(ABC):
    """The truth of seasons: who is entered, what is planned, leased, done and counted.

    Every method is one atomic step, safe from any number of threads and processes, and safe to repeat when its answer
    was lost. Times are whole milliseconds of the store's clock, never of the caller's. Any method may raise
    StoreUnavailable; those that take a season raise UnknownSeason where no other answer is named, and ValueError for an
    id that is no name (``worker.tournament.entrants.NAME_RULE``).
    """

    # --- seasons ---

    @abstractmethod
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
        """Makes a season, scheduled.

        ``document`` is plain JSON that the store does not look into; secrets may be in it. Fixtures and chunks are
        numbered from 0 in their order; the deal sets of a chunk are its fixture's. Raises SeasonExists, and ValueError
        for a plan that contradicts itself (``worker.store.plan``).
        """

    @abstractmethod
    def seasons(self) -> list[Season]:
        """All seasons, oldest first."""

    @abstractmethod
    def status(self, season: str) -> Status:
        """Where the season stands."""

    @abstractmethod
    def set_status(self, season: str, status: Status) -> None:
        """Moves the season along ``worker.store.values.ALLOWED_FROM``; where it stands there already, nothing changes.

        A paused season grants no claims, and what is leased may still be committed. With running, whatever waits in
        the queue unclaimed is due at once and the no-show times of fixtures start again. With cancelled, every lease is
        over and nothing is written any more. Raises WrongStatus.
        """

    @abstractmethod
    def document(self, season: str) -> dict[str, Any]:
        """The document that the season was created with."""

    @abstractmethod
    def entrants(self, season: str) -> list[Entrant]:
        """The entrants by number, late ones last."""

    @abstractmethod
    def fixtures(self, season: str) -> list[Fixture]:
        """The fixtures by number, appended ones last."""

    @abstractmethod
    def chunks(self, season: str) -> list[ChunkStanding]:
        """The chunks by number, and where each stands."""

    @abstractmethod
    def progress(self, season: str) -> Progress:
        """How far the season is."""

    @abstractmethod
    def admit(
        self, season: str, seen: int, entrant: Entrant, fixtures: Sequence[Fixture], chunks: Sequence[Chunk]
    ) -> bool:
        """Appends a late entrant with its fixtures and chunks, numbered on from those that are there; all or nothing.

        ``seen`` is the number of entrants that the caller planned with; False where there are others by now (read
        again and plan again). A finished season that gains chunks runs again. Raises EntryClosed, AlreadyEntered,
        WrongStatus for a cancelled season, and ValueError for a plan that contradicts itself or does not go on from
        the numbers that are there.
        """

    # --- chunks: open -> leased -> done ---

    @abstractmethod
    def claim(self, season: str, chunk: int, lease_ms: int) -> Lease | Refusal:
        """Leases an open chunk, or one whose lease has run out, for ``lease_ms`` under a new fence.

        Of any number of claims at once at most one is granted. Never raises UnknownSeason: an unknown season or chunk
        is a Refusal.
        """

    @abstractmethod
    def heartbeat(self, season: str, chunk: int, fence: int, lease_ms: int) -> bool:
        """Makes the lease end ``lease_ms`` from now, never earlier than it would have.

        Also where it has run out but nobody else was given the chunk. False where the fence is not the latest, the
        chunk is done or the season was cancelled: whoever plays it should stop.
        """

    @abstractmethod
    def release(self, season: str, chunk: int, fence: int, delay_ms: int, *, excused: bool = False) -> bool:
        """Gives the lease back, to be enqueued again by a sweep ``delay_ms`` from now; the fence is worth nothing then.

        ``excused``: the platform is to blame (the referee was away), so the no-show time of the fixture starts again
        with the next claim. False, and no change, where the fence was worth nothing before.
        """

    @abstractmethod
    def sweep(self, season: str, limit: int, requeue_ms: int) -> list[int]:
        """The chunks to enqueue now, rising by number; none unless the season is running.

        Leases that have run out are opened again and due at once; live ones are never touched. Each chunk returned is
        due again in ``requeue_ms``, in case its message is lost. At most as many are returned as keep the backlog (see
        Waiting) at or below ``limit``.
        """

    @abstractmethod
    def waiting(self, season: str) -> Waiting:
        """The backlog, and how soon a sweep may find something."""

    @abstractmethod
    def mark_started(self, season: str, chunk: int, fence: int, incarnation: str) -> dict[int, str] | None:
        """To be called just before the chunk's matches are started at the referee: from here its fixture has begun.

        Notes the incarnation of the referee's log for the current attempt of each deal set of the chunk, unless one is
        noted. Returns by deal set what is noted: a match of this attempt that the referee does not know was never
        started if that is the referee's incarnation now, and may have been lost with its log if not. None, and no
        change, where the fence is not the latest, the chunk is done or the season was cancelled.
        """

    @abstractmethod
    def commit(self, season: str, chunk: int, fence: int, entries: Sequence[Entry]) -> Commit:
        """Writes the results and records of the whole chunk, and makes it done; all or nothing, once.

        A deal whose key is in the ledger is never overwritten. With the last chunk the season is finished. Raises
        ValueError where an entry is not of the chunk's fixture and deal sets, a key comes twice or one of its deal sets
        has no entry.
        """

    @abstractmethod
    def void(
        self, season: str, chunk: int, fence: int, deal_set: int, attempt: int, reason: str, records: Sequence[str]
    ) -> int | None:
        """Files an attempt of a deal set of the chunk as void and raises the set's attempt by one, once per attempt.

        Returns the attempt that is current then, also where this one was void before; None, and no change, where the
        fence is not the latest, the chunk is done or the season was cancelled. Raises ValueError for an attempt above
        the current one, a deal set that is not the chunk's or a record that is no single line.
        """

    @abstractmethod
    def close_fixture(
        self, season: str, chunk: int, fence: int, closure: Mapping[str, Any], *, even_if_begun: bool = False
    ) -> Closing:
        """Closes the chunk's fixture otherwise than by play: all its chunks are done, whoever holds them, once.

        ``closure`` is plain JSON that the store does not look into. A fixture that has begun is closed only where
        ``even_if_begun`` says so (a walkover to nobody, after void twice). With the last chunk the season is finished.
        """

    # --- what counts ---

    @abstractmethod
    def ledger(self, season: str, start: int = 0) -> Iterator[tuple[DealKey, dict[str, Any]]]:
        """The counted deals in the order of their arrival, from the ``start``-th on.

        Entries are only ever appended, so who has read n of them goes on with ``start=n``. What arrives while it is
        read is left out, and no commit is ever seen in part.
        """

    @abstractmethod
    def records(self, season: str) -> Iterator[str]:
        """The record lines in the order of records.jsonl: by deal set, fixture, seating, deal; otherwise as ledger."""

    @abstractmethod
    def voids(self, season: str) -> list[Void]:
        """The void attempts, in the order of their filing."""

    @abstractmethod
    def attempts(self, season: str) -> dict[int, int]:
        """The current attempt of each deal set that was ever void; of all others it is 0."""

    @abstractmethod
    def closures(self, season: str) -> dict[int, dict[str, Any]]:
        """The closures by fixture, rising."""

    @abstractmethod
    def counters(self, season: str) -> dict[str, int]:
        """How often things happened, for metrics; names that never did are missing.

        ``claims`` (granted), ``expired`` (leases that a sweep found run out), ``enqueued``, ``commits``, ``repeats``
        (commits of a chunk that was done), ``stale`` (commits refused for their fence), ``divergent`` (commits that
        brought another result for a deal in the ledger), ``voids``, ``closures``, ``refused`` (claims), ``released``
        (leases given back), ``excused`` (given back since the referee was away), ``lost`` (heartbeats refused for their
        fence).
        """

    @abstractmethod
    def vitals(self, season: str) -> Vitals:
        """What metrics tell of a season."""

    @abstractmethod
    def server(self) -> Server:
        """What metrics tell of the server."""

    # --- live views ---

    @abstractmethod
    def events(self, season: str, after: str = "0", *, count: int = 100, block_ms: int = 0) -> list[Event]:
        """Up to ``count`` events after the id ``after`` ("0": from the start), oldest first.

        Where there is none, waits for one up to ``block_ms`` (0 to 5000). About the last 10,000 are kept.
        """

    @abstractmethod
    def last_event(self, season: str) -> str:
        """The id of the newest event, "0" where there is none."""

    @abstractmethod
    def close(self) -> None:
        """Lets go of connections; the store may still be used and connects again."""
