"""The pages in a real Chromium: alive, by keyboard, after a restart, for screen readers, without a script."""

from collections.abc import Iterator

import pytest

from tests.clients.dashboard.conftest import GAMES
from tests.kit.browser import CHROMIUM, NONE_HERE, Browser, Page, axe_script
from tests.kit.dashboard_house import DashboardHouse
from tests.kit.filled_season import OWNERS, FilledSeason
from tests.kit.league import wait_until
from worker.store.port import Store

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=NONE_HERE)

AWAY = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")
"""What a browser complains of while a server is away."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


def known(house: DashboardHouse, season: FilledSeason) -> str:
    """The address of a season's page, once the dashboard knows the season."""
    path = f"/seasons/{season.id}"
    wait_until(lambda: house.get(path).status == 200, "the season is there")
    return house.base + path


def deck_path(season: FilledSeason, fixture: int = 0) -> str:
    deck = season.store.fixtures(season.id)[fixture].first_set
    return f"/seasons/{season.id}/fixtures/{fixture}/decks/{deck}"


def deals_of(page: Page) -> str:
    return "[...document.querySelectorAll('.table tbody tr')].map(row => row.cells[8].textContent).join()"


def test_the_table_moves_without_a_reload(store: Store, house: DashboardHouse, browser: Browser) -> None:
    season = FilledSeason(store)
    page = browser.page()
    page.go(known(house, season))
    page.wait("document.getElementById('line').textContent === 'live'")
    page.js("window.untouched = document.querySelector('.table tbody tr')")
    assert page.js(deals_of(page)) == "0,0,0,0,0"
    season.play(0, 1, 2)
    page.wait(f"{deals_of(page)} !== '0,0,0,0,0'")
    page.wait("document.querySelectorAll('.recent a').length === 3")
    assert page.js("window.untouched.isConnected"), "rows move, they are not made anew"
    page.wait("document.getElementById('voice').textContent.length > 5")
    season.play()
    page.wait("document.querySelector('.status').textContent === 'finished'")
    order = "[...document.querySelectorAll('.table tbody .pos')].map(cell => Number(cell.textContent))"
    positions = page.js(order)
    assert positions == sorted(positions)
    shown = page.js("[...document.querySelectorAll('.table tbody th a')].map(name => name.textContent)")
    told = house.get(f"/api/v1/seasons/{season.id}/standings").json["rows"]
    assert shown == [row["bot"] for row in told]
    assert page.errors == []


def test_a_fixture_fills_while_it_is_looked_at(store: Store, house: DashboardHouse, browser: Browser) -> None:
    season = FilledSeason(store, chunk=1)
    page = browser.page()
    page.go(known(house, season) + "/fixtures/0")
    page.wait("document.getElementById('line').textContent === 'live'")
    assert page.js("document.querySelectorAll('.decks').length") == 0
    season.play(0)
    page.wait("document.querySelectorAll('.decks tbody tr').length === 1")
    season.play(1)
    page.wait("document.querySelectorAll('.decks tbody tr').length === 2")
    assert page.errors == []


def test_the_page_recovers_from_a_restart(store: Store, house: DashboardHouse, browser: Browser) -> None:
    season = FilledSeason(store)
    page = browser.page()
    page.go(known(house, season))
    page.wait("document.getElementById('line').textContent === 'live'")
    page.js(
        "window.heard = []; new MutationObserver(() => heard.push(document.getElementById('voice').textContent))"
        ".observe(document.getElementById('voice'), {childList: true, characterData: true, subtree: true})"
    )
    house.stop()
    page.wait("document.getElementById('line').textContent === 'reconnecting'")
    season.play(0, 1)
    house.start()
    page.wait("document.querySelectorAll('.recent a').length === 2")
    page.wait("document.getElementById('line').textContent === 'live'")
    assert page.js("window.heard.length") >= 1, "what happened meanwhile is told"
    assert [error for error in page.errors if not any(word in error for word in AWAY)] == []


