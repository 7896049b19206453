"""The line to the referee: where it may go, what ends it, what is tried again."""

import asyncio
from itertools import islice
from pathlib import Path

import grpc
import pytest

from carico import connection
from carico.address import is_local
from carico.bot import Bot
from carico.cannot_play import CannotPlay
from carico.connection import Connection, Lost, Refused, backoff
from carico.session import Session
from carico.v1 import bots_pb2 as pb
from clients.bots.random_bot import RandomBot
from tests.kit.bots_door import Stream, door

Code = grpc.StatusCode


class Line:
    """A connection and what came of it; it ends after so many losses."""

    def __init__(self, address: str, losses: int = 0, **options: object) -> None:
        self.session: Session[Bot] = Session(RandomBot, bot="a", version="1")
        self.frames: list[pb.PlayResponse] = []
        self.losses: list[Lost] = []
        self._most = losses
        self.connection = Connection(address, "carico_t", self.session, read=self.read, lost=self.lost, **options)  # type: ignore[arg-type]

    async def read(self, frame: pb.PlayResponse) -> None:
        self.frames.append(frame)
        self.session.receive(frame)
        self.connection.send_soon()

    def lost(self, lost: Lost) -> None:
        self.losses.append(lost)
        if len(self.losses) >= self._most:
            raise EnoughError

    async def run(self) -> None:
        with pytest.raises(EnoughError):
            await self.connection.run()


class EnoughError(Exception):
    pass


@pytest.mark.parametrize("address", ["127.0.0.1:1", "localhost:7000", "[::1]:7", "unix:/tmp/x", "ipv4:127.8.9.1:1"])
def test_addresses_of_this_machine(address: str) -> None:
    assert is_local(address)
    Line(address)


@pytest.mark.parametrize("address", ["10.0.0.1:7000", "carico.example:443", "[2001:db8::1]:7", "localhost.example:1"])
def test_a_token_does_not_travel_in_plain_text(address: str) -> None:
    assert not is_local(address)
    with pytest.raises(CannotPlay, match="TLS"):
        Line(address)
    Line(address, credentials=connection.tls_credentials())


