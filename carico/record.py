"""The deal record, version 1: write it, read it, replay it, verify it (the record format page has every field)."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from carico.rules import actions, shuffle
from carico.rules.cards import card_name, parse_card
from carico.rules.deal import Deal
from carico.rules.errors import RulesError
from carico.rules.game import Game, game
from carico.rules.outcome import Fault, FaultReason, outcome
from carico.rules.stand_in import stand_in
from carico.time_control import TimeControl

FORMAT: Final = "carico.deal/1"
SCHEME: Final = "carico.shuffle/1"

Clock = tuple[int, int, int]
"""(used, credit, bank left) of one action, in whole ms."""


@dataclass(frozen=True, slots=True)
class SeatName:
    """Who had a seat."""

    bot: str
    version: str
    owner: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a deal stands in its season; ``season`` and ``fixture`` are None in an arena."""

    season: str | None
    deal_set: int
    fixture: int | None
    seating: int
    deal: int
    attempt: int


@dataclass(frozen=True, slots=True)
class DealLog:
    """What happened in one deal: with game, dealer and source it tells everything."""

    actions: Sequence[tuple[int, int]]
    """(seat, action), in order."""
    clock: Sequence[Clock]
    """One entry an action, or none at all where no clock ran."""
    stand_in: Sequence[int]
    """Positions in ``actions`` that the stand-in took."""
    faults: Sequence[Fault]


class BadRecord(ValueError):
    """A record that is not what it says; the text names the field and the difference."""


class Differs(BadRecord):
    """A field of a record holds another value than what follows from the rest."""

    def __init__(self, field: str, found: Any, expected: Any, why: str = "playing it gives") -> None:
        """``why`` says in words where the expected value comes from."""
        super().__init__(f"{field}: the record says {found!r}, {why} {expected!r}")
        self.field: Final = field
        self.found: Final = found
        self.expected: Final = expected


def canonical(value: Any) -> bytes:
    """Canonical JSON: UTF-8, keys sorted at every depth, no spaces, non-ASCII unescaped."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def dumps(record: Mapping[str, Any]) -> str:
    """A record as its line, without the newline: keys in the order of the format."""
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Played:
    """A deal that was played, or begun: all that its record is made of."""

    place: Place
    match: str
    """The opaque handle that the bots saw."""
    game: Game
    dealer: int
    source: bytes
    """The pack in derived order, one byte a card."""
    key: bytes
    """K of the deck."""
    seats: Sequence[SeatName]
    time_control: TimeControl | None
    log: DealLog


def deal_record(played: Played) -> dict[str, Any]:
    """The record of a deal that is over, made by playing its log. Raises BadRecord where the log does not fit."""
    record = _record(played)
    if record["outcome"] is None:
        raise BadRecord(f"match {played.match}: the log ends before the deal does")
    return record


def void_record(played: Played, reason: str) -> dict[str, Any]:
    """The record of a deal that does not count: the same fields as far as it got, and the reason."""
    return {**_record(played), "reason": reason}


def with_reason(line: str, reason: str) -> str:
    """A record's line as it stands among the voids: one that has no reason yet, since its deal had counted, gets it."""
    record = json.loads(line)
    return line if "reason" in record else dumps({**record, "reason": reason})


