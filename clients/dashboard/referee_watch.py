"""What the referee tells its spectators: bots that are connected, matches that run. One stream for all viewers."""

import asyncio
import logging
import time
from collections import deque
from dataclasses import dataclass
from typing import Final

import grpc.aio

from carico.v1 import spectators_pb2 as pb
from carico.v1 import spectators_pb2_grpc

AGAIN_S: Final = 2.0
WINDOW_S: Final = 30.0

logger = logging.getLogger("carico.dashboard")


@dataclass(frozen=True, slots=True)
class ConnectedBot:
    """A bot that has a stream now."""

    bot: str
    version: str
    owner: str
    open_matches: int


@dataclass(frozen=True, slots=True)
class RefereeView:
    """The referee at a moment."""

    up: bool = False
    bots: tuple[ConnectedBot, ...] = ()
    running: int = 0
    ended: int = 0
    """Matches since it started; so are the next two."""
    void: int = 0
    actions: int = 0
    matches_s: float | None = None
    """Matches a second of late; so is the next."""
    actions_s: float | None = None


class RefereeWatch:
    """Watches a referee until it is cancelled; ``view`` is the latest. ``address`` None: there is none to watch."""

    def __init__(self, address: str | None, ca: bytes | None = None) -> None:
        self.view = RefereeView()
        self._address, self._ca = address, ca
        self._seen: deque[tuple[float, int, int]] = deque()

    @property
    def watches(self) -> bool:
        """Whether there is one to watch."""
        return self._address is not None

    async def run(self) -> None:
        """Watches, and begins again after every break."""
        if self._address is None:
            return
        if self._ca is None:
            channel = grpc.aio.insecure_channel(self._address)
        else:
            channel = grpc.aio.secure_channel(self._address, grpc.ssl_channel_credentials(self._ca))
        async with channel:
            stub = spectators_pb2_grpc.SpectatorsServiceStub(channel)  # type: ignore[no-untyped-call,unused-ignore]
            while True:
                try:
                    async for told in stub.Watch(pb.WatchRequest()):
                        self.view = self._taken(told)
                except grpc.aio.AioRpcError as error:
                    if self.view.up:
                        logger.warning("the referee can't be watched: %s", error.code().name)
                self._seen.clear()
                self.view = RefereeView()
                await asyncio.sleep(AGAIN_S)

    def _taken(self, told: pb.WatchResponse) -> RefereeView:
        now = time.monotonic()
        self._seen.append((now, told.ended_matches, told.actions))
        while self._seen[0][0] < now - WINDOW_S:
            self._seen.popleft()
        then, ended, actions = self._seen[0]
        span = now - then
        return RefereeView(
            True,
            tuple(
                ConnectedBot(one.bot, one.version, one.owner, one.open_matches)
                for one in sorted(told.bots, key=lambda one: (one.bot, one.version))
            ),
            told.running_matches,
            told.ended_matches,
            told.void_matches,
            told.actions,
            (told.ended_matches - ended) / span if span > 1 else None,
            (told.actions - actions) / span if span > 1 else None,
        )