@pytest.mark.parametrize("address", ["", "127.0.0.1", "localhost:", "http://localhost:1", "a b:1", "127.0.0.1:x"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(CannotPlay, match="HOST:PORT"):
        Line(address)


def test_a_side_that_speaks_tls_alone_is_told_of() -> None:
    lost = connection.lost_reason
    unavailable = grpc.StatusCode.UNAVAILABLE
    assert lost(unavailable, "failed to connect to all addresses; refused", "h:1") == "no referee answers at h:1"
    assert "may speak TLS" in lost(unavailable, "failed to connect; ipv4:127.0.0.1:1: Socket closed", "h:1")
    assert "plain text" in lost(unavailable, "failed to connect; SSL: WRONG_VERSION_NUMBER", "h:1")
    assert "--tls-ca" in lost(unavailable, "failed to connect; SSL: CERTIFICATE_VERIFY_FAILED", "h:1")


def test_authorities_that_can_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(CannotPlay, match="No such file"):
        connection.tls_credentials(tmp_path / "ca.pem")


def test_waits_double_up_to_the_longest_and_are_drawn_from_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection.random, "uniform", lambda low, high: (low, high))
    waits = list(islice(backoff(), 9))
    assert waits == [(0, n) for n in (0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10, 10)]


async def test_the_hello_and_the_token_come_first() -> None:
    seen: dict[str, object] = {}

    async def script(stream: Stream) -> None:
        seen["hello"] = await stream.welcome()
        seen["token"] = stream.metadata["authorization"]

    async with door(script) as address:
        line = Line(address, losses=1)
        await line.run()
    assert seen["token"] == "Bearer carico_t"
    assert seen["hello"] == pb.Hello(oldest_protocol=1, newest_protocol=1, bot="a", version="1", view_mode=2)  # type: ignore[arg-type]
    assert [frame.welcome.referee for frame in line.frames] == ["door"]
    assert line.losses[0].reason == "the referee closed the stream"


async def test_more_than_a_frame_may_hold_goes_in_several_at_once() -> None:
    seen: list[int] = []

    async def script(stream: Stream) -> None:
        await stream.read()
        ends = [pb.MatchEnd(match=f"m{n}") for n in range(7)]
        await stream.write(welcome=pb.Welcome(protocol=1, frame_limit=3), ends=ends)
        while sum(seen) < 7:
            seen.append(len((await stream.read()).seen_ends))

    async with door(script) as address, asyncio.timeout(10):
        line = Line(address, losses=1)
        await line.run()
    assert seen == [3, 3, 1]


async def test_a_unix_socket(tmp_path: Path) -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()

    async with door(script, f"unix:{tmp_path}/s") as address:
        line = Line(address, losses=1)
        await line.run()
    assert line.frames


@pytest.mark.parametrize(
    ("code", "details", "told"),
    [
        (Code.UNAUTHENTICATED, "BAD_TOKEN: not known here", "does not know this token"),
        (Code.PERMISSION_DENIED, "WRONG_BOT: it belongs to b", "belongs to b"),
        (Code.FAILED_PRECONDITION, "FROZEN_VERSION: 1 is frozen", "1 is frozen"),
        (Code.INVALID_ARGUMENT, "BAD_NAME: too long", "too long"),
        (Code.ABORTED, "REPLACED: replaced by a newer connection with the same token", "another connection took over"),
        (Code.UNIMPLEMENTED, "Method not found!", "there is no referee"),
    ],
)
@pytest.mark.parametrize("welcomed", [False, True])
async def test_what_is_final(code: Code, details: str, told: str, welcomed: bool) -> None:
    async def script(stream: Stream) -> None:
        if welcomed:
            await stream.welcome()
        await stream.break_off(code, details)

    async with door(script) as address:
        line = Line(address)
        with pytest.raises(Refused, match=told):
            await line.connection.run()
    assert not line.losses


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("code", "details"),
    [
        (Code.UNAVAILABLE, "CLOSING: try again soon"),
        (Code.RESOURCE_EXHAUSTED, "FLOOD: come back in 10 s"),
        (Code.INTERNAL, "oops"),
        (Code.UNKNOWN, "oops"),
        (Code.ABORTED, "for some other reason"),
        (Code.CANCELLED, "by the other end"),
    ],
)
@pytest.mark.parametrize("welcomed", [False, True])
async def test_what_is_tried_again(code: Code, details: str, welcomed: bool) -> None:
    streams = []

    async def script(stream: Stream) -> None:
        streams.append(stream.number)
        if welcomed:
            await stream.welcome()
        await stream.break_off(code, details)

    async with door(script) as address:
        line = Line(address, losses=3)
        await line.run()
    assert len(streams) == 3
    assert code is Code.CANCELLED or details in line.losses[0].reason


@pytest.mark.usefixtures("hasty")
async def test_nobody_there() -> None:
    async with door(lambda stream: stream.stay()) as address:
        pass
    line = Line(address, losses=2)
    await line.run()
    assert line.losses[0].reason == f"no referee answers at {address}"


@pytest.mark.usefixtures("hasty")
async def test_a_welcome_that_does_not_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "WELCOME_S", 0.05)
    async with door(lambda stream: stream.stay()) as address:
        line = Line(address, losses=2)
        await line.run()
    assert "did not say welcome" in line.losses[0].reason


async def test_a_referee_of_another_version_is_final() -> None:
    async def script(stream: Stream) -> None:
        await stream.write(welcome=pb.Welcome(protocol=9))
        await stream.stay()

    async with door(script) as address:
        with pytest.raises(Refused, match="version 9"):
            await Line(address).connection.run()


@pytest.mark.usefixtures("hasty")
async def test_a_good_welcome_lets_waits_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection.random, "uniform", lambda _, high: high)

    async def script(stream: Stream) -> None:
        if stream.number == 3:
            await stream.welcome()
        await stream.break_off(Code.UNAVAILABLE, "not now")

    async with door(script) as address:
        line = Line(address, losses=5)
        await line.run()
    assert [lost.retry_s for lost in line.losses] == [0.01, 0.02, 0.04, 0.01, 0.02]
