"""A reporter for tests."""

import asyncio
from collections.abc import Callable

from carico.connection import Lost
from carico.problem import Problem
from carico.reporter import Reporter, Tally
from carico.session import MatchEnded, Noticed, Welcomed


class Told(Reporter):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.welcomes: list[Welcomed] = []
        self.losses: list[Lost] = []
        self.ends: list[MatchEnded] = []
        self.notices: list[Noticed] = []
        self.problems: list[Problem] = []
        self.tally = Tally()
        self._changed = asyncio.Event()

    def connected(self, welcome: Welcomed) -> None:
        self.welcomes.append(welcome)
        self._changed.set()

    def lost(self, lost: Lost) -> None:
        self.losses.append(lost)

    def ended(self, end: MatchEnded, tally: Tally) -> None:
        self.ends.append(end)
        self.tally = tally
        self._changed.set()

    def noticed(self, notice: Noticed) -> None:
        self.notices.append(notice)
        self._changed.set()

    def problem(self, problem: Problem) -> None:
        self.problems.append(problem)

    async def until_ended(self, matches: int) -> None:
        await self._until(lambda: len(self.ends) >= matches)

    async def until_connected(self, times: int = 1) -> None:
        await self._until(lambda: len(self.welcomes) >= times)

    async def until_noticed(self, times: int = 1) -> None:
        await self._until(lambda: len(self.notices) >= times)

    async def _until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not true():
                self._changed.clear()
                await self._changed.wait()
