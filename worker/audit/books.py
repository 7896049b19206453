"""All that is kept of a season, read so that a season that runs on gives no false alarm."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from worker.store.port import Store
from worker.store.values import ChunkStanding, ChunkState, Progress, Void
from worker.tournament.document import SeasonDocument
from worker.tournament.entrants import Entrant
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import DealKey, DealResult, FixtureClosure, Withdrawal


@dataclass(frozen=True, slots=True)
class Books:
    """A season as it stood between two moments; commits may have come between them, nothing else."""

    document: SeasonDocument
    entrants: Sequence[Entrant]
    fixtures: Sequence[Fixture]
    before: Progress
    done_before: frozenset[int]
    """Chunks that were done at the first moment."""
    ledger: Sequence[tuple[DealKey, DealResult]]
    voids: Sequence[Void]
    attempts: Mapping[int, int]
    closures: Sequence[FixtureClosure]
    withdrawals: Sequence[Withdrawal]
    records: Sequence[str]
    """The lines of the deals that count."""
    counters: Mapping[str, int]
    tail: frozenset[DealKey]
    """Deals that came into the ledger after it was read."""
    chunks: Sequence[ChunkStanding]
    """At the second moment; so are the next two."""
    after: Progress
    differences: Sequence[str]

    @property
    def steady(self) -> bool:
        """Whether nothing but commits came between the two moments."""
        a, b = self.before, self.after
        return (a.voids, a.closed, a.withdrawn, a.entrants) == (b.voids, b.closed, b.withdrawn, b.entrants)

    def plan_of(self, key: DealKey) -> Fixture | None:
        """The fixture of a deal that is in the schedule, None for one that is not."""
        if key.fixture >= len(self.fixtures):
            return None
        fixture = self.fixtures[key.fixture]
        deals = self.document.spec.game.most_deals
        planned = key.deal_set in fixture.deal_sets and key.seating < fixture.seatings and key.deal < deals
        return fixture if planned else None


def read_books(store: Store, season: str) -> Books:
    """Reads a season. Raises what the store raises, and ValueError or TypeError for what is no entry at all."""
    before = store.progress(season)
    done = frozenset(s.chunk.number for s in store.chunks(season) if s.state is ChunkState.DONE)
    ledger = [(key, DealResult.from_json(result)) for key, result in store.ledger(season)]
    records = list(store.records(season))
    voids, attempts = store.voids(season), store.attempts(season)
    closures = [FixtureClosure.from_json(found) for found in store.closures(season).values()]
    withdrawals, counters = store.withdrawals(season), store.counters(season)
    tail = frozenset(key for key, _ in store.ledger(season, len(ledger)))
    chunks, after = store.chunks(season), store.progress(season)
    return Books(
        document=SeasonDocument.from_json(store.document(season)),
        entrants=store.entrants(season),
        fixtures=store.fixtures(season),
        before=before,
        done_before=done,
        ledger=ledger,
        voids=voids,
        attempts=attempts,
        closures=closures,
        withdrawals=withdrawals,
        records=records,
        counters=counters,
        tail=tail,
        chunks=chunks,
        after=after,
        differences=store.differences(season),
    )
