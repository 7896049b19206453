"""The seasons of a league on another machine, through its office."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import grpc

from carico.v1 import seasons_pb2 as pb
from carico.v1.seasons_pb2_grpc import SeasonsServiceStub
from clients.cli.failure import BadUsage, ExitCode, Failure, Unreachable
from clients.cli.organisers import organisers_channel, told
from worker.audit.report import Report
from worker.office import messages
from worker.office.port import Exported, ExportFolder, MadeVoid, Seasons, Withdrawn
from worker.office.standing import Standing
from worker.store.values import Deed, Progress, Season
from worker.tournament.ledger import Withdrawal

CALL_SECONDS: Final = 70.0
"""How long a call may take: a little longer than the office gives it."""

LONG_SECONDS: Final = 3_700.0

PATIENCE_SECONDS: Final = 30.0
"""How long the office may be away before ``watch`` ends."""

PAUSE_SECONDS: Final = 1.0

_ITS_OWN_WORDS: Final = ("BAD_REQUEST: ", "UNKNOWN_SEASON: ", "SEASON_EXISTS: ", "NOT_NOW: ")
"""Before sentences about what was asked for, which are the same as those at hand."""

_LATER: Final = ("STORE_DOWN: ", "REFEREE_DOWN: ", "TOO_LONG: ")
"""Before sentences of an office that is there and can't do it now."""


class FarSeasons(Seasons):
    """See the port. Every method raises Failure and its kin. To be closed."""

    def __init__(self, address: str, token: str, credentials: grpc.ChannelCredentials | None = None) -> None:
        """Raises Refused for plain text to another machine."""
        self._address = address
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._channel = organisers_channel(address, credentials)
        self._stub = SeasonsServiceStub(self._channel)

    def close(self) -> None:
        """Lets go of the connection."""
        self._channel.close()

    def create(self, text: str, file_name: str, by: str) -> tuple[str, Progress]:
        """See the port."""
        request = pb.CreateSeasonRequest(file=text, file_name=file_name, by=by)
        found = self._call(self._stub.CreateSeason, request).progress
        return found.season, messages.read_progress(found)

    def seasons(self) -> list[Season]:
        """See the port."""
        found = self._call(self._stub.ListSeasons, pb.ListSeasonsRequest()).seasons
        return [messages.read_season_message(season) for season in found]

    def progress(self, ids: Sequence[str] = ()) -> list[tuple[str, Progress]]:
        """See the port."""
        found = self._call(self._stub.ListProgress, pb.ListProgressRequest(seasons=ids)).seasons
        return [(one.season, messages.read_progress(one)) for one in found]

    def standing(self, season: str) -> Standing:
        """See the port."""
        found = self._call(self._stub.GetStandings, pb.GetStandingsRequest(season=season))
        return messages.read_standing(found.standing)

    def watch(self, season: str) -> Iterator[Standing]:
        """See the port. An office that is away meanwhile is called again."""
        reached: float | None = None
        while True:
            try:
                for message in self._stream(self._stub.WatchSeason, pb.WatchSeasonRequest(season=season)):
                    reached = time.monotonic()
                    yield messages.read_standing(message.standing)
            except Unreachable:
                if reached is None or time.monotonic() - reached > PATIENCE_SECONDS:
                    raise
                time.sleep(PAUSE_SECONDS)
            else:
                return

    def start(self, season: str, by: str) -> None:
        """See the port."""
        self._call(self._stub.StartSeason, pb.StartSeasonRequest(season=season, by=by))

    def pause(self, season: str, by: str) -> int:
        """See the port."""
        return int(self._call(self._stub.PauseSeason, pb.PauseSeasonRequest(season=season, by=by)).playing)

    def resume(self, season: str, by: str) -> None:
        """See the port."""
        self._call(self._stub.ResumeSeason, pb.ResumeSeasonRequest(season=season, by=by))

    def withdraw(self, season: str, bot: str, version: str, by: str) -> Withdrawn:
        """See the port."""
        request = pb.WithdrawEntrantRequest(season=season, bot=bot, version=version, by=by)
        done = self._call(self._stub.WithdrawEntrant, request)
        return Withdrawn(done.before, Withdrawal(done.entrant, done.played, done.fixtures), done.closed)

    def void(self, season: str, deal_set: int, reason: str, by: str) -> MadeVoid:
        """See the port."""
        request = pb.VoidDealSetRequest(season=season, deal_set=deal_set, reason=reason, by=by)
        made = self._call(self._stub.VoidDealSet, request)
        return MadeVoid(made.attempt, made.next_attempt, made.deals, messages.read_status(made.status))

    def audit(self, season: str) -> Report:
        """See the port."""
        request = pb.AuditSeasonRequest(season=season)
        return messages.read_report(season, self._call(self._stub.AuditSeason, request, LONG_SECONDS))

    def rebuild(self, season: str, by: str) -> list[str]:
        """See the port."""
        return list(self._call(self._stub.RebuildSeason, pb.RebuildSeasonRequest(season=season, by=by)).replaced)

    def log(self, season: str) -> list[Deed]:
        """See the port."""
        found = self._call(self._stub.ListDeeds, pb.ListDeedsRequest(season=season)).deeds
        return [messages.read_deed(deed) for deed in found]

    def export(self, season: str, folder: ExportFolder) -> Exported:
        """See the port."""
        parts = self._stream(self._stub.ExportSeason, pb.ExportSeasonRequest(season=season))
        part = next(parts)

        def lines(kind: str) -> Iterator[str]:
            nonlocal part
            while part.WhichOneof("part") == kind:
                yield from getattr(part, kind).lines
                part = next(parts, pb.ExportSeasonResponse())

        folder.write_records(lines("records"))
        folder.write_voids(lines("voids"))
        if not part.HasField("table"):
            raise Failure(f"the office at {self._address} broke the export off: try again")
        folder.write_standings(json.loads(part.table.standings))
        return Exported(part.table.deals, messages.read_status(part.table.status))

    def faults(self, bot: str) -> list[dict[str, Any]]:
        """See the port."""
        notes = self._call(self._stub.ListFaults, pb.ListFaultsRequest(bot=bot)).notes
        return [messages.read_object(note) for note in notes]

    def _call(self, method: Callable[..., Any], request: Any, seconds: float = CALL_SECONDS) -> Any:
        with self._errors_told():
            return method(request, timeout=seconds, metadata=self._metadata)

    def _stream(self, method: Callable[..., Any], request: Any) -> Iterator[Any]:
        with self._errors_told():
            yield from method(request, timeout=LONG_SECONDS, metadata=self._metadata)

    @contextmanager
    def _errors_told(self) -> Iterator[None]:
        try:
            yield
        except grpc.RpcError as error:
            detail = error.details() or ""
            own = next((detail.removeprefix(word) for word in _ITS_OWN_WORDS if detail.startswith(word)), None)
            if detail.startswith(_LATER):
                raise Unreachable(f"the office at {self._address} can't do it now: {detail}") from error
            if own is None:
                raise told(error, self._address, "office") from error
            if error.code() is grpc.StatusCode.INVALID_ARGUMENT:
                raise BadUsage(own) from error
            raise Failure(own, ExitCode.FAILED) from error
        except messages.BadAnswer as error:
            raise Unreachable(f"what answers at {self._address} is no office of this version: {error}") from error
