"""The pages: all of them, for every game, with hostile names, within limits; and the stream behind them."""

import asyncio
import json
import re
import threading
from html.parser import HTMLParser
from typing import Any

import pytest

from clients.dashboard.guard import POLICY
from clients.dashboard.limits import Gate, Limits
from tests.clients.dashboard.conftest import GAMES
from tests.kit.dashboard_house import DashboardHouse, SentEvent
from tests.kit.filled_season import OWNERS, FilledSeason
from tests.kit.league import wait_until
from worker.store.port import Store
from worker.store.values import Status

HOSTILE = "<script>alert(1)</script>\x1b[2J\u202e\"'&"


class Links(HTMLParser):
    """The links of a page, and what a strict policy would not run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.inline: list[str] = []
        self._script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._script = tag == "script"
        for name, value in attrs:
            if name == "href" and tag == "a":
                self.links.add(value or "")
            if name == "style" or name.startswith("on"):
                self.inline.append(f"{tag} {name}")

    def handle_data(self, data: str) -> None:
        if self._script and data.strip():
            self.inline.append(data)
        self._script = False


@pytest.mark.parametrize("name", GAMES)
def test_every_link_of_a_season_leads_somewhere(
    over: DashboardHouse, played: dict[str, FilledSeason], name: str
) -> None:
    to_do, done = [f"/seasons/{played[name].id}", "/bots", "/platform", "/api"], set()
    kinds: dict[str, int] = {}
    while to_do:
        path = to_do.pop().partition("#")[0]
        kind = re.sub(r"\d+", "0", path.partition("?")[0])
        if path in done or kinds.get(kind, 0) >= 3 or not path.startswith("/"):
            continue
        kinds[kind] = kinds.get(kind, 0) + 1
        done.add(path)
        answer = over.get(path)
        assert answer.status == 200, path
        assert answer.headers["content-security-policy"] == POLICY
        if answer.headers["content-type"].startswith("text/html"):
            links = Links(answer.text)
            assert links.inline == [], path
            to_do += [link if link.startswith("/") else path.partition("?")[0] + link for link in links.links]
    assert len(done) > 12


def test_a_season_that_has_not_begun_has_pages(store: Store) -> None:
    season = FilledSeason(store)
    with DashboardHouse(store) as house:
        for path in ("", "/fixtures", "/fixtures/0"):
            assert house.get(f"/seasons/{season.id}{path}").status == 200
        assert house.get(f"/seasons/{season.id}/fixtures/99").status == 404
        assert house.get("/seasons/nothing").status == 404


def test_names_stay_names(store: Store) -> None:
    season = FilledSeason(store, owners={**OWNERS, "mallory": HOSTILE})
    season.play()
    with DashboardHouse(store) as house:
        for path in (f"/seasons/{season.id}", "/bots", "/bots/mallory"):
            text = house.get(path).text
            assert "<script>alert" not in text
            assert "\x1b" not in text
            assert "\u202e" not in text
            assert "&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[2J\\u202e" in text


def test_moments_are_the_same_with_and_without_a_script(over: DashboardHouse, played: dict[str, FilledSeason]) -> None:
    season = played["chiamata-5"]
    deck = season.store.fixtures(season.id)[0].first_set
    path = f"/seasons/{season.id}/fixtures/0/decks/{deck}/1"
    for query in ("", "seat=2", "seat=0&cards=french"):
        moments = over.get(f"{path}/moments?{query}").json["moments"]
        for at in (0, 5, len(moments) - 1):
            assert moments[at].strip() in over.get(f"{path}?at={at}&{query}").text
    assert over.get(f"{path}?seat=5").status == 400
    assert over.get(f"{path}?at=99999").status == 200


def test_paths_that_people_try_lead_somewhere(house: DashboardHouse) -> None:
    import http.client

    for path, there in (("/api/v1", "/api"), ("/seasons", "/")):
        line = http.client.HTTPConnection(house.base.removeprefix("http://"))
        line.request("GET", path)
        answer = line.getresponse()
        assert (answer.status // 100, answer.getheader("location")) == (3, there)


# --- who may ask, and how often ---


def test_only_reading_is_answered(house: DashboardHouse) -> None:
    import http.client

    line = http.client.HTTPConnection(house.base.removeprefix("http://"))
    line.request("POST", "/", body="x")
    assert line.getresponse().status == 405


def test_a_name_that_is_not_its_own_is_not_answered(store: Store) -> None:
    with DashboardHouse(store, hosts=frozenset({"127.0.0.1", "league.example"})) as house:
        assert house.get("/").status == 200
        assert house.get("/", host="league.example:8080").status == 200
        assert house.get("/", host="evil.example").status == 421


def test_an_address_that_asks_too_much_waits(store: Store) -> None:
    with DashboardHouse(store, limits=Limits(requests_s=0.001, burst=3)) as house:
        assert [house.get("/").status for _ in range(5)] == [200, 200, 200, 429, 429]


def test_what_an_address_may_do_comes_back_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("clients.dashboard.limits.time.monotonic", lambda: now[0])
    gate = Gate(Limits(requests_s=2.0, burst=2))
    assert [gate.request("a") for _ in range(3)] == [True, True, False]
    assert gate.request("b")
    now[0] = 0.5
    assert [gate.request("a") for _ in range(2)] == [True, False]


def test_streams_are_counted(store: Store) -> None:
    with DashboardHouse(store, limits=Limits(streams=1)) as house:
        with house.stream("/live/league") as events:
            next(events)
            assert house.get("/live/league").status == 429
        wait_until(lambda: streams(house) == 200, "the place is free again")
    with DashboardHouse(store, most_viewers=1) as house, house.stream("/live/league") as events:
        next(events)
        assert house.get("/live/league").status == 503


def streams(house: DashboardHouse) -> int:
    try:
        with house.stream("/live/league"):
            return 200
    except AssertionError:
        return 429


# --- one reader for all ---


class Watched:
    """A store that notes on which thread it is called."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.calls: list[tuple[str, str]] = []

    def __getattr__(self, name: str) -> Any:
        self.calls.append((threading.current_thread().name, name))
        return getattr(self._store, name)


