"""Exports of one fixture that was never played by anybody: records by chance, the table made of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from carico.record import Place, SeatName, deal_record, dumps, void_record
from carico.rules.game import Game, game
from carico.time_control import TimeControl
from tests.kit.records import played
from worker.proof.beside import decided
from worker.tournament.entrants import Entrant
from worker.tournament.ledger import DealResult
from worker.tournament.rows import standings_json
from worker.tournament.schedule import single_fixture
from worker.tournament.standings import standings

TERMS = TimeControl(lag_credit_ms=20)


@dataclass
class Export:
    """What an export holds, as values that a test may spoil."""

    what: Game
    records: list[dict[str, Any]]
    table: dict[str, Any]
    voids: list[dict[str, Any]] = field(default_factory=list)

    @property
    def lines(self) -> list[bytes]:
        return lines(self.records)

    @property
    def table_bytes(self) -> bytes:
        return json.dumps(self.table, indent=2, ensure_ascii=False).encode() + b"\n"


def lines(records: Sequence[dict[str, Any]]) -> list[bytes]:
    """Records as a file has them."""
    return [f"{dumps(record)}\n".encode() for record in records]


def export(
    name: str, options: dict[str, Any] | None = None, sets: int = 2, seed: int = 1, faults: int = 1, attempt: int = 0
) -> Export:
    """A finished season of one fixture: all seatings of so many deal sets, a seat at fault in some of the deals.

    With ``attempt`` the last set was played again as often, and each earlier attempt broken off.
    """
    what = game(name, options)
    k = len(what.places)
    entrants = [SeatName(f"bot-{i}", "1.0", f"owner è {i}") for i in range(k)]
    records, voids = [], []
    for deal_set in range(sets):
        of_set = attempt if deal_set == sets - 1 else 0
        for seating in range(k):
            seats = [entrants[(place - seating) % k] for place in what.side_of]
            deals: list[dict[str, Any]] = []
            while not deals or not decided(deals):
                place = Place("spring", deal_set, 0, seating, len(deals), of_set)
                deal = played(what, seed, place, TERMS, faults if (deal_set + seating) % 2 else 0)
                deals.append(json.loads(dumps(deal_record(replace(deal, seats=seats, match=f"m{deal_set}.{seating}")))))
            records += deals
            for number in range(of_set):
                deal = played(what, seed, replace(place, attempt=number), TERMS)
                log = replace(deal.log, actions=deal.log.actions[:9], clock=deal.log.clock[:9])
                begun = void_record(replace(deal, seats=seats, log=log), "LOG_LOST")
                voids.append(json.loads(dumps(begun)))
    rows = standings(
        [Entrant(one.bot, one.version, one.owner) for one in entrants],
        [single_fixture(k, sets)],
        what.places,
        map(DealResult.from_record, records),
        form=what.match,
        sides=what.sides,
    )
    return Export(what, records, standings_json("spring", name, "finished", rows), voids)
