"""Attacks on a referee from outside of any match. Each goes on in rounds: ``await raid(target, rounds)``."""

import asyncio
import gzip
import struct
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from typing import Final, NamedTuple

import grpc

from carico.v1 import bots_pb2 as pb
from tests.kit import http2
from tests.kit.http2 import Line
from tests.kit.raw_bots import PATIENCE_S, RawBot


class Target(NamedTuple):
    """What a raider knows: where the referee is, and a good token of a bot of its own."""

    address: str
    token: str
    bot: str

    def line(self) -> Line:
        """A connection by hand."""
        return Line(self.address)

    def hello(self, **fields: str) -> bytes:
        """A hello of its bot."""
        whole = {"bot": self.bot, "version": "1"} | fields
        return pb.PlayRequest(hello=pb.Hello(oldest_protocol=1, newest_protocol=1, **whole)).SerializeToString()


Raid = Callable[[Target, int], Awaitable[None]]


async def reconnect(target: Target, rounds: int) -> None:
    """Comes, says hello and goes, as often as it can."""
    bot = RawBot(target.address, target.token, target.bot)
    for _ in range(rounds):
        await bot.connect()
    await bot.drop()


async def rapid_reset(target: Target, rounds: int) -> None:
    """Opens streams and cancels them at once, by the hundred."""
    for _ in range(rounds):
        async with target.line() as line:
            line.greet()
            for _ in range(100):
                line.cancel(line.open(target.token))
            await line.flush()


async def hello_and_reset(target: Target, rounds: int) -> None:
    """Says hello and cancels before it is answered."""
    for _ in range(rounds):
        async with target.line() as line:
            line.greet()
            for _ in range(20):
                stream = line.open(target.token)
                line.say(stream, target.hello())
                line.cancel(stream)
            await line.flush()


def silent(path: str) -> Raid:
    """Many streams that say nothing at all, all at the same time."""

    async def raid(target: Target, rounds: int) -> None:
        async with AsyncExitStack() as stack:
            for _ in range(rounds):
                line = await stack.enter_async_context(target.line())
                line.greet()
                for _ in range(40):
                    line.open(target.token, path)
                await line.flush()
                await asyncio.sleep(0.01)

    return raid


async def health_watchers(target: Target, rounds: int) -> None:
    """Many who watch the referee's health, which asks for no token."""
    async with AsyncExitStack() as stack:
        for _ in range(rounds):
            line = await stack.enter_async_context(target.line())
            line.greet()
            for _ in range(40):
                line.say(line.open("", "/grpc.health.v1.Health/Watch"), b"")
            await line.flush()
            await asyncio.sleep(0.01)


async def half_open(target: Target, rounds: int) -> None:
    """TCP connections that say nothing, or half a preface, or half a frame."""
    async with AsyncExitStack() as stack:
        for number in range(rounds):
            line = await stack.enter_async_context(target.line())
            line.writer.write((b"", http2.PREFACE[:10], http2.PREFACE + b"\x00\x00\x20")[number % 3])
            await line.flush()


