import asyncio

import grpc
import pytest

from carico.v1 import bots_pb2 as pb
from referee.service import connection, reception
from tests.kit import villains
from tests.kit.raw_bots import RawBot
from tests.kit.served import Served, faults, order, told

NONSENSE = {
    "empty frames": lambda bot: pb.PlayRequest(),
    "ends that nobody told": lambda bot: pb.PlayRequest(seen_ends=["x"] * 3),
    "answers for no match": lambda bot: pb.PlayRequest(answers=[pb.Answer(match="x")] * 3),
    "answers given before": lambda bot: pb.PlayRequest(answers=[bot.answer(bot.asks[0])] * 3),
}


@pytest.mark.parametrize("what", NONSENSE)
async def test_a_flooder_is_put_out_and_pays_alone(served: Served, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr(reception, "FLOOD_PAUSE_S", 0.5)
    flooder = await (await served.bot("flooder")).connect()
    (honest,) = await served.seat("honest")
    flooder.limit = 3
    orders = [order(n, "flooder", "honest") for n in range(3)]
    await served.start(*orders)
    await flooder.until(lambda: flooder.answered == 3)
    for _ in range(connection.PATIENCE + 10):
        await flooder.send(NONSENSE[what](flooder))
    # What gRPC tells to one that still writes may be its own word; who asks again hears ours.
    await flooder.ended()
    states = await served.ends(*orders)
    assert [faults(state) for state in states] == [[(0, "PROTOCOL")]] * 3
    for state in states:
        assert list((await told(honest, state)).winners) == [1]
    await flooder.connect()
    assert (await flooder.ended()).details.startswith("FLOOD:")
    await flooder.connect()
    assert (await flooder.ended()).details.startswith("FLOOD:"), "asking again does not help"
    assert len(flooder.welcomes) == 1, "nobody is welcomed and then put out"
    async with asyncio.timeout(10):
        while len(flooder.welcomes) == 1:
            await asyncio.sleep(0.2)
            await flooder.connect()
    flooder.limit = None
    await flooder.until(lambda: len(flooder.ends) == 3)
    (state,) = await served.play(order(9, "flooder", "honest"))
    assert faults(state) == []
    assert not honest.notices


async def test_a_flooder_hears_why(served: Served) -> None:
    flooder = await (await served.bot("flooder")).connect()
    await flooder.send(pb.PlayRequest(answers=[pb.Answer(match="x")] * (connection.PATIENCE + 1)))
    status = await flooder.ended()
    assert (status.code, status.details.split(":")[0]) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "FLOOD")
    assert len(flooder.notices) <= connection.PATIENCE + 1


async def test_a_bot_whose_answers_come_too_late_is_no_flooder(served: Served) -> None:
    """An abort while its answers are on their way is not its doing."""
    from carico.v1 import organisers_pb2

    ann, _ = await served.seat("ann", "bob")
    ann.limit = 0
    orders = [order(n, "bob", "ann") for n in range(2 * connection.PATIENCE)]
    last = order(10_000, "bob", "ann")
    await served.start(*orders[: connection.PATIENCE], last)
    await served.start(*orders[connection.PATIENCE :])
    await ann.until(lambda: len(ann.open) == len(orders) + 1)
    await served.call("AbortMatches", organisers_pb2.AbortMatchesRequest(ids=[spec.id for spec in orders]))
    await served.ends(*orders)
    await ann.answer_open()
    (state,) = await served.ends(last)
    assert faults(state) == []
    assert ann.status is None


async def test_a_frame_with_too_many_messages_puts_its_sender_out(served: Served) -> None:
    spammer = await (await served.bot("spammer", villains.Spammer)).connect()
    await served.seat("honest")
    await served.play(order(1, "honest", "spammer"))
    assert (await spammer.ended()).details.startswith("FLOOD:")
    await spammer.connect()
    assert (await spammer.ended()).details.startswith("FLOOD:")


async def test_a_frame_of_the_limit_is_taken(served: Served) -> None:
    """And a full frame of answers is no larger than a message may be."""
    from referee.serve import MESSAGE_LIMIT

    bot = await (await served.bot("ann")).connect()
    limit = bot.welcomes[0].frame_limit
    assert limit == connection.FRAME_LIMIT
    answer = pb.Answer(match="0123456789abcdef", seat=5, number=20, action=villains.play(0x3B))
    assert pb.PlayRequest(answers=[answer] * limit).ByteSize() <= MESSAGE_LIMIT
    await bot.send(pb.PlayRequest(seen_ends=["x"] * limit))
    await bot.send(pb.PlayRequest(answers=[pb.Answer(match="x")]))
    await bot.until(lambda: bot.notices)
    assert bot.status is None


async def test_a_whale_of_a_message_ends_its_stream_and_the_bot_may_come_back(served: Served) -> None:
    whale = await (await served.bot("whale", villains.Whale)).connect()
    (honest,) = await served.seat("honest")
    spec = order(1, "honest", "whale")
    await served.start(spec)
    status = await whale.ended()
    assert status.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    again = RawBot(served.address, whale.token, "whale")
    async with again:
        (state,) = await served.ends(spec)
    assert faults(state) == []
    assert honest.status is None


async def test_garbage_and_a_second_hello_end_the_stream(served: Served) -> None:
    babbler = await (await served.bot("babbler", villains.Babbler)).connect()
    greeter = await (await served.bot("greeter", villains.Greeter)).connect()
    await served.seat("honest")
    await served.play(order(1, "honest", "babbler"), order(2, "greeter", "honest"))
    status = await babbler.ended()
    assert (status.code, status.details.split(":")[0]) == (grpc.StatusCode.INVALID_ARGUMENT, "GARBAGE")
    status = await greeter.ended()
    assert (status.code, status.details.split(":")[0]) == (grpc.StatusCode.FAILED_PRECONDITION, "SECOND_HELLO")
