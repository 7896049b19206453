"""What goes into the store and comes out of it. Times are whole milliseconds of the store's own clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from worker.tournament.chunks import Chunk
from worker.tournament.entrants import Entrant
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import DealKey, Withdrawal


class Status(StrEnum):
    """Where a season stands; the words of standings.json."""

    SCHEDULED = "scheduled"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


ALLOWED_FROM: Final[Mapping[Status, frozenset[Status]]] = {
    Status.SCHEDULED: frozenset(),
    Status.RUNNING: frozenset({Status.SCHEDULED, Status.PAUSED}),
    Status.PAUSED: frozenset({Status.RUNNING}),
    Status.FINISHED: frozenset(),
    Status.CANCELLED: frozenset({Status.SCHEDULED, Status.RUNNING, Status.PAUSED}),
}
"""From which statuses an organiser may move a season to each. The store alone moves it to finished, when its last chunk
is done, and back to running, when a late entrant brings new ones."""


UNSEEN_MS: Final = 5_000
"""The most that a time without claims counts towards a fixture's no-show time: an outage is no absence of entrants."""


@dataclass(frozen=True, slots=True)
class Season:
    """A season at a glance; its document, which holds secrets, is read apart."""

    id: str
    status: Status
    open_entry: bool
    """Whether late entrants are admitted."""
    created_ms: int


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to play a chunk and to commit it, as long as nobody was given a later fence."""

    season: str
    chunk: Chunk
    fixture: Fixture
    document: Mapping[str, Any] = field(repr=False)
    """The season's, as ``Store.document`` has it; not shown, since secrets may be in it."""
    entrants: tuple[Entrant, ...]
    """Those of the fixture, in its order."""
    fence: int
    """Rises with every lease of the chunk; everything the owner writes carries it."""
    now_ms: int
    """When the lease was given."""
    until_ms: int
    """When it ends unless a heartbeat extends it; at exactly this time it is over."""
    due_since_ms: int
    """When a chunk of the fixture was first claimed, or first after the season was resumed or a release was excused.

    Of a time in which no chunk of it was claimed only UNSEEN_MS count, by putting this off: nobody looked then whether
    its entrants were there.
    """
    begun: bool
    """Whether a match of the fixture may have started: then it can be no walkover any more."""
    attempts: Mapping[int, int]
    """The current attempt of each deal set of the chunk."""
    counted: frozenset[int] = frozenset()
    """Deal sets of the chunk whose results count already: it was done before, and others of its sets became void."""

    @property
    def waited_ms(self) -> int:
        """How long the fixture has been due: its no-show time so far."""
        return self.now_ms - self.due_since_ms


class Reason(StrEnum):
    """Why a claim was refused."""

    DONE = "done"
    LEASED = "leased"
    NOT_RUNNING = "not running"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A claim that was not granted."""

    reason: Reason
    left_ms: int | None = None
    """With LEASED: how long the other's lease still runs, at least 1."""
    status: Status | None = None
    """With NOT_RUNNING: where the season stands."""


class Commit(StrEnum):
    """The answer to a commit."""

    RECORDED = "recorded"
    ALREADY = "already recorded"
    """The chunk is done: by an earlier try of this commit, by another owner or by the closing of its fixture."""
    STALE = "stale"
    """The fence is not the chunk's latest, or the season was cancelled: nothing was written."""


class Closing(StrEnum):
    """The answer to the closing of a fixture."""

    CLOSED = "closed"
    ALREADY = "already done"
    """The chunk is done: played, or closed before."""
    BEGUN = "begun"
    """A match of the fixture may have started, so it must be played: nothing was written."""
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Entry:
    """One counted deal: its key, what it counts for, and its record.

    Raises ValueError for a record that is no single line.
    """

    key: DealKey
    result: Mapping[str, Any]
    """Plain JSON; the store does not look into it."""
    record: str
    """The whole line of records.jsonl, without its newline; kept to the letter."""

    def __post_init__(self) -> None:
        if not self.record or "\n" in self.record:
            raise ValueError(f"deal {tuple(self.key)}: a record is one line without its newline")


