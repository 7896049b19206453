"""The table of a season that may still run: a fold over the ledger that goes on from where it was."""

from collections.abc import Sequence
from typing import Any

from worker.store.port import Store
from worker.store.values import Progress
from worker.tournament.document import SeasonDocument
from worker.tournament.entrants import Entrant
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
        """Reads what came since the last time. The status is read first: where it says finished, all deals are there."""
        self.progress = self._store.progress(self.season)
        new = [DealResult.from_json(result) for _, result in self._store.ledger(self.season, len(self._results))]
        self._results += new
        self.counted += [result.key for result in new]
        if self.progress.closed != len(self._closures):
            self._closures = [FixtureClosure.from_json(found) for found in self._store.closures(self.season).values()]
            self.closed = frozenset(closure.fixture for closure in self._closures)
        seen = max([self.progress.fixtures - 1, *self.closed, *(result.fixture for result in new)])
        if seen >= len(self.fixtures) or self.progress.entrants > len(self.entrants):
            self._read_plan()
            new = self._results
        for result in new:
            self._table.add(result)
        for closure in self._closures:
            self._table.close(closure)

    def rows(self) -> list[Row]:
        """The rows in the order of the table."""
        return self._table.rows()

    @property
    def deals_planned(self) -> int:
        """How many deals there will be; a fixture that was closed has none to come."""
        planned = sum(fixture.sets * fixture.seatings for fixture in self.fixtures if fixture.number not in self.closed)
        return planned + sum(result.fixture in self.closed for result in self._results)

    def to_json(self) -> dict[str, Any]:
        """The table as standings.json holds it."""
        return standings_json(self.season, self.spec.game.name, self.progress.status.value, self.rows())

    def _read_plan(self) -> None:
        # A late entrant and its fixtures come at once: read in this order no fixture lacks an entrant.
        self.fixtures = self._store.fixtures(self.season)
        self.entrants = self._store.entrants(self.season)
        self._table = Table(self.entrants, self.fixtures, self.spec.game.places)
