"""How a fixture stands: deals counted, scores, and the match points once it is finished."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from carico.rules.match_form import MatchForm
from worker.tournament.fixtures import Fixture, place_of
from worker.tournament.ledger import DealResult, FixtureClosure, LedgerError
from worker.tournament.match_score import MatchScore


@dataclass(slots=True)
class FixtureScore:
    """The running score of a fixture, by its entrants in the fixture's order."""

    fixture: Fixture
    form: MatchForm | None = None
    """How many deals make a match."""
    deals: int = 0
    """How many deals are counted so far."""
    matches: dict[tuple[int, int], MatchScore] = field(default_factory=dict)
    """By deal set and seating; those of which a deal is counted."""
    scores: list[int] = field(init=False)
    """Sums of the deal scores, each entrant's counted once a deal and not per seat."""
    closure: FixtureClosure | None = None

    def __post_init__(self) -> None:
        self.scores = [0] * len(self.fixture.entrants)

    @property
    def finished(self) -> bool:
        """Whether it counts as won, drawn or lost: all its deals are there, or it was closed."""
        return self.closure is not None or self.complete

    @property
    def complete(self) -> bool:
        """Whether all its deals are there."""
        wanted = self.fixture.sets * self.fixture.seatings
        return self.deals >= wanted and sum(match.over for match in self.matches.values()) == wanted

    def played(self, deal_set: int) -> bool:
        """Whether all matches of a deal set are over."""
        seatings = range(self.fixture.seatings)
        return all((match := self.matches.get((deal_set, seating))) is not None and match.over for seating in seatings)

    @property
    def most_deals(self) -> int:
        """How many deals it may come to; exact once it is complete."""
        to_come = self.fixture.sets * self.fixture.seatings - len(self.matches)
        most = 1 if self.form is None else self.form.most_deals
        return sum(match.most for match in self.matches.values()) + to_come * most

    @property
    def match_points(self) -> tuple[int, int] | None:
        """Match points of the two entrants: 2 for more score, 1 each for equal, 2-0 or 0-0 for a walkover.

        None until it is finished. For fixtures of two sides only.
        """
        a, b = self.scores
        if self.closure is not None:
            first, second = (0 if entrant in self.closure.lost_by else 2 for entrant in self.fixture.entrants)
            return first, second
        if not self.complete:
            return None
        return 1 + (a > b) - (a < b), 1 + (b > a) - (b < a)

    def add(self, result: DealResult, places: Sequence[Sequence[int]]) -> None:
        """Count one more deal."""
        self.deals += 1
        match = self.matches.setdefault((result.deal_set, result.seating), MatchScore(self.form))
        match.add(result.deal, result.winners)
        for i, _, seats in seats_of(self.fixture, result, places):
            self.scores[i] += result.scores[seats[0]]

    def close(self, closure: FixtureClosure) -> bool:
        """Close it; False, with nothing changed, where it was closed so before.

        Raises LedgerError for another closure of a closed fixture, and for entrants that are not in it.
        """
        if self.closure is not None:
            if self.closure != closure:
                raise LedgerError(f"fixture {self.fixture.number} is closed already, and differently")
            return False
        if not set(closure.lost_by) <= set(self.fixture.entrants):
            raise LedgerError(f"fixture {self.fixture.number}: {closure.lost_by} are not all in it")
        self.closure = closure
        return True


def seats_of(
    fixture: Fixture, result: DealResult, places: Sequence[Sequence[int]]
) -> Iterator[tuple[int, int, Sequence[int]]]:
    """For each entrant: its place in the fixture's order, its index in the season, its seats in this deal."""
    for i, entrant in enumerate(fixture.entrants):
        yield i, entrant, places[place_of(i, result.seating, len(places))]
