"""Seasons in Redis: every write is one Lua script, every read one transaction."""

# ruff: noqa: D102 - the promises stand on the port

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final
from uuid import uuid4

from worker.store import text
from worker.store.errors import (
    AlreadyEntered,
    EntryClosed,
    FixtureClosed,
    SeasonExists,
    UnknownSeason,
    WrongStatus,
)
from worker.store.keys import SEASONS, faults_key, key, keys
from worker.store.link import Link
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
from worker.store.scripts import NAMES, script
from worker.store.values import (
    ALLOWED_FROM,
    FAULTS_KEPT,
    UNSEEN_MS,
    ChunkStanding,
    ChunkState,
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
from worker.tournament.ledger import DealKey, Withdrawal

_BATCH: Final = 500


class RedisStore(Store):
    """The store on one Redis or Valkey server. Safe to share among threads; made anew in each process."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._redis = link.client
        self._scripts = {name: self._redis.register_script(script(name)) for name in NAMES}

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
        plan = text.plan_arguments(entrants, fixtures, chunks)
        # First the name, on its own slot: without the season it is not listed, and the season is never without it.
        self._link.call(lambda: self._redis.sadd(SEASONS, season))
        head = (uuid4().hex, text.compact(document), int(open_entry), by or "")
        if self._run("create", season, *head, *plan)[0] == "exists":
            raise SeasonExists(season)

    def seasons(self) -> list[Season]:
        ids = sorted(self._link.call(lambda: self._redis.smembers(SEASONS)))
        fields = ("status", "open_entry", "created_ms")

        def read() -> Any:
            with self._redis.pipeline(transaction=False) as pipe:
                for season in ids:
                    pipe.hmget(key(season, "season"), fields)
                return pipe.execute()

        found = [
            Season(season, Status(status), open_entry == "1", int(created))
            for season, (status, open_entry, created) in zip(ids, self._link.call(read), strict=True)
            if status is not None
        ]
        return sorted(found, key=lambda one: (one.created_ms, one.id))

    def status(self, season: str) -> Status:
        (status,) = self._read(season)
        return Status(status)

    def set_status(self, season: str, status: Status, by: str | None = None) -> None:
        check_by(by)
        answer = self._run("status", season, status, by or "", *sorted(ALLOWED_FROM[status]))
        if answer[0] == "wrong":
            raise WrongStatus(season, answer[1], status)

    def document(self, season: str) -> dict[str, Any]:
        _, document = self._read(season, ("hget", "season", "document"))
        return text.read_object(document)

    def entrants(self, season: str) -> list[Entrant]:
        _, found = self._read(season, ("lrange", "entrants", 0, -1))
        return [text.read_entrant(one) for one in found]

    def fixtures(self, season: str) -> list[Fixture]:
        _, found = self._read(season, ("hgetall", "fixtures"))
        return [text.read_fixture(one) for _, one in _numbered(found)]

    def chunks(self, season: str) -> list[ChunkStanding]:
        _, chunks, fences, done, leases, due = self._read(
            season,
            ("hgetall", "chunks"),
            ("hgetall", "fences"),
            ("hgetall", "done"),
            ("zrange", "leases", 0, -1, False, True),
            ("zrange", "due", 0, -1, False, True),
        )
        clocks = (
            (ChunkState.DONE, {int(number): int(at) for number, at in done.items()}),
            (ChunkState.LEASED, {int(number): int(at) for number, at in leases}),
            (ChunkState.OPEN, {int(number): int(at) for number, at in due}),
        )
        found = []
        for number, plan in _numbered(chunks):
            state, at = next(
                ((state, clock[number]) for state, clock in clocks if number in clock), (ChunkState.OPEN, None)
            )
            found.append(ChunkStanding(text.read_chunk(number, plan), state, int(fences.get(str(number), 0)), at))
        return found

    def progress(self, season: str) -> Progress:
        status, entrants, fixtures, begun, closed, chunks, leased, done, deals, voids, withdrawn, outranked = (
            self._read(
                season,
                ("llen", "entrants"),
                ("hlen", "fixtures"),
                ("hlen", "begun"),
                ("hlen", "closures"),
                ("hlen", "chunks"),
                ("zcard", "leases"),
                ("hlen", "done"),
                ("hlen", "ledger"),
                ("llen", "voids"),
                ("hlen", "withdrawn"),
                ("hget", "season", "outranked"),
            )
        )
        return Progress(
            status=Status(status),
            entrants=entrants,
            fixtures=fixtures,
            begun=begun,
            closed=closed,
            open=chunks - leased - done,
            leased=leased,
            done=done,
            deals=deals - int(outranked or 0),
            voids=voids,
            withdrawn=withdrawn,
        )

    def admit(
        self, season: str, seen: int, entrant: Entrant, fixtures: Sequence[Fixture], chunks: Sequence[Chunk]
    ) -> bool:
        check_meetings(seen + 1, fixtures, chunks)
        firsts = [numbered[0].number if numbered else "" for numbered in (fixtures, chunks)]
        plan = text.plan_arguments([entrant], fixtures, chunks)
        answer = self._run("admit", season, uuid4().hex, seen, *firsts, *plan)
        match answer[0]:
            case "wrong":
                raise WrongStatus(season, answer[1], "entered")
            case "closed":
                raise EntryClosed(season)
            case "entered":
                raise AlreadyEntered(season, entrant.bot, entrant.version)
            case "numbers":
                check_meetings(seen + 1, fixtures, chunks, first_fixture=answer[1], first_chunk=answer[2])
        return bool(answer[0] == "ok")

    def withdraw(self, season: str, entrant: int, by: str | None = None) -> Withdrew:
        check_by(by)
        answer = self._run("withdraw", season, entrant, by or "")
        match answer[0]:
            case "none":
                raise no_entrant(season, entrant)
            case "wrong":
                raise WrongStatus(season, answer[1], "withdrawn from")
        return Withdrew(text.read_withdrawal(answer[1]), answer[2])

    def void_set(self, season: str, deal_set: int, attempt: int, reason: str, by: str | None = None) -> Voided:
        check_by(by)
        check_reason(reason)
        answer = self._run("void_set", season, deal_set, attempt, text.quoted(reason), by or "")
        match answer[0]:
            case "none":
                raise no_set(season, deal_set)
            case "wrong":
                raise WrongStatus(season, answer[1], "changed")
            case "closed":
                raise FixtureClosed(season, deal_set, answer[1])
            case "ahead":
                check_attempt(deal_set, attempt, answer[1])
        return Voided(answer[1], answer[2])

    # --- chunks ---

    def claim(self, season: str, chunk: int, lease_ms: int) -> Lease | Refusal:
        try:
            answer = self._run("claim", season, chunk, lease_ms, UNSEEN_MS, uuid4().hex)
        except UnknownSeason:
            return Refusal(Reason.UNKNOWN)
        match answer[0]:
            case Reason.LEASED:
                return Refusal(Reason.LEASED, left_ms=answer[1])
            case Reason.NOT_RUNNING:
                return Refusal(Reason.NOT_RUNNING, status=Status(answer[1]))
            case "granted":
                _, plan, fixture, document, entrants, fence, now, until, due_since, begun, *attempts = answer
                leased = text.read_chunk(chunk, plan)
                sets = list(zip(leased.deal_sets, attempts[::2], attempts[1::2], strict=True))
                return Lease(
                    season,
                    leased,
                    text.read_fixture(fixture),
                    text.read_object(document),
                    tuple(map(text.read_entrant, entrants)),
                    int(fence),
                    now,
                    until,
                    int(due_since),
                    bool(begun),
                    {deal_set: int(attempt) for deal_set, attempt, _ in sets},
                    frozenset(deal_set for deal_set, _, counts in sets if counts),
                )
        return Refusal(Reason(answer[0]))

    def heartbeat(self, season: str, chunk: int, fence: int, lease_ms: int) -> bool:
        return bool(self._run("heartbeat", season, chunk, fence, lease_ms)[0] == "ok")

    def release(self, season: str, chunk: int, fence: int, delay_ms: int, *, excused: bool = False) -> bool:
        return bool(self._run("release", season, chunk, fence, delay_ms, int(excused))[0] == "ok")

    def sweep(self, season: str, limit: int, requeue_ms: int) -> list[int]:
        return [int(chunk) for chunk in self._run("sweep", season, limit, requeue_ms)[1:]]

    def waiting(self, season: str) -> Waiting:
        _, backlog, *due_in = self._run("waiting", season)
        return Waiting(backlog, due_in[0] if due_in else None)

    def mark_started(self, season: str, chunk: int, fence: int, incarnation: str) -> dict[int, str] | None:
        answer = self._run("start", season, chunk, fence, incarnation)
        return dict(enumerate(answer[2:], answer[1])) if answer[0] == "ok" else None

    def commit(
        self, season: str, chunk: int, fence: int, entries: Sequence[Entry], faults: Sequence[FaultNote] = ()
    ) -> Commit:
        for fault in faults:
            check_bot(fault.bot)
        notes: list[str | int] = [len(faults), *(text.compact(fault.note) for fault in faults), FAULTS_KEPT]
        arguments = text.entry_arguments(entries)
        lists = [faults_key(season, fault.bot) for fault in faults]
        answer = self._run("commit", season, chunk, fence, *notes, *arguments, lists=lists)
        match answer[0]:
            case "missing":
                raise missing(chunk, answer[1])
            case "of another":
                check_entries(Chunk(chunk, *answer[1:]), [entry.key for entry in entries])
        return Commit(answer[0])

    def void(
        self, season: str, chunk: int, fence: int, deal_set: int, attempt: int, reason: str, records: Sequence[str]
    ) -> int | None:
        void = Void(deal_set, attempt, chunk, reason, tuple(records))
        plan = self._plan(season, chunk)
        if plan is not None:
            check_deal_set(plan, deal_set)
        answer = self._run("void", season, chunk, fence, deal_set, attempt, *text.void_arguments(void))
        if answer[0] == "ahead":
            check_attempt(deal_set, attempt, answer[1])
        if answer[0] == "counted":
            raise already_counts(deal_set)
        return int(answer[1]) if answer[0] == "ok" else None

    def late_records(
        self, season: str, chunk: int, fence: int, deal_set: int, attempt: int, records: Sequence[str]
    ) -> bool:
        Void(deal_set, attempt, chunk, "", tuple(records))
        plan = self._plan(season, chunk)
        if plan is not None:
            check_deal_set(plan, deal_set)
        answer = self._run("late_records", season, chunk, fence, deal_set, attempt, text.compact(list(records)))
        check_void(deal_set, attempt, void=answer[0] != "not void")
        return bool(answer[0] == "ok")

    def close_fixture(
        self, season: str, chunk: int, fence: int, closure: Mapping[str, Any], *, even_if_begun: bool = False
    ) -> Closing:
        return Closing(self._run("close", season, chunk, fence, text.compact(closure), int(even_if_begun))[0])

    # --- what counts ---

    def ledger(self, season: str, start: int = 0) -> Iterator[tuple[DealKey, dict[str, Any]]]:
        _, fields = self._read(season, ("lrange", "arrival", start, -1))
        found = self._many(season, "ledger", fields)
        return ((text.read_key(field), text.read_object(result)) for field, result in found)

    def records(self, season: str, fixture: int | None = None) -> Iterator[str]:
        _, fields, attempts = self._read(season, ("hkeys", "records"), ("hgetall", "attempts"))
        read = ((*text.read_field(field), field) for field in fields)
        wanted = sorted(
            (key, field)
            for key, attempt, field in read
            if attempt == int(attempts.get(str(key.deal_set), 0)) and fixture in (None, key.fixture)
        )
        return (line for _, line in self._many(season, "records", [field for _, field in wanted]))

    def voids(self, season: str) -> list[Void]:
        _, found, late = self._read(season, ("lrange", "voids", 0, -1), ("hgetall", "late"))
        lines = dict(self._many(season, "records", [field for one in found for field in text.void_fields(one)]))
        return [
            text.read_void(
                one, [*(lines[field] for field in text.void_fields(one) if lines[field]), *text.late_lines(one, late)]
            )
            for one in found
        ]

    def attempts(self, season: str) -> dict[int, int]:
        _, found = self._read(season, ("hgetall", "attempts"))
        return {deal_set: int(attempt) for deal_set, attempt in _numbered(found)}

    def closures(self, season: str) -> dict[int, dict[str, Any]]:
        _, found = self._read(season, ("hgetall", "closures"))
        return {fixture: text.read_object(closure) for fixture, closure in _numbered(found)}

    def withdrawals(self, season: str) -> list[Withdrawal]:
        _, found = self._read(season, ("hgetall", "withdrawn"))
        return [text.read_withdrawal(one) for _, one in _numbered(found)]

    def faults(self, season: str, bot: str) -> list[dict[str, Any]]:
        check_bot(bot)
        self._read(season)
        found = self._link.call(lambda: self._redis.lrange(faults_key(season, bot), 0, -1))
        return [text.read_object(one) for one in found]

    def log(self, season: str) -> list[Deed]:
        _, found = self._read(season, ("xrange", "log"))
        return [text.read_deed(**fields) for _, fields in found]

    def differences(self, season: str) -> list[str]:
        return list(map(str, self._run("differences", season)[1:]))

    def rebuild(self, season: str, by: str | None = None) -> list[str]:
        check_by(by)
        return list(map(str, self._run("rebuild", season, by or "")[1:]))

    def counters(self, season: str) -> dict[str, int]:
        _, found = self._read(season, ("hgetall", "counters"))
        return {name: int(value) for name, value in sorted(found.items())}

    def vitals(self, season: str) -> Vitals:
        _, status, idle_ms, backlog, overdue, *numbers = self._run("vitals", season)
        entrants, fixtures, begun, closed, chunks, leased, done, deals, voids, withdrawn, *counters = numbers
        left = chunks - leased - done
        return Vitals(
            Progress(Status(status), entrants, fixtures, begun, closed, left, leased, done, deals, voids, withdrawn),
            backlog,
            overdue,
            None if idle_ms < 0 else idle_ms,
            {name: int(value) for name, value in sorted(zip(counters[::2], counters[1::2], strict=True))},
        )

    def server(self) -> Server:
        return self._link.server()

    def check_writable(self) -> None:
        self._link.check_writable()

    # --- live views ---

    def events(self, season: str, after: str = "0", *, count: int = 100, block_ms: int = 0) -> list[Event]:
        check_block(block_ms)
        self._read(season)
        stream = key(season, "events")
        found = self._link.call(lambda: self._redis.xread({stream: after}, count=count, block=block_ms or None))
        return [text.read_event(event, **fields) for _, items in found for event, fields in items]

    def last_event(self, season: str) -> str:
        _, found = self._read(season, ("xrevrange", "events", "+", "-", 1))
        return str(found[0][0]) if found else "0"

    def close(self) -> None:
        self._redis.close()

    # --- how ---

    def _run(self, name: str, season: str, *arguments: str | int, lists: Sequence[str] = ()) -> list[Any]:
        """The answer of a script. Every script is safe to repeat, so a lost answer is asked for again."""
        check_season_id(season)
        answer: list[Any] = self._link.call(lambda: self._scripts[name]([*keys(season), *lists], arguments))
        if answer[0] == "unknown season":
            raise UnknownSeason(season)
        return answer

    def _read(self, season: str, *commands: tuple[str | int, ...]) -> list[Any]:
        """The season's status and the answers of these in one moment: redis-py's method, kind of key, arguments."""
        check_season_id(season)

        def read() -> list[Any]:
            with self._redis.pipeline(transaction=True) as pipe:
                pipe.hget(key(season, "season"), "status")
                for method, kind, *arguments in commands:
                    getattr(pipe, str(method))(key(season, str(kind)), *arguments)
                return list(pipe.execute())

        status, *answers = self._link.call(read)
        if status is None:
            raise UnknownSeason(season)
        return [status, *answers]

    def _plan(self, season: str, chunk: int) -> Chunk | None:
        """A chunk by its number; its plan never changes."""
        _, found = self._read(season, ("hget", "chunks", chunk))
        return None if found is None else text.read_chunk(chunk, found)

    def _many(self, season: str, kind: str, fields: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The fields of a hash that only ever gains some, in batches."""
        for at in range(0, len(fields), _BATCH):
            batch = fields[at : at + _BATCH]
            values = self._link.call(partial(self._redis.hmget, key(season, kind), batch))
            yield from zip(batch, values, strict=True)


def _numbered(found: Mapping[str, str]) -> list[tuple[int, str]]:
    """A hash whose fields are numbers, rising."""
    return sorted((int(number), value) for number, value in found.items())
