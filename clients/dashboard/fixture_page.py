"""What the pages of a fixture, a deck and a deal show, made from records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from carico.rules.actions import from_json, named
from carico.rules.game import game
from clients.dashboard.records import Record
from clients.dashboard.replay import replayed, used_by_seat
from clients.dashboard.snapshot import FixtureView, SeasonView
from clients.dashboard.tallies import Margins, margin
from clients.dashboard.words import said_words
from worker.tournament.fixtures import place_of
from worker.tournament.ledger import DealResult

STRIP_BAR: Final = 4
STRIP_GAP: Final = 2
STRIP_HALF: Final = 56
LEAST_BARS: Final = 16
"""A strip has room for so many bars, so that those of a short fixture are not too broad."""
BARS_HEIGHT: Final = 26


@dataclass(frozen=True, slots=True)
class Side:
    """What an entrant made of a deal."""

    points: int
    won: bool


@dataclass(frozen=True, slots=True)
class DealCell:
    """A deal on the fixture's page."""

    seating: int
    href: str
    points: tuple[Side, ...]
    """By entrant, in the fixture's order."""
    used: int
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck at all its seatings."""

    deal_set: int
    deals: tuple[DealCell, ...]
    margin: float
    """Of the fixture's first entrant, the mean over the seatings."""


def decks_of(season: SeasonView, fixture: FixtureView, records: Sequence[Record]) -> list[Deck]:
    """The decks of a fixture in their order."""
    by_set: dict[int, list[Record]] = {}
    for record in records:
        by_set.setdefault(record["deal_set"], []).append(record)
    return [
        Deck(
            deal_set,
            tuple(_cell(season, fixture, record) for record in deals),
            sum(_margin(season, record) for record in deals) / len(deals),
        )
        for deal_set, deals in by_set.items()
    ]


def margins_of(decks: Sequence[Deck]) -> Margins:
    """The margins of the fixture's first entrant."""
    margins = Margins()
    for deck in decks:
        margins.add(deck.margin)
    return margins


def strip(decks: Sequence[Deck]) -> Mapping[str, Any] | None:
    """A bar for each deck, up for the first entrant; None without decks."""
    if not decks:
        return None
    reach = max(1.0, *(abs(deck.margin) for deck in decks))
    bars = []
    for i, deck in enumerate(decks):
        height = round(abs(deck.margin) / reach * STRIP_HALF, 1)
        up = deck.margin > 0
        bars.append(
            {
                "deck": deck.deal_set,
                "margin": deck.margin,
                "up": up,
                "x": i * (STRIP_BAR + STRIP_GAP),
                "y": 60 - height if up else 60,
                "height": height,
            }
        )
    return {"bars": bars, "each": STRIP_BAR, "width": max(LEAST_BARS, len(bars)) * (STRIP_BAR + STRIP_GAP)}


def deal_href(season: str, record: Record) -> str:
    """Where a deal is replayed."""
    path = f"/seasons/{season}/fixtures/{record['fixture']}/decks/{record['deal_set']}/{record['seating']}"
    return f"{path}?deal={record['deal']}" if record["deal"] else path


def _places(season: SeasonView) -> Sequence[Sequence[int]]:
    return [(seat,) for seat in range(season.game.players)] if season.rotating else season.game.places


def _side_at(season: SeasonView, seat: int) -> Sequence[int]:
    return season.game.sides[season.game.side_of[seat]]


def _cell(season: SeasonView, fixture: FixtureView, record: Record) -> DealCell:
    places = _places(season)
    sides = []
    for i in range(len(fixture.entrants)):
        seats = places[place_of(i, record["seating"], len(places))]
        side = _side_at(season, seats[0])
        points = sum(record["outcome"]["card_points"][seat] for seat in side)
        sides.append(Side(points, any(seat in record["outcome"]["winners"] for seat in side)))
    faults = tuple(
        f"{record['seats'][seat]['bot']}: {reason.lower().replace('_', ' ')}"
        for seat, reason, _ in record["outcome"]["faults"]
    )
    return DealCell(record["seating"], deal_href(season.id, record), tuple(sides), sum(used_by_seat(record)), faults)


