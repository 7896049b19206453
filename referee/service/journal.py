"""The journal: log first, instructions after. What one turn of the event loop brings is written together."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from referee.match.instructions import Instruction
from referee.service.connection import Connection
from referee.service.table import Table
from referee.store.log import Line, LogTaken, LogUnavailable, MatchLog

RETRY_S: Final = (0.05, 0.2, 0.5, 1.0)
"""Pauses between tries to write the log; the last one goes on for ever."""

logger = logging.getLogger("carico.referee")


@dataclass(slots=True)
class Step:
    """One step of a match: what the log must hold before the instructions are carried out."""

    table: Table
    lines: list[Line]
    instructions: list[Instruction]
    sender: Connection | None = None
    """Whose answer it was."""
    greeted: Connection | None = None
    """Who came in and needs the full state."""


class Journal:
    """Writes steps into the log in order, and then hands each to ``carry_out``."""

    def __init__(self, log: MatchLog, carry_out: Callable[[Step], None]) -> None:
        self.taken = asyncio.Event()
        """Set when another referee has taken the log over: nothing is written any more."""
        self._log = log
        self._carry_out = carry_out
        self._steps: list[Step] = []
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()

    def add(self, step: Step) -> None:
        """Puts a step on its way; where it has something to be written, the match's clock stands still until it is."""
        if step.lines:
            step.table.stop_clock()
        self._steps.append(step)
        self._idle.clear()
        self._wake.set()

    async def settled(self) -> None:
        """Returns when nothing is on its way."""
        await self._idle.wait()

    async def run(self) -> None:
        """Writes for ever, or until the log is taken over."""
        while True:
            if not self._steps:
                self._idle.set()
            await self._wake.wait()
            self._wake.clear()
            steps, self._steps = self._steps, []
            lines = [line for step in steps for line in step.lines]
            if lines and not await self._append(lines):
                self.taken.set()
                return
            for step in steps:
                if step.lines:
                    step.table.start_clock()
                try:
                    self._carry_out(step)
                except Exception:  # a fault of ours in one match must not stop the others
                    logger.exception("match %s: carrying out instructions failed", step.table.handle)

    async def _append(self, lines: list[Line]) -> bool:
        """Writes lines, however long it takes; False where the log belongs to another referee now."""
        tries = 0
        while True:
            try:
                await self._log.append(lines)
            except LogUnavailable as error:
                if tries % 20 == 0:
                    logger.error("play stands still until the match log can be written: %s", error)
                await asyncio.sleep(RETRY_S[min(tries, len(RETRY_S) - 1)])
                tries += 1
            except LogTaken as error:
                logger.error("%s: this one stops", error)
                return False
            else:
                if tries:
                    logger.warning("the match log can be written again: play goes on")
                return True
