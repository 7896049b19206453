"""The yardsticks of the referee: ``python -m benches.echo KIND FILE``, bare grpc.aio servers of the bots' service.

FILE holds the frames of a deal that was recorded, one a line: the seat that was asked, and the frame in hex. For each
frame that an echo reads it writes the next of these, and does nothing else. It prints a line with its address and stops
on SIGTERM. KIND is one of ECHOES, or ``lists`` for that of ``benches.batch_echo``.
"""

import asyncio
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import grpc

from benches import batch_echo
from carico.v1 import bots_pb2, bots_pb2_grpc

Frames = list[tuple[int, bots_pb2.PlayResponse]]
"""(seat, frame), in the order of a deal."""

Context = grpc.aio.ServicerContext[Any, Any]

_EOF = grpc.aio.EOF
_WELCOME: Final = bots_pb2.PlayResponse(welcome=bots_pb2.Welcome(protocol=1))


class Echo(bots_pb2_grpc.BotsServiceServicer):
    """Gives each stream the frames of seat 0, so that a frame is under way on every stream all the time."""

    def __init__(self, frames: Frames) -> None:
        self._frames = [frame for seat, frame in frames if seat == 0]

    async def Play(self, request_iterator: Any, context: Context) -> None:  # type: ignore[override]  # noqa: N802
        """A welcome for the hello, then a frame for a frame."""
        await context.read()
        await context.write(_WELCOME)
        for frame in cycle(self._frames):
            await context.write(frame)
            if await context.read() is _EOF:
                return


class Pair:
    """Two streams and one deal: whoever answers, the next frame goes to the seat that is to act."""

    def __init__(self, frames: Frames) -> None:
        self.seats: dict[int, Context] = {}
        self._frames: Iterator[tuple[int, bots_pb2.PlayResponse]] = cycle(frames)

    async def go_on(self) -> None:
        """Writes the next frame."""
        seat, frame = next(self._frames)
        await self.seats[seat].write(frame)


class PairedEcho(bots_pb2_grpc.BotsServiceServicer):
    """Gives the streams of bot-0 and bot-1, bot-2 and bot-3, ... the frames of a deal in turn, as a referee would."""

    def __init__(self, frames: Frames) -> None:
        self._pairs: defaultdict[int, Pair] = defaultdict(lambda: Pair(frames))

    async def Play(self, request_iterator: Any, context: Context) -> None:  # type: ignore[override]  # noqa: N802
        """A welcome for the hello, then a frame to either of the two for each frame."""
        number = int((await context.read()).hello.bot.rpartition("-")[2])
        await context.write(_WELCOME)
        pair = self._pairs[number // 2]
        pair.seats[number % 2] = context
        if len(pair.seats) == 2:
            await pair.go_on()
        while await context.read() is not _EOF:
            await pair.go_on()


class Silence(bots_pb2_grpc.BotsServiceServicer):
    """Says welcome and no more: a bare connection."""

    def __init__(self, frames: Frames) -> None:
        pass

    async def Play(self, request_iterator: Any, context: Context) -> None:  # type: ignore[override]  # noqa: N802
        """A welcome for the hello; then it waits for the end."""
        await context.read()
        await context.write(_WELCOME)
        await context.read()


ECHOES: Final[Mapping[str, type[Echo] | type[PairedEcho] | type[Silence]]] = {
    "echo": Echo,
    "echo-pairs": PairedEcho,
    "silence": Silence,
}


async def main(kind: str, frames: Frames) -> None:
    """Serves until SIGTERM."""
    server: Any = grpc.aio.server()
    if kind == "lists":
        server.add_generic_rpc_handlers((batch_echo.handlers(frames),))
    else:
        bots_pb2_grpc.add_BotsServiceServicer_to_server(ECHOES[kind](frames), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    print(f"echo listening on 127.0.0.1:{port}", flush=True)
    await stop.wait()
    await server.stop(grace=None)


def read_frames(file: Path) -> Frames:
    """The frames of a recording."""
    lines = [line.split() for line in file.read_text().splitlines()]
    return [(int(seat), bots_pb2.PlayResponse.FromString(bytes.fromhex(frame))) for seat, frame in lines]


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], read_frames(Path(sys.argv[2]))))