@dataclass(frozen=True, slots=True)
class Void:
    """An attempt of a deal set that does not count. Raises ValueError for a record that is no single line."""

    deal_set: int
    attempt: int
    chunk: int
    """In which it was played."""
    reason: str
    records: tuple[str, ...]
    """Its lines, kept to the letter; none where nothing is known of it. Those of deals that had been counted have no
    reason in them."""

    def __post_init__(self) -> None:
        if not all(record and "\n" not in record for record in self.records):
            raise ValueError(f"void attempt {self.attempt} of deal set {self.deal_set}: a record is one line")


class ChunkState(StrEnum):
    """Where a chunk stands."""

    OPEN = "open"
    LEASED = "leased"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class ChunkStanding:
    """A chunk and where it stands. A lease that has run out counts as leased until a sweep or a claim sees it."""

    chunk: Chunk
    state: ChunkState
    fence: int
    """The last fence given out or taken back, 0 before the first claim."""
    at_ms: int | None
    """Open: when it is enqueued next (None in a cancelled season). Leased: when the lease ends. Done: since when."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a season is, read in one moment."""

    status: Status
    entrants: int
    fixtures: int
    begun: int
    """Fixtures that have begun."""
    closed: int
    """Fixtures that were closed otherwise than by play."""
    open: int
    """Chunks; so are the next two."""
    leased: int
    done: int
    deals: int
    """Deals of the ledger that no void outranks."""
    voids: int
    withdrawn: int = 0
    """Entrants that withdrew."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a sweeper should know besides the chunks it was given."""

    backlog: int
    """Chunks handed out by a sweep, not claimed since, and not yet due again: what still lies in the queue."""
    due_in_ms: int | None
    """How soon a sweep may find something, 0 for now; None where no chunk is left or the season is not running."""


@dataclass(frozen=True, slots=True)
class Vitals:
    """A season as its doctor sees it, read in one moment."""

    progress: Progress
    backlog: int
    """As in Waiting."""
    overdue: int
    """Leases that have run out and that no sweep or claim has seen yet."""
    idle_ms: int | None
    """Since a chunk's matches were last started, or else since the season was set running; None before that."""
    counters: Mapping[str, int]
    """As the port's ``counters`` tells."""


@dataclass(frozen=True, slots=True)
class Server:
    """The server that holds the store. What it does not tell, or may not be asked, is None."""

    memory_bytes: int | None = None
    """In use."""
    memory_limit_bytes: int | None = None
    """Its maxmemory; 0 where it has none."""
    log_bytes: int | None = None
    """Size of its append-only file."""
    writes: bool | None = None
    """Whether its last writes to its disk went well."""
    disk_bytes: int | None = None
    """Size of the disk that its append-only file is on; so is the next. Known only where that folder is here too."""
    disk_free_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a season, as a nudge for live views; the truth is in the other reads."""

    id: str
    """Rises; ``events(season, after=id)`` goes on from here."""
    kind: str
    """``status``, ``commit``, ``void``, ``closure``, ``entrant`` or ``withdrawal``."""
    data: Mapping[str, Any]
    """status: ``status``. commit: ``chunk``, ``fixture``, ``deals``. void: ``chunk``, ``deal_set``, ``attempt``,
    ``reason``. closure: ``fixture``. entrant, withdrawal: ``entrant`` (its number)."""


@dataclass(frozen=True, slots=True)
class Voided:
    """The answer to an organiser's void."""

    attempt: int
    """The attempt that is current now."""
    deals: int
    """How many deals left the count; 0 where none of them counted yet, or where the attempt was void before."""


@dataclass(frozen=True, slots=True)
class Withdrew:
    """The answer to a withdrawal."""

    withdrawal: Withdrawal
    closed: int
    """How many fixtures were closed by it; 0 where it had withdrawn before."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What an organiser did to a season."""

    at_ms: int
    by: str
    did: str
    """``create``, ``scheduled``, ``running``, ``paused``, ``cancelled`` (the new status), ``withdraw``, ``void`` or
    ``rebuild``."""
    details: Mapping[str, Any]
    """withdraw: ``entrant``, ``played``, ``fixtures``, ``closed``. void: ``deal_set``, ``attempt``, ``reason``,
    ``deals``. rebuild: ``replaced``, how many things. Else nothing."""


@dataclass(frozen=True, slots=True)
class FaultNote:
    """A fault of a bot, as its owner is told. The store does not look into ``note``, a plain JSON object, not empty."""

    bot: str
    note: Mapping[str, Any]


FAULTS_KEPT: Final = 200
"""The faults of one bot in one season that are kept; of more, the latest."""
