"""A clock for a referee in this process that stands still unless villains alone keep everybody waiting.

So an honest seat is charged nothing at all, to the ms, however busy the machine is; whatever it is charged is wrong.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Self

from referee.service.hall import Hall

EVERY_S = 0.005


class VillainTime:
    """Takes over a hall's clock. A context manager; ``step_ms`` pass every 5 ms while only villains are waited for."""

    def __init__(self, hall: Hall, villains: Iterable[str], step_ms: int) -> None:
        self.ms = 0
        self._hall = hall
        self._villains = frozenset(villains)
        self._step_ms = step_ms
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._hall.pulse.now = lambda: self.ms
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY_S)
            if self._only_villains_wait():
                self.ms += self._step_ms

    def _only_villains_wait(self) -> bool:
        running = [table.match for table in self._hall._tables.values() if not table.over]
        seats = [None if match.open_seat is None else match.spec.seats[match.open_seat].bot for match in running]
        return bool(seats) and self._villains.issuperset(seats)
