"""Seasons for the tests of the store and of those who use it."""

from collections.abc import Sequence
from typing import NamedTuple

from worker.store.port import Store
from worker.store.values import Entry, Lease, Status
from worker.tournament.chunks import Chunk, chunks
from worker.tournament.entrants import Entrant
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import DealKey
from worker.tournament.schedule import appended, round_robin

LONG_MS = 600_000
"""A lease that does not run out during a test."""


class Plan(NamedTuple):
    """What a season is created with."""

    entrants: list[Entrant]
    fixtures: list[Fixture]
    chunks: list[Chunk]


def entrant(number: int) -> Entrant:
    return Entrant(f"bot-{number}", "1.0", f"owner-{number}")


def plan(entrants: int = 3, sets: int = 4, size: int = 2) -> Plan:
    """A single round robin of fixtures of ``sets`` deal sets, cut into chunks of ``size``."""
    fixtures = list(round_robin(entrants, 2, 1, sets))
    return Plan([entrant(i) for i in range(entrants)], fixtures, list(chunks(fixtures, size)))


def late(before: Plan, sets: int = 4, size: int = 2) -> tuple[Entrant, list[Fixture], list[Chunk]]:
    """The next entrant, with a fixture against each of those before."""
    n = len(before.entrants)
    fixtures = list(appended(n, range(n), before.fixtures, sets))
    return entrant(n), fixtures, list(chunks(fixtures, size, first=len(before.chunks)))


def create(store: Store, season: str, of: Plan, *, open_entry: bool = False, start: bool = True) -> None:
    """A season of this plan, running."""
    store.create(season, {"secret": "s"}, of.entrants, of.fixtures, of.chunks, open_entry=open_entry)
    if start:
        store.set_status(season, Status.RUNNING)


def entries(chunk: Chunk, played: str = "as ever", deal_sets: Sequence[int] | None = None) -> list[Entry]:
    """A result for every seating of the chunk's deal sets."""
    keys = [
        DealKey(deal_set, chunk.fixture, seating, 0)
        for deal_set in (chunk.deal_sets if deal_sets is None else deal_sets)
        for seating in (0, 1)
    ]
    return [Entry(key, {"scores": [2, 0], "played": played}, f'{{"key":{list(key)},"è":"{played}"}}') for key in keys]


def leased(store: Store, season: str, chunk: int, lease_ms: int = LONG_MS) -> Lease:
    """A claim that must be granted."""
    lease = store.claim(season, chunk, lease_ms)
    assert isinstance(lease, Lease), lease
    return lease
