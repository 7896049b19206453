"""HTTP/2 by hand, for what no gRPC library would send: one TCP connection, frames as they are told."""

import asyncio
import struct
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, Self

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE = 0, 1, 3, 4, 6, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1
CANCEL: Final = 8
PLAY: Final = "/carico.v1.BotsService/Play"


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """One frame."""
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def message(data: bytes, compressed: bool = False) -> bytes:
    """A gRPC message, as it stands in DATA frames."""
    return struct.pack(">BI", compressed, len(data)) + data


def _literal(name: str, value: str) -> bytes:
    """A header field, never indexed and not compressed (RFC 7541, 6.2.3)."""
    return b"\x10" + _string(name) + _string(value)


def _string(text: str) -> bytes:
    raw, size = text.encode(), b""
    if len(raw) < 127:
        return bytes((len(raw),)) + raw
    rest = len(raw) - 127
    while rest >= 128:
        size += bytes((rest % 128 + 128,))
        rest //= 128
    return b"\x7f" + size + bytes((rest,)) + raw


def headers(path: str, token: str, more: Iterable[tuple[str, str]] = ()) -> bytes:
    """The header block of a call."""
    fields = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", "referee"),
        ("te", "trailers"),
        ("content-type", "application/grpc"),
        ("authorization", f"Bearer {token}"),
        *more,
    ]
    return b"".join(_literal(name, value) for name, value in fields)


class Line:
    """A TCP connection that speaks what it is told and reads only where it is asked to. A context manager."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.stream = -1

    async def __aenter__(self) -> Self:
        host, _, port = self.address.rpartition(":")
        self.reader, self.writer = await asyncio.open_connection(host, int(port), limit=1024)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.transport.abort()
        with suppress(OSError):
            await self.writer.wait_closed()

    def greet(self, settings: bytes = b"") -> None:
        """The preface, settings, and the acknowledgement of the other side's."""
        self.writer.write(PREFACE + frame(SETTINGS, 0, 0, settings) + frame(SETTINGS, ACK, 0))

    def open(self, token: str, path: str = PLAY, more: Iterable[tuple[str, str]] = ()) -> int:
        """Opens a stream; returns its number."""
        self.stream += 2
        self.writer.write(frame(HEADERS, END_HEADERS, self.stream, headers(path, token, more)))
        return self.stream

    def say(self, stream: int, data: bytes, compressed: bool = False) -> None:
        """Sends a gRPC message in DATA frames."""
        whole = message(data, compressed)
        for at in range(0, len(whole), 16_384):
            self.writer.write(frame(DATA, 0, stream, whole[at : at + 16_384]))

    def cancel(self, stream: int) -> None:
        """RST_STREAM."""
        self.writer.write(frame(RST_STREAM, 0, stream, struct.pack(">I", CANCEL)))

    async def flush(self) -> bool:
        """Waits until what was written is on its way; False where the other side has hung up."""
        try:
            await self.writer.drain()
        except OSError:
            return False
        return not self.writer.transport.is_closing()

    async def gone(self) -> None:
        """Reads until the other side hangs up."""
        with suppress(OSError):
            while await self.reader.read(65_536):
                pass
