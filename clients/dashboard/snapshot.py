"""A season at a moment, as pages and the API show it: plain values, made by the reader and never changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from carico.rules.game import Game
from carico.time_control import TimeControl
from worker.store.values import Progress, Status
from worker.tournament.entrants import Entrant
from worker.tournament.rows import Row

FixtureState = Literal["waiting", "playing", "played", "walkover", "left"]
"""``left``: it left the table with an entrant that withdrew."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the table, and what stands beside it."""

    entrant: int
    """Its number in the season."""
    row: Row
    decks: int
    """Decks of its tables that are finished at all their seatings."""
    margin: float | None
    """Mean card-point margin per deck; None before the first deck."""
    error: float | None
    """Its standard error; None below two decks."""
    form: tuple[str, ...]
    """Its latest finished fixtures, the oldest first: W, D or L; at tables of single players its place there."""
    spark: tuple[float, ...]
    """The sum of its margins over time."""


@dataclass(frozen=True, slots=True)
class Cell:
    """How the entrant of a row stands against that of a column."""

    score: int
    against: int
    decks: int

    @property
    def share(self) -> float | None:
        """0 to 1: the row's part of both scores; None where nothing was scored.

        Where a score may be negative, as at Chiamata, it is how far the two are apart for what was at stake.
        """
        total = abs(self.score) + abs(self.against)
        return 0.5 + (self.score - self.against) / (2 * total) if total else None


@dataclass(frozen=True, slots=True)
class FixtureView:
    """A fixture and how it stands."""

    number: int
    round: int
    leg: int
    entrants: tuple[int, ...]
    """Numbers, in the fixture's own order."""
    state: FixtureState
    deals: int
    expected: int
    scores: tuple[int, ...]
    match_points: tuple[int, int] | None
    lost_by: tuple[int, ...]
    """By walkover; numbers of entrants."""
    reason: str | None
    """Why it was closed otherwise than by play."""
    finished_sets: tuple[int, ...]
    """Deal sets whose decks are finished, rising."""
    last: int
    """Rises with its latest deal: the order in which fixtures were played."""


@dataclass(frozen=True, slots=True)
class SeasonView:
    """A season, whole."""

    id: str
    version: str
    """The id of the newest event that is in it; rises."""
    status: Status
    created_ms: int
    game: Game
    rotating: bool
    open_entry: bool
    practice: bool
    """Whether its decks come from a seed."""
    legs: int
    time_control: TimeControl
    progress: Progress
    deals: int
    deals_planned: int
    rate: float | None
    """Deals a second of late; None where nothing is known of it."""
    entrants: tuple[Entrant, ...]
    table: tuple[Standing, ...]
    cells: Mapping[tuple[int, int], Cell]
    """By numbers of the entrants of row and column; pairs that did not meet are missing."""
    fixtures: tuple[FixtureView, ...]
    withdrawn: frozenset[int]

    @property
    def two_sided(self) -> bool:
        """Whether fixtures have match points."""
        return len(self.game.sides) == 2 and not self.rotating

    @property
    def left_s(self) -> float | None:
        """Seconds until its end at the present rate."""
        if not self.rate or self.status is not Status.RUNNING:
            return None
        return max(0, self.deals_planned - self.deals) / self.rate

    def name(self, entrant: int) -> str:
        """Its bot's name; with the version where the bot is entered more than once."""
        one = self.entrants[entrant]
        twice = sum(other.bot == one.bot for other in self.entrants) > 1
        return f"{one.bot} {one.version}" if twice else one.bot

    def rounds(self) -> Sequence[tuple[int, Sequence[FixtureView]]]:
        """The rounds in order, with their fixtures."""
        found: dict[int, list[FixtureView]] = {}
        for fixture in self.fixtures:
            found.setdefault(fixture.round, []).append(fixture)
        return sorted(found.items())
