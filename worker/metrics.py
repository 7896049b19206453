"""The worker's metrics: what its main process did, and what the store says of seasons and of itself.

A worker's tasks run in child processes, which count in the store's own scripts; so whatever any worker did is read
there, at the time of a scrape. All workers of one store tell the same of it: take the ``max`` over them, never the sum.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from worker.store.errors import StoreError, UnknownSeason
from worker.store.port import Store
from worker.store.values import Season, Server, Status, Vitals
from worker.sweeps import Sweeps

MOST_SEASONS: Final = 20
"""So many seasons are told apart: those that run, then those that are paused, then the newest."""

FRESH_S: Final = 1.0
"""What was read of the store is told again for so long."""

OUTCOMES: Final = {
    "committed": "commits",
    "repeated": "repeats",
    "stale": "stale",
    "lost": "lost",
    "closed": "closures",
    "released": "released",
    "excused": "excused",
    "refused": "refused",
}
"""What came of a turn at a chunk, and the store's counter of it. A worker that dies leaves a lease that expires."""

COUNTERS: Final = {
    "claims": ("claims", "Leases of chunks that were given."),
    "enqueued": ("enqueued", "Chunks that were put into the queue."),
    "leases_expired": ("expired", "Leases that ran out: their worker died, hung or was cut off."),
    "voids": ("voids", "Attempts of deal sets that do not count."),
    "divergent": ("divergent", "Deals that came again with another result. Must stay 0."),
}
"""By name: the store's counter, and what it is."""

_URGENT: Final = {Status.RUNNING: 0, Status.PAUSED: 1}


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of the store at one time."""

    server: Server
    seasons: Sequence[Season]
    vitals: Sequence[tuple[str, Vitals]]
    """By season, those that are told apart."""
    seconds: float
    """How long it took."""


class StoreReader:
    """Reads the store for metrics, at most once in FRESH_S however many ask. Safe for threads."""

    def __init__(self, open_it: Callable[[], Store]) -> None:
        """``open_it`` gives a store of the reader's own; it is called when it is needed, again after a failure."""
        self._open = open_it
        self._lock = threading.Lock()
        self._store: Store | None = None
        self._read_at = float("-inf")
        self._last: Reading | None = None

    def read(self) -> Reading | None:
        """The reading of now, or of a moment ago; None while the store can't be read."""
        with self._lock:
            if time.monotonic() - self._read_at >= FRESH_S:
                try:
                    self._last = self._read()
                except StoreError:
                    self._last = None
                    self._forget()
                self._read_at = time.monotonic()
            return self._last

    def _forget(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def _read(self) -> Reading:
        begun = time.perf_counter()
        if self._store is None:
            self._store = self._open()
        seasons = self._store.seasons()
        urgent = sorted(seasons, key=lambda season: (_URGENT.get(season.status, 2), -season.created_ms, season.id))
        vitals = []
        for season in sorted(season.id for season in urgent[:MOST_SEASONS]):
            try:
                vitals.append((season, self._store.vitals(season)))
            except UnknownSeason:
                continue
        return Reading(self._store.server(), seasons, vitals, time.perf_counter() - begun)


class WorkerCollector(Collector):
    """Reads what one worker counts, and the store."""

    def __init__(self, sweeps: Sweeps, reader: StoreReader) -> None:
        self._sweeps = sweeps
        self._reader = reader

    def describe(self) -> Iterator[Metric]:
        """Nothing, so that a new registry does not ask the store."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """All metrics of the worker; without the store, what it knows by itself."""
        sweeps = self._sweeps
        yield CounterMetricFamily("carico_worker_sweeps", "Times that it looked for what is due.", value=sweeps.done)
        yield CounterMetricFamily(
            "carico_worker_sweeps_failed", "Times that it could not, for want of the store.", value=sweeps.failed
        )
        reading = self._reader.read()
        yield _gauge("carico_store_up", "1 if the store could be read.", int(reading is not None))
        if reading is None:
            return
        yield _gauge("carico_store_read_seconds", "How long the reading for these metrics took.", reading.seconds)
        yield from _server(reading.server)
        yield _statuses(reading.seasons)
        yield from _seasons(reading.vitals)


def worker_registry(sweeps: Sweeps, open_it: Callable[[], Store]) -> CollectorRegistry:
    """The worker's metrics, and those of its main process."""
    registry = CollectorRegistry()
    registry.register(WorkerCollector(sweeps, StoreReader(open_it)))
    ProcessCollector(registry=registry)
    return registry


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)


def _server(server: Server) -> Iterator[Metric]:
    for name, value, text in (
        ("memory_bytes", server.memory_bytes, "Memory that the store uses."),
        ("memory_limit_bytes", server.memory_limit_bytes, "Its maxmemory, 0 for none."),
        ("log_bytes", server.log_bytes, "Size of its append-only file."),
        ("writes_ok", None if server.writes is None else int(server.writes), "1 if its last writes to disk went well."),
        ("disk_bytes", server.disk_bytes, "Size of the disk of the store, where this worker sees it."),
        ("disk_free_bytes", server.disk_free_bytes, "What is free on it."),
    ):
        if value is not None:
            yield _gauge(f"carico_store_{name}", text, value)


def _statuses(seasons: Sequence[Season]) -> Metric:
    metric = GaugeMetricFamily("carico_seasons", "Seasons by status.", labels=("status",))
    for status in Status:
        metric.add_metric((status.value,), sum(season.status is status for season in seasons))
    return metric


def _seasons(all_vitals: Sequence[tuple[str, Vitals]]) -> Iterator[Metric]:
    idle = GaugeMetricFamily(
        "carico_season_since_deal_started_seconds",
        "Since deals of a running season were last started, or since it was set running.",
        labels=("season",),
    )
    chunks = GaugeMetricFamily("carico_season_chunks", "Chunks by state.", labels=("season", "state"))
    backlog = GaugeMetricFamily("carico_season_backlog_chunks", "Chunks that lie in the queue.", labels=("season",))
    overdue = GaugeMetricFamily(
        "carico_season_overdue_leases", "Leases that have run out and that nobody has seen yet.", labels=("season",)
    )
    deals = CounterMetricFamily("carico_season_deals", "Deals that count.", labels=("season",))
    turns = CounterMetricFamily(
        "carico_season_turns", "Turns at chunks, by what came of them.", labels=("season", "outcome")
    )
    counters = {
        name: CounterMetricFamily(f"carico_season_{name}", text, labels=("season",))
        for name, (_, text) in COUNTERS.items()
    }
    for season, vitals in all_vitals:
        progress = vitals.progress
        if progress.status is Status.RUNNING and vitals.idle_ms is not None:
            idle.add_metric((season,), vitals.idle_ms / 1000)
        for state in ("open", "leased", "done"):
            chunks.add_metric((season, state), getattr(progress, state))
        backlog.add_metric((season,), vitals.backlog)
        overdue.add_metric((season,), vitals.overdue)
        deals.add_metric((season,), progress.deals)
        for outcome, counter in OUTCOMES.items():
            turns.add_metric((season, outcome), vitals.counters.get(counter, 0))
        for name, (counter, _) in COUNTERS.items():
            counters[name].add_metric((season,), vitals.counters.get(counter, 0))
    yield from (idle, chunks, backlog, overdue, deals, turns, *counters.values())
