"""Streams that break, come twice, come back, or are never read."""

import asyncio
from typing import Any

import grpc
import pytest

from carico.codec import milliseconds
from carico.time_control import TimeControl
from carico.v1 import bots_pb2 as pb
from carico.v1 import organisers_pb2
from referee import serve
from tests.kit.raw_bots import RawBot
from tests.kit.served import Served, eventually, faults, order, serving_tasks, settle, told
from tests.kit.wire import Wire

SHORT_GRACE = TimeControl(grace_ms=150)


async def test_the_newer_of_two_streams_wins_and_the_match_goes_on(any_served: Served) -> None:
    old = await (await any_served.bot("ann")).connect()
    (bob,) = await any_served.seat("bob")
    old.limit = 2
    orders = [order(n, "ann", "bob") for n in range(3)]
    await any_served.start(*orders)
    await old.until(lambda: old.answered == 2)
    new = RawBot(any_served.address, old.token, "ann")
    async with new:
        status = await old.ended()
        assert (status.code, status.details.split(":")[0]) == (grpc.StatusCode.ABORTED, "REPLACED")
        states = await any_served.ends(*orders)
        assert {start.match for start in new.starts} == {state.result.match for state in states}
    assert [faults(state) for state in states] == [[]] * 3
    assert not bob.notices


async def test_who_replaces_a_stream_goes_on_with_its_clock(served: Served) -> None:
    old, _ = await served.seat("ann", "bob")
    old.limit = 2
    spec = order(1, "ann", "bob")
    await served.start(spec)
    await old.until(lambda: old.open)
    await asyncio.sleep(0.05)
    new = RawBot(served.address, old.token, "ann")
    async with new:
        (state,) = await served.ends(spec)
    assert milliseconds(new.asks[0].used) >= 50
    assert new.asks[0].number == 3
    used = [milliseconds(taken.used) for taken in state.result.deals[0].actions if taken.seat == 0]
    assert used[2] >= 50


