"""A season's table at a moment, as it is shown: plain values that may travel."""

from collections.abc import Sequence
from dataclasses import dataclass

from worker.store.values import Status
from worker.tournament.rows import Row


@dataclass(frozen=True, slots=True)
class FinishedFixture:
    """How a fixture ended, its entrants in its own order."""

    number: int
    bots: tuple[str, ...]
    scores: tuple[int, ...]
    """The deal scores."""
    match_points: tuple[int, ...] | None
    """One an entrant; None in fixtures of more than two sides."""
    lost_by: tuple[str, ...] | None
    """Who lost it by walkover; None where it was played."""
    left: bool
    """Whether it left the table with an entrant that withdrew."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a season stands."""

    season: str
    game: str
    """Its name, such as briscola-2."""
    places: int
    """How many entrants meet at a table."""
    sides: int
    """How many sides the game has: two, or a side a seat."""
    status: Status
    entrants: int
    rows: tuple[Row, ...]
    """In the order of the table."""
    deals: int
    """Deals that count."""
    deals_planned: int
    """How many there will be."""
    fixtures: int
    finished: Sequence[FinishedFixture]
    """The fixtures that are finished, by number; a stream may leave out those that it has told before."""
