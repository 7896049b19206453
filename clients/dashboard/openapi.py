"""The API's description, OpenAPI 3.1: paths with what they take, and the shape of every answer."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from carico.rules.cards import DECK_POINTS

ROOT: Final = "/api/v1"

Schema = dict[str, Any]

WHOLE: Final[Schema] = {"type": "integer"}
TEXT: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "number"}
YES_NO: Final[Schema] = {"type": "boolean"}


def _or_null(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _object(**fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": list(fields)}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _page(name: str, of: Schema) -> Schema:
    return _object(**{name: _list(of), "total": WHOLE, "next": _or_null(WHOLE)})


_ENTRANT: Final = _object(bot=TEXT, version=TEXT, owner=TEXT)
_STATUS: Final = {"type": "string", "enum": ["scheduled", "running", "paused", "finished", "cancelled"]}
_ROW: Final = _object(
    position={**WHOLE, "minimum": 1},
    bot=TEXT,
    version=TEXT,
    owner=TEXT,
    fixtures=_or_null(WHOLE),
    won=_or_null(WHOLE),
    drawn=_or_null(WHOLE),
    lost=_or_null(WHOLE),
    match_points=_or_null(WHOLE),
    deals=WHOLE,
    deals_won=WHOLE,
    deals_tied=WHOLE,
    deals_lost=WHOLE,
    score=WHOLE,
    penalties=WHOLE,
    card_points_for=WHOLE,
    card_points_against=WHOLE,
    forfeits=WHOLE,
    walkovers=WHOLE,
    decks={**WHOLE, "description": "Decks finished at all their seatings."},
    margin={**_or_null(NUMBER), "description": "Mean card-point margin per deck."},
    margin_error={**_or_null(NUMBER), "description": "Its standard error."},
    form={**_list(TEXT), "description": "Latest fixtures, the newest last: W, D, L, or the place at the table."},
)

SCHEMAS: Final[Mapping[str, Schema]] = {
    "Season": _object(
        id=TEXT,
        status=_STATUS,
        created_ms=WHOLE,
        game=TEXT,
        options={"type": "object"},
        legs=WHOLE,
        open_entry=YES_NO,
        practice=YES_NO,
        entrants=WHOLE,
        fixtures=WHOLE,
        deals=WHOLE,
        deals_planned=WHOLE,
        deals_per_second=_or_null(NUMBER),
        seconds_left=_or_null(NUMBER),
        version={**TEXT, "description": "Rises with everything that happens in the season."},
    ),
    "Standings": _object(format=TEXT, season=TEXT, game=TEXT, status=_STATUS, rows=_list(_ROW)),
    "CrossTable": _object(
        season=TEXT,
        entrants=_list(_ENTRANT),
        cells=_list(_object(row=WHOLE, column=WHOLE, score=WHOLE, against=WHOLE, decks=WHOLE)),
    ),
    "Fixture": _object(
        number=WHOLE,
        round=WHOLE,
        leg=WHOLE,
        entrants=_list(_ENTRANT),
        state={"type": "string", "enum": ["waiting", "playing", "played", "walkover", "left"]},
        deals=WHOLE,
        deals_planned=WHOLE,
        scores=_list(WHOLE),
        match_points={**_list(WHOLE), "type": ["array", "null"]},
        reason=_or_null(TEXT),
        lost_by=_list(_ENTRANT),
        finished_deal_sets={
            **_list(WHOLE),
            "description": "Decks played at all their seatings; the others are held back.",
        },
    ),
    "Deal": _object(
        deal_set=WHOLE,
        fixture=WHOLE,
        seating=WHOLE,
        deal=WHOLE,
        attempt=WHOLE,
        match=TEXT,
        dealer=WHOLE,
        seats=_list(_ENTRANT),
        termination=TEXT,
        winners=_list(WHOLE),
        card_points=_list({**WHOLE, "minimum": 0, "maximum": DECK_POINTS}),
        scores=_list(WHOLE),
        faults=_list(_object(seat=WHOLE, reason=TEXT, after=WHOLE)),
        used_ms=_list(WHOLE),
    ),
    "Record": {"type": "object", "description": "A deal record, carico.deal/1.", "required": ["format", "actions"]},
    "Bot": _object(
        bot=TEXT,
        owners=_list(TEXT),
        versions=_list(TEXT),
        connected={**_list(TEXT), "description": "Versions that are connected now."},
        seasons=_list({"allOf": [_ROW, _object(season=TEXT)]}),
        opponents=_list(_object(bot=TEXT, game=TEXT, decks=WHOLE, score=WHOLE, against=WHOLE)),
    ),
    "Platform": _object(
        store_up=YES_NO,
        referee_up=YES_NO,
        bots=_list(_object(bot=TEXT, version=TEXT, owner=TEXT, open_matches=WHOLE)),
        matches_running=WHOLE,
        matches_ended=WHOLE,
        matches_void=WHOLE,
        matches_per_second=_or_null(NUMBER),
        actions_per_second=_or_null(NUMBER),
        loop_lag_ms=_or_null(NUMBER),
        seasons=_list(
            _object(
                id=TEXT,
                chunks_open=WHOLE,
                chunks_leased=WHOLE,
                chunks_done=WHOLE,
                queue=WHOLE,
                leases_overdue=WHOLE,
                idle_ms=_or_null(WHOLE),
            )
        ),
        viewers=WHOLE,
        alarms={**_list(TEXT), "description": "What an operator should look at, in sentences."},
    ),
    "Problem": _object(status=WHOLE, title=TEXT, detail=TEXT),
}

_FIXTURE: Final = "/seasons/{season}/fixtures/{fixture}"

PATHS: Final[Mapping[str, tuple[str, Schema | str]]] = {
    "/seasons": ("All seasons, the newest first.", _page("seasons", _ref("Season"))),
    "/seasons/{season}": ("A season.", _ref("Season")),
    "/seasons/{season}/standings": ("Its table, as standings.json has it, and the margins.", _ref("Standings")),
    "/seasons/{season}/standings.csv": ("The same as CSV.", "text/csv"),
    "/seasons/{season}/cross-table": ("Scores and decks of every pair.", _ref("CrossTable")),
    "/seasons/{season}/fixtures": ("Its fixtures in order.", _page("fixtures", _ref("Fixture"))),
    "/seasons/{season}/fixtures.csv": ("The same as CSV.", "text/csv"),
    "/seasons/{season}/finished": (
        "A feed of finished fixtures, the latest first.",
        _page("fixtures", _ref("Fixture")),
    ),
    _FIXTURE: ("A fixture.", _ref("Fixture")),
    f"{_FIXTURE}/deals": ("Its deals, those of finished decks.", _page("deals", _ref("Deal"))),
    f"{_FIXTURE}/deals.csv": ("The same as CSV, a line for each seat.", "text/csv"),
    f"{_FIXTURE}/records.jsonl": ("The whole records of the same deals.", "application/jsonl"),
    f"{_FIXTURE}/decks/{{deal_set}}": ("A deck at all its seatings.", _object(deals=_list(_ref("Deal")))),
    f"{_FIXTURE}/decks/{{deal_set}}/{{seating}}": ("The record of a deal.", _ref("Record")),
    "/bots": ("All bots.", _page("bots", _object(bot=TEXT))),
    "/bots/{bot}": ("A bot over all seasons.", _ref("Bot")),
    "/platform": ("The state of the platform.", _ref("Platform")),
    "/openapi.json": ("This description.", {"type": "object"}),
}
"""By path: what it gives, and its schema, or the type of what is no JSON."""

_NUMBERED: Final = ("fixture", "deal_set", "seating")


@cache
def document() -> Schema:
    """The whole description."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "carico",
            "version": "1",
            "description": "A league of Briscola bots, read-only. What is not told: deals of decks that are still to "
            "be played elsewhere, and anything that is for a bot's owner alone.",
        },
        "servers": [{"url": ROOT}],
        "paths": {path: {"get": _operation(path, text, answer)} for path, (text, answer) in PATHS.items()},
        "components": {"schemas": dict(SCHEMAS)},
    }