async def trickle(target: Target, rounds: int) -> None:
    """Says hello byte by byte, and then no more than half a frame."""
    stream = http2.frame(http2.HEADERS, http2.END_HEADERS, 1, http2.headers(http2.PLAY, target.token))
    hello = http2.frame(http2.DATA, 0, 1, http2.message(target.hello()))
    whole = http2.PREFACE + http2.frame(http2.SETTINGS, 0, 0) + stream + hello + hello[: len(hello) // 2]
    for _ in range(max(1, rounds // 50)):
        async with target.line() as line:
            for at in range(len(whole)):
                line.writer.write(whole[at : at + 1])
                await asyncio.sleep(0)


async def pings(target: Target, rounds: int) -> None:
    """PING and empty SETTINGS frames without end."""
    for kind, payload in ((http2.PING, b"12345678"), (http2.SETTINGS, b"")):
        async with target.line() as line:
            line.greet()
            for _ in range(rounds):
                line.writer.write(http2.frame(kind, 0, 0, payload) * 50)
                if not await line.flush():
                    break


async def zip_bomb(target: Target, rounds: int) -> None:
    """Messages of 60 kB that hold 60 MB."""
    packed = gzip.compress(pb.PlayRequest(seen_ends=["x" * 60_000_000]).SerializeToString(), 1)[:65_000]
    small = gzip.compress(pb.PlayRequest(seen_ends=["x" * 8_000_000]).SerializeToString())
    for number in range(rounds):
        async with target.line() as line:
            line.greet()
            stream = line.open(target.token, more=[("grpc-encoding", "gzip")])
            line.say(stream, packed if number % 2 else small, compressed=True)
            await line.flush()
            await asyncio.sleep(0.005)


async def big_frames(target: Target, rounds: int) -> None:
    """Messages of 4 MB, and lengths of 4 GB that never come."""
    for number in range(rounds):
        async with target.line() as line:
            line.greet()
            stream = line.open(target.token)
            head = struct.pack(">BI", 0, 0xFFFFFFFF if number % 2 else 4_000_000)
            line.writer.write(http2.frame(http2.DATA, 0, stream, head + b"\x00" * 16_000))
            line.writer.write(http2.frame(http2.DATA, 0, stream, b"\x00" * 16_000) * 3)
            await line.flush()


async def big_metadata(target: Target, rounds: int) -> None:
    """Calls with more metadata than a referee takes."""
    for number in range(rounds):
        async with target.line() as line:
            line.greet()
            line.open(target.token, more=[(f"x-{n}", "y" * 900) for n in range(9 if number % 2 else 16)])
            await line.flush()


async def bad_names(target: Target, rounds: int) -> None:
    """Hellos with control characters, no UTF-8, and names of other bots, each new."""
    for number in range(rounds):
        async with target.line() as line:
            line.greet()
            for hello in (
                target.hello(version=f"\x1b[2J{number}"),
                target.hello(bot=f"nobody{number}"),
                target.hello(bot="\r\n\x00" * 1_000),
                target.hello(build=f"\x00{number}" * 30),
                b"\x0a\x08\x22\x06\xff\xfe\xfd\xfc\xfb\xfa",
                b"\x0a\xff\xff\xff\xff\x0f",
            ):
                line.say(line.open(target.token), hello)
            line.say(line.open(f"carico_{number}"), target.hello())
            await line.flush()
            await asyncio.sleep(0.002)


async def unknown_handles(target: Target, rounds: int) -> None:
    """Answers to matches that do not exist, each another, and ends that it never had."""
    bot = RawBot(target.address, target.token, target.bot)
    for number in range(max(1, rounds // 10)):
        await bot.connect()
        for turn in range(10):
            handles = [f"{number}-{turn}-{n}-{'z' * 60}" for n in range(100)]
            await bot.send(pb.PlayRequest(answers=[pb.Answer(match=handle) for handle in handles], seen_ends=handles))
    await bot.drop()


async def never_reads(target: Target, rounds: int) -> None:
    """Streams that ask for notices and never take one: their window is closed."""
    shut = struct.pack(">HI", 4, 0)  # SETTINGS_INITIAL_WINDOW_SIZE = 0
    async with AsyncExitStack() as stack:
        for number in range(max(1, rounds // 4)):
            line = await stack.enter_async_context(target.line())
            line.greet(shut)
            stream = line.open(target.token)
            line.say(stream, target.hello())
            nonsense = pb.PlayRequest(answers=[pb.Answer(match=f"{number}")] * 150)
            line.say(stream, nonsense.SerializeToString())
            await line.flush()
            await asyncio.sleep(0.005)


async def thousands_of_one_token(target: Target, rounds: int) -> None:
    """Hundreds of streams of one token that are open at the same time, and all say hello."""
    options = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0))
    for _ in range(max(1, rounds // 40)):
        async with grpc.aio.insecure_channel(target.address, options=options) as channel:
            stream = channel.stream_stream("/carico.v1.BotsService/Play")
            calls = [stream(metadata=(("authorization", f"Bearer {target.token}"),)) for _ in range(60)]
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.gather(*(call.write(target.hello()) for call in calls), return_exceptions=True)
            for call in calls:
                call.cancel()


RAIDS: Final[Mapping[str, Raid]] = {
    **{raid.__name__: raid for raid in (reconnect, rapid_reset, hello_and_reset, health_watchers, half_open, trickle)},
    **{raid.__name__: raid for raid in (pings, zip_bomb, big_frames, big_metadata, bad_names, unknown_handles)},
    **{raid.__name__: raid for raid in (never_reads, thousands_of_one_token)},
    "silent_streams": silent(http2.PLAY),
    "silent_calls": silent("/carico.v1.OrganisersService/AwaitMatches"),
    "silent_spectators": silent("/carico.v1.SpectatorsService/Watch"),
}
"""By name."""
