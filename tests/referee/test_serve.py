"""The referee as a whole: its address, its ends, who may reach it, and what it can't start with."""

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from carico.address import is_local
from carico.v1 import organisers_pb2 as pb
from referee import serve
from referee.serve import CannotServe, Referee, Settings
from tests.kit.certificates import certificate
from tests.kit.raw_bots import RawBot
from tests.kit.referee_process import RefereeProcess
from tests.kit.served import ORGANISER, Organiser, Served, eventually, faults, order


@pytest.fixture
async def process(tmp_path: Path) -> AsyncIterator[RefereeProcess]:
    """A referee as a program, everything in memory."""
    async with RefereeProcess(None, tmp_path) as process:
        yield process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_says_where_it_listens_and_ends_with_nought(process: RefereeProcess, number: int) -> None:
    assert process.line == f"referee listening on {process.address}\n"
    assert process.address.startswith("127.0.0.1:")
    organiser = Organiser(process.address)
    ann, _ = await organiser.seat("ann", "bob")
    ann.limit = 3
    await organiser.start(order(1, "ann", "bob"))
    await ann.until(lambda: ann.open)
    process.signal(number)
    status = await ann.ended()
    assert (status.code, status.details.split(":")[0]) == (grpc.StatusCode.UNAVAILABLE, "CLOSING")
    assert await process.ended() == 0
    await organiser.leave()
    log = process.log.read_text()
    assert "Traceback" not in log
    assert "never retrieved" not in log
    for token in (*organiser.tokens.values(), ORGANISER):
        assert token not in log


async def test_a_referee_that_cannot_serve_says_why_in_a_sentence(tmp_path: Path) -> None:
    async with RefereeProcess(None, tmp_path, listen="0.0.0.0:0") as process:
        assert process.line == ""
        assert await process.ended() == 1
    log = process.log.read_text()
    assert "can be reached from other machines" in log
    assert "Traceback" not in log


@pytest.mark.parametrize(
    "listen",
    ["0.0.0.0:0", "[::]:0", "192.168.1.4:7000", "example.org:7000", "127.0.0.1.example.org:1", ":7000", "70"],
)
def test_plain_text_stays_on_this_machine(listen: str) -> None:
    assert not is_local(listen)
    with pytest.raises(CannotServe, match="--tls-cert"):
        Referee(Settings(listen, ORGANISER))


@pytest.mark.parametrize("listen", ["127.0.0.1:0", "127.8.8.8:1", "[::1]:0", "localhost:7000", "unix:/tmp/x.sock"])
def test_these_are_this_machine(listen: str) -> None:
    assert is_local(listen)


async def test_a_store_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    referee = Referee(Settings("127.0.0.1:0", ORGANISER, "redis://user:secret@127.0.0.1:1/0"))
    with pytest.raises(CannotServe, match=r"127\.0\.0\.1:1.*--redis") as caught:
        await referee.start()
    assert "secret" not in str(caught.value)
    referee = Referee(Settings("127.0.0.1:0", ORGANISER, "redis://127.0.0.1:1/0?password=secret"))
    with pytest.raises(CannotServe) as caught:
        await referee.start()
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["nonsense", "http://127.0.0.1", "redis://127.0.0.1:port/0", "redis://h/0?db=x"])
def test_an_address_of_a_store_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(CannotServe, match="store"):
        Referee(Settings("127.0.0.1:0", ORGANISER, url))


async def test_a_port_that_is_taken_is_named() -> None:
    async with Served() as served:
        with pytest.raises(CannotServe, match=served.address):
            await Referee(Settings(served.address, ORGANISER)).start()


async def test_it_listens_on_a_unix_socket(tmp_path: Path) -> None:
    path = f"unix:{tmp_path}/r.sock"
    if len(path) > 100:
        pytest.skip("the path of the temporary directory is too long for a socket")
    async with Served(listen=path) as served:
        assert served.address == path
        await served.seat("ann", "bob")
        (state,) = await served.play(order(1, "ann", "bob"))
        assert faults(state) == []


async def test_the_health_service_tells_whether_it_serves() -> None:
    async with Served() as served:
        stub = health_pb2_grpc.HealthStub(served.channel)
        answer = await stub.Check(health_pb2.HealthCheckRequest())
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        watch = stub.Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        stopping = asyncio.ensure_future(served.referee.stop())
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        await stopping
        watch.cancel()


async def test_streams_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "STREAMS", 3)
    async with Served() as served:
        await served.register("ann", "bob", "cid", "dan")
        for name in ("ann", "bob", "cid"):
            assert (await (await served.bot(name)).connect()).welcomes
        late = await (await served.bot("dan")).connect()
        assert (await late.ended()).code is grpc.StatusCode.RESOURCE_EXHAUSTED
        await served._bots[0].drop()
        async with asyncio.timeout(10):
            while not (await late.connect()).welcomes:  # noqa: ASYNC110  # nobody says when
                await asyncio.sleep(0.02)


class OverTls(RawBot):
    """A bot that trusts one certificate."""

    trusted = b""

    def new_channel(self) -> grpc.aio.Channel:
        return grpc.aio.secure_channel(self.address, grpc.ssl_channel_credentials(self.trusted))


async def test_with_tls_it_is_reached_by_those_who_trust_it(tmp_path: Path) -> None:
    pair, other = certificate(tmp_path, "ours"), certificate(tmp_path, "other")
    assert Referee(Settings("0.0.0.0:0", ORGANISER, tls=pair)), "it need not be this machine"
    referee = Referee(Settings("127.0.0.1:0", ORGANISER, tls=pair))
    await referee.start()
    address = referee.address
    token = await referee.accounts.register("ann", "ann")
    bot = OverTls(address, token, "ann")
    bot.trusted = pair[1]
    assert (await bot.connect()).welcomes
    await bot.drop()
    bot.trusted = other[1]
    await bot.connect()
    assert (await bot.ended()).code is grpc.StatusCode.UNAVAILABLE
    await bot.drop()
    plain = RawBot(address, token, "ann")
    await plain.connect()
    assert (await plain.ended()).code is grpc.StatusCode.UNAVAILABLE
    assert not plain.welcomes
    await plain.drop()
    await referee.stop()


async def test_a_key_that_is_none_is_named(tmp_path: Path) -> None:
    key, chain = certificate(tmp_path, "ours")
    other, _ = certificate(tmp_path, "other")
    for pair in ((b"", b""), (b"key", chain), (key, b"chain"), (other, chain)):
        with pytest.raises(CannotServe, match="PEM"):
            await Referee(Settings("127.0.0.1:0", ORGANISER, tls=pair)).start()


async def test_a_stop_wakes_those_who_wait_and_may_be_repeated(caplog: pytest.LogCaptureFixture) -> None:
    async with Served() as served:
        ann, _ = await served.seat("ann", "bob")
        ann.limit = 0
        spec = order(1, "ann", "bob")
        await served.start(spec)
        waiting = asyncio.ensure_future(served.states([spec.id], 25_000))
        await ann.until(lambda: ann.open)
        await eventually(lambda: served.referee.hall._tables[spec.id].watchers)
        await served.referee.stop()
        assert (await waiting)[spec.id].status == pb.MATCH_STATUS_RUNNING
        await served.referee.stop()
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
