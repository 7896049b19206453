"""Puts the pages, the API and what feeds them together."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from clients.dashboard import api, openapi, pages
from clients.dashboard.draw import Drawing
from clients.dashboard.guard import Guard
from clients.dashboard.house import House, house_of
from clients.dashboard.hub import Hub
from clients.dashboard.limits import Gate, Limits
from clients.dashboard.loop_lag import LoopLag
from clients.dashboard.reader import LeagueView, News, Reader
from clients.dashboard.records import Records
from clients.dashboard.referee_watch import RefereeWatch
from clients.dashboard.snapshot import SeasonView
from clients.dashboard.words import DASH
from worker.store.errors import StoreError
from worker.store.port import Store

PLATFORM_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Feed:
    """Where a dashboard's numbers come from, and what it allows."""

    store: Store
    referee: str | None = None
    """HOST:PORT; None where there is none to watch."""
    referee_ca: bytes | None = None
    referee_metrics: str | None = None
    """HOST:PORT."""
    limits: Limits = field(default_factory=Limits)
    most_viewers: int = 2_000
    hosts: frozenset[str] | None = None
    """The names it answers to; None for any."""


def dashboard(feed: Feed) -> Starlette:
    """The application; ``app.state.house`` is its house. It closes neither the store nor what is not its own."""
    drawing, gate = Drawing(), Gate(feed.limits)
    referee, lag = RefereeWatch(feed.referee, feed.referee_ca), LoopLag(feed.referee_metrics)

    def draw_league() -> Mapping[str, str]:
        return {
            "seasons": drawing.page("seasons.html", league=hub.league),
            "platform": drawing.page("platform/now.html", **house.platform()),
        }

    hub = Hub(drawing.season, draw_league, told, feed.most_viewers)
    house = House(hub, drawing, Records(feed.store), referee, lag, gate)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()

        def publish(league: LeagueView, news: News) -> None:
            loop.call_soon_threadsafe(hub.publish, league, news)

        reader = Reader(feed.store, publish)
        await asyncio.to_thread(reader.start)
        tasks = [asyncio.create_task(one) for one in (referee.run(), lag.run(), _beat(hub))]
        try:
            yield
        finally:
            hub.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            house.records.close()
            await asyncio.to_thread(reader.close)

    app = Starlette(
        routes=[*pages.routes(), *api.routes()],
        middleware=[
            Middleware(GZipMiddleware, minimum_size=1_000, compresslevel=5),
            Middleware(Guard, gate=gate, hosts=feed.hosts),
        ],
        exception_handlers={HTTPException: _problem, StoreError: _store_problem, Exception: _mistake},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.house = house
    return app


async def _beat(hub: Hub) -> None:
    """What the referee tells changes without the store: viewers of the platform see it each second."""
    while True:
        await asyncio.sleep(PLATFORM_S)
        hub.refresh_league()


def told(season: SeasonView, kind: str, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """What viewers are told of an event of a season."""
    number = data.get("fixture")
    if kind not in ("commit", "closure") or not isinstance(number, int) or number >= len(season.fixtures):
        return {"kind": kind, "fixture": None, "finished": False, "text": ""}
    fixture = season.fixtures[number]
    names = f" {DASH} ".join(season.name(entrant) for entrant in fixture.entrants)
    scores = DASH.join(map(str, fixture.match_points or fixture.scores))
    ended = "walkover" if fixture.state == "walkover" else scores
    finished = fixture.state in ("played", "walkover")
    return {"kind": kind, "fixture": number, "finished": finished, "text": f"{names}: {ended}" if finished else ""}


# --- what went wrong ---


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    title = HTTPStatus(error.status_code).phrase
    text = error.detail if error.detail != title else "There is nothing at this address."
    return _told_problem(request, error.status_code, title, text, error.headers)


async def _store_problem(request: Request, _error: Exception) -> Response:
    return _told_problem(request, 503, "Not now", "The store can't be read at the moment.", {"Retry-After": "2"})


async def _mistake(request: Request, _error: Exception) -> Response:
    return _told_problem(request, 500, "A mistake of this server", "It stands in the server's log.", None)


def _told_problem(request: Request, status: int, title: str, text: str, headers: Mapping[str, str] | None) -> Response:
    if request.url.path.startswith((openapi.ROOT, "/live/")):
        return JSONResponse({"status": status, "title": title, "detail": text}, status, headers)
    page = house_of(request).drawing.page("problem.html", title=title, text=text)
    return HTMLResponse(page, status, headers)
