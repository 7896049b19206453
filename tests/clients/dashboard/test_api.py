"""The public API keeps to its own description, also for what makes no sense."""

import csv
import io
import json
import random
from dataclasses import replace
from urllib.parse import quote

import pytest

from carico.record import verify
from clients.dashboard import openapi
from clients.dashboard.api import ENDPOINTS
from clients.dashboard.limits import Limits
from clients.dashboard.records import Records
from clients.dashboard.season_reader import SeasonReader
from tests.clients.dashboard.conftest import GAMES
from tests.clients.dashboard.schema import mistakes
from tests.kit.dashboard_house import DashboardHouse
from tests.kit.filled_season import OWNERS, FilledSeason
from worker.store.port import Store

ROOT = openapi.ROOT
UNLIMITED = Limits(requests_s=1e9, burst=10**9)
NONSENSE = [
    "",
    "0",
    "-1",
    "1e9",
    "999999999999999999999",
    "x",
    "..",
    "%2e%2e",
    "<script>",
    "a/b",
    "\x00",
    "ü",
    "null",
    "💥",
]


def filled(path: str, season: FilledSeason) -> str:
    values = {"season": season.id, "fixture": "0", "deal_set": "0", "seating": "0", "bot": "ada"}
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", value)
    return path


def test_what_is_described_is_what_is_served() -> None:
    assert set(ENDPOINTS) == set(openapi.PATHS)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("path", openapi.PATHS)
def test_answers_are_as_described(over: DashboardHouse, played: dict[str, FilledSeason], path: str, name: str) -> None:
    season = played[name]
    document = openapi.document()
    answer = over.get(ROOT + filled(path, season))
    assert answer.status == 200, answer.text
    ((kind, content),) = document["paths"][path]["get"]["responses"]["200"]["content"].items()
    assert answer.headers["content-type"].partition(";")[0] == kind
    if kind == "application/json":
        assert mistakes(answer.json, content["schema"], document["components"]["schemas"]) == []


def test_nonsense_is_told_from_things_that_are_not_there(played: dict[str, FilledSeason]) -> None:
    season = played["briscola-2"]
    chance = random.Random(11)
    with DashboardHouse(season.store, limits=UNLIMITED) as house:
        for _ in range(300):
            path = chance.choice(list(openapi.PATHS))
            for name in ("season", "fixture", "deal_set", "seating", "bot"):
                known = filled(f"{{{name}}}", season)
                path = path.replace(f"{{{name}}}", quote(chance.choice([*NONSENSE, known, known]), safe=""))
            query = "&".join(
                f"{name}={quote(chance.choice(NONSENSE))}"
                for name in ("limit", "from", "deal")
                if chance.random() < 0.4
            )
            answer = house.get(f"{ROOT}{path}?{query}")
            assert answer.status in (200, 400, 404), (path, query, answer.text)
            if answer.status != 200:
                problem = openapi.document()["components"]["schemas"]["Problem"]
                assert mistakes(answer.json, problem, {}) == []


def test_lists_come_in_pages(over: DashboardHouse, played: dict[str, FilledSeason]) -> None:
    home = f"{ROOT}/seasons/{played['briscola-2'].id}/fixtures"
    whole = over.get(home).json
    assert (whole["total"], whole["next"]) == (len(whole["fixtures"]), None)
    found, start = [], 0
    while start is not None:
        page = over.get(f"{home}?limit=3&from={start}").json
        found += page["fixtures"]
        start = page["next"]
    assert found == whole["fixtures"]
    assert over.get(f"{home}?limit=0").status == 400


def test_the_standings_are_those_of_the_ledger(over: DashboardHouse, played: dict[str, FilledSeason]) -> None:
    from worker.office.live_table import LiveTable

    season = played["briscola-4"]
    told = over.get(f"{ROOT}/seasons/{season.id}/standings").json
    table = LiveTable(season.store, season.id).to_json()
    for row, mine in zip(told["rows"], table["rows"], strict=True):
        assert {key: row[key] for key in mine} == mine
    sheet = list(csv.DictReader(io.StringIO(over.get(f"{ROOT}/seasons/{season.id}/standings.csv").text)))
    assert [row["bot"] for row in sheet] == [row["bot"] for row in table["rows"]]


def test_records_are_whole(over: DashboardHouse, played: dict[str, FilledSeason]) -> None:
    for season in played.values():
        lines = over.get(f"{ROOT}/seasons/{season.id}/fixtures/0/records.jsonl").text.splitlines()
        assert lines == list(season.store.records(season.id, 0))
        verify(json.loads(lines[0]))


def test_what_has_not_changed_is_not_sent_again(store: Store, house: DashboardHouse) -> None:
    season = FilledSeason(store)
    path = f"{ROOT}/seasons/{season.id}/standings"
    wait_for(house, path)
    first = house.get(path)
    again = house.get(path, if_none_match=first.headers["etag"])
    assert (again.status, again.text) == (304, "")
    season.play(0)
    wait_for(house, f"{ROOT}/seasons/{season.id}/fixtures/0/records.jsonl", filled=True)
    assert house.get(path, if_none_match=first.headers["etag"]).status == 200


def wait_for(house: DashboardHouse, path: str, *, filled: bool = False) -> None:
    from tests.kit.league import wait_until

    wait_until(lambda: (got := house.get(path)).status == 200 and (bool(got.text) or not filled), path)


def test_a_deck_is_told_of_only_when_all_its_seatings_are_over(store: Store) -> None:
    """A watcher of one seating could tell a bot in another what comes."""
    season = FilledSeason(store, deal_sets=3, chunk=1)
    season.play(0, 1)
    with DashboardHouse(store) as house:
        home = f"{ROOT}/seasons/{season.id}/fixtures/0"
        assert house.get(home).json["finished_deal_sets"] == [0, 1]
        told = house.get(f"{home}/records.jsonl").text.splitlines()
        assert {json.loads(line)["deal_set"] for line in told} == {0, 1}
        assert house.get(f"{home}/decks/2").status == 404
        assert house.get(f"{home}/decks/2/0").status == 404


async def test_records_of_decks_that_are_not_finished_are_held_back(store: Store) -> None:
    season = FilledSeason(store)
    season.play(0)
    view = SeasonReader(store, store.seasons()[0], with_past=True).view
    fixture = view.fixtures[0]
    records = Records(store)
    assert fixture.finished_sets == (0, 1)
    assert {record["deal_set"] for record in await records.of(view, replace(fixture, finished_sets=(1,)))} == {1}
    assert await records.of(view, replace(fixture, finished_sets=())) == []
    records.close()


def test_owners_alone_learn_what_a_bot_did_wrong(store: Store) -> None:
    season = FilledSeason(store)
    season.play(0, fault=True)
    with DashboardHouse(store) as house:
        bot = store.entrants(season.id)[store.fixtures(season.id)[0].entrants[1]].bot
        page = house.get(f"/bots/{bot}").text
        assert "illegal action" in page
        for path in (f"/bots/{bot}", f"{ROOT}/bots/{bot}", f"/seasons/{season.id}/fixtures/0"):
            assert "the owner alone" not in house.get(path).text


def test_a_sheet_has_no_formulas(store: Store) -> None:
    owners = {**OWNERS, "eve": "=HYPERLINK(1)"}
    season = FilledSeason(store, owners=owners)
    with DashboardHouse(store) as house:
        text = house.get(f"{ROOT}/seasons/{season.id}/standings.csv").text
        assert ",'=HYPERLINK(1)," in text
