"""A bot whose seats are played by a process each, so that no process sees the hands of two seats of a side.

The referee knows one connection a bot, so that has both seats' views; it is held by a process that runs nothing of the
bot. Each seat's asks go to a child of its own, which sees the views of that seat and nothing else, in all matches. This
keeps two seats of an honest bot from sharing what they know by accident; it is no jail for one that wants to cheat.
"""

import asyncio
import itertools
import os
import pickle
import struct
import sys
import weakref
from asyncio.subprocess import PIPE, Process
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, cast

from carico import die_with_parent
from carico.bot import Bot
from carico.problem import BotFailed
from carico.rules.actions import Action
from carico.rules.cards import Card
from carico.rules.view import View

LENGTH: Final = struct.Struct("!I")
"""Before each message to a child, which is pickled: (bot, ask, seed, view), or (bot,) once its deal is over."""

ANSWER: Final = struct.Struct("!IiI")
"""What a child answers: the ask, the action or -1, and the length of the text that follows: what went wrong."""


def process_per_seat(command: Sequence[str]) -> type[Bot]:
    """A bot for ``carico.play`` whose seats are played by children: ``command`` starts one (``carico.seat_server``).

    A child is started with the first ask of its seat. One that ends loses what it was asked, and is started again with
    the next ask. They end with this process.
    """
    processes = _Processes(command)

    class SeatBot(Bot):
        """One seat of one deal, played by the process of its seat."""

        def __init__(self) -> None:
            self._number = next(processes.bots)
            self._asked = False

        def act(self, view: View) -> Coroutine[Any, Any, Card | Action]:
            """Asks the child. Raises BotFailed where that fails."""
            if not self._asked:
                self._asked = True
                weakref.finalize(self, processes.forget, view.seat, self._number).atexit = False
            return processes.ask(self._number, self.seed, view)

    return SeatBot


class _Processes:
    """The children, by seat."""

    def __init__(self, command: Sequence[str]) -> None:
        self.bots: Iterator[int] = itertools.count()
        self._command = [sys.executable, die_with_parent.__file__, str(os.getpid()), *command]
        self._environment = {name: value for name, value in os.environ.items() if name != "CARICO_TOKEN"}
        self._seats: dict[int, _Child] = {}
        self._starting: dict[int, asyncio.Lock] = {}

    async def ask(self, bot: int, seed: bytes, view: View) -> Card | Action:
        """What the bot of that number plays."""
        async with self._starting.setdefault(view.seat, asyncio.Lock()):
            child = self._seats.get(view.seat)
            if child is None or child.ended:
                child = self._seats[view.seat] = _Child(
                    await asyncio.create_subprocess_exec(
                        *self._command, stdin=PIPE, stdout=PIPE, env=self._environment, start_new_session=True
                    )
                )
        return cast("Card | Action", await child.ask(bot, seed, view))

    def forget(self, seat: int, bot: int) -> None:
        """Its deal is over."""
        if seat in self._seats:
            self._seats[seat].send((bot,))


class _Child:
    """A process that plays one seat."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._asks: Iterator[int] = itertools.count()
        self._open: dict[int, asyncio.Future[int]] = {}
        self.ended = False
        """Whether it answers no more."""
        self._reading = asyncio.create_task(self._read())

    async def ask(self, bot: int, seed: bytes, view: View) -> int:
        """The action it answers."""
        number = next(self._asks) & 0xFFFF_FFFF
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._open[number] = answer
        self.send((bot, number, seed, view))
        try:
            return await answer
        finally:
            del self._open[number]

    def send(self, message: tuple[Any, ...]) -> None:
        """Sends a message, unless it has ended."""
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            data = pickle.dumps(message)
            self._process.stdin.write(LENGTH.pack(len(data)) + data)

    async def _read(self) -> None:
        """Takes answers until there come no more. A child is not trusted: it answers in numbers and text."""
        out = self._process.stdout
        assert out is not None
        try:
            while True:
                number, action, length = ANSWER.unpack(await out.readexactly(ANSWER.size))
                text = (await out.readexactly(length)).decode(errors="replace")
                answer = self._open.get(number)
                if answer is not None and not answer.done():
                    if text:
                        answer.set_exception(BotFailed(text))
                    else:
                        answer.set_result(action)
        except asyncio.IncompleteReadError:
            pass
        finally:
            self.ended = True
            for answer in self._open.values():
                if not answer.done():
                    answer.set_exception(BotFailed("the process of this seat ended"))
            await self._end()

    async def _end(self) -> None:
        """Ends the process, and waits for that: what is left of it must not outlive the event loop."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
