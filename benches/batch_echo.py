"""The yardstick of coalescing: a bare grpc.aio server that keeps many asks of list-shaped messages under way.

Each stream has a number of games, each a coroutine of its own: it builds its next ask from the lists of a deal that was
recorded, and waits for the answer. What is built in one turn of the event loop goes in one frame.
"""

import asyncio
from collections.abc import Mapping
from itertools import cycle, islice
from typing import Any, Final

import grpc

from benches.lists import list_shaped, plain
from benches.stream import PLAY
from carico.v1 import bots_pb2

Asks = list[Mapping[str, Any]]
"""What the asks of a deal hold, in order."""

GAMES_A_STREAM: Final = 32
"""Of 64, since there are two streams."""


class Room:
    """The games of one stream."""

    def __init__(self, context: Any, asks: Asks) -> None:
        self._context = context
        self._asks = asks
        self._frame = list_shaped()
        self._ask = type(self._frame().asks.add())
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._built: list[Any] = []
        self._some = asyncio.Event()

    async def run(self) -> None:
        """Plays until the stream ends."""
        tasks = [asyncio.create_task(self._play(number)) for number in range(GAMES_A_STREAM)]
        tasks.append(asyncio.create_task(self._write()))
        read, waiting = self._context.read, self._waiting
        while (frame := await read()) is not grpc.aio.EOF:
            for answer in frame.answers:
                waiting.pop(answer.match).set_result(None)
        for task in tasks:
            task.cancel()

    async def _play(self, number: int) -> None:
        """One game after another: as soon as an ask is answered the next is built."""
        loop = asyncio.get_running_loop()
        match = f"{number:016x}"
        for fields in cycle([*islice(self._asks, number % len(self._asks), None), *self._asks]):
            self._built.append(self._ask(**{**fields, "match": match}))
            self._some.set()
            answered = self._waiting[match] = loop.create_future()
            await answered

    async def _write(self) -> None:
        while True:
            await self._some.wait()
            self._some.clear()
            built, self._built = self._built, []
            await self._context.write(self._frame(asks=built))


def handlers(frames: list[tuple[int, bots_pb2.PlayResponse]]) -> Any:
    """The service, with the asks of these frames."""
    asks: Asks = [plain(ask) for _, frame in frames for ask in frame.asks]

    async def play(_: Any, context: Any) -> None:
        await context.read()
        await context.write(list_shaped()(welcome={"protocol": 1}))
        await Room(context, asks).run()

    service, _, method = PLAY.removeprefix("/").partition("/")
    handler = grpc.stream_stream_rpc_method_handler(
        play,
        request_deserializer=bots_pb2.PlayRequest.FromString,
        response_serializer=list_shaped().SerializeToString,
    )
    return grpc.method_handlers_generic_handler(service, {method: handler})
