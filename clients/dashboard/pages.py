"""The pages, drawn by the server; each works without a script."""

import asyncio
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from carico.record import BadRecord
from clients.dashboard import cards, openapi
from clients.dashboard.bots import bot_names, career
from clients.dashboard.draw import STATIC
from clients.dashboard.fixture_page import (
    deal_href,
    decks_of,
    margins_of,
    seatings_of,
    sides_of,
    strip,
    times_of,
)
from clients.dashboard.house import deck_records, fixture_of, house_of, record_of, season_of, whole
from clients.dashboard.hub import LEAGUE, TooMany, is_id
from clients.dashboard.records import Record
from clients.dashboard.replay import Replay, replayed
from clients.dashboard.words import DASH, FRENCH_WORDS, SUIT_WORDS

DECKS_A_PAGE: Final = 500
ROUNDS_A_PAGE: Final = 20
KEEP: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def shown(request: Request, template: str, **context: Any) -> Response:
    """A page."""
    return HTMLResponse(house_of(request).drawing.page(template, **context))


async def index(request: Request) -> Response:
    """All seasons."""
    return shown(request, "index.html", league=house_of(request).hub.league)


async def season(request: Request) -> Response:
    """A season."""
    found = season_of(request)
    return shown(request, "season.html", s=found, regions=house_of(request).hub.season_regions(found))


async def fixtures(request: Request) -> Response:
    """All fixtures of a season, some rounds a page."""
    found = season_of(request)
    rounds = found.rounds()
    start = whole(request, "from", 0)
    end = start + ROUNDS_A_PAGE
    return shown(
        request,
        "fixtures.html",
        s=found,
        rounds=rounds[start:end],
        before=max(0, start - ROUNDS_A_PAGE) if start else None,
        after=end if end < len(rounds) else None,
    )


async def fixture(request: Request) -> Response:
    """A fixture."""
    found = season_of(request)
    one = fixture_of(request, found)
    records = await house_of(request).records.of(found, one)
    # It may have thousands of deals, and others are to be told of results meanwhile.
    decks = await asyncio.to_thread(decks_of, found, one, records)
    start = whole(request, "from", 0)
    end = start + DECKS_A_PAGE
    return await asyncio.to_thread(
        shown,
        request,
        "fixture.html",
        s=found,
        f=one,
        decks=decks[start:end],
        margin=margins_of(decks),
        strip=strip(decks),
        before=max(0, start - DECKS_A_PAGE) if start else None,
        after=end if end < len(decks) else None,
    )


async def deck(request: Request) -> Response:
    """A deck at all its seatings, side by side."""
    found = season_of(request)
    one = fixture_of(request, found)
    deals, split = seatings_of(found, await deck_records(request, found, one))
    return shown(
        request,
        "deck.html",
        s=found,
        f=one,
        deal_set=request.path_params["deal_set"],
        deals=deals,
        split=split,
        pack=pack_of(request),
    )


async def deal(request: Request) -> Response:
    """A deal, at the moment that the query names."""
    found = season_of(request)
    one = fixture_of(request, found)
    record = await record_of(request, found, one)
    story = _story(request, record)
    at = min(whole(request, "at", 0), len(story.moments) - 1)
    pack = pack_of(request)
    kept_seat = "" if story.seat is None else f"&seat={story.seat}"
    kept_pack = "" if pack == "italian" else f"&cards={pack}"
    of_match = f"&deal={record['deal']}" if record["deal"] else ""
    path = deal_href(found.id, record).partition("?")[0]
    fixture_path = f"/seasons/{found.id}/fixtures/{one.number}"
    between = f" {DASH} ".join(found.name(entrant) for entrant in one.entrants)
    return shown(
        request,
        "replay.html",
        record=record,
        m=story.moments[at],
        last=len(story.moments) - 1,
        tricks=story.tricks,
        seat=story.seat,
        pack=pack,
        trumps=FRENCH_WORDS if pack == "french" else SUIT_WORDS,
        kept=kept_seat + kept_pack + of_match,
        kept_seat=kept_seat + of_match,
        kept_pack=kept_pack + of_match,
        moments_href=f"{path}/moments?{(kept_seat + kept_pack + of_match).removeprefix('&')}",
        crumbs=[
            (f"/seasons/{found.id}", found.id),
            (fixture_path, between),
            (f"{fixture_path}/decks/{record['deal_set']}", "side by side"),
        ],
        times=times_of(record),
        sides=sides_of(record),
    )


async def moments(request: Request) -> Response:
    """All moments of a deal as they are drawn, for the script that steps through them."""
    found = season_of(request)
    story = _story(request, await record_of(request, found, fixture_of(request, found)))
    pack = pack_of(request)
    trumps = FRENCH_WORDS if pack == "french" else SUIT_WORDS
    drawing = house_of(request).drawing
    return JSONResponse({"moments": [drawing.page("board.html", m=m, pack=pack, trumps=trumps) for m in story.moments]})