def _record(played: Played) -> dict[str, Any]:
    place, what, log = played.place, played.game, played.log
    deal = _after(what, played.dealer, played.source, log.actions)
    if deal.count != len(log.actions):
        raise BadRecord(f"match {played.match}: the log holds a decline where nothing could be exchanged")
    deck = [card_name(card) for card in deal.realised()]
    rows = _rows(what, log.actions)
    return {
        "format": FORMAT,
        "season": place.season,
        "deal_set": place.deal_set,
        "fixture": place.fixture,
        "seating": place.seating,
        "deal": place.deal,
        "attempt": place.attempt,
        "match": played.match,
        "variant": what.variant,
        "players": what.players,
        "options": dict(what.options),
        "time_control": played.time_control.to_json() if played.time_control else None,
        "dealer": played.dealer,
        "deck": deck,
        "seats": [{"bot": seat.bot, "version": seat.version, "owner": seat.owner} for seat in played.seats],
        "actions": rows,
        "clock": [list(entry) for entry in log.clock],
        "stand_in": list(log.stand_in),
        "outcome": outcome_json(deal, log.faults) if deal.over else None,
        "shuffle": {
            "scheme": SCHEME,
            "stock": what.stock,
            "source": [card_name(card) for card in played.source],
            "commitment": None,
            "key": played.key.hex(),
        },
        "hash": deal_hash(what, played.dealer, deck, rows),
    }


def _rows(what: Game, taken: Sequence[tuple[int, int]]) -> list[list[int | str]]:
    return [actions.to_json(seat, action, what.auction) for seat, action in taken]


def _after(what: Game, dealer: int, source: bytes, taken: Sequence[tuple[int, int]]) -> Deal:
    try:
        deal = Deal(what, dealer, source)
    except ValueError as error:
        raise BadRecord(f"deck: {error}") from error
    for number, (seat, action) in enumerate(taken):
        if seat != deal.to_act:
            raise BadRecord(f"actions[{number}]: seat {seat} acts, but it is seat {deal.to_act}'s turn")
        try:
            deal.apply(action)
        except RulesError as error:
            raise BadRecord(f"actions[{number}]: {error}") from error
    return deal


def replay(record: Mapping[str, Any]) -> Deal:
    """The deal of a record after its last action. Raises BadRecord."""
    try:
        options, dealer = record["options"], record["dealer"]
        if not isinstance(options, Mapping) or type(dealer) is not int:
            raise BadRecord(f"not a deal record: options {options!r}, dealer {dealer!r}")
        what = game(f"{record['variant']}-{record['players']}", options)
        source = bytes(parse_card(name) for name in record["shuffle"]["source"])
        taken = [actions.from_json(row) for row in record["actions"]]
    except (KeyError, TypeError, RulesError) as error:
        raise BadRecord(f"not a deal record: {error!r}") from error
    return _after(what, dealer, source, taken)


def verify(record: Mapping[str, Any]) -> None:
    """Plays the record once more and proves what follows from key, actions and faults. Raises BadRecord.

    That is all but who played, where it stood in its season, and the times, which only the referee saw.
    """
    deal = _replayed(record)
    if not deal.over:
        raise BadRecord("actions: they end before the deal does")
    faults = _faults(record, deal)
    _prove(record, deal, {"stand_in": _by_stand_in(deal, faults), "outcome": outcome_json(deal, faults)})


def verify_void(record: Mapping[str, Any]) -> None:
    """As ``verify``, for the record of a deal that does not count and may have been broken off. Raises BadRecord.

    What the stand-in took can't be proved where there is no outcome, since the faults are a part of that.
    """
    if record.get("outcome") is not None:
        verify(record)
        return
    deal = _replayed(record)
    if deal.over:
        raise BadRecord("outcome: there is none, and the deal is over")
    positions = record.get("stand_in")
    if not isinstance(positions, list) or positions != [i for i in range(deal.count) if i in positions]:
        raise BadRecord(f"stand_in: {positions!r} are not positions in actions, in rising order")
    _prove(record, deal, {})


def _replayed(record: Mapping[str, Any]) -> Deal:
    if record.get("format") != FORMAT:
        raise BadRecord(f"format: {record.get('format')!r}, but this version reads {FORMAT!r}")
    return replay(record)


def _prove(record: Mapping[str, Any], deal: Deal, more: Mapping[str, Any]) -> None:
    deck = [card_name(card) for card in deal.realised()]
    found = {
        "players": deal.game.players,
        "options": dict(deal.game.options),
        "deck": deck,
        "actions": _rows(deal.game, deal.actions),
        **more,
        "shuffle": {**record["shuffle"], **_derived(record["shuffle"], deal.game)},
        "hash": deal_hash(deal.game, deal.dealer, deck, record["actions"]),
    }
    for name, value in found.items():
        _compare(name, record.get(name), value)


