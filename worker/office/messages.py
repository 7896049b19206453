"""What an organiser's values are on the wire, and back."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, Literal

from google.protobuf.timestamp_pb2 import Timestamp

from carico.v1 import seasons_pb2 as pb
from worker.audit.report import Finding, Report, VoidLine
from worker.office.standing import FinishedFixture, Standing
from worker.store.values import Deed, Progress, Season, Status
from worker.tournament.rows import Row

_STATUSES: Final[Mapping[Status, "pb.SeasonStatus.ValueType"]] = {
    Status.SCHEDULED: pb.SEASON_STATUS_SCHEDULED,
    Status.RUNNING: pb.SEASON_STATUS_RUNNING,
    Status.PAUSED: pb.SEASON_STATUS_PAUSED,
    Status.FINISHED: pb.SEASON_STATUS_FINISHED,
    Status.CANCELLED: pb.SEASON_STATUS_CANCELLED,
}
_READ_STATUSES: Final = {number: status for status, number in _STATUSES.items()}
_ROW_FIELDS: Final = tuple(field.name for field in fields(Row))
_FIXTURE_FIELDS: Final[tuple[Literal["fixtures", "won", "drawn", "lost", "match_points"], ...]] = (
    "fixtures",
    "won",
    "drawn",
    "lost",
    "match_points",
)
_PROGRESS_FIELDS: Final = tuple(field.name for field in fields(Progress) if field.name != "status")


class BadAnswer(Exception):
    """A message that an office of this version does not send."""


def status_message(status: Status) -> "pb.SeasonStatus.ValueType":
    """The number of a status."""
    return _STATUSES[status]


def read_status(number: "pb.SeasonStatus.ValueType") -> Status:
    """The status of a number. Raises BadAnswer."""
    try:
        return _READ_STATUSES[number]
    except KeyError:
        raise BadAnswer(f"{number} is no status of a season") from None


def time_message(ms: int) -> Timestamp:
    """A moment in whole milliseconds since 1970."""
    return Timestamp(seconds=ms // 1000, nanos=ms % 1000 * 1_000_000)


def read_time(message: Timestamp) -> int:
    """The moment in whole milliseconds since 1970."""
    return message.seconds * 1000 + message.nanos // 1_000_000


def season_message(season: Season) -> pb.Season:
    """A season at a glance."""
    return pb.Season(
        id=season.id,
        status=status_message(season.status),
        open_entry=season.open_entry,
        created=time_message(season.created_ms),
    )


def read_season_message(message: pb.Season) -> Season:
    """The reverse of ``season_message``."""
    return Season(message.id, read_status(message.status), message.open_entry, read_time(message.created))


def progress_message(season: str, progress: Progress) -> pb.SeasonProgress:
    """How far a season is."""
    numbers = {name: getattr(progress, name) for name in _PROGRESS_FIELDS}
    return pb.SeasonProgress(season=season, status=status_message(progress.status), **numbers)


def read_progress(message: pb.SeasonProgress) -> Progress:
    """The reverse of ``progress_message``."""
    return Progress(status=read_status(message.status), **{name: getattr(message, name) for name in _PROGRESS_FIELDS})


def standing_message(standing: Standing) -> pb.Standing:
    """A table at a moment."""
    return pb.Standing(
        season=standing.season,
        game=standing.game,
        places=standing.places,
        sides=standing.sides,
        status=status_message(standing.status),
        entrants=standing.entrants,
        rows=[pb.StandingRow(**row.to_json()) for row in standing.rows],
        deals=standing.deals,
        deals_planned=standing.deals_planned,
        fixtures=standing.fixtures,
        finished=[_finished_message(fixture) for fixture in standing.finished],
    )


def read_standing(message: pb.Standing) -> Standing:
    """The reverse of ``standing_message``."""
    return Standing(
        season=message.season,
        game=message.game,
        places=message.places,
        sides=message.sides,
        status=read_status(message.status),
        entrants=message.entrants,
        rows=tuple(_read_row(row) for row in message.rows),
        deals=message.deals,
        deals_planned=message.deals_planned,
        fixtures=message.fixtures,
        finished=[_read_finished(fixture) for fixture in message.finished],
    )


def report_message(report: Report) -> pb.AuditSeasonResponse:
    """What an audit found."""
    return pb.AuditSeasonResponse(
        status=status_message(report.status),
        findings=[pb.AuditFinding(area=finding.area, text=finding.text) for finding in report.findings],
        deals=report.deals,
        verified=report.verified,
        sets=report.sets,
        voids=[
            pb.AuditVoid(deal_set=void.deal_set, attempt=void.attempt, reason=void.reason, led=void.led)
            for void in report.voids
        ],
    )


def read_report(season: str, message: pb.AuditSeasonResponse) -> Report:
    """The reverse of ``report_message``, without the rows."""
    return Report(
        season=season,
        status=read_status(message.status),
        findings=[Finding(finding.area, finding.text) for finding in message.findings],
        deals=message.deals,
        verified=message.verified,
        voids=[VoidLine(void.deal_set, void.attempt, void.reason, void.led) for void in message.voids],
        sets=message.sets,
    )


def deed_message(deed: Deed) -> pb.Deed:
    """A line of the organisers' log."""
    return pb.Deed(at=time_message(deed.at_ms), by=deed.by, did=deed.did, details=json.dumps(dict(deed.details)))


def read_deed(message: pb.Deed) -> Deed:
    """The reverse of ``deed_message``. Raises BadAnswer."""
    return Deed(read_time(message.at), message.by, message.did, read_object(message.details))


def read_object(text: str) -> dict[str, Any]:
    """A JSON object. Raises BadAnswer."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise BadAnswer(f"no JSON: {error}") from error
    if not isinstance(found, dict):
        raise BadAnswer("JSON, but no object")
    return found


def _read_row(message: pb.StandingRow) -> Row:
    found: dict[str, Any] = {name: getattr(message, name) for name in _ROW_FIELDS}
    absent = [name for name in _FIXTURE_FIELDS if not message.HasField(name)]
    return Row(**found | dict.fromkeys(absent))


def _finished_message(fixture: FinishedFixture) -> pb.FinishedFixture:
    return pb.FinishedFixture(
        number=fixture.number,
        bots=fixture.bots,
        scores=fixture.scores,
        match_points=fixture.match_points or (),
        walkover=None if fixture.lost_by is None else pb.Walkover(lost_by=fixture.lost_by),
        left=fixture.left,
    )


def _read_finished(message: pb.FinishedFixture) -> FinishedFixture:
    return FinishedFixture(
        number=message.number,
        bots=tuple(message.bots),
        scores=tuple(message.scores),
        match_points=tuple(message.match_points) or None,
        lost_by=tuple(message.walkover.lost_by) if message.HasField("walkover") else None,
        left=message.left,
    )
