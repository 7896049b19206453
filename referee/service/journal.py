"""The journal: log first, instructions after. What arrives together is written together."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from referee.match.instructions import Instruction
from referee.service.connection import Connection
from referee.service.counts import Counts
from referee.service.table import Table
from referee.store.log import Line, LogBroken, LogTaken, LogUnavailable, MatchLog

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
    read_at: float = 0.0
    """When the answer was read, by time.perf_counter."""


class Journal:
    """Writes steps into the log in order, and then hands each to ``carry_out``, which raises nothing."""

    def __init__(self, log: MatchLog, carry_out: Callable[[Step], None], counts: Counts) -> None:
        self.taken = asyncio.Event()
        """Set when the log is this referee's no longer: nothing is written any more."""
        self._log = log
        self._carry_out = carry_out
        self._counts = counts
        self._steps: list[Step] = []
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()

    def add(self, step: Step) -> None:
        """Puts a step on its way; a clock that was stopped for its lines goes on when they are written."""
        if not self._steps:
            if not self.taken.is_set():
                self._idle.clear()
            self._wake.set()
        self._steps.append(step)

    async def settled(self) -> None:
        """Returns when nothing is on its way, or nothing can be written any more."""
        await self._idle.wait()

    def stop(self) -> None:
        """The log is this referee's no longer."""
        self.taken.set()
        self._idle.set()

    async def run(self) -> None:
        """Writes for ever, or until the log is this referee's no longer."""
        while not self.taken.is_set():
            if not self._steps:
                self._idle.set()
            await self._wake.wait()
            # A turn more, since what arrives together is read in two turns: far fewer frames where matches are many.
            await asyncio.sleep(0)
            self._wake.clear()
            await self._take_turn()

    async def _take_turn(self) -> None:
        """Writes and carries out what has gathered."""
        steps, self._steps = self._steps, []
        lines = [line for step in steps for line in step.lines]
        if lines and not await self._append(lines):
            self.stop()
            return
        for step in steps:
            if step.lines:
                step.table.start_clock()
            self._carry_out(step)

    async def _append(self, lines: list[Line]) -> bool:
        """Writes lines, however long it takes; False where this referee must stop."""
        tries = 0
        counts, begun = self._counts, time.perf_counter()
        while True:
            try:
                await self._log.append(lines)
            except LogUnavailable as error:
                counts.unwritten += 1
                counts.standing_still = True
                if tries % 20 == 0:
                    logger.error("play stands still until the match log can be written: %s", error)
                await asyncio.sleep(RETRY_S[min(tries, len(RETRY_S) - 1)])
                tries += 1
            except (LogTaken, LogBroken) as error:
                logger.error("%s: this one stops", error)
                return False
            except Exception:  # what was to be written is known, what was written is not: a new start reads it
                logger.exception("writing the match log failed: this referee stops")
                return False
            else:
                counts.append_time.add(time.perf_counter() - begun)
                counts.lines += len(lines)
                if tries:
                    counts.standing_still = False
                    logger.warning("the match log can be written again: play goes on")
                return True