async def test_an_error_inside_costs_a_bot_no_more_than_its_stream(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await served.seat("ann", "bob")
    ann.limit = 2
    spec = order(1, "ann", "bob")
    await served.start(spec)
    await ann.until(lambda: ann.open)

    def fail(*_: object) -> None:
        raise RuntimeError("a secret of the house")

    monkeypatch.setattr(served.referee.hall.reception, "receive", fail)
    await ann.answer_open()
    status = await ann.ended()
    assert (status.code, status.details.split(":")[0]) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert "secret" not in status.details
    assert any(record.exc_info for record in caplog.records)
    caplog.clear()
    monkeypatch.undo()
    await ann.connect()
    (state,) = await served.ends(spec)
    assert faults(state) == []
    assert bob.status is None


async def test_a_bot_that_comes_back_gets_the_full_state(any_served: Served) -> None:
    ann, _ = await any_served.seat("ann", "bob")
    ann.limit = 5
    spec = order(1, "bob", "ann")
    await any_served.start(spec)
    await ann.until(lambda: ann.open)
    (before,) = ann.open.values()
    await ann.drop()
    await asyncio.sleep(0.1)
    ann.limit = 0
    await ann.connect()
    await ann.until(lambda: ann.open)
    (again,) = ann.open.values()
    assert milliseconds(again.used) >= 40, "what was used before is told, but for what the log took"
    assert ann.starts[-1] == ann.starts[0]
    again.ClearField("used")
    assert again == before
    await ann.answer_open()
    (state,) = await any_served.ends(spec)
    assert faults(state) == []
    used = [milliseconds(taken.used) for taken in state.result.deals[0].actions if taken.seat == 1]
    assert used[5] >= 40, "the clock went on"


async def test_an_old_answer_after_coming_back_changes_nothing(served: Served) -> None:
    ann, _ = await served.seat("ann", "bob")
    ann.limit = 3
    spec = order(1, "bob", "ann")
    await served.start(spec)
    await ann.until(lambda: ann.open)
    await ann.drop()
    ann.limit = 0
    await ann.connect()
    await ann.until(lambda: ann.open)
    await ann.send(pb.PlayRequest(answers=[ann.answer(ask) for ask in ann.asks[:3]]))
    await ann.until(lambda: len(ann.notices) == 3)
    await ann.answer_open()
    (state,) = await served.ends(spec)
    assert faults(state) == []


async def test_an_ask_never_comes_before_its_match(served: Served) -> None:
    """Where a bot comes back while an answer of the other side is on its way into the log."""
    ann, bob = await served.seat("ann", "bob")
    ann.limit = bob.limit = 3
    spec = order(1, "bob", "ann")
    await served.start(spec)
    first, second = (ann, bob) if await _has_ask(ann, bob) else (bob, ann)
    log = served.referee.hall.log
    gate, write = asyncio.Event(), log.append

    async def append(lines: object) -> None:
        await gate.wait()
        await write(lines)

    log.append = append
    await first.answer_open()
    await settle()
    frames = len(second.frames)
    await second.connect()
    gate.set()
    await second.until(lambda: second.open)
    seen = set()
    for data in second.frames[frames:]:
        frame = pb.PlayResponse.FromString(data)
        seen |= {start.match for start in frame.starts}
        assert {ask.match for ask in frame.asks} <= seen
    await second.answer_open()
    (state,) = await served.ends(spec)
    assert faults(state) == []


async def _has_ask(one: RawBot, other: RawBot) -> bool:
    await eventually(lambda: one.open or other.open)
    return bool(one.open)


async def test_a_bot_that_stays_away_past_its_grace_is_disconnected(any_served: Served) -> None:
    ann, bob = await any_served.seat("ann", "bob")
    ann.limit = 4
    orders = [order(n, "ann", "bob", terms=SHORT_GRACE) for n in range(5)]
    await any_served.start(*orders)
    await ann.until(lambda: ann.answered == 4)
    await ann.drop()
    states = await any_served.ends(*orders)
    assert [faults(state) for state in states] == [[(0, "DISCONNECT")]] * 5
    for state in states:
        assert list((await told(bob, state)).winners) == [1]
    ann.limit = None
    await ann.connect()
    await ann.until(lambda: len(ann.ends) == 5)
    assert all(end.faults[0].detail for end in ann.ends.values()), "it learns why"
    ann.ends.clear()
    await settle()
    await ann.connect()
    await settle()
    assert not ann.ends, "what was seen is not told again"


class Deaf(RawBot):
    """Says nothing but hello."""

    def reply(self, frame: pb.PlayResponse) -> None:
        return None


async def test_an_end_is_told_until_it_was_seen(any_served: Served) -> None:
    bot = await (await any_served.bot("ann", Deaf)).connect()
    spec = order(1, "ann", "ann")
    await any_served.start(spec)
    await any_served.call("AbortMatches", organisers_pb2.AbortMatchesRequest(ids=[spec.id]))
    (state,) = await any_served.ends(spec)
    for _ in range(3):
        assert (await told(bot, state)).void
        bot.ends.clear()
        await bot.connect()
    await any_served.release([spec.id], counted=False)
    bot.ends.clear()
    await bot.connect()
    assert (await told(bot, state)).void, "also after the organiser has released it"
    await bot.send(pb.PlayRequest(seen_ends=[state.result.match]))
    await settle()
    bot.ends.clear()
    await bot.connect()
    await settle()
    assert not bot.ends
    assert not any_served.referee.hall.guests["ann"].ends


async def test_a_cut_of_the_network_in_many_matches_at_once(any_served: Served) -> None:
    async with Wire(any_served.address) as wire:
        ann = await any_served.bot("ann")
        bob = (await any_served.seat("bob"))[0]
        ann.address = wire.address
        ann.pause_s = 0.002
        await ann.connect()
        orders = [order(n, "ann", "bob", dealer=n % 2) for n in range(10)]
        await any_served.start(*orders)
        await ann.until(lambda: ann.answered > 50)
        wire.cut()
        await ann.ended()
        await asyncio.sleep(0.3)
        wire.mend()
        numbers = {key: ask.number for key, ask in ann.open.items()}
        starts = len(ann.starts)
        await ann.connect()
        await ann.until(lambda: len(ann.starts) == starts + 10)
        states = await any_served.ends(*orders)
        await ann.drop()
    assert not numbers or min(numbers.values()) > 0
    assert [faults(state) for state in states] == [[]] * 10
    for state in states:
        for taken in state.result.deals[0].actions:
            assert milliseconds(taken.bank_left) > 50_000
    assert not bob.notices


async def test_a_line_that_is_slow_and_passes_a_few_bytes_at_a_time(served: Served) -> None:
    async with Wire(served.address) as wire:
        wire.piece, wire.delay_s = 9, 0.0001
        ann = await served.bot("ann")
        ann.address = wire.address
        await ann.connect()
        await served.seat("bob")
        states = await served.play(order(1, "ann", "bob"), order(2, "bob", "ann"))
        await ann.drop()
    assert [faults(state) for state in states] == [[]] * 2


async def test_a_peer_that_vanishes_without_a_word_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert dict(serve.OPTIONS)["grpc.http2.ping_timeout_ms"] == dict(serve.OPTIONS)["grpc.keepalive_timeout_ms"]
    options = dict(serve.OPTIONS) | {"grpc.keepalive_time_ms": 200, "grpc.http2.ping_timeout_ms": 200}
    monkeypatch.setattr(serve, "OPTIONS", tuple(options.items()))
    async with Served() as served, Wire(served.address) as wire:
        bots = []
        for number in range(20):
            bot = await served.bot(f"ann{number}")
            bot.address = wire.address
            bots.append(await bot.connect())
        (bob,) = await served.seat("bob")
        for bot in bots:
            bot.limit = 2
        orders = [order(n, f"ann{n}", "bob", terms=SHORT_GRACE) for n in range(20)]
        await served.start(*orders)
        await bob.until(lambda: sum(bot.answered for bot in bots) == 40)
        wire.freeze()
        states = await served.ends(*orders)
        assert [faults(state) for state in states] == [[(0, "DISCONNECT")]] * 20
        assert [c.account.bot for c in served.referee.hall.guests.connections()] == ["bob"]


async def test_a_bot_that_reads_nothing_is_bounded_and_lets_the_others_play(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.service import bots, connection

    monkeypatch.setattr(connection, "FRAME_LIMIT", 100)
    monkeypatch.setattr(connection, "UNREAD_FRAMES", 2)
    monkeypatch.setattr(bots, "LAST_WORDS_S", 0.2)
    deaf = await served.bot("deaf")
    before = serving_tasks()
    channel = grpc.aio.insecure_channel(
        served.address, options=(("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024))
    )
    call = channel.stream_stream("/carico.v1.BotsService/Play")(metadata=deaf.metadata())
    await call.write(pb.PlayRequest(hello=deaf.hello).SerializeToString())
    ann, bob = await served.seat("ann", "bob")
    terms = TimeControl(action_limit_ms=40, grace_ms=100)
    connections = served.referee.hall.guests.connections
    waiting = 0
    for at in range(0, 4_000, 40):
        await served.start(*(order(at + n, "ann", "deaf", terms=terms) for n in range(40)))
        await served.ends(*(order(at + n, "ann", "deaf") for n in range(40)))
        here = [c for c in connections() if c.account.bot == "deaf"]
        waiting = max([waiting, *(len(c._full) for c in here)])
        if not here:
            break
    assert not [c for c in connections() if c.account.bot == "deaf"], "it was put out"
    assert waiting <= 3
    await eventually(lambda: serving_tasks() <= before + 4)
    (state,) = await served.play(order(100_000, "ann", "bob"))
    assert faults(state) == []
    assert ann.status is None
    assert bob.status is None
    with pytest.raises(grpc.aio.AioRpcError, match="TOO_MANY"):
        await read_all(call)
    await channel.close()


async def read_all(call: Any) -> None:
    while await call.read() is not grpc.aio.EOF:
        pass


async def test_a_bot_that_goes_in_good_order_may_come_back(served: Served) -> None:
    ann, _ = await served.seat("ann", "bob")
    ann.limit = 2
    spec = order(1, "ann", "bob")
    await served.start(spec)
    await ann.until(lambda: ann.answered == 2)
    await ann.call.done_writing()
    assert (await ann.ended()).code is grpc.StatusCode.OK
    ann.limit = None
    await ann.connect()
    (state,) = await served.ends(spec)
    assert faults(state) == []
