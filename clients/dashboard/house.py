"""What all pages and the API have at hand, and how they look things up."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request

from clients.dashboard.alarms import alarms
from clients.dashboard.draw import Drawing
from clients.dashboard.hub import Hub
from clients.dashboard.limits import Gate
from clients.dashboard.loop_lag import LoopLag
from clients.dashboard.records import Record, Records
from clients.dashboard.referee_watch import RefereeWatch
from clients.dashboard.snapshot import FixtureView, SeasonView

LARGEST: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class House:
    """The parts of a dashboard; a request finds it as ``request.app.state.house``."""

    hub: Hub
    drawing: Drawing
    records: Records
    referee: RefereeWatch
    lag: LoopLag
    gate: Gate

    def platform(self) -> Mapping[str, Any]:
        """What the templates of the platform need."""
        league, referee = self.hub.league, self.referee.view
        return {
            "league": league,
            "referee": referee,
            "lag_ms": self.lag.ms,
            "viewers": self.hub.viewers,
            "alarms": list(alarms(league, referee, self.lag.ms, watches_referee=self.referee.watches)),
        }


def house_of(request: Request) -> House:
    """The house that a request came to."""
    house = request.app.state.house
    assert isinstance(house, House)
    return house


def season_of(request: Request) -> SeasonView:
    """The season that the path names. Raises HTTPException 404."""
    found = house_of(request).hub.league.seasons.get(request.path_params["season"])
    if found is None:
        raise HTTPException(404, "There is no such season here.")
    return found


def fixture_of(request: Request, season: SeasonView) -> FixtureView:
    """The fixture that the path names. Raises HTTPException 404."""
    number: int = request.path_params["fixture"]
    if not 0 <= number < len(season.fixtures):
        raise HTTPException(404, f"Season {season.id} has {len(season.fixtures)} fixtures, from 0 on.")
    return season.fixtures[number]


def whole(request: Request, name: str, default: int, least: int = 0, most: int = LARGEST) -> int:
    """A whole number of the query. Raises HTTPException 400 for anything else."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 12 and least <= int(text) <= most):
        raise HTTPException(400, f"{name} must be a whole number from {least} to {most}.")
    return int(text)


async def deck_records(request: Request, season: SeasonView, fixture: FixtureView) -> list[Record]:
    """The records of the deck that the path names, by seating and deal. Raises HTTPException 404."""
    deal_set = request.path_params["deal_set"]
    if deal_set not in fixture.finished_sets:
        raise HTTPException(404, "This deck is not there, or has not been played at all its seatings yet.")
    records = await house_of(request).records.of(season, fixture)
    return [record for record in records if record["deal_set"] == deal_set]


async def record_of(request: Request, season: SeasonView, fixture: FixtureView) -> Record:
    """The record of the deal that path and query name. Raises HTTPException 404."""
    deal, seating = whole(request, "deal", 0), request.path_params["seating"]
    for record in await deck_records(request, season, fixture):
        if (record["seating"], record["deal"]) == (seating, deal):
            return record
    raise HTTPException(404, "This deck was not played at such a seating.")
