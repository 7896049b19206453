"""What a deal came to (rules.md section 6; scores and faults as the record format has them)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from carico.rules import chiamata_scores
from carico.rules.cards import CARDS, Card
from carico.rules.chiamata import ChiamataDeal
from carico.rules.deal import NOBODY, Deal


class FaultReason(StrEnum):
    """Why a seat was handed to the stand-in."""

    ILLEGAL_ACTION = "ILLEGAL_ACTION"
    TIME_FORFEIT = "TIME_FORFEIT"
    DISCONNECT = "DISCONNECT"
    PROTOCOL = "PROTOCOL"


class Termination(StrEnum):
    """How a deal ended."""

    COMPLETED = "COMPLETED"
    PASSED_OUT = "PASSED_OUT"
    """At Chiamata nobody bid: no card was played, and the deal counts for nobody."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat's fault: it loses the deal for its side, and the stand-in plays on for it."""

    seat: int
    reason: FaultReason
    after: int
    """Number of actions in the deal before the fault."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What an auction came to. All is None where the deal was passed out."""

    caller: int | None
    """The highest bidder."""
    partner: int | None
    """Who held the called card; None where the caller did, and played alone."""
    called: Card | None
    target: int | None
    """The card points that the caller's side had to make."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a deal, in whole numbers."""

    termination: Termination
    winners: tuple[int, ...]
    """Seats that won; none on a tie."""
    card_points: tuple[int, ...]
    """Card points captured, per seat, as played; they add up to 120, or to 0 where the deal was passed out."""
    scores: tuple[int, ...]
    """Scores per seat: two sides 2-1-0; n single players n for the sole winner, 1 each where the top is shared.

    At Chiamata those of rules.md section 9.8, which add up to zero."""
    faults: tuple[Fault, ...] = ()
    contract: Contract | None = None
    """What the auction came to; None in games without one."""
    penalties: tuple[int, ...] = ()
    """At Chiamata what each seat is charged outside the scores: 4 for a seat at fault, else 0."""


def outcome(deal: Deal, faults: Sequence[Fault] = ()) -> Outcome:
    """The outcome of a deal that is over. Raises ValueError while it is not."""
    if not deal.over:
        raise ValueError(f"the deal is not over: seat {deal.to_act} is to act")
    if isinstance(deal, ChiamataDeal):
        return _of_chiamata(deal, tuple(faults))
    game = deal.game
    faulty = {fault.seat for fault in faults}
    totals = [sum(deal.card_points[seat] for seat in side) for side in game.sides]
    by_side = _scores(totals, [not faulty.isdisjoint(side) for side in game.sides])
    scores = tuple(by_side[game.side_of[seat]] for seat in range(game.players))
    winners = tuple(seat for seat, score in enumerate(scores) if score == len(game.sides))
    return Outcome(Termination.COMPLETED, winners, tuple(deal.card_points), scores, tuple(faults))


def _of_chiamata(deal: ChiamataDeal, faults: tuple[Fault, ...]) -> Outcome:
    scores = chiamata_scores.scores(deal)
    if deal.passed_out:
        contract = Contract(None, None, None, None)
    else:
        partner = None if deal.partner == NOBODY else deal.partner
        contract = Contract(deal.caller, partner, CARDS[deal.called], deal.target)
    return Outcome(
        Termination.PASSED_OUT if deal.passed_out else Termination.COMPLETED,
        tuple(seat for seat, score in enumerate(scores) if score > 0),
        tuple(deal.card_points),
        scores,
        faults,
        contract,
        chiamata_scores.penalties(deal, (fault.seat for fault in faults)),
    )


def _scores(totals: list[int], at_fault: list[bool]) -> list[int]:
    """Scores per side: the best side without a fault takes the number of sides; a shared top is 1 each.

    A tie counts for nobody, yet a side at fault has 0 in it. With all at fault everybody has 0.
    """
    sound = [i for i, fault in enumerate(at_fault) if not fault]
    scores = [0] * len(totals)
    if not sound:
        return scores
    best = max(totals[i] for i in sound)
    top = [i for i in sound if totals[i] == best]
    if len(top) == 1:
        scores[top[0]] = len(totals)
    else:
        for i in sound:
            scores[i] = 1
    return scores
