"""One bot's line to the referee: a two-way gRPC stream, made anew when it breaks."""

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

import grpc
import grpc.aio

from carico.address import is_address, is_local
from carico.cannot_play import CannotPlay
from carico.codec import BadMessage
from carico.v1 import bots_pb2, bots_pb2_grpc

if TYPE_CHECKING:
    _Call = grpc.aio.StreamStreamCall[bots_pb2.PlayRequest, bots_pb2.PlayResponse]

OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),  # without it a referee that vanished is missed only after a minute
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.enable_retries", 0),
    # Each attempt has a connection of its own, with no memory of how the last one failed.
    ("grpc.use_local_subchannel_pool", 1),
)
"""Channel options. The referee takes pings down to 10 s apart."""

WELCOME_S: Final = 10.0
"""How long a referee may take to say welcome before the attempt counts as failed."""

LONGEST_DELAY_S: Final = 10.0
"""The longest wait before an attempt."""

FIRST_DELAY_S: Final = 0.2
"""The longest wait before the first repeat; it doubles with each failure."""

REPLACED: Final = "replaced"
"""Stands in the details of ABORTED where a newer connection of the same bot took over."""


class Refused(CannotPlay):
    """The referee will not have the bot, or has it on another connection already."""


class Talk(Protocol):
    """What a connection carries: the session, which knows what to say."""

    @property
    def welcomed(self) -> bool:
        """Whether the referee has said welcome on this stream."""

    def connect(self) -> None:
        """A new stream begins."""

    def next_frame(self) -> bots_pb2.PlayRequest | None:
        """What is to be sent now, if anything."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A stream broke, or could not be opened."""

    reason: str
    retry_s: float
    """Seconds until the next attempt."""


