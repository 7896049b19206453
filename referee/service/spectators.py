"""The door for spectators: what is public while decks are still in play."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from typing import Final

from carico.v1 import spectators_pb2 as pb
from carico.v1 import spectators_pb2_grpc
from referee.service.door import Context
from referee.service.errors import Reason, Refused
from referee.service.hall import Hall

EVERY_S: Final = 1.0

MOST_SPECTATORS: Final = 200


logger = logging.getLogger("carico.referee")


class SpectatorsServicer(spectators_pb2_grpc.SpectatorsServiceServicer):
    """Tells the state of the hall; one look at it serves all who watch."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._watching = 0
        self._last = pb.WatchResponse()
        self._looked_at = -EVERY_S

    async def Watch(  # noqa: N802
        self, request: pb.WatchRequest, context: Context
    ) -> AsyncIterator[pb.WatchResponse]:
        """See the contract."""
        if self._watching >= MOST_SPECTATORS:
            await Refused(Reason.TOO_MANY, text=f"at most {MOST_SPECTATORS} may watch at once").abort(context)
        self._watching += 1
        try:
            last = None
            while not self._hall.closing:
                state = await self._state(context)
                if state != last:
                    yield state
                    last = state
                await asyncio.sleep(EVERY_S)
        finally:
            self._watching -= 1

    async def _state(self, context: Context) -> pb.WatchResponse:
        now = time.monotonic()
        if now - self._looked_at >= EVERY_S / 2:
            try:
                self._last = self._look()
            except Exception:
                logger.exception("looking at the hall failed")
                await Refused(Reason.INTERNAL).abort(context)
            self._looked_at = now
        return self._last

    def _look(self) -> pb.WatchResponse:
        hall = self._hall
        counts = hall.counts
        state = pb.WatchResponse(
            running_matches=hall.running(),
            ended_matches=counts.ended,
            void_matches=counts.void,
            actions=counts.actions,
        )
        for connection in sorted(hall.guests.connections(), key=lambda c: c.account.bot):
            account = connection.account
            open_matches = len(hall.guests[account.bot].tables)
            state.bots.add(bot=account.bot, owner=account.owner, version=connection.version, open_matches=open_matches)
        return state
