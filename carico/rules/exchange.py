"""The exchange of Brisca (rules.md section 10): what can be taken with what, and when the winner of a trick is asked.

Exchanges are public. They are kept as bytes, four each: seat, card put down, card taken, number of cards played before.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from carico.rules.actions import EXCHANGE, Action
from carico.rules.cards import NO_CARD, RANKS, is_card
from carico.rules.game import Game

ROW: Final = 4
"""Bytes of an exchange."""

SEVEN: Final = RANKS.index("7")
TWO: Final = RANKS.index("2")

_HONOURS: Final = range(SEVEN)
"""What the seven takes: ace, three, king, queen, jack, and nine and eight in the long pack. The two takes the rest."""


def _taken_with(upcard: int) -> int:
    if not is_card(upcard) or upcard & 15 == TWO:
        return NO_CARD
    return upcard & ~15 | (SEVEN if upcard & 15 in _HONOURS else TWO)


TAKEN_WITH: Final = bytes(_taken_with(upcard) for upcard in range(256))
"""By upcard, the one card that can be put in its place: the seven or the two of trumps, else NO_CARD."""


def is_asked(game: Game, upcard: int, played: bytes, rounds_left: int, made: int) -> bool:
    """Whether the winner of the trick just ended is asked for an exchange, before anybody draws.

    That follows from what everybody sees, never from what the winner holds, so that asking tells nothing: draw rounds
    to come (this one included), exchanges already made since the trick, and whether the one card that can take the
    upcard is in the pack, not yet played, and the winner holds any card at all.
    """
    margin, most = game.exchange_margin, game.exchange_max
    if margin is None or rounds_left <= margin or (most is not None and made >= most) or game.hand == 1:
        return False
    needed = TAKEN_WITH[upcard]
    return needed in game.pack and needed not in played


def answers(upcard: int, hand: Sequence[int]) -> tuple[int, ...]:
    """What a winner with this hand may answer when asked: to decline, and the exchange where it has the card."""
    taker = TAKEN_WITH[upcard]
    return (Action.DECLINE, EXCHANGE << 8 | taker) if taker in hand else (Action.DECLINE,)


def made_since(exchanges: bytes, played: int) -> int:
    """How many exchanges were made since the last of so many plays."""
    return exchanges[ROW - 1 :: ROW].count(played)


def rows(exchanges: bytes) -> Iterator[bytes]:
    """The exchanges one by one: seat, card put down, card taken, number of cards played before."""
    return (exchanges[i : i + ROW] for i in range(0, len(exchanges), ROW))
