"""Waits for bots that are asynchronous, where there is no event loop."""

import asyncio
import inspect

from carico.bot import Bot
from carico.rules.cards import Card
from carico.rules.view import View


class Waiter:
    """Asks bots one after the other; it makes an event loop once one of them needs it. Close it in the end."""

    def __init__(self) -> None:
        self._loop: asyncio.Runner | None = None

    def ask(self, bot: Bot, view: View) -> object:
        """What ``act`` answers, waited for where it is awaitable. What it raises comes through."""
        answer: object = bot.act(view)
        if type(answer) is Card or not inspect.isawaitable(answer):
            return answer
        if self._loop is None:
            self._loop = asyncio.Runner()
        thought = answer

        async def wait() -> object:
            return await thought

        return self._loop.run(wait())

    def close(self) -> None:
        """Ends the event loop, if there is one."""
        if self._loop is not None:
            self._loop.close()
            self._loop = None
