"""The store's promises. Every back end keeps them, and one suite of tests holds all of them to it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from worker.store.values import (
    ChunkStanding,
    Closing,
    Commit,
    Deed,
    Entry,
    Event,
    FaultNote,
    Lease,
    Progress,
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
from worker.tournament.ledger import DealKey, Withdrawal


class Store(ABC):
    """The truth of seasons: who is entered, what is planned, leased, done and counted.

    Every method is one atomic step, safe from any number of threads and processes, and safe to repeat when its answer
    was lost. Times are whole milliseconds of the store's clock, never of the caller's. Any method may raise
    StoreUnavailable; those that take a season raise UnknownSeason where no other answer is named, and ValueError for an
    id that is no name (``worker.tournament.entrants.NAME_RULE``). ``by`` is the organiser who does it, 1 to 120
    printable characters: what was done stands in the organisers' log in the same step. None where no person did it.
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
        by: str | None = None,
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
    def set_status(self, season: str, status: Status, by: str | None = None) -> None:
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
        again and plan again), or where a fixture is against one that has withdrawn. A finished season that gains chunks
        runs again. Raises EntryClosed, AlreadyEntered, WrongStatus for a cancelled season, and ValueError for a plan
        that contradicts itself or does not go on from the numbers that are there.
        """

    @abstractmethod
    def withdraw(self, season: str, entrant: int, by: str | None = None) -> Withdrew:
        """Takes an entrant out of the season, by its number: all its fixtures that are not finished are closed.

        Their closures are ``worker.tournament.ledger.withdrawn``; whoever holds one of their chunks is stale. What the
        withdrawal says of its finished fixtures is the table's business: nothing leaves the ledger. Where it had
        withdrawn before, nothing changes. With the last chunk the season is finished. Raises NotInSeason, and
        WrongStatus for a season that is finished or cancelled.
        """

    @abstractmethod
    def void_set(self, season: str, deal_set: int, attempt: int, reason: str, by: str | None = None) -> Voided:
        """An organiser's decision: an attempt of a deal set does not count, and it is played again; once per attempt.

        The void is an entry of its own. What the attempt brought stays in the ledger, outranked; the set's attempt
        rises by one, its chunks are open and due at once, and whoever holds one is stale. A finished season runs again.
        The other deal sets of such a chunk go on counting, if they did. Where the attempt was void before, nothing
        changes. Raises NotInSeason, FixtureClosed, WrongStatus for a cancelled season, and ValueError for an attempt
        above the current one or a reason that is not one line of 1 to 500 printable characters.
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
    def commit(
        self, season: str, chunk: int, fence: int, entries: Sequence[Entry], faults: Sequence[FaultNote] = ()
    ) -> Commit:
        """Writes the results and records of the whole chunk, and makes it done; all or nothing, once.

        They are those of the current attempt of each deal set. A deal that is in the ledger with its attempt is never
        overwritten. ``faults`` are kept beside them. With the last chunk the season is finished. Raises ValueError
        where an entry is not of the chunk's fixture and deal sets, a key comes twice or one of its deal sets has
        neither an entry nor results that count already.
        """

    @abstractmethod
    def void(
        self, season: str, chunk: int, fence: int, deal_set: int, attempt: int, reason: str, records: Sequence[str]
    ) -> int | None:
        """Files an attempt of a deal set of the chunk as void and raises the set's attempt by one, once per attempt.

        Returns the attempt that is current then, also where this one was void before; None, and no change, where the
        fence is not the latest, the chunk is done or the season was cancelled. Raises ValueError for an attempt above
        the current one, a deal set that is not the chunk's or counts already, or a record that is no single line.
        """

    @abstractmethod
    def late_records(
        self, season: str, chunk: int, fence: int, deal_set: int, attempt: int, records: Sequence[str]
    ) -> bool:
        """Files what was found of an attempt after it had become void (``void_set``); the first to tell is believed.

        False, and no change, where the fence is not the latest, the chunk is done or the season was cancelled. Raises
        ValueError for an attempt that is not void, a deal set that is not the chunk's or a record that is no single
        line.
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
        """All deals that were ever counted, in the order of their arrival, from the ``start``-th on.

        Also those that a void outranks now: ``worker.tournament.ledger.counted`` with ``attempts`` leaves them out.

        Entries are only ever appended, so who has read n of them goes on with ``start=n``. What arrives while it is
        read is left out, and no commit is ever seen in part.
        """

    @abstractmethod
    def records(self, season: str, fixture: int | None = None) -> Iterator[str]:
        """The record lines of the deals that count, in the order of records.jsonl: deal set, fixture, seating, deal.

        Where a fixture is named, its own alone: none for a number that is not in the schedule. What arrives while it
        is read is left out, and no commit is ever seen in part.
        """

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
    def withdrawals(self, season: str) -> list[Withdrawal]:
        """The withdrawals, rising by entrant."""

    @abstractmethod
    def faults(self, season: str, bot: str) -> list[dict[str, Any]]:
        """The notes of a bot's latest faults (``FAULTS_KEPT``), all its versions, in the order of their commit.

        Each begins with ``at_ms``, when it was committed.

        Raises ValueError for a bot that is no name.
        """

    @abstractmethod
    def log(self, season: str) -> list[Deed]:
        """The organisers' log: who did what and when, in order; append-only."""

    @abstractmethod
    def differences(self, season: str) -> list[str]:
        """What the store keeps beside plan, ledger, voids, closures and withdrawals and does not follow from them.

        A sentence each, sorted, at most 1,000; none in a sound season. These are: current attempts, the marks of what
        counts and of what is done, the clocks of chunks, indices of the plan, the order of arrival, the status
        finished, the counters of voids and closures.
        """

    @abstractmethod
    def rebuild(self, season: str, by: str | None = None) -> list[str]:
        """Makes all that ``differences`` finds anew from what it should follow from, in one step; returns what it was.

        Plan, ledger, records, voids, closures and withdrawals are never touched.
        """

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

    @abstractmethod
    def check_writable(self) -> None:
        """Raises StoreUnavailable, with the reason and the mend, unless it can be written to now. Waits for nobody."""

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
