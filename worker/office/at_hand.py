"""The seasons of the store at hand."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from worker.audit.report import Report
from worker.audit.run import audit
from worker.office.export import OVER, export_season
from worker.office.live_table import LiveTable
from worker.office.port import (
    LONGEST_REASON,
    BadRequest,
    Exported,
    ExportFolder,
    MadeVoid,
    Seasons,
    Withdrawn,
)
from worker.office.season_plan import create_season
from worker.office.standing import Standing
from worker.store.errors import NotInSeason, StoreError, StoreUnavailable
from worker.store.port import Store
from worker.store.values import Deed, Progress, Season, Status
from worker.tournament.entrants import NAME_RULE, is_name
from worker.tournament.season_file import SeasonFileError, read_season

TICK_SECONDS: Final = 0.25
"""How often ``watch`` looks."""

STORE_PATIENCE: Final = 30.0
"""How long the store may be away before ``watch`` ends."""


class NotBegun(StoreError):
    """A season that never began can't go on."""

    def __init__(self, season: str) -> None:
        super().__init__(f"season {season} has not begun: begin with  carico season start {season}")


class SeasonsAtHand(Seasons):
    """See the port. Safe from any number of threads."""

    def __init__(self, store: Store, owners: Callable[[], Mapping[str, str]], tick: float = TICK_SECONDS) -> None:
        """``owners`` asks the referee who registered each bot, by its name; what it raises is passed on.

        ``tick`` is how many seconds ``watch`` waits between two looks.
        """
        self._store = store
        self._owners = owners
        self._tick = tick

    def create(self, text: str, file_name: str, by: str) -> tuple[str, Progress]:
        """See the port."""
        try:
            spec = read_season(text, file_name)
        except SeasonFileError as error:
            raise BadRequest(str(error)) from error
        create_season(self._store, spec, self._owners() if spec.entries else {}, by)
        return spec.name, self._store.progress(spec.name)

    def seasons(self) -> list[Season]:
        """See the port."""
        return self._store.seasons()

    def progress(self, ids: Sequence[str] = ()) -> list[tuple[str, Progress]]:
        """See the port."""
        wanted = [season_id(one) for one in ids] or [season.id for season in self._store.seasons()]
        return [(one, self._store.progress(one)) for one in wanted]

    def standing(self, season: str) -> Standing:
        """See the port."""
        return LiveTable(self._store, season_id(season)).standing()

    def watch(self, season: str) -> Iterator[Standing]:
        """See the port. Raises StoreUnavailable once the store has been away for STORE_PATIENCE seconds."""
        table = LiveTable(self._store, season_id(season))
        reached = time.monotonic()
        told: set[int] = set()
        while True:
            standing = table.standing(told)
            told |= {fixture.number for fixture in standing.finished}
            yield standing
            if standing.status in OVER:
                return
            time.sleep(self._tick)
            try:
                table.refresh()
            except StoreUnavailable:
                if time.monotonic() - reached > STORE_PATIENCE:
                    raise
            else:
                reached = time.monotonic()

    def start(self, season: str, by: str) -> None:
        """See the port."""
        self._store.set_status(season_id(season), Status.RUNNING, by)

    def pause(self, season: str, by: str) -> int:
        """See the port."""
        self._store.set_status(season_id(season), Status.PAUSED, by)
        return self._store.progress(season).leased

    def resume(self, season: str, by: str) -> None:
        """See the port."""
        if self._store.status(season_id(season)) is Status.SCHEDULED:
            raise NotBegun(season)
        self._store.set_status(season, Status.RUNNING, by)

    def withdraw(self, season: str, bot: str, version: str, by: str) -> Withdrawn:
        """See the port."""
        entrants = self._store.entrants(season_id(season))
        found = [i for i, entrant in enumerate(entrants) if (entrant.bot, entrant.version) == (bot, version)]
        if not found:
            raise NotInSeason(
                f"{bot} {version} is not entered in season {season}: `carico season standings` names who is"
            )
        before = {one.entrant for one in self._store.withdrawals(season)}
        withdrew = self._store.withdraw(season, found[0], by)
        return Withdrawn(found[0] in before, withdrew.withdrawal, withdrew.closed)

    def void(self, season: str, deal_set: int, reason: str, by: str) -> MadeVoid:
        """See the port."""
        if not (1 <= len(reason) <= LONGEST_REASON and reason.isprintable()):
            raise BadRequest(f"the reason of a void is one line of 1 to {LONGEST_REASON} printable characters")
        attempt = self._store.attempts(season_id(season)).get(deal_set, 0)
        voided = self._store.void_set(season, deal_set, attempt, f"ORGANISER: {reason}", by)
        return MadeVoid(attempt, voided.attempt, voided.deals, self._store.status(season))

    def audit(self, season: str) -> Report:
        """See the port."""
        report = audit(self._store, season_id(season))
        told = report.clean and report.status is not Status.RUNNING
        if told and LiveTable(self._store, season).rows() != report.rows:
            report.say("table", "the table that is shown is not the table of the records")
        return report

    def rebuild(self, season: str, by: str) -> list[str]:
        """See the port."""
        return self._store.rebuild(season_id(season), by)

    def log(self, season: str) -> list[Deed]:
        """See the port."""
        return self._store.log(season_id(season))

    def export(self, season: str, folder: ExportFolder) -> Exported:
        """See the port."""
        table = export_season(self._store, season_id(season), folder)
        return Exported(len(table.counted), table.progress.status)

    def faults(self, bot: str) -> list[dict[str, Any]]:
        """See the port."""
        if not is_name(bot):
            raise BadRequest(f"{bot} is no bot's name: that is {NAME_RULE}")
        found = [note for season in self._store.seasons() for note in self._store.faults(season.id, bot)]
        return sorted(found, key=lambda note: note["at_ms"], reverse=True)


def season_id(season: str) -> str:
    """The text, if it may be a season's id. Raises BadRequest."""
    if not is_name(season):
        raise BadRequest(f"{season!r} is no season's id: that is {NAME_RULE}")
    return season
