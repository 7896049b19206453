"""Another truth behind the same view: hidden cards dealt anew, everything that a seat saw left as it was."""

from random import Random

from carico.rules.actions import EXCHANGE, PLAY, Action
from carico.rules.deal import Deal
from carico.rules.errors import IllegalAction


def knows_places_of(deal: Deal, seat: int) -> set[int]:
    """The cards whose every place, from the dealing on, this seat may know: its own, the upcard, hands shown to it."""
    game = deal.game
    seats = {seat}
    if game.open:
        return set(game.pack)
    if game.partners == "start":
        seats.update(game.sides[game.side_of[seat]])
    held = {card for who in seats for card in deal.hands[who]}
    shown = {action & 0xFF for who, action in deal.actions if who in seats and action >> 8 in (PLAY, EXCHANGE)}
    first_upcard = Deal(game, deal.dealer, deal.source).upcard
    return held | shown | {first_upcard}


def redealt(deal: Deal, seat: int, rng: Random, swaps: int) -> Deal:
    """The same story on another source that this seat cannot tell from the deal's.

    It swaps two cards whose places the seat does not know, sees whether everybody can still do what everybody saw, and
    does so again and again. Where partners' hands are shown once the stock is used up, the cards in the hand that was
    shown stay in that hand, though not in the order in which they came.
    """
    game = deal.game
    known = knows_places_of(deal, seat)
    free = [at for at, card in enumerate(deal.source) if card not in known]
    shown_late = game.partners == "last3" and deal.stock == 0
    partners = [other for other in game.sides[game.side_of[seat]] if other != seat] if shown_late else []
    kept = [_all_cards_of(deal, partner) for partner in partners]
    now = deal
    for _ in range(swaps if len(free) > 1 else 0):
        a, b = rng.sample(free, 2)
        order = bytearray(now.source)
        order[a], order[b] = order[b], order[a]
        other = Deal(game, deal.dealer, bytes(order))
        try:
            _follow(other, deal)
        except IllegalAction:
            continue
        if [_all_cards_of(other, partner) for partner in partners] == kept:
            now = other
    return now


def _follow(other: Deal, deal: Deal) -> None:
    """Does what everybody saw. That somebody declined who could not have exchanged is no action, and yet was seen."""
    for _, action in deal.actions:
        if other.phase == "exchange" and action >> 8 == PLAY:
            other.apply(Action.DECLINE)
        other.apply(action)
    if other.phase != deal.phase:
        other.apply(Action.DECLINE)


def _all_cards_of(deal: Deal, seat: int) -> set[int]:
    return {
        *deal.hands[seat],
        *(action & 0xFF for who, action in deal.actions if who == seat and action >> 8 <= EXCHANGE),
    }
