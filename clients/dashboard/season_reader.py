"""One season for the reader: what it has read of it, and the view that it makes of that."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final

from clients.dashboard.snapshot import Cell, FixtureState, FixtureView, SeasonView, Standing
from clients.dashboard.tallies import Margins, Tallies
from worker.office.export import OVER
from worker.office.live_table import LiveTable
from worker.store.port import Store
from worker.store.values import ChunkState, Event, Season, Status
from worker.tournament.document import SeasonDocument
from worker.tournament.fixture_score import FixtureScore

RATE_MS: Final = 60_000
"""Of so much time the rate is taken."""
RATE_LEAST_MS: Final = 2_000
"""Before it, nothing is said of a rate."""

BATCH: Final = 1_000
FORM: Final = 5
"""So many of the latest fixtures are the form."""

LEASES_S: Final = 1.0
"""The least time between two looks at who plays; a look that is slow is taken more seldom."""


@dataclass(slots=True)
class _Rate:
    """Deals a second of late, by the clock of the store."""

    commits: deque[tuple[int, int]]
    """(ms, deals)."""
    seen_at: float = 0.0

    def add(self, events: Sequence[Event]) -> None:
        found = [(int(one.id.partition("-")[0]), int(one.data["deals"])) for one in events if one.kind == "commit"]
        if found:
            self.commits.extend(found)
            self.seen_at = monotonic()

    def now(self) -> float | None:
        if not self.commits:
            return None
        now = self.commits[-1][0] + int((monotonic() - self.seen_at) * 1000)
        while self.commits and self.commits[0][0] < now - RATE_MS:
            self.commits.popleft()
        if len(self.commits) < 2 or now - self.commits[0][0] < RATE_LEAST_MS:
            return None
        first, *rest = self.commits
        return sum(deals for _, deals in rest) * 1000 / max(1, now - first[0])


class SeasonReader:
    """Reads one season; to be used by one thread. ``view`` is the latest."""

    view: SeasonView

    def __init__(self, store: Store, season: Season, *, with_past: bool) -> None:
        """Reads all of it; what happened before, as far as the store keeps that, only ``with_past``.

        Raises what the store raises.
        """
        self._store = store
        self._season = season
        self._spec = SeasonDocument.from_json(store.document(season.id)).spec
        self._table: LiveTable | None = None
        self._tallies: Tallies | None = None
        self._folded: object = None
        self._rate = _Rate(deque())
        self._playing: frozenset[int] = frozenset()
        self._looked_at, self._look_took = float("-inf"), 0.0
        self._version = "0" if with_past else store.last_event(season.id)
        self._made_at = float("-inf")
        self.past = self.read(season, least_s=0.0) or []
        """What had happened when it was made."""

    def read(self, season: Season, least_s: float) -> list[Event] | None:
        """Reads on; returns what happened since the last time, None where the view is the same as before.

        Views are made ``least_s`` seconds apart or more.
        """
        now = monotonic()
        if now - self._made_at < least_s:
            return None
        moved = season.status is not self._season.status
        if season.status in OVER and not moved and self._table is None and self._made_at > 0:
            return None
        events: list[Event] = []
        while len(found := self._store.events(season.id, self._version, count=BATCH)) > 0:
            events += found
            self._version = found[-1].id
        self._season = season
        playing = self._look_who_plays(now)
        if not events and not moved and not playing and self._made_at > 0:
            return None
        self._rate.add(events)
        self._refresh()
        self.view = self._make()
        self._made_at = now
        if self.view.status in OVER:
            # It may be large, and nothing more will come.
            self._table = self._tallies = self._folded = None
        return events

    def _look_who_plays(self, now: float) -> bool:
        """Whether other fixtures are being played than at the last look."""
        if self._season.status in OVER:
            before, self._playing = self._playing, frozenset()
            return bool(before)
        if now - self._looked_at < max(LEASES_S, 20 * self._look_took):
            return False
        chunks = self._store.chunks(self._season.id)
        playing = frozenset(one.chunk.fixture for one in chunks if one.state is ChunkState.LEASED)
        self._looked_at, self._look_took = now, monotonic() - now
        before, self._playing = self._playing, playing
        return before != playing

    def _refresh(self) -> None:
        if self._table is None:
            self._table = LiveTable(self._store, self._season.id)
        else:
            self._table.refresh()
        table = self._table
        if self._tallies is None or self._folded is not table.results:
            self._tallies = Tallies(table.fixtures, self._spec.places, self._spec.game.sides, self._spec.game.match)
            self._folded, self._folded_to = table.results, 0
        for result in table.results[self._folded_to :]:
            if not table.left(result.fixture):
                self._tallies.add(result)
        self._folded_to = len(table.results)

    # --- the view ---

    def _make(self) -> SeasonView:
        table, tallies, spec, season = self._table, self._tallies, self._spec, self._season
        assert table is not None
        assert tallies is not None
        fixtures = tuple(self._fixture(table.score(one.number)) for one in table.fixtures)
        of_entrant: dict[tuple[str, str, str], int] = {
            (one.bot, one.version, one.owner): number for number, one in enumerate(table.entrants)
        }
        form = _forms(fixtures, len(table.entrants), two_sided=len(spec.places) == 2)
        standings = []
        for row in table.rows():
            number = of_entrant[row.bot, row.version, row.owner]
            margins = tallies.margins.get(number, Margins())
            standings.append(
                Standing(number, row, margins.decks, margins.mean, margins.error, form[number], margins.spark())
            )
        cells = {}
        for (a, b), met in tallies.met.items():
            first, second = met.score
            cells[a, b] = Cell(first, second, met.decks)
            cells[b, a] = Cell(second, first, met.decks)
        return SeasonView(
            id=season.id,
            version=self._version,
            status=table.progress.status,
            created_ms=season.created_ms,
            game=spec.game,
            rotating=spec.rotating,
            open_entry=season.open_entry,
            practice=spec.seed is not None,
            legs=spec.legs,
            time_control=spec.time_control,
            progress=table.progress,
            deals=len(table.counted),
            deals_planned=table.deals_planned,
            rate=self._rate.now() if table.progress.status is Status.RUNNING else None,
            entrants=tuple(table.entrants),
            table=tuple(standings),
            cells=cells,
            fixtures=fixtures,
            withdrawn=frozenset(one.entrant for one in table.withdrawals),
        )

    def _fixture(self, score: FixtureScore) -> FixtureView:
        table, tallies, fixture = self._table, self._tallies, score.fixture
        assert table is not None
        assert tallies is not None
        state: FixtureState = "waiting"
        if table.left(fixture.number):
            state = "left"
        elif score.closure is not None:
            state = "walkover"
        elif score.finished:
            state = "played"
        elif fixture.number in self._playing or score.deals:
            state = "playing"
        return FixtureView(
            number=fixture.number,
            round=fixture.round,
            leg=fixture.leg,
            entrants=fixture.entrants,
            state=state,
            deals=score.deals,
            expected=score.most_deals,
            scores=tuple(score.scores),
            match_points=score.match_points if len(score.scores) == 2 else None,
            lost_by=() if score.closure is None else score.closure.lost_by,
            reason=None if score.closure is None else score.closure.reason,
            finished_sets=tuple(sorted(tallies.finished.get(fixture.number, ()))),
            last=tallies.last.get(fixture.number, 0),
        )


def _forms(fixtures: Sequence[FixtureView], entrants: int, *, two_sided: bool) -> list[tuple[str, ...]]:
    """By entrant: W, D or L of its latest fixtures, or its place in them at tables of single players."""
    forms: list[list[str]] = [[] for _ in range(entrants)]
    over = [one for one in fixtures if one.state in ("played", "walkover")]
    for fixture in sorted(over, key=lambda one: (one.last, one.number)):
        for i, entrant in enumerate(fixture.entrants):
            if fixture.match_points is not None:
                forms[entrant].append("LDW"[fixture.match_points[i]])
            elif not two_sided and fixture.state == "played":
                forms[entrant].append(str(1 + sum(score > fixture.scores[i] for score in fixture.scores)))
    return [tuple(form[-FORM:]) for form in forms]