def test_no_viewer_reads_the_store(store: Store) -> None:
    season = FilledSeason(store)
    season.play()
    watched = Watched(store)
    with DashboardHouse(watched) as house:  # type: ignore[arg-type]
        for _ in range(10):
            for path in (
                "",
                "/fixtures",
                "/fixtures/0",
                f"/fixtures/0/decks/{store.fixtures(season.id)[0].first_set}/0",
            ):
                assert house.get(f"/seasons/{season.id}{path}").status == 200
    others = [call for thread, call in watched.calls if thread != "dashboard-reader" and "asyncio" not in thread]
    assert others == ["records"]


# --- the stream ---


def until(events: Any, what: Any) -> list[SentEvent]:
    """The events up to the first that is so."""
    found = []
    for event in events:
        found.append(event)
        if what(event):
            return found
    raise AssertionError("the stream ended")


def test_results_come_over_the_stream(store: Store, house: DashboardHouse) -> None:
    season = FilledSeason(store)
    path = f"/live/seasons/{season.id}"
    wait_until(lambda: house.get(f"/seasons/{season.id}").status == 200, "the season is there")
    with house.stream(path) as events:
        stand = next(events)
        assert (stand.kind, set(stand.data["regions"])) == ("live", {"facts", "table", "grid", "rounds", "recent"})
        season.play(0)
        told = until(events, lambda event: event.kind == "live" and "recent" in event.data["regions"])
        news = [event for event in told if event.kind == "news" and event.data["fixture"] == 0]
        assert [(event.data["finished"], event.data["kind"]) for event in news] == [(True, "commit")]
        assert told[-1].id == store.last_event(season.id)


def test_after_a_restart_nothing_is_lost_and_nothing_comes_twice(store: Store, house: DashboardHouse) -> None:
    season = FilledSeason(store)
    path = f"/live/seasons/{season.id}"
    wait_until(lambda: house.get(f"/seasons/{season.id}").status == 200, "the season is there")
    with house.stream(path) as events:
        season.play(0, 1)
        first = until(events, lambda event: event.kind == "news" and event.data["fixture"] == 1)
    house.stop()
    season.play(2, 3, 4)
    house.start()
    with house.stream(path, last_event_id=first[-1].id) as events:
        found = until(events, lambda event: event.kind == "live")
    news = [event for event in [*first, *found] if event.kind == "news" and event.data["kind"] == "commit"]
    assert [event.data["fixture"] for event in news] == [0, 1, 2, 3, 4]
    assert len({event.id for event in news}) == 5


def test_a_stream_says_when_the_season_is_over(store: Store, house: DashboardHouse) -> None:
    season = FilledSeason(store)
    wait_until(lambda: house.get(f"/seasons/{season.id}").status == 200, "the season is there")
    with house.stream(f"/live/seasons/{season.id}") as events:
        season.play()
        told = until(events, lambda event: "finished" in event.data.get("regions", {}).get("facts", ""))
        assert told
    assert store.status(season.id) is Status.FINISHED


async def test_two_hundred_viewers_are_all_told_once(store: Store) -> None:
    season = FilledSeason(store)
    with DashboardHouse(store, limits=Limits(streams=200)) as house:
        host, _, port = house.base.removeprefix("http://").partition(":")
        lines = [await asyncio.open_connection(host, int(port), limit=1 << 20) for _ in range(200)]
        for _, writer in lines:
            writer.write(f"GET /live/seasons/{season.id} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        for reader, _ in lines:
            await reader.readuntil(b"event: live\n")
        season.play(0)
        season.play(1)

        async def heard(reader: asyncio.StreamReader) -> list[int]:
            fixtures: list[int] = []
            while 1 not in fixtures:
                line = await reader.readline()
                if line == b"event: news\n":
                    fixtures.append(json.loads((await reader.readline()).removeprefix(b"data: "))["fixture"])
            return fixtures

        assert await asyncio.gather(*(heard(reader) for reader, _ in lines)) == [[0, 1]] * 200
        for _, writer in lines:
            writer.close()
