"""The table: a fold over the ledger, in whole numbers and exact fractions (standings.md).

While a season runs, each deal enters the deal columns (deals, score, penalties, card points, forfeits) as soon as it is
counted. The columns about fixtures and the match points move only when a fixture is finished: when all its deals are
there, or when it is closed by a walkover. So match points never take anything back, and a fixture of which half is
played is not yet won. Deals of a fixture that is closed after it began stay in the deal columns, so that the deals of
the table are always those of the ledger; its match points are those of the closure.

The fixtures of an entrant that withdrew before half of them were played are not in the table at all: they stay in the
ledger, and its row stays with nothing in it. After half, closures of the rest make these walkovers.

The order in which results come, and coming twice, changes nothing.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from carico.rules.match_form import MatchForm
from worker.tournament.entrants import Entrant
from worker.tournament.fixture_score import FixtureScore, seats_of
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import COMPLETED, DealKey, DealResult, FixtureClosure, LedgerError, Withdrawal
from worker.tournament.rows import Row
from worker.tournament.tie_breaks import Met, direct_encounter, per_deal, positions, share

Places = Sequence[Sequence[int]]
"""The seats of each place of the table, as ``Game.places``: two sides, or a seat each."""


@dataclass(slots=True)
class Tally:
    """What an entrant's deals add up to, and the fixtures that it lost unplayed."""

    deals: int = 0
    won: int = 0
    tied: int = 0
    lost: int = 0
    score: int = 0
    penalties: int = 0
    points_for: int = 0
    points_against: int = 0
    forfeits: int = 0
    walkovers: int = 0

    def add(self, result: DealResult, seats: Sequence[int], side: Sequence[int]) -> None:
        """Count a deal in which the entrant took these seats, alone or with a partner on the seats of this side."""
        own_points = sum(result.card_points[seat] for seat in side)
        fault = any(seat in result.faulty for seat in side)
        self.deals += 1
        self.score += result.scores[seats[0]]
        self.penalties += sum(result.penalties[seat] for seat in seats)
        self.points_for += own_points
        self.points_against += sum(result.card_points) - own_points
        self.forfeits += any(seat in result.faulty for seat in seats)
        if result.termination == COMPLETED:
            if any(seat in result.winners for seat in side):
                self.won += 1
            elif not result.winners and not fault:
                self.tied += 1
            else:
                self.lost += 1