def _compare(field: str, told: Any, value: Any) -> None:
    """Raises Differs, with the innermost field, unless all of ``value`` is told so; true and 1.0 are no 1."""
    if dumps({field: told}) == dumps({field: value}):
        return
    if isinstance(value, dict) and isinstance(told, dict) and value.keys() == told.keys():
        for key, part in value.items():
            _compare(f"{field}.{key}", told[key], part)
    raise Differs(field, told, value)


def _faults(record: Mapping[str, Any], deal: Deal) -> list[Fault]:
    try:
        faults = [Fault(seat, FaultReason(reason), after) for seat, reason, after in record["outcome"]["faults"]]
        wrong = [f for f in faults if f.seat not in range(deal.game.players) or f.after not in range(deal.count)]
    except (KeyError, TypeError, ValueError) as error:
        raise BadRecord(f"outcome: {error!r}") from error
    if wrong or len({fault.seat for fault in faults}) < len(faults):
        raise BadRecord(f"outcome: faults {record['outcome']['faults']!r} are not one a seat, before the last action")
    return faults


def _by_stand_in(deal: Deal, faults: Sequence[Fault]) -> list[int]:
    """Positions of the stand-in's actions, each of which is the one that it would take."""
    since = {fault.seat: fault.after for fault in faults}
    again = Deal(deal.game, deal.dealer, deal.source)
    positions = []
    for number, (seat, action) in enumerate(deal.actions):
        if number >= since.get(seat, deal.count):
            positions.append(number)
            if again.phase == "exchange" and action >> 8 == actions.PLAY:
                again.apply(actions.Action.DECLINE)  # the next play alone may stand for it
            if action != stand_in(again):
                raise BadRecord(f"actions[{number}]: the stand-in would {actions.describe(stand_in(again))}")
        again.apply(action)
    return positions


def _derived(told: Mapping[str, Any], what: Game) -> dict[str, Any]:
    """What follows from the key of a deck."""
    try:
        order = shuffle.source(bytes.fromhex(told["key"]), what.pack)
    except (KeyError, TypeError, ValueError) as error:
        raise BadRecord(f"shuffle.key: {error!r}") from error
    return {"scheme": SCHEME, "stock": what.stock, "source": [card_name(card) for card in order]}


def outcome_json(deal: Deal, faults: Sequence[Fault]) -> dict[str, Any]:
    """The outcome of a deal that is over, as records have it."""
    end = outcome(deal, faults)
    told: dict[str, Any] = {
        "termination": str(end.termination),
        "winners": list(end.winners),
        "card_points": list(end.card_points),
        "scores": list(end.scores),
        "faults": [[fault.seat, str(fault.reason), fault.after] for fault in end.faults],
    }
    if end.contract is not None:
        told["caller"] = end.contract.caller
        told["partner"] = end.contract.partner
        told["called"] = None if end.contract.called is None else str(end.contract.called)
        told["target"] = end.contract.target
        told["penalties"] = list(end.penalties)
    return told


def deal_hash(played: Game, dealer: int, deck: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """The hash chain over the deal's beginning and its actions, in hex."""
    head = {
        "variant": played.variant,
        "players": played.players,
        "options": dict(played.options),
        "dealer": dealer,
        "deck": list(deck),
    }
    state = hashlib.sha256(canonical(head)).digest()
    for row in rows:
        state = hashlib.sha256(state + _canonical_row(*row)).digest()
    return state.hex()


@lru_cache(maxsize=4096, typed=True)
def _canonical_row(*row: int | str) -> bytes:
    """The row of an action; there are few different ones, of numbers and texts alone."""
    return canonical(list(row))
