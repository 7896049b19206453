"""A TCP line to a server of this machine that a test may cut."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Line:
    """Passes bytes on until it is cut; new connections are taken all the same."""

    def __init__(self, host: str, port: int) -> None:
        self.address = ""
        self._upstream = host, port
        self._open: set[asyncio.StreamWriter] = set()

    def cut(self) -> int:
        """Breaks all connections that are open now; returns how many ends that were."""
        ends = len(self._open)
        for writer in self._open:
            writer.transport.abort()
        return ends

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        there, back = await asyncio.open_connection(*self._upstream)
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            while data := await reader.read(65_536):
                writer.write(data)
        except ConnectionError:
            pass
        finally:
            self._open.discard(writer)
            writer.close()


@asynccontextmanager
async def line_to(address: str) -> AsyncIterator[Line]:
    """A line to HOST:PORT; ``address`` of it is where to connect."""
    host, _, port = address.rpartition(":")
    line = Line(host, int(port))
    server = await asyncio.start_server(line.take, "127.0.0.1", 0)
    line.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield line
    finally:
        server.close()
        line.cut()
