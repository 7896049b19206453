"""Records against ledger, schedule, decks and rules: each is played again."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from carico.record import BadRecord, replay, verify
from worker.audit.books import Books
from worker.audit.report import Report
from worker.tournament.fixtures import dealer, seating
from worker.tournament.ledger import DealKey, DealResult, counted

DeckUse = dict[str, set[tuple[int, int, frozenset[tuple[str, str]]]]]
"""Source of a deck -> deal set, attempt and entrants that played it."""


def check_records(books: Books, report: Report) -> list[DealResult]:
    """Checks all records; returns the results that they tell of, those of deals that count."""
    known = {result.key: result for result in counted((r for _, r in books.ledger), books.attempts)}
    found: dict[DealKey, DealResult] = {}
    decks: DeckUse = {}
    for number, line in enumerate(books.records):
        try:
            record = json.loads(line)
            result = DealResult.from_record(record)
        except (ValueError, KeyError, TypeError) as error:
            report.say("records", f"line {number} of the records is none: {error}")
            continue
        if result.key in found:
            report.say("records", f"{_name(result)} has more than one record")
            continue
        found[result.key] = result
        for text in _wrong(books, record, result.attempt):
            report.say("records", f"{_name(result)}: {text}")
        report.verified += 1
        _note_deck(decks, record)
        if result.key not in known:
            if result.key not in books.tail:
                report.say("records", f"{_name(result)} has a record and no result in the ledger that counts")
        elif known[result.key] != result:
            report.say("records", f"{_name(result)}: the record tells another result than the ledger")
    for key, result in known.items():
        if key not in found:
            report.say("records", f"{_name(result)} is in the ledger and has no record")
    _check_voids(books, report, decks)
    _check_decks(report, decks)
    return [result for key, result in found.items() if key in known]


def _name(result: DealResult) -> str:
    return f"deal set {result.deal_set}, fixture {result.fixture}, seating {result.seating}, attempt {result.attempt}"


def _wrong(books: Books, record: Mapping[str, Any], attempt: int) -> Iterator[str]:
    """What is wrong with the record of a deal that was played to its end."""
    try:
        verify(record)
    except BadRecord as error:
        yield str(error)
    yield from _misplaced(books, record, attempt)


def _misplaced(books: Books, record: Mapping[str, Any], attempt: int) -> Iterator[str]:
    """Where a record does not fit the schedule, the entrants, the terms or the deck of its season."""
    spec = books.document.spec
    key = DealKey(record["deal_set"], record["fixture"], record["seating"], record["deal"])
    fixture = books.plan_of(key)
    if fixture is None:
        yield "it is not in the schedule"
        return
    places = [books.entrants[i] for i in seating(fixture, key.seating, spec.places)]
    expected = {
        "season": spec.name,
        "attempt": attempt,
        "variant": spec.game.variant,
        "players": spec.game.players,
        "options": dict(spec.game.options),
        "time_control": spec.time_control.to_json(),
        "dealer": dealer(key.deal_set, key.deal, spec.game.players),
        "seats": [{"bot": e.bot, "version": e.version, "owner": e.owner} for e in places],
    }
    for field, value in expected.items():
        if record.get(field) != value:
            yield f"{field}: the record says {record.get(field)!r}, the season {value!r}"
    if record["shuffle"].get("key") != books.document.deck(key.deal_set, key.deal, attempt).key.hex():
        yield "shuffle.key: it is not that of the season's secret"


def _check_voids(books: Books, report: Report, decks: DeckUse) -> None:
    for void in books.voids:
        seen: set[tuple[int, int, int]] = set()
        for line in void.records:
            name = f"void attempt {void.attempt} of deal set {void.deal_set}"
            try:
                record = json.loads(line)
                place = (record["fixture"], record["seating"], record["deal"])
                if place in seen:
                    report.say("voids", f"{name} has two records of fixture, seating and deal {place}")
                seen.add(place)
                if record["deal_set"] != void.deal_set:
                    report.say("voids", f"{name} has a record of deal set {record['deal_set']}")
                if record["outcome"] is not None:
                    verify(record)
                else:
                    replay(record)
                for text in _misplaced(books, record, void.attempt):
                    report.say("voids", f"{name}: {text}")
            except (ValueError, KeyError, TypeError) as error:
                report.say("voids", f"{name}: a record of it is none: {error}")
                continue
            report.verified += 1
            _note_deck(decks, record)


def _note_deck(decks: DeckUse, record: Mapping[str, Any]) -> None:
    who = frozenset((seat["bot"], seat["version"]) for seat in record["seats"])
    use = (record["deal_set"], record["attempt"], who)
    decks.setdefault(" ".join(record["shuffle"]["source"]), set()).add(use)


def _check_decks(report: Report, decks: DeckUse) -> None:
    """No deck is used twice by the same entrants outside its own deal set."""
    for uses in decks.values():
        by_entrants: dict[frozenset[tuple[str, str]], set[tuple[int, int]]] = {}
        for deal_set, attempt, who in uses:
            by_entrants.setdefault(who, set()).add((deal_set, attempt))
        for who, sets in by_entrants.items():
            if len(sets) > 1:
                names = " and ".join(sorted(f"{bot} {version}" for bot, version in who))
                told = ", ".join(f"{deal_set} (attempt {attempt})" for deal_set, attempt in sorted(sets))
                report.say("decks", f"{names} played one deck in more than one deal set: {told}")
