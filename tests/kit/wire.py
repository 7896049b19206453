"""A line that can be cut: a TCP proxy in the test's hand."""

import asyncio
from contextlib import suppress
from typing import Self


class Wire:
    """Passes bytes on to ``target`` (host:port or unix:PATH) until it is cut, frozen or told to lose a reply."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.port = 0
        self.lose_replies = 0
        """So many times the line breaks when the other side replies, so that the reply is lost."""
        self.piece = 65_536
        """Most bytes that are passed on at once."""
        self.delay_s = 0.0
        """How long each piece takes."""
        self._flow = asyncio.Event()
        self._flow.set()
        self._open = True
        self._pumps: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        self._flow.set()
        for pump in list(self._pumps):
            pump.cancel()
        if self._pumps:
            await asyncio.wait(self._pumps)

    def cut(self) -> None:
        """Breaks all connections; new ones are refused until ``mend``."""
        self._open = False
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def mend(self) -> None:
        """Lets connections through again."""
        self._open = True

    def freeze(self) -> None:
        """From now on nothing is passed on, and nobody is told."""
        self._flow.clear()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._open:
            writer.transport.abort()
            return
        try:
            if self.target.startswith("unix:"):
                back = await asyncio.open_unix_connection(self.target.removeprefix("unix:"))
            else:
                host, _, port = self.target.rpartition(":")
                back = await asyncio.open_connection(host, int(port))
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, back[1]}
        for source, sink, is_reply in ((reader, back[1], False), (back[0], writer, True)):
            task = asyncio.create_task(self._pump(source, sink, is_reply))
            self._pumps.add(task)
            task.add_done_callback(self._pumps.discard)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, is_reply: bool) -> None:
        with suppress(OSError):
            while data := await source.read(self.piece):
                await self._flow.wait()
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)
                if is_reply and self.lose_replies:
                    self.lose_replies -= 1
                    for writer in list(self._writers):
                        writer.transport.abort()
                    return
                sink.write(data)
                await sink.drain()
        sink.close()
