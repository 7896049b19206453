"""Twins: two packs on which everybody does the same in public, though somebody's hand holds another card."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from carico.rules.actions import PLAY, Action
from carico.rules.deal import NOBODY, Deal
from carico.rules.errors import IllegalAction
from carico.rules.exchange import TAKEN_WITH
from carico.rules.game import Game
from tests.kit.deals import new_deal, some_action


@dataclass(frozen=True)
class Twins:
    """The course that both packs have, and who is not to be told apart from it."""

    game: Game
    dealer: int
    holding: bytes
    """The source on which the seat holds the card in question."""
    other: bytes
    """The source on which it does not."""
    course: tuple[tuple[int, int], ...]
    """(seat, action), silent declines too, as far as it is the same."""
    seats: frozenset[int]
    """The seats that know the difference: their own hands differ."""
    card: int
    """The card in question."""

    def deals(self) -> tuple[Deal, Deal]:
        """Both, before the first action."""
        return Deal(self.game, self.dealer, self.holding), Deal(self.game, self.dealer, self.other)


def swapped(source: bytes, one: int, other: int) -> bytes:
    """The source with two cards in each other's place."""
    return source.translate(bytes.maketrans(bytes((one, other)), bytes((other, one))))


def follows(deal: Deal, course: list[tuple[int, int]]) -> bool:
    """Whether the deal can go this way; it goes."""
    try:
        for seat, action in course:
            if deal.to_act != seat or (deal.phase == "exchange") != (action == Action.DECLINE):
                return False
            deal.apply(action)
    except IllegalAction:
        return False
    return True


def exchange_twins(of: Game, rng: Random) -> Twins:
    """Nobody ever exchanges. At some window the winner could on one pack only.

    On the other it draws the card later, and has in its place the card that it draws here: it ends with the same cards.
    """
    while True:
        deal = new_deal(of, rng)
        start, course, windows = deal.copy(), [], []
        while not deal.over:
            seat = deal.to_act
            if deal.phase == "exchange":
                needed = TAKEN_WITH[deal.upcard]
                windows.append((seat, list(deal.hands[seat]), needed, len(course)))
                action: int = Action.DECLINE
            else:
                action = rng.choice(deal.hands[seat])
            course.append((seat, action))
            deal.apply(action)
        for seat, hand, needed, at in windows:
            if needed not in hand:
                continue
            later = [card for who, card in course[at:] if who == seat and card not in (*hand, Action.DECLINE)]
            for card in later:
                other = swapped(start.source, needed, card)
                if follows(Deal(of, start.dealer, other), course):
                    return Twins(of, start.dealer, start.source, other, tuple(course), frozenset({seat}), needed)


def called_twins(of: Game, rng: Random, alone: bool = False) -> Twins:
    """The called card is kept for the last trick by one seat, or by another; with ``alone`` one of them is the caller.

    The course ends before the last trick.
    """
    while True:
        deal = new_deal(of, rng)
        start, course = deal.copy(), []
        while not deal.over and len(deal.played) < len(of.pack) - of.players:
            seat = deal.to_act
            action = some_action(deal, rng)
            if deal.phase == "play":
                action = rng.choice([card for card in deal.hands[seat] if card != deal.called])
            course.append((seat, action))
            deal.apply(action)
        if deal.over:
            continue
        holder = deal.caller if deal.partner == NOBODY else deal.partner
        for seat in range(of.players):
            if seat == holder or (alone and deal.caller not in (seat, holder)):
                continue
            if not alone and deal.caller in (seat, holder):
                continue
            other = swapped(start.source, deal.called, deal.hands[seat][0])
            if follows(Deal(of, start.dealer, other), course):
                seats = frozenset({seat, holder})
                return Twins(of, start.dealer, start.source, other, tuple(course), seats, deal.called)


def steps(twins: Twins) -> Iterator[tuple[Deal, Deal]]:
    """Both deals before the first action and after each."""
    one, other = twins.deals()
    yield one, other
    for _, action in twins.course:
        one.apply(action)
        other.apply(action)
        yield one, other


def plays(twins: Twins) -> bytes:
    """The cards of the course, in order."""
    return bytes(action for _, action in twins.course if action >> 8 == PLAY)