@pytest.mark.parametrize("name", GAMES)
def test_a_replay_steps(over: DashboardHouse, played: dict[str, FilledSeason], browser: Browser, name: str) -> None:
    season = played[name]
    page = browser.page()
    page.go(f"{over.base}{deck_path(season)}/0")
    page.wait("!document.querySelector('[data-step=play]').hidden")
    last = page.js("Number(document.getElementById('replay').dataset.last)")
    text = "document.querySelector('.what').textContent"
    start = page.js(text)
    page.press("ArrowRight")
    assert page.js("new URL(location).searchParams.get('at')") == "1"
    assert page.js(text) != start
    assert page.js("document.getElementById('voice').textContent") == page.js(text), "a screen reader tells it"
    page.press("ArrowDown")
    trick = page.js("document.querySelectorAll('.trick.over li.takes').length")
    assert trick == 1
    page.press("End")
    assert page.js("Number(document.querySelector('[data-now]').textContent)") == last
    page.press("Home")
    assert page.js(text) == start
    page.js("document.querySelector('[data-step=forward]').click()")
    assert page.js("Number(document.querySelector('[data-now]').textContent)") == 1
    page.js("document.activeElement.blur()")
    page.press(" ")
    page.wait("Number(document.querySelector('[data-now]').textContent) > 1")
    # The moment that the address names is the moment that opens.
    page.go(f"{over.base}{deck_path(season)}/0?at={last}")
    assert page.js("Number(document.querySelector('[data-now]').textContent)") == last
    assert page.js("[...document.querySelectorAll('.card')].every(card => card.getAttribute('aria-label'))")
    assert page.errors == []


def test_cards_are_really_drawn(over: DashboardHouse, played: dict[str, FilledSeason], browser: Browser) -> None:
    page = browser.page()
    page.go(f"{over.base}{deck_path(played['briscola-2'])}/0")
    drawn = "[...document.querySelectorAll('.hand .card use')].every(use => use.getBBox().width > 50)"
    page.wait(drawn)


def test_all_works_without_a_script(over: DashboardHouse, played: dict[str, FilledSeason], browser: Browser) -> None:
    season = played["briscola-2"]
    page = browser.page(javascript=False)
    page.go(f"{over.base}/seasons/{season.id}")
    look = page.call("DOM.getDocument", depth=0)["root"]["nodeId"]
    rows = page.call("DOM.querySelectorAll", nodeId=look, selector=".table tbody tr")["nodeIds"]
    assert len(rows) == len(OWNERS)
    page.go(f"{over.base}{deck_path(season)}/0?at=3")
    look = page.call("DOM.getDocument", depth=0)["root"]["nodeId"]
    following = page.call("DOM.querySelector", nodeId=look, selector="a[rel=next]")["nodeId"]
    attributes = page.call("DOM.getAttributes", nodeId=following)["attributes"]
    assert "?at=4" in attributes


def test_hostile_names_do_nothing(store: Store, house: DashboardHouse, browser: Browser) -> None:
    owners = {**OWNERS, "mallory": "<img src=x onerror=alert(1)><script>document.title='taken'</script>"}
    season = FilledSeason(store, owners=owners)
    page = browser.page()
    page.go(known(house, season))
    page.wait("document.getElementById('line').textContent === 'live'")
    season.play()
    page.wait("document.querySelector('.status').textContent === 'finished'")
    assert page.js("document.title") == f"{season.id} · carico"
    assert page.js("document.querySelectorAll('main img, main script').length") == 0
    assert page.errors == []


@pytest.mark.parametrize("dark", [False, True])
def test_a_checker_finds_nothing_serious(
    over: DashboardHouse, played: dict[str, FilledSeason], browser: Browser, dark: bool
) -> None:
    script = axe_script()
    assert script is not None
    page = browser.page(dark=dark)
    home, deck = f"/seasons/{played['briscola-2'].id}", deck_path(played["briscola-2"])
    paths = ["/", home, f"{home}/fixtures", f"{home}/fixtures/0", deck, f"{deck}/0?at=9", "/bots", "/bots/ada"]
    for path in [*paths, "/platform", "/api", f"{deck_path(played['chiamata-5'])}/0?at=5"]:
        page.go(over.base + path)
        page.js(f"{script}; 0")
        found = page.js(
            "axe.run(document).then(found => found.violations.filter(one => ['serious', 'critical', 'moderate']"
            ".includes(one.impact)).map(one => one.id + ': ' + one.nodes.map(node => node.html).slice(0, 3)))"
        )
        assert found == [], path
    assert page.errors == []


def test_nothing_is_wider_than_a_telephone(
    over: DashboardHouse, played: dict[str, FilledSeason], browser: Browser
) -> None:
    page = browser.page(390, 844)
    for season in (played["briscola-4"], played["chiamata-5"]):
        home, deck = f"/seasons/{season.id}", deck_path(season)
        for path in (home, f"{home}/fixtures", f"{home}/fixtures/0", deck, f"{deck}/0?at=9", "/platform"):
            page.go(over.base + path)
            assert page.js("document.documentElement.scrollWidth") <= 390, path