def _story(request: Request, record: Record) -> Replay:
    seat = whole(request, "seat", -1, most=record["players"] - 1) if "seat" in request.query_params else None
    try:
        return replayed(record, seat)
    except BadRecord as error:
        raise HTTPException(500, "This record can't be replayed.") from error


async def bots(request: Request) -> Response:
    """All bots."""
    house = house_of(request)
    league, referee = house.hub.league, house.referee.view
    told = []
    for name in bot_names(league, referee):
        one = career(league, referee, name)
        told.append(
            {
                "bot": name,
                "owner": ", ".join(one.owners),
                "connected": ", ".join(bot.version for bot in one.connected),
                "seasons": len({found.id for found, _ in one.seasons}),
                "deals": sum(row.row.deals for _, row in one.seasons),
            }
        )
    return shown(request, "bots.html", bots=told)


async def bot(request: Request) -> Response:
    """A bot."""
    house = house_of(request)
    found = career(house.hub.league, house.referee.view, request.path_params["bot"])
    faults = []
    for one in {season.id: season for season, _ in found.seasons}.values():
        for note in await house.records.faults(one, found.bot):
            if note["deal_set"] in one.fixtures[note["fixture"]].finished_sets:
                faults.append({**note, "season": one.id})
    faults.sort(key=lambda note: note["at_ms"], reverse=True)
    return shown(
        request,
        "bot.html",
        bot=found.bot,
        owners=found.owners,
        versions=found.versions,
        connected=found.connected,
        referee_up=house.referee.view.up,
        seasons=found.seasons,
        opponents=found.opponents,
        faults=faults[:100],
        recent=found.recent,
    )


async def platform(request: Request) -> Response:
    """The platform."""
    return shown(request, "platform.html", **house_of(request).platform())


async def api(request: Request) -> Response:
    """About the API, for people."""
    paths = [(f"{openapi.ROOT}{path}", text) for path, (text, _) in openapi.PATHS.items()]
    return shown(request, "api.html", paths=paths)


# --- what is live ---


async def live(request: Request) -> Response:
    """The stream of a season, or of the league."""
    house = house_of(request)
    name = season_of(request).id if "season" in request.path_params else LEAGUE
    after = request.headers.get("last-event-id") or request.query_params.get("after")
    if after is not None and not is_id(after):
        after = None
    address = request.client.host if request.client else ""
    if not house.gate.may_stream(address):
        raise HTTPException(429, "Too many pages of this address are live.", {"Retry-After": "10"})
    stream = house.hub.watch(name, after)
    try:
        first = await anext(stream)
    except TooMany:
        raise HTTPException(503, "Too many pages are live.", {"Retry-After": "10"}) from None

    async def told() -> Any:
        with house.gate.stream(address):
            yield first
            async for one in stream:
                yield one

    return StreamingResponse(
        told(), media_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )


# --- files ---


async def static(request: Request) -> Response:
    """A file that belongs to the pages."""
    path = STATIC / request.path_params["file"]
    if path.parent != STATIC or path.suffix not in KINDS or not path.is_file():
        raise HTTPException(404, "There is no such file.")
    return Response(path.read_bytes(), media_type=KINDS[path.suffix], headers=KEEP)


async def pack(request: Request) -> Response:
    """The cards."""
    if request.path_params["pack"] not in cards.PACKS:
        raise HTTPException(404, "There is no such pack.")
    return Response(cards.sprite(request.path_params["pack"]), media_type="image/svg+xml", headers=KEEP)


async def icon(_request: Request) -> Response:
    """What browsers ask for unasked."""
    return RedirectResponse("/static/icon.svg")


async def to_api(_request: Request) -> Response:
    """The root of the API has nothing but its description."""
    return RedirectResponse("/api")


async def to_index(_request: Request) -> Response:
    """The seasons are the front page."""
    return RedirectResponse("/")


def pack_of(request: Request) -> str:
    """The pack that the query names; Italian by default."""
    named = request.query_params.get("cards", "italian")
    return named if named in cards.PACKS else "italian"


_FIXTURE: Final = "/seasons/{season}/fixtures/{fixture:int}"


def routes() -> list[Route]:
    """The routes of the pages."""
    return [
        Route("/", index),
        Route("/seasons/{season}", season),
        Route("/seasons/{season}/fixtures", fixtures),
        Route(_FIXTURE, fixture),
        Route(f"{_FIXTURE}/decks/{{deal_set:int}}", deck),
        Route(f"{_FIXTURE}/decks/{{deal_set:int}}/{{seating:int}}", deal),
        Route(f"{_FIXTURE}/decks/{{deal_set:int}}/{{seating:int}}/moments", moments),
        Route("/bots", bots),
        Route("/bots/{bot}", bot),
        Route("/platform", platform),
        Route("/api", api),
        Route("/api/v1", to_api),
        Route("/seasons", to_index),
        Route("/live/league", live),
        Route("/live/seasons/{season}", live),
        Route("/static/{file}", static),
        Route("/cards/{pack}.svg", pack),
        Route("/favicon.ico", icon),
    ]
