"""Cards: forty of them, forty-eight in the long pack (rules.md section 1).

Inside, a card is a small int, ``suit << 4 | rank``: suits C D S B are 0 to 3, ranks A 3 K Q J 9 8 7 6 5 4 2 are 0 to 11
from strong to weak. That int is also the byte that travels on the wire. ``Card`` is the same int with names on it.
"""

from typing import Final

from carico.rules.errors import BadNotation

SUITS: Final = "CDSB"
"""Suit letters in the order of their numbers: cups, coins, swords, batons. The order has no meaning in play."""

RANKS: Final = "A3KQJ9876542"
"""Rank letters from the strongest to the weakest; 9 and 8 exist in the 48-card pack only."""

_RANK_POINTS: Final = (11, 10, 4, 3, 2, 0, 0, 0, 0, 0, 0, 0)

POINTS: Final = bytes(_RANK_POINTS[code & 15] if code & 15 < 12 else 0 for code in range(64))
"""Card points by card: A 11, 3 10, K 4, Q 3, J 2, all others 0. They add up to 120 in every pack."""

NO_CARD: Final = 0xFF
"""Stands where a card's int would, and there is none: the upcard of a game that has none."""

DECK_POINTS: Final = 120
"""Card points in a whole pack, of any size."""


class Card(int):
    """One card. It equals its int, so it can be put wherever a rule wants a card; ``str`` gives its notation, ``AC``.

    Comparing two cards with ``<`` raises TypeError: which one is better depends on trumps and on the suit led. Use
    ``strength`` or ``points`` as a key. Every card is true, the ace of cups too, whose int is 0.
    """

    __slots__ = ()

    @property
    def kind(self) -> str:
        """``play``: a card that a bot returns is the action of playing it."""
        return "play"

    @property
    def suit(self) -> str:
        """The suit's letter: C, D, S or B."""
        return SUITS[self >> 4]

    @property
    def rank(self) -> str:
        """The rank's letter: one of A 3 K Q J 9 8 7 6 5 4 2."""
        return RANKS[self & 15]

    @property
    def points(self) -> int:
        """Card points of this card, 0 to 11."""
        return POINTS[self]

    @property
    def strength(self) -> int:
        """Place in trick order within its suit: 12 for the ace, 11 for the three, down to 1 for the two."""
        return 12 - (self & 15)

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return RANKS[self & 15] + SUITS[self >> 4]

    def __repr__(self) -> str:
        return f"Card({str(self)!r})" if is_card(self) else f"<no card: {int(self)}>"

    def __lt__(self, other: object) -> bool:
        raise TypeError("cards have no order of their own: compare card.strength or card.points")

    __le__ = __gt__ = __ge__ = __lt__


CARDS: Final = tuple(Card(code) for code in range(64))
"""Every ``Card``, by its int; entries whose low four bits are above 11 stand for no card."""

_BY_NAME: Final = {str(CARDS[s << 4 | r]): CARDS[s << 4 | r] for s in range(4) for r in range(12)}


def is_card(code: int) -> bool:
    """Whether the int stands for a card of the 48-card alphabet."""
    return not code & ~63 and code & 15 < 12


def card_name(code: int) -> str:
    """The notation of a card, rank then suit: ``card_name(0) == "AC"``."""
    return RANKS[code & 15] + SUITS[code >> 4]


def parse_card(text: str) -> Card:
    """The card that a text of two characters names, rank then suit. Raises BadNotation."""
    card = _BY_NAME.get(text)
    if card is None:
        raise BadNotation(f"{text!r} is no card: write a rank of {RANKS} and a suit of {SUITS}, such as AC or 7B")
    return card


def pack(without: str = "", long: bool = False) -> bytes:
    """A whole pack in the order in which derivation starts: suit C D S B, in each suit from the ace down to the two.

    ``without`` names the cards that are out, as notation without spaces; ``long`` puts the eights and nines in.
    """
    out = {parse_card(without[i : i + 2]) for i in range(0, len(without), 2)}
    return bytes(c for c in _BY_NAME.values() if c not in out and (long or c.rank not in "98"))
