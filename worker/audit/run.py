"""The audit of a season."""

import json
from typing import Final

from carico.record import replay
from worker.audit.books import Books, read_books
from worker.audit.ledger import check_chunks, check_closures, check_ledger, check_store, check_voids
from worker.audit.records import check_records
from worker.audit.report import Report, VoidLine
from worker.store.port import Store
from worker.store.values import Void
from worker.tournament.ledger import LedgerError, counted
from worker.tournament.standings import standings

TRIES: Final = 5


def audit(store: Store, season: str) -> Report:
    """Reads all of a season and says what does not agree; changes nothing, and a running season runs on.

    Every record is played again. Raises what the store raises.
    """
    try:
        books = read_books(store, season)
        for _ in range(TRIES):
            if books.steady:
                break
            books = read_books(store, season)
    except (ValueError, TypeError, KeyError) as error:
        report = Report(season, store.status(season))
        for text in store.differences(season):
            report.say("store", text)
        report.say("store", f"something in it can't be read: {error}")
        return report
    report = Report(season, books.after.status)
    if not books.steady:
        report.say("store", f"{season} was changed by organisers in each of {TRIES} readings: try again later")
        return report
    check_ledger(books, report)
    check_voids(books, report)
    check_closures(books, report)
    check_chunks(books, report)
    _check_table(books, report)
    check_store(books, report)
    report.voids = [VoidLine(v.deal_set, v.attempt, v.reason, _led(v)) for v in books.voids]
    return report


def _check_table(books: Books, report: Report) -> None:
    """The table of the records is the table of the ledger."""
    told = check_records(books, report)
    spec = books.document.spec
    ledger = list({r.key: r for r in counted((r for _, r in books.ledger), books.attempts)}.values())
    try:
        report.rows, other = (
            standings(
                books.entrants,
                books.fixtures,
                spec.places,
                results,
                books.closures,
                spec.game.match,
                withdrawals=books.withdrawals,
                sides=spec.game.sides,
            )
            for results in (told, ledger)
        )
    except (LedgerError, IndexError) as error:
        report.say("table", f"no table can be made of the ledger: {error}")
        return
    if report.rows != other:
        report.say("table", "the table of the records is not the table of the ledger")


def _led(void: Void) -> str:
    points: dict[str, int] = {}
    try:
        for record in map(json.loads, void.records):
            for seat, captured in zip(record["seats"], replay(record).card_points, strict=True):
                name = f"{seat['bot']} {seat['version']}"
                points[name] = points.get(name, 0) + captured
    except (ValueError, KeyError, TypeError):
        return ""
    if not points:
        return ""
    (first, most), (_, next_) = sorted([*points.items(), ("", -1)], key=lambda item: -item[1])[:2]
    return f"{first} by {most - next_}" if most > next_ else "nobody"
