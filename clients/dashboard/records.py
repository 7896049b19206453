"""The records of fixtures, read when somebody first looks at one and kept for whoever comes after."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from clients.dashboard.snapshot import FixtureView, SeasonView
from worker.store.port import Store

MOST_DEALS: Final = 20_000
"""So many records are kept."""

Record = Mapping[str, Any]
_T = TypeVar("_T")


class Records:
    """Records by fixture, those of finished decks alone: others would tell a bot what comes at its other seating."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._threads = ThreadPoolExecutor(2, "dashboard-records")
        self._kept: OrderedDict[tuple[object, ...], tuple[int, asyncio.Task[Any]]] = OrderedDict()

    async def of(self, season: SeasonView, fixture: FixtureView) -> Sequence[Record]:
        """The records of a fixture in their order. Raises what the store raises."""
        key = (season.id, fixture.number, fixture.finished_sets, season.progress.voids)
        finished = frozenset(fixture.finished_sets)
        weight = len(finished) * len(fixture.entrants)
        return await self._once(key, weight, lambda: self._read(season.id, fixture.number, finished))

    async def faults(self, season: SeasonView, bot: str) -> Sequence[Record]:
        """What is noted of a bot's faults in a season; details in it are for its owner."""
        return await self._once((season.id, season.version, bot), 10, lambda: self._store.faults(season.id, bot))

    def close(self) -> None:
        """Reads no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _once(self, key: tuple[object, ...], weight: int, read: Callable[[], _T]) -> _T:
        """Reads it, unless somebody has or is just doing so."""
        if key in self._kept:
            self._kept.move_to_end(key)
        else:
            self._kept[key] = weight, asyncio.ensure_future(self._run(read))
            while sum(size for size, _ in self._kept.values()) > MOST_DEALS and len(self._kept) > 1:
                self._kept.popitem(last=False)
        task: asyncio.Task[_T] = self._kept[key][1]
        try:
            return await asyncio.shield(task)
        except BaseException:
            if task.done():
                self._kept.pop(key, None)
            raise

    async def _run(self, read: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, read)

    def _read(self, season: str, fixture: int, finished: frozenset[int]) -> list[Record]:
        found = map(json.loads, self._store.records(season, fixture))
        return [record for record in found if record["deal_set"] in finished]