class Table:
    """The live table of a season: results are added as they come, rows are made when looked at.

    ``form`` says how many deals make a match; a fixture is complete when all its matches are over.
    ``annulled`` are the entrants whose fixtures left the table. ``sides`` are the seats that win together, by default
    each place's. Where a side is of several places, its entrants are individuals with changing partners: each has the
    score and the card points of its side, and its own faults and penalties; they are ranked as single players are, by
    what their side has over the other. The schedule and the entrants are fixed; when a late entrant comes, one
    withdraws or a deal set is void, make a new table and add to it what counts of the ledger.
    """

    def __init__(
        self,
        entrants: Sequence[Entrant],
        fixtures: Iterable[Fixture],
        places: Places,
        form: MatchForm | None = None,
        annulled: Collection[int] = (),
        sides: Places | None = None,
    ) -> None:
        self._entrants = tuple(entrants)
        self._places = tuple(map(tuple, places))
        self._sides = self._places if sides is None else tuple(map(tuple, sides))
        self._side_of = {seat: side for side in self._sides for seat in side}
        self._most_deals = 1 if form is None else form.most_deals
        self._counted: dict[DealKey, DealResult] = {}
        self._tallies = [Tally() for _ in self._entrants]
        self._scores = {fixture.number: FixtureScore(fixture, form) for fixture in fixtures}
        for score in self._scores.values():
            if score.fixture.seatings != len(self._places) or max(score.fixture.entrants) >= len(self._entrants):
                raise LedgerError(f"{score.fixture} fits neither {len(self._places)} places nor the entrants")
        self._out = frozenset(
            n for n, score in self._scores.items() if not set(annulled).isdisjoint(score.fixture.entrants)
        )

    def add(self, result: DealResult) -> bool:
        """Count a deal; False, with nothing changed, where the same result was counted before.

        Raises LedgerError for a deal that is not in the schedule, and for another result of a counted deal.
        """
        known = self._counted.get(result.key)
        if known is not None:
            if known != result:
                raise LedgerError(f"{result.key} is counted already, and differently")
            return False
        fixture = self._fixture_of(result)
        self._counted[result.key] = result
        self._scores[fixture.number].add(result, self._places)
        if fixture.number in self._out:
            return True
        for _, entrant, seats in seats_of(fixture, result, self._places):
            self._tallies[entrant].add(result, seats, self._side_of[seats[0]])
        return True

    def close(self, closure: FixtureClosure) -> None:
        """Close a fixture; twice the same changes nothing. Raises LedgerError on an unknown one or another closure."""
        if self.score(closure.fixture).close(closure) and closure.fixture not in self._out:
            for entrant in closure.lost_by:
                self._tallies[entrant].walkovers += 1

    def score(self, fixture: int) -> FixtureScore:
        """How this fixture stands; to be read only. Raises LedgerError for a number that is not in the schedule."""
        if fixture not in self._scores:
            raise LedgerError(f"there is no fixture {fixture} in the schedule")
        return self._scores[fixture]

    def left(self, fixture: int) -> bool:
        """Whether this fixture left the table with an entrant that withdrew."""
        return fixture in self._out

    def rows(self) -> list[Row]:
        """The rows in the order of the table: by position, then by bot, version and owner."""
        rows = self._two_sided_rows() if len(self._places) == 2 else self._single_rows()
        return sorted(rows, key=lambda row: (row.position, row.bot, row.version, row.owner))

    def _fixture_of(self, result: DealResult) -> Fixture:
        fixture = self.score(result.fixture).fixture
        if (
            result.deal_set not in fixture.deal_sets
            or result.seating >= fixture.seatings
            or result.deal >= self._most_deals
            or result.seats != sum(map(len, self._places))
        ):
            raise LedgerError(f"{result.key} with {result.seats} seats is not in the schedule")
        return fixture

    def _two_sided_rows(self) -> list[Row]:
        met: list[Met] = []
        points: list[list[int]] = [[] for _ in self._entrants]
        for score in self._scores.values():
            if score.fixture.number not in self._out and (match_points := score.match_points) is not None:
                a, b = score.fixture.entrants
                met.append(((a, b), match_points))
                points[a].append(match_points[0])
                points[b].append(match_points[1])
        total = dict(enumerate(map(sum, points)))
        direct = direct_encounter(total, met)
        keys = [
            (
                Fraction(total[i]),
                Fraction(direct[i]),
                share(tally.score, tally.deals),
                per_deal(tally.points_for - tally.points_against, tally.deals),
            )
            for i, tally in enumerate(self._tallies)
        ]
        return [
            self._row(
                i, position, (len(points[i]), points[i].count(2), points[i].count(1), points[i].count(0), total[i])
            )
            for i, position in enumerate(positions(keys))
        ]

    def _single_rows(self) -> list[Row]:
        others = len(self._sides) - 1
        keys = [
            (
                per_deal(tally.score - tally.penalties, tally.deals),
                per_deal(tally.points_for - Fraction(tally.points_against, others), tally.deals),
            )
            for tally in self._tallies
        ]
        return [self._row(i, position, (None,) * 5) for i, position in enumerate(positions(keys))]

    def _row(
        self, i: int, position: int, fixtures: tuple[int | None, int | None, int | None, int | None, int | None]
    ) -> Row:
        entrant, tally = self._entrants[i], self._tallies[i]
        return Row(
            position,
            entrant.bot,
            entrant.version,
            entrant.owner,
            *fixtures,
            deals=tally.deals,
            deals_won=tally.won,
            deals_tied=tally.tied,
            deals_lost=tally.lost,
            score=tally.score,
            penalties=tally.penalties,
            card_points_for=tally.points_for,
            card_points_against=tally.points_against,
            forfeits=tally.forfeits,
            walkovers=tally.walkovers,
        )


def standings(
    entrants: Sequence[Entrant],
    fixtures: Iterable[Fixture],
    places: Places,
    results: Iterable[DealResult],
    closures: Iterable[FixtureClosure] = (),
    form: MatchForm | None = None,
    withdrawals: Iterable[Withdrawal] = (),
    sides: Places | None = None,
) -> list[Row]:
    """The table of what counts of this ledger, in any order. Raises LedgerError as ``Table`` does."""
    annulled = [one.entrant for one in withdrawals if one.annuls]
    table = Table(entrants, fixtures, places, form, annulled, sides)
    for result in results:
        table.add(result)
    for closure in closures:
        table.close(closure)
    return table.rows()
