"""Seasons of all kinds of games, and the dashboard on them."""

import time
from collections.abc import Iterator

import pytest

from tests.kit.dashboard_house import DashboardHouse
from tests.kit.filled_season import FilledSeason
from worker.store.memory import MemoryStore
from worker.store.port import Store


def now_ms() -> int:
    """The clock of a store in memory."""
    return time.time_ns() // 1_000_000


GAMES = ("briscola-2", "briscola-3", "briscola-4", "brisca-2", "briscolone-2", "chiamata-5")


@pytest.fixture
def store() -> Store:
    return MemoryStore(now_ms)


@pytest.fixture
def house(store: Store) -> Iterator[DashboardHouse]:
    with DashboardHouse(store) as house:
        yield house


@pytest.fixture(scope="module")
def played() -> dict[str, FilledSeason]:
    """By game a season that is over, all in one store."""
    store = MemoryStore(now_ms)
    seasons = {name: FilledSeason(store, name) for name in GAMES}
    for season in seasons.values():
        season.play()
    return seasons


@pytest.fixture(scope="module")
def over(played: dict[str, FilledSeason]) -> Iterator[DashboardHouse]:
    """A dashboard on those."""
    with DashboardHouse(played["briscola-2"].store) as house:
        yield house
