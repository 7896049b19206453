"""The table of a season that may still run: a fold over the ledger that goes on from where it was."""

from collections.abc import Iterable, Sequence
from typing import Any

from worker.store.port import Store
from worker.store.values import Progress
from worker.tournament.document import SeasonDocument
from worker.tournament.entrants import Entrant
from worker.tournament.fixture_score import FixtureScore
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import DealKey, DealResult, FixtureClosure
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
        self.closed: frozenset[int] = frozenset()
        """The fixtures that were closed otherwise than by play."""
        self._results: list[DealResult] = []
        self._closures: list[FixtureClosure] = []
        self._table = Table((), (), self.spec.game.places)
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
        last = max([progress.fixtures - 1, *(c.fixture for c in closures), *(result.fixture for result in new)])
        if last >= len(self.fixtures) or progress.entrants > len(self.entrants):
            # A late entrant and its fixtures come at once: read in this order no fixture lacks an entrant.
            self.fixtures = store.fixtures(season)
            self.entrants = store.entrants(season)
            self._table = Table(self.entrants, self.fixtures, self.spec.game.places)
            self._add(self._results, ())
        self.progress = progress
        self._results += new
        self.counted += [result.key for result in new]
        self._closures = closures
        self.closed = frozenset(closure.fixture for closure in closures)
        self._add(new, closures)

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

    @property
    def deals_planned(self) -> int:
        """How many deals there will be; a fixture that was closed has none to come."""
        planned = sum(fixture.sets * fixture.seatings for fixture in self.fixtures if fixture.number not in self.closed)
        return planned + sum(result.fixture in self.closed for result in self._results)

    def to_json(self) -> dict[str, Any]:
        """The table as standings.json holds it."""
        return standings_json(self.season, self.spec.game.name, self.progress.status.value, self.rows())
