"""The yardstick of the referee: ``python -m benches.echo FILE``, a bare grpc.aio two-way echo of the bots' service.

It reads a frame and writes the next of a deal that was recorded, on each stream, and does nothing else. FILE holds the
recorded frames, one a line, in hex. Prints a line with its address; stops on SIGTERM.
"""

import asyncio
import signal
import sys
from itertools import cycle
from pathlib import Path
from typing import Any

import grpc

from carico.v1 import bots_pb2, bots_pb2_grpc


class Echo(bots_pb2_grpc.BotsServiceServicer):
    """Gives each stream the recorded frames, one for each frame that it sends."""

    def __init__(self, frames: list[bots_pb2.PlayResponse]) -> None:
        self._frames = frames

    async def Play(  # type: ignore[override]  # noqa: N802
        self, request_iterator: Any, context: "grpc.aio.ServicerContext[Any, Any]"
    ) -> None:
        """A welcome for the hello, then a frame for a frame."""
        await context.read()
        await context.write(bots_pb2.PlayResponse(welcome=bots_pb2.Welcome(protocol=1)))
        for frame in cycle(self._frames):
            await context.write(frame)
            if await context.read() is grpc.aio.EOF:
                return


async def main(frames: list[bots_pb2.PlayResponse]) -> None:
    """Serves until SIGTERM."""
    server: Any = grpc.aio.server()
    bots_pb2_grpc.add_BotsServiceServicer_to_server(Echo(frames), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    print(f"echo listening on 127.0.0.1:{port}", flush=True)
    await stop.wait()
    await server.stop(grace=None)


if __name__ == "__main__":
    lines = Path(sys.argv[1]).read_text().split()
    asyncio.run(main([bots_pb2.PlayResponse.FromString(bytes.fromhex(line)) for line in lines]))
