"""What a match wants done. The room that runs it carries these out, after the event stands in the log."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AskSeat:
    """Ask this seat for an action; ``Match.open_ask`` tells the rest."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ignored:
    """An answer changed nothing; its sender may be told why."""

    seat: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over; ``Match.outcome`` or ``Match.void_reason`` tells how. Everybody in it is told."""


Instruction = AskSeat | Ignored | Ended
