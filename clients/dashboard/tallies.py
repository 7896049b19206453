"""What the table does not hold: margins per deck, meetings, form. A fold over the deals that count, in their order.

A deck counts once it has been played at all its seatings: only then the luck of its cards is the same for everybody.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt

from carico.rules.match_form import MatchForm
from worker.tournament.fixture_score import FixtureScore, seats_of
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import DealResult

SPARK_POINTS = 32
"""So many points a sparkline has at most."""


@dataclass(slots=True)
class Margins:
    """An entrant's card-point margins, a number a deck: the mean over its deals of own side less the others' mean."""

    decks: int = 0
    total: float = 0.0
    squares: float = 0.0
    path: list[float] = field(default_factory=list)
    """The sum of the margins after each deck."""

    def add(self, margin: float) -> None:
        """Counts a deck."""
        self.decks += 1
        self.total += margin
        self.squares += margin * margin
        self.path.append(self.total)

    @property
    def mean(self) -> float | None:
        """Card points per deck; None before the first."""
        return self.total / self.decks if self.decks else None

    @property
    def error(self) -> float | None:
        """Standard error of the mean; None below two decks."""
        if self.decks < 2:
            return None
        variance = max(0.0, (self.squares - self.total**2 / self.decks) / (self.decks - 1))
        return sqrt(variance / self.decks)

    def spark(self) -> tuple[float, ...]:
        """The path at up to SPARK_POINTS decks, evenly spread, beginning at 0."""
        if not self.path:
            return ()
        steps = min(SPARK_POINTS - 1, len(self.path))
        return (0.0, *(self.path[(i + 1) * len(self.path) // steps - 1] for i in range(steps)))


@dataclass(slots=True)
class Meetings:
    """Two entrants at common tables: the lower index first."""

    decks: int = 0
    score: list[int] = field(default_factory=lambda: [0, 0])
    """Deal scores of the two, at the decks that are finished."""


class Tallies:
    """The fold. Deals of entrants whose fixtures left the table are to be left out by the caller."""

    def __init__(
        self,
        fixtures: Iterable[Fixture],
        places: Sequence[Sequence[int]],
        sides: Sequence[Sequence[int]],
        form: MatchForm | None = None,
    ) -> None:
        """``places`` are the seats of each entrant of a table, ``sides`` those that win together.

        ``form`` says how many deals make a match; a deal set with several has several decks, which are told as one.
        """
        self._scores: dict[int, FixtureScore] = {}
        self._form = form
        self.margins: defaultdict[int, Margins] = defaultdict(Margins)
        """By the number of the entrant."""
        self.met: defaultdict[tuple[int, int], Meetings] = defaultdict(Meetings)
        self.last: dict[int, int] = {}
        """By fixture: which arrival its latest deal was, from 1."""
        self.finished: dict[int, list[int]] = defaultdict(list)
        """By fixture its deal sets whose decks are finished, in the order in which they came to be so."""
        self._fixtures = {fixture.number: fixture for fixture in fixtures}
        self._places = places
        self._side_of = {seat: side for side in sides for seat in side}
        self._open: defaultdict[int, list[DealResult]] = defaultdict(list)
        self._seen = 0

    def add(self, result: DealResult) -> None:
        """Counts one deal more."""
        self._seen += 1
        self.last[result.fixture] = self._seen
        deals = self._open[result.deal_set]
        deals.append(result)
        fixture = self._fixtures[result.fixture]
        score = self._scores.setdefault(result.fixture, FixtureScore(fixture, self._form))
        score.add(result, self._places)
        if score.played(result.deal_set):
            del self._open[result.deal_set]
            self.finished[result.fixture].append(result.deal_set)
            self._deck(fixture, deals)

    def _deck(self, fixture: Fixture, deals: Sequence[DealResult]) -> None:
        margins: defaultdict[int, float] = defaultdict(float)
        for deal in deals:
            at = list(seats_of(fixture, deal, self._places))
            for _, entrant, seats in at:
                margins[entrant] += margin(deal, self._side_of[seats[0]])
            for (_, a, seats_a), (_, b, seats_b) in combinations(sorted(at, key=lambda one: one[1]), 2):
                if self._side_of[seats_a[0]] is not self._side_of[seats_b[0]]:
                    meetings = self.met[a, b]
                    meetings.score[0] += deal.scores[seats_a[0]]
                    meetings.score[1] += deal.scores[seats_b[0]]
        for a, b in combinations(sorted(fixture.entrants), 2):
            self.met[a, b].decks += 1
        for entrant, total in margins.items():
            self.margins[entrant].add(total / len(deals))


def margin(deal: DealResult, side: Sequence[int]) -> float:
    """Card points of these seats less the mean of the other sides': against one other side, the plain difference."""
    own = sum(deal.card_points[seat] for seat in side)
    others = (len(deal.card_points) - len(side)) / len(side)
    return own - (sum(deal.card_points) - own) / others
