"""A deal told trick by trick, as everybody, nobody or one seat sees the cards: values for a screen to show."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from carico.rules.actions import EXCHANGE, PLAY, Action, named
from carico.rules.cards import CARDS, NO_CARD, Card
from carico.rules.deal import NOBODY, Deal
from carico.rules.view import view

Hands = Mapping[int, tuple[Card, ...]]
"""By seat the cards it holds, in the order of the pack; seats whose hands are not seen are left out."""

Eyes = Callable[[Deal], Hands]
"""Which hands are seen in a deal as it stands."""


@dataclass(frozen=True, slots=True)
class Told:
    """An action, and its place among all actions of the deal, from 0."""

    seat: int
    action: Card | Action
    position: int
    taken: Card | None = None
    """The upcard that an exchange took."""


@dataclass(frozen=True, slots=True)
class TrickTold:
    """A trick and what followed it up to the next."""

    number: int
    """From 1."""
    hands: Hands
    """Before its first card."""
    upcard: Card | None
    """The card that lies under the stock; None where there is none, or no longer."""
    stock: int
    """Cards to be drawn, the upcard included."""
    plays: tuple[Told, ...]
    """In order; fewer than seats where the deal was broken off."""
    winner: int | None
    """Who took it; None while it is not complete."""
    points: int
    """Card points in it."""
    after: tuple[Told, ...]
    """Exchanges and declines before the draw."""
    draws: tuple[tuple[int, Card | None], ...]
    """Who drew what, the winner first; None for a card that is not seen."""
    card_points: tuple[int, ...]
    """Per seat, this trick included."""


@dataclass(frozen=True, slots=True)
class Retelling:
    """A deal from the first card dealt to the last action it has."""

    hands: Hands
    """As they were dealt."""
    upcard: Card | None
    """As it was turned up."""
    auction: tuple[Told, ...]
    """Bids, passes and the call."""
    tricks: tuple[TrickTold, ...]


def all_hands(deal: Deal) -> Hands:
    """The eyes of someone to whom all hands are shown."""
    return {seat: _sorted(hand) for seat, hand in enumerate(deal.hands)}


def no_hands(deal: Deal) -> Hands:
    """The eyes of a spectator: no hands, unless they lie face up for all (scoperta)."""
    return all_hands(deal) if deal.game.open else {}


def hands_of(seat: int) -> Eyes:
    """The eyes of a seat: its own hand, and those of others that its view shows."""

    def eyes(deal: Deal) -> Hands:
        seen = view(deal, seat)
        return {seat: _sorted(seen.hand), **seen.shown}

    return eyes


def retell(deal: Deal, eyes: Eyes = all_hands) -> Retelling:
    """The deal so far, each of its actions included. Cards that these eyes do not see are in no part of it."""
    now = Deal(deal.game, deal.dealer, deal.source)
    hands, upcard = eyes(now), _upcard(now)
    acts = deque(enumerate(deal.actions))
    said = []
    if deal.game.auction is not None:
        while acts and acts[0][1][1] >> 8 != PLAY:
            said.append(_take(now, acts))
    return Retelling(hands, upcard, tuple(said), tuple(_tricks(deal, now, acts, eyes)))


def _tricks(deal: Deal, now: Deal, acts: deque[tuple[int, tuple[int, int]]], eyes: Eyes) -> Iterator[TrickTold]:
    number = 0
    while acts:
        number += 1
        yield _trick(number, deal, now, acts, eyes)


def _trick(number: int, deal: Deal, now: Deal, acts: deque[tuple[int, tuple[int, int]]], eyes: Eyes) -> TrickTold:
    hands, upcard, stock = eyes(now), _upcard(now), now.stock
    points, rounds, seats = sum(now.card_points), now.rounds_left, deal.game.players
    plays: list[Told] = []
    while acts and len(plays) < seats:
        plays.append(_take(now, acts))
    whole = len(plays) == seats
    after: list[Told] = []
    while whole and acts and acts[0][1][1] >> 8 != PLAY:
        after.append(_take(now, acts))
    if now.phase == "exchange" and (acts or deal.phase != "exchange"):
        now.apply(Action.DECLINE)  # nobody said so, but there was a draw
    draws = tuple(_draws(now, eyes(now))) if now.rounds_left < rounds else ()
    return TrickTold(
        number,
        hands,
        upcard,
        stock,
        tuple(plays),
        now.leader if whole else None,
        sum(now.card_points) - points,
        tuple(after),
        draws,
        tuple(now.card_points),
    )


def _take(now: Deal, acts: deque[tuple[int, tuple[int, int]]]) -> Told:
    position, (seat, action) = acts.popleft()
    taken = CARDS[now.upcard] if action >> 8 == EXCHANGE else None
    now.apply(action)
    return Told(seat, named(action, now.game.auction), position, taken)


def _draws(now: Deal, seen: Hands) -> Iterator[tuple[int, Card | None]]:
    """What everybody drew just now; who has the upcard everybody knows."""
    for k in range(now.game.players):
        seat = (now.leader + k) % now.game.players
        card = CARDS[now.hands[seat][-1]]
        yield seat, card if seat in seen or seat == now.upcard_holder else None


def _upcard(deal: Deal) -> Card | None:
    lies = deal.upcard != NO_CARD and deal.upcard_holder == NOBODY
    return CARDS[deal.upcard] if lies else None


def _sorted(hand: tuple[Card, ...] | list[int]) -> tuple[Card, ...]:
    return tuple(CARDS[code] for code in sorted(map(int, hand)))