def _operation(path: str, text: str, answer: Schema | str) -> Schema:
    kind, schema = (answer, {"type": "string"}) if isinstance(answer, str) else ("application/json", answer)
    problems = {"400": "What was asked for has no such form.", "429": "Too many requests from this address."}
    if "{" in path:
        problems["404"] = "There is no such thing."
    if path.startswith(_FIXTURE):
        problems["503"] = "The store can't be read now."
    problem = {"application/json": {"schema": _ref("Problem")}}
    return {
        "summary": text,
        "parameters": [*_path_parameters(path), *_query(path, answer)],
        "responses": {
            "200": {"description": text, "content": {kind: {"schema": schema}}},
            "304": {"description": "Nothing has changed since the answer with the ETag in If-None-Match."},
            **{code: {"description": why, "content": problem} for code, why in problems.items()},
        },
    }


def _path_parameters(path: str) -> list[Schema]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {**WHOLE, "minimum": 0} if name in _NUMBERED else TEXT,
        }
        for name in names
    ]


def _query(path: str, answer: Schema | str) -> list[Schema]:
    if path.endswith("{seating}"):
        return [_parameter("deal", "Number of the deal in its match, from 0.", {**WHOLE, "minimum": 0})]
    if isinstance(answer, dict) and "next" in answer.get("properties", ()):
        return [
            _parameter("limit", "How many, 100 by default.", {**WHOLE, "minimum": 1, "maximum": 500}),
            _parameter("from", "Number of the first, from 0.", {**WHOLE, "minimum": 0}),
        ]
    return []


def _parameter(name: str, text: str, schema: Schema) -> Schema:
    return {"name": name, "in": "query", "description": text, "schema": schema}