def _margin(season: SeasonView, record: Record) -> float:
    places = _places(season)
    seats = places[place_of(0, record["seating"], len(places))]
    return margin(DealResult.from_record(record), _side_at(season, seats[0]))


# --- a deck, side by side ---


def seatings_of(season: SeasonView, records: Sequence[Record]) -> tuple[list[dict[str, Any]], int | None]:
    """The deals of a deck trick by trick, and the first trick, from 1, in which they differ; None where none does."""
    deals = [_told(season, record) for record in records]
    split = None
    if len(deals) > 1:
        longest = max(len(deal["tricks"]) for deal in deals)
        for number in range(longest):
            played = {
                tuple(card["card"] for card in deal["tricks"][number]["cards"]) if number < len(deal["tricks"]) else ()
                for deal in deals
            }
            if len(played) > 1:
                split = number + 1
                break
    return deals, split


def _told(season: SeasonView, record: Record) -> dict[str, Any]:
    what = game(f"{record['variant']}-{record['players']}", record["options"])
    found = replayed(record)
    sides = list(what.sides)
    tricks: list[dict[str, Any]] = []
    for at in found.tricks:
        moment = found.moments[at]
        lead = moment.table[0].seat
        by_seat = sorted(moment.table, key=lambda one: one.seat)
        totals = [sum(moment.seats[seat].points for seat in side) for side in sides]
        before = tricks[-1]["totals"] if tricks else [0] * len(sides)
        tricks.append(
            {
                "at": at,
                "cards": [{"card": o.card, "takes": o.takes, "leads": o.seat == lead} for o in by_seat],
                "points": sum(totals) - sum(before),
                "totals": totals,
            }
        )
    said: list[list[str]] = [[] for _ in record["seats"]]
    for seat, action in map(from_json, record["actions"]):
        if action >> 8:
            said[seat].append(said_words(named(action, what.auction)))
    return {
        "seating": record["seating"],
        "deal": record["deal"],
        "href": deal_href(season.id, record).partition("?")[0],
        "seats": [one["bot"] for one in record["seats"]],
        "sides": ["+".join(record["seats"][seat]["bot"] for seat in side) for side in sides]
        if len(sides) < what.players
        else [one["bot"] for one in record["seats"]],
        "tricks": tricks,
        "said": said if any(said) else None,
        "faults": [
            f"{record['seats'][seat]['bot']}: {reason.lower().replace('_', ' ')} after {after} actions"
            for seat, reason, after in record["outcome"]["faults"]
        ],
    }


# --- a deal ---


def sides_of(record: Record) -> list[dict[str, Any]]:
    """Who made how many card points together, and who won."""
    what = game(f"{record['variant']}-{record['players']}", record["options"])
    outcome = record["outcome"]
    sides: Sequence[Sequence[int]] = what.sides
    if outcome.get("caller") is not None:
        with_caller = {outcome["caller"], outcome["partner"]} - {None}
        sides = [sorted(with_caller), [seat for seat in range(what.players) if seat not in with_caller]]
    return [
        {
            "names": [record["seats"][seat]["bot"] for seat in side],
            "points": sum(outcome["card_points"][seat] for seat in side),
            "won": any(seat in outcome["winners"] for seat in side),
        }
        for side in sides
    ]


def times_of(record: Record) -> Mapping[str, Any] | None:
    """A bar for each action, a row for each seat; None where no clock ran."""
    if not record["clock"]:
        return None
    most = max(1, *(used for used, _, _ in record["clock"]))
    row = BARS_HEIGHT + 4
    bars = []
    for number, ((seat, *_), (used, _, _)) in enumerate(zip(record["actions"], record["clock"], strict=True)):
        height = max(1.0, round(used / most * BARS_HEIGHT, 1))
        bars.append(
            {
                "at": number + 1,
                "seat": seat,
                "bot": record["seats"][seat]["bot"],
                "ms": used,
                "stand_in": number in record["stand_in"],
                "x": number * 8,
                "y": round(seat * row + BARS_HEIGHT - height, 1),
                "height": height,
            }
        )
    return {
        "bars": bars,
        "most": most,
        "width": max(320, len(bars) * 8),
        "height": record["players"] * row,
        "totals": [(one["bot"], used) for one, used in zip(record["seats"], used_by_seat(record), strict=True)],
    }