class Connection:
    """Keeps a stream to the referee open until something final happens."""

    def __init__(
        self,
        address: str,
        token: str,
        talk: Talk,
        *,
        read: Callable[[bots_pb2.PlayResponse], Awaitable[None]],
        lost: Callable[[Lost], None],
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        """``read`` is called with each frame, one at a time, ``lost`` with each break; both in the event loop.

        Raises CannotPlay where the token would travel in plain text to another machine.
        """
        check_address(address)
        if credentials is None and not is_local(address):
            raise CannotPlay(
                f"{address} is another machine, and without TLS the token could be read on the way: play with TLS "
                "(tls_credentials()), or reach the referee through a tunnel to this machine "
                "(ssh -L 12040:127.0.0.1:12040 HOST, then 127.0.0.1:12040)"
            )
        self._address = address
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._talk = talk
        self._read = read
        self._lost = lost
        self._credentials = credentials
        self._ready = asyncio.Event()

    def send_soon(self) -> None:
        """There is something to send: it goes, with all else that is ready by then, at the end of this tick."""
        self._ready.set()

    async def run(self) -> None:
        """Plays until it is cancelled. Raises CannotPlay where the referee says something final."""
        delays = backoff()
        while True:
            reason = await self._attempt()
            if self._talk.welcomed:
                delays = backoff()
            delay = next(delays)
            self._lost(Lost(reason, delay))
            await asyncio.sleep(delay)

    async def _attempt(self) -> str:
        """One stream, and why it ended in a way that is worth another attempt."""
        try:
            await self._stream()
        except grpc.aio.AioRpcError as error:
            if (final := final_reason(error.code(), error.details() or "", self._address)) is not None:
                raise Refused(final) from error
            return lost_reason(error.code(), error.details() or "", self._address)
        except BadMessage as error:
            raise Refused(f"{self._address}: {error}") from error
        except TimeoutError:
            return f"{self._address} took the call but did not say welcome"
        return "the referee closed the stream"

    async def _stream(self) -> None:
        """One stream, from its hello to its end."""
        async with self._channel() as channel:
            call = bots_pb2_grpc.BotsServiceStub(channel).Play(metadata=self._metadata)
            self._talk.connect()
            self._ready.set()
            writer = asyncio.create_task(self._write(call))
            try:
                async with asyncio.timeout(WELCOME_S):
                    frame = await call.read()
                while isinstance(frame, bots_pb2.PlayResponse):
                    await self._read(frame)
                    frame = await call.read()
            finally:
                call.cancel()
                writer.cancel()
                await asyncio.wait([writer])

    def _channel(self) -> grpc.aio.Channel:
        if self._credentials is not None:
            return grpc.aio.secure_channel(self._address, self._credentials, options=OPTIONS)
        return grpc.aio.insecure_channel(self._address, options=OPTIONS)

    async def _write(self, call: "_Call") -> None:
        """Sends what is ready; what becomes ready in one tick of the loop goes in one frame.

        Where the stream breaks it stops: the reader learns why.
        """
        with suppress(grpc.RpcError, asyncio.InvalidStateError):
            while True:
                await self._ready.wait()
                self._ready.clear()
                while (frame := self._talk.next_frame()) is not None:
                    await call.write(frame)


def backoff() -> Iterator[float]:
    """Waits before each attempt, in seconds: doubled each time up to the longest, with full jitter."""
    ceiling = FIRST_DELAY_S
    while True:
        yield random.uniform(0, ceiling)
        ceiling = min(2 * ceiling, LONGEST_DELAY_S)


def final_reason(code: grpc.StatusCode, details: str, address: str) -> str | None:
    """What to tell the author where trying again would change nothing, else None."""
    match code:
        case grpc.StatusCode.UNAUTHENTICATED:
            return f"{address} does not know this token: {details}"
        case grpc.StatusCode.ABORTED if REPLACED in details:
            return f"another connection took over: {details}. A bot plays over one connection at a time"
        case grpc.StatusCode.UNIMPLEMENTED:
            return f"there is no referee at {address}: what answers does not know the bots' service"
        case grpc.StatusCode.FAILED_PRECONDITION | grpc.StatusCode.PERMISSION_DENIED | grpc.StatusCode.INVALID_ARGUMENT:
            return f"{address} refuses this bot: {details}"
    return None


def lost_reason(code: grpc.StatusCode, details: str, address: str) -> str:
    """What to tell the author where another attempt is worth it."""
    if code is grpc.StatusCode.UNAVAILABLE and details.startswith("failed to connect"):
        return f"no referee answers at {address}{tls_hint(details)}"
    return f"{address}: {details or 'the stream broke'} ({code.name})"


def tls_hint(details: str) -> str:
    """What gRPC's words about a connection that failed say of TLS, to be put behind a sentence; else nothing."""
    if "WRONG_VERSION_NUMBER" in details:
        return ": what is there speaks plain text, and TLS was asked of it: leave out --tls and --tls-ca (credentials)"
    if "CERTIFICATE_VERIFY_FAILED" in details:
        return ": its certificate is of no authority that is trusted here: name the right one with --tls-ca FILE"
    if "failed to connect" in details and "Socket closed" in details:
        return (
            ": what is there took the connection and closed it; it may speak TLS only: give --tls or --tls-ca FILE "
            "(credentials)"
        )
    return ""


def check_address(address: str) -> None:
    """Raises CannotPlay where the text is no address of a referee: HOST:PORT or unix:PATH."""
    if not is_address(address):
        raise CannotPlay(
            f"{address!r} is no address of a referee: write HOST:PORT, such as 127.0.0.1:12040, or unix:PATH"
        )


def tls_credentials(authorities: Path | None = None) -> grpc.ChannelCredentials:
    """TLS, with the authorities in a PEM file or, without one, those that gRPC trusts. Raises CannotPlay."""
    if authorities is None:
        return grpc.ssl_channel_credentials()
    try:
        return grpc.ssl_channel_credentials(authorities.read_bytes())
    except OSError as error:
        raise CannotPlay(f"the authorities in {authorities} can't be read: {error.strerror}") from error
