"""Villains that mistreat their streams: they leave, come twice, do not read, or do not listen."""

import asyncio
from contextlib import suppress

from carico.v1 import bots_pb2 as pb
from tests.kit.raw_bots import GONE, RawBot


class Rude(RawBot):
    """Plays well until it has answered ``good`` asks; then it does something to its line, in a task of its own."""

    good = 3

    def __init__(self, *arguments: str) -> None:
        super().__init__(*arguments)
        self._deed: asyncio.Task[None] | None = None

    def reply(self, frame: pb.PlayResponse) -> pb.PlayRequest | bytes | None:
        if self.answered < self.good or not frame.asks:
            return super().reply(frame)
        if self._deed is None or self._deed.done():
            self._deed = asyncio.create_task(self.deed())
        return None

    async def deed(self) -> None:
        """What it does to its line."""
        raise NotImplementedError

    async def drop(self) -> None:
        if self._deed is not None and self._deed is not asyncio.current_task():
            self._deed.cancel()
            await asyncio.wait([self._deed])
        await super().drop()


class Deserter(Rude):
    """Leaves without a goodbye, for good."""

    async def deed(self) -> None:
        await self.drop()


class Leaver(Rude):
    """Says goodbye in good order, for good."""

    async def deed(self) -> None:
        with suppress(*GONE):
            await self.call.done_writing()


class Flapper(Rude):
    """Leaves at each ask and comes back, until it is let in no more."""

    async def deed(self) -> None:
        await self.connect()


class Janus(Rude):
    """Forks: each of two processes with one token plays, and throws the other out again and again."""

    async def deed(self) -> None:
        with suppress(TimeoutError):
            for _ in range(6):
                async with asyncio.timeout(5):
                    other = await RawBot(self.address, self.token, self.name).connect()
                    await self.connect()
                    await other.drop()
        await self.answer_open()
        self.good = 1_000_000


class Changeling(Rude):
    """Comes back as another version of itself, for good."""

    async def deed(self) -> None:
        self.hello.version = "2"
        await self.connect()


class Deaf(RawBot):
    """Keeps its stream and soon reads it no more."""

    def reply(self, frame: pb.PlayResponse) -> pb.PlayRequest | bytes | None:
        if self.answered >= 3:
            self.pause_s = 1e6
        return super().reply(frame)


LEAVERS = [Deserter, Leaver, Changeling]
"""They lose by DISCONNECT."""

COMERS = [Flapper, Janus]
"""They lose by DISCONNECT, by their clock, or not at all: it depends on when they are thrown out."""
