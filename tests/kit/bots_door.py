"""A bots' service that does what a test's script says, one script a stream: for what a good referee never does."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc

from carico.v1 import bots_pb2 as pb
from carico.v1 import bots_pb2_grpc

Script = Callable[["Stream"], Awaitable[None]]


class Stream:
    """One stream of a bot, seen by the script."""

    def __init__(self, number: int, context: Any) -> None:
        self.number = number
        """Counts the streams from 0."""
        self.context = context
        self.metadata = dict(context.invocation_metadata())

    async def read(self) -> pb.PlayRequest:
        """The next frame from the bot."""
        frame: pb.PlayRequest = await self.context.read()
        return frame

    async def write(self, **fields: Any) -> None:
        """Sends a frame."""
        await self.context.write(pb.PlayResponse(**fields))

    async def welcome(self, **fields: Any) -> pb.Hello:
        """Reads the hello and welcomes; the frame may hold more."""
        hello = (await self.read()).hello
        await self.write(welcome=pb.Welcome(protocol=1, referee="door", bot=hello.bot, owner="me"), **fields)
        return hello

    async def break_off(self, code: grpc.StatusCode, details: str) -> None:
        """Ends the stream."""
        await self.context.abort(code, details)

    async def stay(self) -> None:
        """Keeps the stream open."""
        await asyncio.Event().wait()


class _Servicer(bots_pb2_grpc.BotsServiceServicer):
    def __init__(self, script: Script) -> None:
        self.streams = 0
        self._script = script

    async def Play(self, request_iterator: Any, context: Any) -> None:  # type: ignore[override]  # noqa: N802
        stream = Stream(self.streams, context)
        self.streams += 1
        await self._script(stream)


@asynccontextmanager
async def door(script: Script, address: str = "127.0.0.1:0") -> AsyncIterator[str]:
    """Serves on a free port; gives its address."""
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    bots_pb2_grpc.add_BotsServiceServicer_to_server(_Servicer(script), server)
    port = server.add_insecure_port(address)
    await server.start()
    try:
        yield address if address.startswith("unix:") else f"127.0.0.1:{port}"
    finally:
        await server.stop(None)
