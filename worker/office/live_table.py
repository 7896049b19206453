"""The table of a season that may still run: a fold over the ledger that goes on from where it was."""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import Any

from worker.office.standing import FinishedFixture, Standing
from worker.store.port import Store
from worker.store.values import Progress
from worker.tournament.document import SeasonDocument
from worker.tournament.entrants import Entrant
from worker.tournament.fixture_score import FixtureScore
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import DealKey, DealResult, FixtureClosure, Withdrawal, counted
from worker.tournament.rows import Row, standings_json
from worker.tournament.standings import Table


class LiveTable:
    """What is known of a season's ledger. ``refresh`` reads on; the rest looks at what was read."""

    progress: Progress

    def __init__(self, store: Store, season: str) -> None:
        """Raises UnknownSeason."""
        self.season = season
        self.spec = SeasonDocument.from_json(store.document(season)).spec
        self.entrants: Sequence[Entrant] = ()
        self.fixtures: Sequence[Fixture] = ()
        self.counted: list[DealKey] = []
        """The keys of all deals that count, in the order of their arrival."""
        self.results: list[DealResult] = []
        """The same deals; a list that only grows, until a void or a late entrant brings another one in its place."""
        self.withdrawals: Sequence[Withdrawal] = ()
        self.closed: frozenset[int] = frozenset()
        """The fixtures that were closed otherwise than by play."""
        self._results: list[DealResult] = []
        """All that stands in the ledger."""
        self._attempts: Mapping[int, int] = {}
        self._closures: list[FixtureClosure] = []
        self._table = self._new_table(())
        self._store = store
        self.refresh()

    def refresh(self) -> None:
        """Reads what came since the last time; nothing changes where the store fails meanwhile.

        The status is read first: where it says finished, all deals are there.
        """
        store, season = self._store, self.season
        progress = store.progress(season)
        new = [DealResult.from_json(result) for _, result in store.ledger(season, len(self._results))]
        closures = self._closures
        if progress.closed != len(closures):
            closures = [FixtureClosure.from_json(found) for found in store.closures(season).values()]
        withdrawals = self.withdrawals
        if progress.withdrawn != len(withdrawals):
            withdrawals = store.withdrawals(season)
        attempts = self._attempts
        if progress.voids != sum(attempts.values()) or any(result.attempt for result in new):
            # Read after the ledger: of two results of one deal at most one is of the current attempt.
            attempts = store.attempts(season)
        last = max([progress.fixtures - 1, *(c.fixture for c in closures), *(result.fixture for result in new)])
        grown = last >= len(self.fixtures) or progress.entrants > len(self.entrants)
        if grown:
            # A late entrant and its fixtures come at once: read in this order no fixture lacks an entrant.
            self.fixtures = store.fixtures(season)
            self.entrants = store.entrants(season)
        if grown or attempts != self._attempts or len(withdrawals) != len(self.withdrawals):
            annulled = [one.entrant for one in withdrawals if one.annuls]
            self._table = self._new_table(annulled)
            known = list(counted(self._results, attempts))
            self.counted, self.results = [result.key for result in known], known
            self._add(known, ())
        self.progress = progress
        self._results += new
        new = list(counted(new, attempts))
        self.counted += [result.key for result in new]
        self.results += new
        self._closures, self._attempts, self.withdrawals = closures, attempts, withdrawals
        self.closed = frozenset(closure.fixture for closure in closures)
        self._add(new, closures)

    def _new_table(self, annulled: Collection[int]) -> Table:
        spec = self.spec
        return Table(self.entrants, self.fixtures, spec.places, spec.game.match, annulled, spec.game.sides)

    def _add(self, results: Iterable[DealResult], closures: Iterable[FixtureClosure]) -> None:
        for result in results:
            self._table.add(result)
        for closure in closures:
            self._table.close(closure)

    def rows(self) -> list[Row]:
        """The rows in the order of the table."""
        return self._table.rows()

    def score(self, fixture: int) -> FixtureScore:
        """How a fixture stands; to be read only."""
        return self._table.score(fixture)

    def left(self, fixture: int) -> bool:
        """Whether a fixture left the table with an entrant that withdrew."""
        return self._table.left(fixture)

    def standing(self, told: Container[int] = ()) -> Standing:
        """What was read, as plain values; fixtures in ``told`` are left out of those that are finished."""
        finished = [
            self._finished(fixture.number)
            for fixture in self.fixtures
            if fixture.number not in told and self.score(fixture.number).finished
        ]
        game = self.spec.game
        return Standing(
            season=self.season,
            game=game.name,
            places=len(self.spec.places),
            sides=len(game.sides),
            status=self.progress.status,
            entrants=len(self.entrants),
            rows=tuple(self.rows()),
            deals=len(self.counted),
            deals_planned=self.deals_planned,
            fixtures=len(self.fixtures),
            finished=finished,
        )

    def _finished(self, number: int) -> FinishedFixture:
        score = self.score(number)
        two_sided = len(score.scores) == 2
        lost_by = None if score.closure is None else tuple(self.entrants[i].bot for i in score.closure.lost_by)
        return FinishedFixture(
            number=number,
            bots=tuple(self.entrants[i].bot for i in score.fixture.entrants),
            scores=tuple(score.scores),
            match_points=score.match_points if two_sided else None,
            lost_by=lost_by,
            left=self.left(number),
        )

    @property
    def deals_planned(self) -> int:
        """How many deals there will be, at most; a fixture that was closed has none to come."""
        return sum(
            score.deals if fixture.number in self.closed else score.most_deals
            for fixture in self.fixtures
            for score in (self.score(fixture.number),)
        )

    def to_json(self) -> dict[str, Any]:
        """The table as standings.json holds it."""
        return standings_json(self.season, self.spec.game.name, self.progress.status.value, self.rows())
