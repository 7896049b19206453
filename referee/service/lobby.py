"""The lobby: calls and streams that have come, but have not said anything yet."""

import asyncio
from collections.abc import Awaitable
from typing import Final, TypeVar

FIRST_S: Final = 10
"""How long a call or a stream may take for its first message."""

MOST_WAITING: Final = 500
"""Most calls and streams that may wait for their first message at once."""

_T = TypeVar("_T")


class Crowded(TimeoutError):
    """Others need the place of this one, who has waited longest."""


class Lobby:
    """Lets callers wait for their first message, and keeps the way free for those who have something to say.

    Where it is full, the one that has waited longest goes: who says what it wants at once is never kept out by a crowd
    that says nothing.
    """

    def __init__(self, most: int = MOST_WAITING, seconds: float = FIRST_S) -> None:
        self._most = most
        self._seconds = seconds
        self._waiting: dict[asyncio.Timeout, None] = {}

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    async def first(self, message: Awaitable[_T]) -> _T:
        """The message, once it is there. Raises TimeoutError where it comes too late, and Crowded."""
        limit = asyncio.timeout(self._seconds)
        try:
            async with limit:
                if len(self._waiting) >= self._most:
                    self._send_away(next(iter(self._waiting)))
                self._waiting[limit] = None
                return await message
        except TimeoutError:
            if limit.expired() and limit not in self._waiting:
                raise Crowded from None
            raise
        finally:
            self._waiting.pop(limit, None)

    def _send_away(self, limit: asyncio.Timeout) -> None:
        del self._waiting[limit]
        if not limit.expired():
            limit.reschedule(asyncio.get_running_loop().time())
