"""What a referee holds goes back to where it was when matches are released and bots are gone."""

import asyncio
import gc

import pytest

from carico.v1 import bots_pb2 as pb
from carico.v1 import organisers_pb2
from referee.match.machine import Match
from referee.service import bots
from referee.service.connection import Connection
from referee.service.table import Table
from tests.kit.raw_bots import RawBot
from tests.kit.served import Served, eventually, order, serving_tasks, settle


async def test_two_hundred_dropped_clients_leave_no_task(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "CONNECTS", 1_000)
    await served.seat("bob")
    await settle()
    before = serving_tasks()
    names = [f"ann{number}" for number in range(20)]
    for round_ in range(10):
        clients = [await served.bot(name) for name in names]
        for number, client in enumerate(clients):
            client.limit = number % 3
        await asyncio.gather(*(client.connect(greet=number % 5 != 0) for number, client in enumerate(clients)))
        orders = [order(100 * round_ + number, name, "bob") for number, name in enumerate(names)]
        await served.start(*orders)
        await asyncio.sleep(0.01)
        await asyncio.gather(*(client.drop() for client in clients))
        await served.call("AbortMatches", organisers_pb2.AbortMatchesRequest(ids=[spec.id for spec in orders]))
        await served.ends(*orders)
        await served.release([spec.id for spec in orders], counted=False)
    await eventually(lambda: serving_tasks() <= before)
    await eventually(lambda: alive(Connection) == 1)
    assert [c.account.bot for c in served.referee.hall.guests.connections()] == ["bob"]


def alive(*kinds: type) -> int:
    """Objects of these kinds."""
    gc.collect()
    return sum(isinstance(thing, kinds) for thing in gc.get_objects())


async def test_a_released_match_is_forgotten(served: Served) -> None:
    ann, bob = await served.seat("ann", "bob")
    hall = served.referee.hall
    before = alive(Match, Table)
    orders = [order(n, "ann", "bob") for n in range(50)]
    await served.play(*orders)
    assert alive(Match, Table) >= before + 100
    await served.release([spec.id for spec in orders])
    await eventually(lambda: not hall.guests["ann"].ends and not hall.guests["bob"].ends)
    assert alive(Match, Table) == before
    for bot in (ann, bob):
        assert not hall.guests[bot.name].tables


async def test_ends_that_nobody_fetches_are_bounded(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.service import guests

    monkeypatch.setattr(guests, "UNSEEN_ENDS", 30)
    await served.register("ann")
    orders = [order(n, "ann", "ann") for n in range(50)]
    await served.start(*orders)
    await served.call("AbortMatches", organisers_pb2.AbortMatchesRequest(ids=[spec.id for spec in orders]))
    states = await served.ends(*orders)
    assert list(served.referee.hall.guests["ann"].ends) == [state.result.match for state in states[20:]]


async def test_no_timer_is_left_when_matches_are_over(served: Served) -> None:
    await served.seat("ann", "bob")
    orders = [order(n, "ann", "bob") for n in range(20)]
    await served.play(*orders)
    assert all(table._timer is None for table in served.referee.hall._tables.values())


async def test_a_bot_with_thousands_of_open_matches_gets_them_all_back(served: Served) -> None:
    """More than one frame holds, all at once: none is lost, and the bot is not taken for one that does not read."""
    ann = await (await served.bot("ann")).connect()
    limit = ann.welcomes[0].frame_limit
    ann.limit = 0
    orders = [order(n, "ann", "ann") for n in range(limit + 100)]
    for at in range(0, len(orders), 300):
        await served.start(*orders[at : at + 300])
    await ann.until(lambda: len(ann.open) == len(orders))
    ann.starts.clear()
    await ann.connect()
    await ann.until(lambda: len(ann.open) == len(orders))
    assert len(ann.starts) == len(orders)
    frame = max(ann.frames, key=len)
    message = pb.PlayResponse.FromString(frame)
    assert len(message.starts) + len(message.asks) <= limit
    asks = list(ann.open.values())
    await ann.send(pb.PlayRequest(answers=[ann.answer(ask) for ask in asks[:limit]]))
    await ann.until(lambda: sum(ask.number == 1 and ask.seat == 0 for ask in ann.asks) >= limit)
    assert ann.status is None
    await served.call("AbortMatches", organisers_pb2.AbortMatchesRequest(ids=[spec.id for spec in orders[:1000]]))


async def test_a_stream_that_is_refused_leaves_nothing(served: Served) -> None:
    before = len(served.referee.hall.guests._guests)
    for number in range(20):
        bot = RawBot(served.address, "carico_wrong", f"nobody{number}")
        await (await bot.connect()).ended()
        await bot.drop()
    assert len(served.referee.hall.guests._guests) == before
