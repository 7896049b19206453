"""The service: organisers' calls from other machines, done on the store at hand."""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, TypeVar

import grpc.aio

from carico.v1 import seasons_pb2 as pb
from carico.v1 import seasons_pb2_grpc
from worker.office import messages
from worker.office.at_hand import SeasonsAtHand, season_id
from worker.office.door import Caller, Context, Door, Turnstile, address_of
from worker.office.errors import Reason, Refused, refusal
from worker.office.export import OVER, Export, export
from worker.office.live_table import LiveTable
from worker.office.port import BadRequest
from worker.office.tokens import Tokens
from worker.store.errors import StoreError
from worker.store.port import Store

WATCH_SECONDS: Final = 1.0
"""The least time between two looks at a table that is watched."""

CALL_SECONDS: Final = 60.0
"""How long a call may take."""

LONG_SECONDS: Final = 3_600.0
"""How long an audit, an export or a watch may take."""

MOST_WATCHES: Final = 32
MOST_HEAVY: Final = 2
"""Audits and exports at once."""

THREADS: Final = 8
BATCH_BYTES: Final = 128 * 1024
"""How much of an export is sent at once, about."""

logger = logging.getLogger("carico.office")

_T = TypeVar("_T")


class SeasonsServicer(seasons_pb2_grpc.SeasonsServiceServicer):
    """See the contract for what each call promises. The store is only ever called on threads of its own."""

    def __init__(self, store: Store, tokens: Tokens) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        """How often each method came to what: OK, or the reason of a refusal."""
        self._store = store
        self._tokens = tokens
        self._door = Door(tokens)
        self._seasons = SeasonsAtHand(store, dict)
        self._threads = ThreadPoolExecutor(THREADS, "office")
        self._watches, self._heavy = Turnstile(MOST_WATCHES), Turnstile(MOST_HEAVY)

    def close(self) -> None:
        """Begins nothing more; what is being done is done to its end."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    # --- what changes a season ---

    async def CreateSeason(  # noqa: N802, D102
        self, request: pb.CreateSeasonRequest, context: Context
    ) -> pb.CreateSeasonResponse:
        async with self._attended("CreateSeason", context) as caller:
            owners = await self._tokens.owners(caller.token)
            create = SeasonsAtHand(self._store, lambda: owners).create
            file_name = request.file_name[:200] or "the file"
            id_, progress = await self._deed("create", caller, request.by, create, request.file, file_name)
            return pb.CreateSeasonResponse(progress=messages.progress_message(id_, progress))

    async def StartSeason(  # noqa: N802, D102
        self, request: pb.StartSeasonRequest, context: Context
    ) -> pb.StartSeasonResponse:
        async with self._attended("StartSeason", context) as caller:
            await self._deed("start", caller, request.by, self._seasons.start, request.season)
            return pb.StartSeasonResponse()

    async def PauseSeason(  # noqa: N802, D102
        self, request: pb.PauseSeasonRequest, context: Context
    ) -> pb.PauseSeasonResponse:
        async with self._attended("PauseSeason", context) as caller:
            playing = await self._deed("pause", caller, request.by, self._seasons.pause, request.season)
            return pb.PauseSeasonResponse(playing=playing)

    async def ResumeSeason(  # noqa: N802, D102
        self, request: pb.ResumeSeasonRequest, context: Context
    ) -> pb.ResumeSeasonResponse:
        async with self._attended("ResumeSeason", context) as caller:
            await self._deed("resume", caller, request.by, self._seasons.resume, request.season)
            return pb.ResumeSeasonResponse()

    async def WithdrawEntrant(  # noqa: N802, D102
        self, request: pb.WithdrawEntrantRequest, context: Context
    ) -> pb.WithdrawEntrantResponse:
        async with self._attended("WithdrawEntrant", context) as caller:
            withdraw = self._seasons.withdraw
            done = await self._deed(
                "withdraw", caller, request.by, withdraw, request.season, request.bot, request.version
            )
            return pb.WithdrawEntrantResponse(before=done.before, closed=done.closed, **done.withdrawal.to_json())

    async def VoidDealSet(  # noqa: N802, D102
        self, request: pb.VoidDealSetRequest, context: Context
    ) -> pb.VoidDealSetResponse:
        async with self._attended("VoidDealSet", context) as caller:
            void = self._seasons.void
            made = await self._deed("void", caller, request.by, void, request.season, request.deal_set, request.reason)
            return pb.VoidDealSetResponse(
                attempt=made.attempt,
                next_attempt=made.next_attempt,
                deals=made.deals,
                status=messages.status_message(made.status),
            )

    async def RebuildSeason(  # noqa: N802, D102
        self, request: pb.RebuildSeasonRequest, context: Context
    ) -> pb.RebuildSeasonResponse:
        async with self._attended("RebuildSeason", context) as caller:
            replaced = await self._deed("rebuild", caller, request.by, self._seasons.rebuild, request.season)
            return pb.RebuildSeasonResponse(replaced=replaced)

    # --- what only looks ---

    async def ListSeasons(  # noqa: N802, D102
        self, request: pb.ListSeasonsRequest, context: Context
    ) -> pb.ListSeasonsResponse:
        async with self._attended("ListSeasons", context):
            found = await self._do(self._seasons.seasons)
            return pb.ListSeasonsResponse(seasons=map(messages.season_message, found))

    async def ListProgress(  # noqa: N802, D102
        self, request: pb.ListProgressRequest, context: Context
    ) -> pb.ListProgressResponse:
        async with self._attended("ListProgress", context):
            found = await self._do(self._seasons.progress, request.seasons)
            return pb.ListProgressResponse(seasons=[messages.progress_message(*one) for one in found])

    async def GetStandings(  # noqa: N802, D102
        self, request: pb.GetStandingsRequest, context: Context
    ) -> pb.GetStandingsResponse:
        async with self._attended("GetStandings", context):
            standing = await self._do(self._seasons.standing, request.season)
            return pb.GetStandingsResponse(standing=messages.standing_message(standing))

    async def WatchSeason(  # noqa: N802, D102
        self, request: pb.WatchSeasonRequest, context: Context
    ) -> AsyncIterator[pb.WatchSeasonResponse]:
        async with self._attended("WatchSeason", context, LONG_SECONDS), self._watches.one():
            table = await self._do(LiveTable, self._store, season_id(request.season))
            told: set[int] = set()
            before = None
            while True:
                standing = await self._do(table.standing, told)
                told |= {fixture.number for fixture in standing.finished}
                if standing != before:
                    yield pb.WatchSeasonResponse(standing=messages.standing_message(standing))
                if standing.status in OVER:
                    return
                before = standing
                await asyncio.sleep(WATCH_SECONDS)
                await self._do(table.refresh)

    async def AuditSeason(  # noqa: N802, D102
        self, request: pb.AuditSeasonRequest, context: Context
    ) -> pb.AuditSeasonResponse:
        async with self._attended("AuditSeason", context, LONG_SECONDS), self._heavy.one():
            return messages.report_message(await self._do(self._seasons.audit, request.season))

    async def ListDeeds(  # noqa: N802, D102
        self, request: pb.ListDeedsRequest, context: Context
    ) -> pb.ListDeedsResponse:
        async with self._attended("ListDeeds", context):
            deeds = await self._do(self._seasons.log, request.season)
            return pb.ListDeedsResponse(deeds=map(messages.deed_message, deeds))

    async def ExportSeason(  # noqa: N802, D102
        self, request: pb.ExportSeasonRequest, context: Context
    ) -> AsyncIterator[pb.ExportSeasonResponse]:
        async with self._attended("ExportSeason", context, LONG_SECONDS), self._heavy.one():
            found: Export = await self._do(export, self._store, season_id(request.season))
            while lines := await self._do(_batch, found.records):
                yield pb.ExportSeasonResponse(records=pb.Lines(lines=lines))
            while lines := await self._do(_batch, found.voids):
                yield pb.ExportSeasonResponse(voids=pb.Lines(lines=lines))
            status = messages.status_message(found.table.progress.status)
            standings = json.dumps(found.table.to_json(), ensure_ascii=False)
            table = pb.ExportedTable(standings=standings, status=status, deals=len(found.table.counted))
            yield pb.ExportSeasonResponse(table=table)

    async def ListFaults(  # noqa: N802, D102
        self, request: pb.ListFaultsRequest, context: Context
    ) -> pb.ListFaultsResponse:
        async with self._attended("ListFaults", context):
            notes = await self._do(self._seasons.faults, request.bot)
            return pb.ListFaultsResponse(notes=map(json.dumps, notes))

    # --- what all calls have in common ---

    @asynccontextmanager
    async def _attended(self, method: str, context: Context, seconds: float = CALL_SECONDS) -> AsyncIterator[Caller]:
        """Lets an organiser in, and nobody else; ends the call by the catalogue where something is wrong within."""
        try:
            async with asyncio.timeout(seconds):
                yield await self._door.organiser(context)
        except Refused as refused:
            why = refused
        except (BadRequest, StoreError) as error:
            why = refusal(error)
        except TimeoutError:
            why = Refused(Reason.TOO_LONG, seconds=int(seconds))
        except grpc.aio.BaseError:
            return  # the line broke
        except Exception:
            logger.exception("%s failed", method)
            why = Refused(Reason.INTERNAL)
        else:
            self.calls[method, "OK"] += 1
            return
        self.calls[method, why.reason.value] += 1
        logger.warning("%s from %s is refused: %s", method, address_of(context), why.reason.value)
        await why.abort(context)

    async def _do(self, work: Callable[..., _T], *arguments: Any) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(work, *arguments))

    async def _deed(self, did: str, caller: Caller, by: str, work: Callable[..., _T], *arguments: Any) -> _T:
        """Does what changes a season, and writes a line about it also where the caller has gone meanwhile."""
        name = caller.name(by)

        def do() -> _T:
            done = work(*arguments, name)
            logger.info("%s by %s", did, name)
            return done

        return await self._do(do)


def _batch(lines: Iterator[str]) -> list[str]:
    """The next lines, none where there is none left."""
    found: list[str] = []
    size = 0
    for line in lines:
        found.append(line)
        size += len(line)
        if size >= BATCH_BYTES:
            break
    return found
