"""A season into a folder: its records, its voids and its table, to the letter of the format pages."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from carico.record import with_reason
from worker.office.live_table import LiveTable
from worker.office.port import ExportFolder
from worker.store.port import Store
from worker.store.values import Status
from worker.tournament.ledger import DealKey

OVER: Final = (Status.FINISHED, Status.CANCELLED)
"""No deck of a season that stands so will be played again."""


@dataclass(frozen=True, slots=True)
class Export:
    """What an export holds; to be read in this order."""

    records: Iterator[str]
    """The lines of records.jsonl."""
    voids: Iterator[str]
    """The lines of voids.jsonl."""
    table: LiveTable
    """As it stood before the records were read."""


def export(store: Store, season: str) -> Export:
    """Opens an export. Raises what the store raises, as the reading of it does."""
    table = LiveTable(store, season)
    records = store.records(season)
    if table.progress.status not in OVER:
        records = _of_sets(records, _finished_sets(table))
    return Export(records, _void_lines(store, season), table)


def export_season(store: Store, season: str, folder: ExportFolder) -> LiveTable:
    """Writes the folder and returns the table as it was written. Raises what the store and the folder raise."""
    found = export(store, season)
    folder.write_records(found.records)
    folder.write_voids(found.voids)
    folder.write_standings(found.table.to_json())
    return found.table


def _finished_sets(table: LiveTable) -> frozenset[int]:
    """The deal sets whose deck has been played at all its seatings, or will never be again."""
    sets = {key.deal_set: table.score(key.fixture) for key in table.counted}
    return frozenset(
        deal_set for deal_set, score in sets.items() if score.played(deal_set) or score.fixture.number in table.closed
    )


def _of_sets(lines: Iterable[str], deal_sets: frozenset[int]) -> Iterator[str]:
    """The records of these deal sets: more may have come since they were counted."""
    return (line for line in lines if json.loads(line)["deal_set"] in deal_sets)


def _void_lines(store: Store, season: str) -> Iterator[str]:
    """The lines of voids.jsonl, in the order of the records; of one deal the earlier attempt stands first."""

    def place(line: str) -> tuple[DealKey, int]:
        found = json.loads(line)
        fixture = -1 if found["fixture"] is None else found["fixture"]
        return DealKey(found["deal_set"], fixture, found["seating"], found["deal"]), found["attempt"]

    yield from sorted(
        (with_reason(line, void.reason) for void in store.voids(season) for line in void.records), key=place
    )
