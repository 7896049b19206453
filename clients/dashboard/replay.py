"""A recorded deal, moment by moment, as it is drawn: open hands, or what one seat may know."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from carico.record import replay
from carico.rules.actions import from_json, named
from carico.rules.cards import NO_CARD, POINTS, card_name
from carico.rules.deal import Deal
from carico.rules.view import View, view
from clients.dashboard.words import card_words, said_words


@dataclass(frozen=True, slots=True)
class OnTable:
    """A card of the trick that is drawn."""

    seat: int
    card: str
    takes: bool
    """Whether it takes the trick, or would as the trick lies."""


@dataclass(frozen=True, slots=True)
class SeatNow:
    """A seat at a moment."""

    seat: int
    bot: str
    hand: tuple[str | None, ...]
    """Cards; None for one that may not be seen."""
    points: int
    tricks: int
    to_act: bool
    role: str
    """Deals, caller, partner; empty for none."""
    bank_ms: int | None
    faulty: str | None
    """The reason, once it has failed."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A deal after so many actions."""

    at: int
    seats: tuple[SeatNow, ...]
    table: tuple[OnTable, ...]
    """The trick being played; between two tricks, the one just over."""
    trick: int
    """Its number, from 1; 0 before the first."""
    over: bool
    """Whether the trick drawn is complete."""
    stock: int
    upcard: str | None
    """While it lies under the stock."""
    trump: str | None
    said: tuple[tuple[int, str], ...]
    """The auction so far."""
    text: str
    """What has just happened."""
    actor: int | None
    """Who did it; None at the beginning."""
    used_ms: int | None
    """How long that took."""
    stand_in: bool
    """Whether the stand-in did it."""


@dataclass(frozen=True, slots=True)
class Replay:
    """All moments of a deal, and where its tricks begin."""

    moments: tuple[Moment, ...]
    tricks: tuple[int, ...]
    """For each trick the number of actions with which it is complete."""
    seat: int | None
    """Whose view it is; None for open hands."""


def replayed(record: Mapping[str, Any], seat: int | None = None) -> Replay:
    """The moments of a deal record. Raises BadRecord, and ValueError for a seat that is not at the table."""
    whole = replay(record)
    if seat is not None and not 0 <= seat < whole.game.players:
        raise ValueError(f"there is no seat {seat}")
    deal = Deal(whole.game, whole.dealer, whole.source)
    moments = [_moment(record, deal, seat, 0)]
    tricks = []
    for at, row in enumerate(record["actions"], 1):
        before = len(deal.played)
        deal.apply(from_json(row)[1])
        moments.append(_moment(record, deal, seat, at))
        if len(deal.played) > before and len(deal.played) % deal.game.players == 0:
            tricks.append(at)
    return Replay(tuple(moments), tuple(tricks), seat)


def _moment(record: Mapping[str, Any], deal: Deal, seat: int | None, at: int) -> Moment:
    seen = view(deal, 0 if seat is None else seat)
    size = deal.game.players
    trick, over = _trick(seen, size)
    actor, text = _what_happened(record, deal, at)
    clock = record["clock"]
    return Moment(
        at=at,
        seats=tuple(_seat(record, deal, seen, one, seat, at) for one in range(size)),
        table=trick,
        trick=-(-len(seen.played_codes) // size),
        over=over,
        stock=seen.stock,
        upcard=card_name(seen.upcard_code) if seen.stock and seen.upcard_code != NO_CARD else None,
        trump=seen.trump,
        said=tuple((one.seat, said_words(one.action)) for one in seen.auction),
        text=text,
        actor=actor,
        used_ms=clock[at - 1][0] if at and clock else None,
        stand_in=at - 1 in record["stand_in"],
    )


def _trick(seen: View, size: int) -> tuple[tuple[OnTable, ...], bool]:
    """The trick to be drawn, and whether it is complete."""
    played = seen.played_codes
    if not played:
        return (), False
    if len(played) % size == 0:
        last = seen.tricks[-1]
        seats = [(last.leader + k) % size for k in range(size)]
        return tuple(
            OnTable(at, str(card), at == last.winner) for at, card in zip(seats, last.cards, strict=True)
        ), True
    winner = seen.table_winner
    cards = seen.table
    return tuple(
        OnTable((seen.leader + k) % size, str(card), (seen.leader + k) % size == winner) for k, card in enumerate(cards)
    ), False


def _seat(record: Mapping[str, Any], deal: Deal, seen: View, seat: int, eyes: int | None, at: int) -> SeatNow:
    hand: tuple[str | None, ...]
    if eyes is None:
        hand = _sorted(deal.hands[seat])
    elif seat == eyes:
        hand = _sorted(seen.hand_codes)
    elif seat in seen.shown:
        hand = _sorted(seen.shown[seat])
    else:
        known = [str(card) for card in seen.known.get(seat, ())]
        hand = (*known, *[None] * (len(deal.hands[seat]) - len(known)))
    own = [i for i, row in enumerate(record["actions"][:at]) if row[0] == seat]
    faults = [reason for who, reason, after in record["outcome"]["faults"] if who == seat and at >= after]
    clock = record["clock"]
    bank = clock[own[-1]][2] if own and clock else (record["time_control"] or {}).get("bank_ms") if clock else None
    return SeatNow(
        seat=seat,
        bot=record["seats"][seat]["bot"],
        hand=hand,
        points=deal.card_points[seat],
        tricks=sum(trick.winner == seat for trick in seen.tricks),
        to_act=deal.to_act == seat,
        role=_role(deal, seen, seat, eyes),
        bank_ms=bank,
        faulty=faults[0] if faults else None,
    )


def _role(deal: Deal, seen: View, seat: int, eyes: int | None) -> str:
    roles = ["dealer"] if seat == deal.dealer else []
    if deal.game.auction is not None:
        partner = getattr(deal, "partner", None) if eyes is None else seen.partner
        if seat == seen.caller:
            roles.append("caller")
        elif seat == partner or (seat == eyes and seen.is_partner):
            roles.append("partner")
    return ", ".join(roles)


def _sorted(cards: Sequence[int]) -> tuple[str, ...]:
    return tuple(map(card_name, sorted(cards)))


def _what_happened(record: Mapping[str, Any], deal: Deal, at: int) -> tuple[int | None, str]:
    """Who did the latest action, and it in words; of the beginning, who leads."""
    names = [one["bot"] for one in record["seats"]]
    if not at:
        return None, f"The cards are dealt. {names[deal.to_act]} begins."
    seat, action = from_json(record["actions"][at - 1])
    if action >> 8 == 0:
        text = f"{names[seat]} plays the {card_words(card_name(action))}"
        size = deal.game.players
        if len(deal.played) % size == 0:
            last = view(deal, 0).tricks[-1]
            points = sum(POINTS[card] for card in deal.played[-size:])
            text += f"; {names[last.winner]} takes {points}"
        return seat, f"{text}."
    return seat, f"{names[seat]}: {said_words(named(action, deal.game.auction))}."


def used_by_seat(record: Mapping[str, Any]) -> tuple[int, ...]:
    """Per seat how much time it used in all, in ms."""
    used = [0] * record["players"]
    for (seat, *_), (ms, _, _) in zip(record["actions"], record["clock"], strict=False):
        used[seat] += ms
    return tuple(used)
