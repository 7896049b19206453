"""The public JSON API: read-only, the same for everybody, out of the view that the pages are made of."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from carico.record import dumps
from clients.dashboard import json_forms, openapi
from clients.dashboard.bots import bot_names, career
from clients.dashboard.house import deck_records, fixture_of, house_of, record_of, season_of, whole
from clients.dashboard.json_forms import Json

MOST: Final = 500
"""Most things on one page of a list."""
USUAL: Final = 100

_T = TypeVar("_T")


async def seasons(request: Request) -> Response:
    """All seasons, the newest first."""
    found = list(house_of(request).hub.league.seasons.values())
    return page(request, "seasons", found, json_forms.season_json)


async def season(request: Request) -> Response:
    """One season."""
    return JSONResponse(json_forms.season_json(season_of(request)))


async def standings(request: Request) -> Response:
    """The table."""
    return JSONResponse(json_forms.standings_json(season_of(request)))


async def standings_csv(request: Request) -> Response:
    """The table, a row a line."""
    found = season_of(request)
    rows = [json_forms.row_json(one) for one in found.table]
    return sheet(({**row, "form": "".join(row["form"])} for row in rows), f"{found.id}-standings.csv")


async def cross_table(request: Request) -> Response:
    """Who met whom."""
    return JSONResponse(json_forms.cross_table_json(season_of(request)))


async def fixtures(request: Request) -> Response:
    """The fixtures in their order."""
    found = season_of(request)
    return page(request, "fixtures", found.fixtures, lambda one: json_forms.fixture_json(found, one))


async def fixtures_csv(request: Request) -> Response:
    """The fixtures, one a line."""
    found = season_of(request)
    lines = (
        {
            "number": one.number,
            "round": one.round,
            "entrants": " - ".join(found.name(entrant) for entrant in one.entrants),
            "state": one.state,
            "deals": one.deals,
            "deals_planned": one.expected,
            "scores": "-".join(map(str, one.scores)),
            "match_points": "" if one.match_points is None else "-".join(map(str, one.match_points)),
            "reason": one.reason or "",
        }
        for one in found.fixtures
    )
    return sheet(lines, f"{found.id}-fixtures.csv")


async def finished(request: Request) -> Response:
    """A feed of the fixtures that are finished, the latest first."""
    found = season_of(request)
    over = [one for one in found.fixtures if one.state in ("played", "walkover")]
    over.sort(key=lambda one: (one.last, one.number), reverse=True)
    return page(request, "fixtures", over, lambda one: json_forms.fixture_json(found, one))


async def fixture(request: Request) -> Response:
    """One fixture."""
    found = season_of(request)
    return JSONResponse(json_forms.fixture_json(found, fixture_of(request, found)))


async def deals(request: Request) -> Response:
    """The deals of a fixture, those of finished decks."""
    found = season_of(request)
    records = await house_of(request).records.of(found, fixture_of(request, found))
    return page(request, "deals", records, json_forms.deal_json)


async def deals_csv(request: Request) -> Response:
    """The deals of a fixture, a line for each seat."""
    found = season_of(request)
    one = fixture_of(request, found)
    lines = [
        {
            "deal_set": deal["deal_set"],
            "seating": deal["seating"],
            "deal": deal["deal"],
            "seat": seat,
            "bot": who["bot"],
            "version": who["version"],
            "card_points": deal["card_points"][seat],
            "score": deal["scores"][seat],
            "won": int(seat in deal["winners"]),
            "fault": next((fault["reason"] for fault in deal["faults"] if fault["seat"] == seat), ""),
            "used_ms": deal["used_ms"][seat],
        }
        for deal in map(json_forms.deal_json, await house_of(request).records.of(found, one))
        for seat, who in enumerate(deal["seats"])
    ]
    return sheet(lines, f"{found.id}-{one.number}-deals.csv")


async def records(request: Request) -> Response:
    """The records of a fixture, to the letter of the record format."""
    found = season_of(request)
    lines = await house_of(request).records.of(found, fixture_of(request, found))
    return Response("".join(f"{dumps(line)}\n" for line in lines), media_type="application/jsonl")


async def deck(request: Request) -> Response:
    """The deals of one deck, at all its seatings."""
    found = season_of(request)
    lines = await deck_records(request, found, fixture_of(request, found))
    return JSONResponse({"deals": [json_forms.deal_json(line) for line in lines]})


async def record(request: Request) -> Response:
    """The whole record of a deal."""
    found = season_of(request)
    return JSONResponse(await record_of(request, found, fixture_of(request, found)))


async def bots(request: Request) -> Response:
    """The bots that have entered a season or are connected."""
    house = house_of(request)
    names = bot_names(house.hub.league, house.referee.view)
    return page(request, "bots", names, lambda name: {"bot": name})


async def bot(request: Request) -> Response:
    """One bot."""
    house = house_of(request)
    found = career(house.hub.league, house.referee.view, request.path_params["bot"])
    return JSONResponse(
        {
            "bot": found.bot,
            "owners": list(found.owners),
            "versions": list(found.versions),
            "connected": [one.version for one in found.connected],
            "seasons": [{"season": one.id, **json_forms.row_json(row)} for one, row in found.seasons],
            "opponents": [
                {"bot": o.bot, "game": o.game, "decks": o.decks, "score": o.score, "against": o.against}
                for o in found.opponents
            ],
        }
    )


async def platform(request: Request) -> Response:
    """The state of the platform."""
    return JSONResponse(json_forms.platform_json(house_of(request).platform()))


async def description(_request: Request) -> Response:
    """This API, described."""
    return JSONResponse(openapi.document())


ENDPOINTS: Final[Mapping[str, Callable[[Request], Any]]] = {
    "/seasons": seasons,
    "/seasons/{season}": season,
    "/seasons/{season}/standings": standings,
    "/seasons/{season}/standings.csv": standings_csv,
    "/seasons/{season}/cross-table": cross_table,
    "/seasons/{season}/fixtures": fixtures,
    "/seasons/{season}/fixtures.csv": fixtures_csv,
    "/seasons/{season}/finished": finished,
    "/seasons/{season}/fixtures/{fixture}": fixture,
    "/seasons/{season}/fixtures/{fixture}/deals": deals,
    "/seasons/{season}/fixtures/{fixture}/deals.csv": deals_csv,
    "/seasons/{season}/fixtures/{fixture}/records.jsonl": records,
    "/seasons/{season}/fixtures/{fixture}/decks/{deal_set}": deck,
    "/seasons/{season}/fixtures/{fixture}/decks/{deal_set}/{seating}": record,
    "/bots": bots,
    "/bots/{bot}": bot,
    "/platform": platform,
    "/openapi.json": description,
}
"""By path below ``openapi.ROOT``."""

NUMBERS: Final = ("fixture", "deal_set", "seating")


def routes() -> list[Route]:
    """The routes of the API."""
    found = []
    for path, endpoint in ENDPOINTS.items():
        typed = path
        for name in NUMBERS:
            typed = typed.replace(f"{{{name}}}", f"{{{name}:int}}")
        found.append(Route(openapi.ROOT + typed, endpoint, methods=["GET"]))
    return found


def page(request: Request, name: str, things: Sequence[_T], form: Callable[[_T], Json]) -> Response:
    """A page of a list: ``limit`` things from number ``from`` on."""
    limit, start = whole(request, "limit", USUAL, 1, MOST), whole(request, "from", 0)
    end = start + limit
    shown = [form(one) for one in things[start:end]]
    return JSONResponse({name: shown, "total": len(things), "next": end if end < len(things) else None})


def sheet(lines: Iterable[Json], file_name: str) -> Response:
    """A CSV file with a head line. A cell that a spreadsheet would take for a formula begins with an apostrophe."""
    text = io.StringIO()
    writer = None
    for line in lines:
        if writer is None:
            writer = csv.DictWriter(text, list(line))
            writer.writeheader()
        writer.writerow({key: _cell(value) for key, value in line.items()})
    return Response(
        text.getvalue(),
        media_type="text/csv",
        headers={"Content-Disposition": f"attachment; filename*=utf-8''{file_name}"},
    )


def _cell(value: object) -> object:
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return json.dumps(value) if isinstance(value, dict | list) else value
