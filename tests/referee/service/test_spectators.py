import asyncio

import grpc
import pytest
from google.protobuf.unknown_fields import UnknownFieldSet

from carico.v1 import bots_pb2, spectators_pb2_grpc
from carico.v1 import spectators_pb2 as pb
from referee.service import spectators
from tests.kit.served import MARK, Served, order


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectators, "EVERY_S", 0.02)


def watch(served: Served) -> "grpc.aio.UnaryStreamCall[pb.WatchRequest, pb.WatchResponse]":
    return spectators_pb2_grpc.SpectatorsServiceStub(served.channel).Watch(pb.WatchRequest())


async def test_spectators_see_who_is_there_and_how_much_is_played(served: Served) -> None:
    call = watch(served)
    assert await call.read() == pb.WatchResponse()
    ann, bob = await served.seat("ann", "bob")
    ann.limit = bob.limit = 0
    await served.start(order(1, "ann", "bob"))
    async with asyncio.timeout(10):
        while (state := await call.read()).running_matches == 0 or len(state.bots) < 2:
            pass
    assert [(bot.bot, bot.version, bot.owner, bot.open_matches) for bot in state.bots] == [
        ("ann", "1", "ann", 1),
        ("bob", "1", "bob", 1),
    ]
    for bot in (ann, bob):
        bot.limit = None
        await bot.answer_open()
    await served.ends(order(1, "a"))
    async with asyncio.timeout(10):
        while (state := await call.read()).ended_matches == 0:
            pass
    assert (state.running_matches, state.void_matches, state.actions) == (0, 0, 40)
    call.cancel()


async def test_nothing_that_is_watched_tells_of_cards_or_ids(served: Served) -> None:
    fields = {field.name for field in pb.WatchResponse.DESCRIPTOR.fields} | {
        field.name for field in pb.ConnectedBot.DESCRIPTOR.fields
    }
    assert fields == {
        "bots", "running_matches", "ended_matches", "void_matches", "actions", "bot", "version", "owner", "open_matches"
    }  # fmt: skip
    raw = served.channel.unary_stream("/carico.v1.SpectatorsService/Watch")
    call = raw(b"")
    seen = [await call.read()]
    ann, _ = await served.seat("ann", "bob")
    await served.play(*(order(n, "ann", "bob") for n in range(5)))
    async with asyncio.timeout(10):
        while pb.WatchResponse.FromString(seen[-1]).ended_matches < 5:
            seen.append(await call.read())
    call.cancel()
    handles = [start.match.encode() for start in ann.starts]
    for frame in seen:
        assert MARK.encode() not in frame
        assert not any(handle in frame for handle in handles)
        assert len(UnknownFieldSet(pb.WatchResponse.FromString(frame))) == 0


async def test_only_so_many_may_watch(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectators, "MOST_SPECTATORS", 3)
    calls = [watch(served) for _ in range(3)]
    for call in calls:
        await call.read()
    late = watch(served)
    with pytest.raises(grpc.aio.AioRpcError, match="TOO_MANY"):
        await late.read()
    calls[0].cancel()
    async with asyncio.timeout(10):
        while True:
            call = watch(served)
            try:
                await call.read()
            except grpc.aio.AioRpcError:
                await asyncio.sleep(0.02)
            else:
                break
    for call in calls:
        call.cancel()


async def test_many_spectators_cost_one_look(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectators, "EVERY_S", 1.0)
    looks = 0
    look = spectators.SpectatorsServicer._look

    def count(self: spectators.SpectatorsServicer) -> pb.WatchResponse:
        nonlocal looks
        looks += 1
        return look(self)

    monkeypatch.setattr(spectators.SpectatorsServicer, "_look", count)
    calls = [watch(served) for _ in range(40)]
    for call in calls:
        await call.read()
    assert looks <= 3
    for call in calls:
        call.cancel()


async def test_an_error_inside_tells_a_spectator_nothing(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("a secret of the house")

    monkeypatch.setattr(spectators.SpectatorsServicer, "_look", fail)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watch(served).read()
    assert caught.value.code() is grpc.StatusCode.INTERNAL
    assert "secret" not in (caught.value.details() or "")
    assert any(record.exc_info for record in caplog.records)
    caplog.clear()


def test_what_bots_are_sent_is_never_part_of_it() -> None:
    kinds = {field.message_type for field in pb.WatchResponse.DESCRIPTOR.fields if field.message_type}
    assert not kinds & set(bots_pb2.DESCRIPTOR.message_types_by_name.values())
