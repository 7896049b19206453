"""What a deal of Chiamata comes to (rules.md sections 9.7 and 9.8; faults as the record format has them)."""

from collections.abc import Iterable
from typing import Final

from carico.rules.cards import DECK_POINTS
from carico.rules.chiamata import ChiamataDeal
from carico.rules.deal import NOBODY
from carico.rules.game import Game
from carico.rules.options import WON

PENALTY: Final = 4
"""What a seat at fault is charged, outside the scores."""


def scores(deal: ChiamataDeal) -> tuple[int, ...]:
    """Scores per seat of a deal that is over; they add up to zero. Passed out, and on a draw, all are zero.

    Made: caller +2, partner +1, the others -1 each; alone +4 against -1 each. Failed: all signs turned. All of it
    times the factors of the target and of 120 card points on one side.
    """
    seats = range(deal.game.players)
    if deal.passed_out:
        return tuple(0 for _ in seats)
    side = {deal.caller} | ({deal.partner} - {NOBODY})
    made = sum(deal.card_points[seat] for seat in side)
    if deal.game.draw_at_60 and deal.target == WON and made == DECK_POINTS // 2:
        return tuple(0 for _ in seats)
    sign = factor(deal.game, deal.target, made) * (1 if made >= deal.target else -1)
    of_caller = 2 if len(side) == 2 else 4
    return tuple(sign * (of_caller if seat == deal.caller else 1 if seat in side else -1) for seat in seats)


def factor(game: Game, target: int, made: int) -> int:
    """What scores are multiplied by: the greatest factor whose target is reached, times the capot's at 120-0."""
    by_target = max((factor for least, factor in game.multipliers if target >= least), default=1)
    return by_target * (game.capot if made in (0, DECK_POINTS) else 1)


def penalties(deal: ChiamataDeal, faulty: Iterable[int]) -> tuple[int, ...]:
    """Penalties per seat: 4 for a seat at fault, whatever it scored."""
    charged = set(faulty)
    return tuple(PENALTY if seat in charged else 0 for seat in range(deal.game.players))
