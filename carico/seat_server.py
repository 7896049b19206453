"""The child of ``carico.seat_processes``: plays the bots of one seat, asked on stdin, answering on stdout."""

import asyncio
import inspect
import os
import pickle
import sys
import traceback
from collections.abc import Awaitable
from typing import Final

from carico.bot import Bot
from carico.rules.actions import Action
from carico.rules.cards import Card
from carico.seat_processes import ANSWER, LENGTH

NOTHING: Final = -1
LONGEST_TEXT: Final = 400


def serve(made: type[Bot]) -> None:
    """Plays until stdin ends. What the bot prints goes to stderr."""
    answers = os.dup(1)
    os.dup2(2, 1)
    asyncio.run(_Server(made, answers).run())


class _Server:
    """The bots of one seat, one a deal."""

    def __init__(self, made: type[Bot], answers: int) -> None:
        self._made = made
        self._answers = answers
        self._bots: dict[int, Bot] = {}
        self._thinking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Takes messages until there come no more."""
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while True:
            try:
                (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
                number, *asked = pickle.loads(await reader.readexactly(length))
            except asyncio.IncompleteReadError:
                return
            if asked:
                self._ask(number, *asked)
            else:
                self._bots.pop(number, None)

    def _ask(self, number: int, ask: int, seed: bytes, view: object) -> None:
        try:
            bot = self._bots.get(number)
            if bot is None:
                bot = self._bots[number] = self._made()
                bot.seed = seed
            answer = bot.act(view)  # type: ignore[arg-type]
        except (Exception, SystemExit) as error:
            self._fail(ask, error)
            return
        if type(answer) is not Card and inspect.isawaitable(answer):
            task = asyncio.ensure_future(self._think(ask, answer))
            self._thinking.add(task)
            task.add_done_callback(self._thinking.discard)
        else:
            self._answer(ask, answer)

    async def _think(self, ask: int, thought: Awaitable[Card | Action]) -> None:
        try:
            answer = await thought
        except (Exception, SystemExit) as error:
            self._fail(ask, error)
        else:
            self._answer(ask, answer)

    def _fail(self, ask: int, error: BaseException) -> None:
        traceback.print_exception(error)
        self._send(ask, NOTHING, f"act raised {type(error).__name__}: {error}")

    def _answer(self, ask: int, answer: object) -> None:
        if isinstance(answer, int) and int(answer) in range(2**31):
            self._send(ask, int(answer), "")
        else:
            self._send(ask, NOTHING, f"act returned {answer!r}: return one of view.legal, such as view.legal[0]")

    def _send(self, ask: int, action: int, text: str) -> None:
        said = text.encode()[:LONGEST_TEXT]
        data = ANSWER.pack(ask, action, len(said)) + said
        while data:
            data = data[os.write(self._answers, data) :]
