"""Another truth behind the same view, made quickly: the cards that a seat may not know change their names.

What a seat knows is worked out here from the course of the deal, without the rules' own view: its hand, the cards
played, the upcard, cards taken in an exchange or drawn face up that are still in a hand, and what the options show.
Renaming the other cards in the source leaves all that everybody saw as it was.
"""

from random import Random

from carico.rules.cards import NO_CARD
from carico.rules.deal import Deal

_SAME = bytes(range(256))


def hidden_groups(deal: Deal, seat: int) -> list[list[int]]:
    """Cards that may change places among themselves: those of which the seat knows nothing, and those of each hand
    that it may see, since the order in which they came is not its to know.
    """
    game = deal.game
    shown = [other for other in range(game.players) if other != seat and _is_shown(deal, seat, other)]
    known = {*deal.played, *deal.hands[seat], *deal.exchanges[2::4], deal.upcard}
    for other in shown:
        known.update(deal.hands[other])
    if game.open:
        known.update(game.pack)
    return [
        [card for card in game.pack if card not in known],
        *([card for card in deal.hands[other] if card not in (*deal.exchanges[1:3], deal.upcard)] for other in shown),
    ]


def _is_shown(deal: Deal, seat: int, other: int) -> bool:
    game = deal.game
    mates = other % 2 == seat % 2  # sides, where there are any, sit in turn
    return game.open or (mates and (game.partners == "start" or (game.partners == "last3" and deal.stock == 0)))


def renaming(deal: Deal, seat: int, rng: Random) -> bytes:
    """A table for ``bytes.translate`` that changes names within the groups."""
    table = bytearray(_SAME)
    for group in hidden_groups(deal, seat):
        others = group[:]
        rng.shuffle(others)
        for card, other in zip(group, others, strict=True):
            table[card] = other
    return bytes(table)


def renamed(deal: Deal, table: bytes) -> Deal:
    """The deal with cards renamed, as if it had been dealt so."""
    twin = deal.copy()
    twin.source = deal.source.translate(table)
    twin.hands = [list(bytes(hand).translate(table)) for hand in deal.hands]
    called = getattr(deal, "called", NO_CARD)
    if called != NO_CARD:  # who holds it may be somebody else now
        holder = next((who for who, hand in enumerate(twin.hands) if called in hand), None)
        if holder is not None:
            twin.partner = -1 if holder == deal.caller else holder  # type: ignore[attr-defined]
    return twin
