"""A referee that stops, dies or loses its store: matches go on where they stood, and nobody pays for it."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from carico.codec import milliseconds
from carico.time_control import TimeControl
from carico.v1 import organisers_pb2 as pb
from referee.serve import Referee, Settings
from referee.store.memory import Kept, MemoryLog
from tests.kit.raw_bots import RawBot
from tests.kit.referee_process import RefereeProcess
from tests.kit.served import ORGANISER, Organiser, Served, eventually, faults, order, settle
from tests.kit.wire import Wire
from worker.store.embedded import EmbeddedValkey

STRICT = TimeControl(bank_ms=60_000, action_limit_ms=1_000)


async def stopped_in_the_middle(served: Served, count: int) -> tuple[list[pb.MatchSpec], RawBot, RawBot]:
    """Matches that stand where a bot has had enough."""
    ann, bob = await served.seat("ann", "bob")
    ann.pause_s = 0.05
    ann.limit = 5 * count
    orders = [order(n, "ann", "bob", terms=STRICT) for n in range(count)]
    await served.start(*orders)
    await ann.until(lambda: len(ann.open) == count)
    ann.pause_s = 0
    return orders, ann, bob


async def test_a_graceful_stop_keeps_everything(redis_url: str) -> None:
    async with Served(redis_url) as first:
        orders, ann, bob = await stopped_in_the_middle(first, 4)
        asks = {ask.match: ask for ask in ann.open.values()}
        waiting = asyncio.ensure_future(first.states([orders[0].id], 20_000))
        await settle()
        await first.referee.stop()
        for bot in (ann, bob):
            status = await bot.ended()
            assert (status.code, status.details.split(":")[0]) == (grpc.StatusCode.UNAVAILABLE, "CLOSING")
            assert bot.notices[-1].reason == "CLOSING"
        assert (await waiting)[orders[0].id].status == pb.MATCH_STATUS_RUNNING, "whoever waits is told before"
    await asyncio.sleep(1.2)
    async with Served(redis_url) as second:
        states = await second.states([spec.id for spec in orders])
        assert {state.status for state in states.values()} == {pb.MATCH_STATUS_RUNNING}
        for bot in (ann, bob):
            bot.address = second.address
        ann.open.clear()
        ann.limit = 0
        await ann.connect()
        await ann.until(lambda: len(ann.open) == 4)
        for ask in list(ann.open.values()):
            assert 0 <= milliseconds(ask.used) < 1_000, "the time between is charged to nobody"
            ask.ClearField("used")
            assert ask == asks[ask.match], "the same handle, number and view"
        await bob.connect()
        await ann.answer_open()
        ends = await second.ends(*orders)
        assert [faults(state) for state in ends] == [[]] * 4
        for state in ends:
            bank = {0: 60_000, 1: 60_000}
            for taken in state.result.deals[0].actions:
                used = milliseconds(taken.used)
                assert used >= 0
                bank[taken.seat] += 100 - used
                assert milliseconds(taken.bank_left) == bank[taken.seat]
        assert await second.start(*orders) == []
        await ann.drop()
        await bob.drop()


async def test_ends_are_told_again_after_a_restart_until_they_are_seen(redis_url: str) -> None:
    async with Served(redis_url) as first:
        ann, bob = await first.seat("ann", "bob")
        spec = order(1, "ann", "bob")
        (state,) = await first.play(spec)
        await ann.until(lambda: ann.ends)
        await bob.drop()
    async with Served(redis_url) as second:
        assert (await second.ends(spec)) == [state]
        ann.address = second.address
        ann.ends.clear()
        await ann.connect()
        await ann.until(lambda: state.result.match in ann.ends)
        await second.release([spec.id])
        await ann.drop()
    async with Served(redis_url) as third:
        assert (await third.states([spec.id]))[spec.id].status == pb.MATCH_STATUS_RELEASED


async def test_a_bot_that_does_not_come_back_after_a_crash_is_disconnected(redis_url: str) -> None:
    """The log does not say that the bots are gone: whoever takes it up knows."""
    terms = TimeControl(grace_ms=200)
    async with Served(redis_url) as first:
        ann, _ = await first.seat("ann", "bob")
        ann.limit = 3
        spec = order(1, "ann", "bob", terms=terms)
        await first.start(spec)
        await ann.until(lambda: ann.open)
        async with Served(redis_url) as second:
            second.tokens = first.tokens
            await second.seat("bob")
            (state,) = await second.ends(spec)
            assert faults(state) == [(0, "DISCONNECT")]


async def test_the_build_is_frozen_also_after_a_restart(redis_url: str) -> None:
    async with Served(redis_url) as first:
        ann = await (await first.bot("ann", build="one")).connect()
        spec = order(1, "ann", "ann")
        await first.play(spec)
    async with Served(redis_url) as second:
        ann.address = second.address
        await ann.connect()
        await second.release([spec.id])
        ann.hello.build = "two"
        await ann.connect()
        assert (await ann.ended()).details.startswith("FROZEN_VERSION:")
        await ann.drop()


@pytest.fixture
async def process(redis_url: str, tmp_path: Path) -> AsyncIterator[RefereeProcess]:
    """A referee as a program of its own."""
    async with RefereeProcess(redis_url, tmp_path) as process:
        yield process


async def test_kill_nine_in_the_middle_of_play_changes_no_result(process: RefereeProcess) -> None:
    """With bots that decide by what they see, every match ends as if nothing had happened."""
    orders = [order(n, "ann", "bob", dealer=n % 2) for n in range(30)]
    async with Served() as calm:
        await calm.seat("ann", "bob")
        undisturbed = [_cards(state) for state in await calm.play(*orders)]
    served = Organiser(process.address)
    bots = [await served.bot(name) for name in ("ann", "bob")]
    keepers = []
    for bot in bots:
        bot.pause_s = 0.01
        keepers.append(asyncio.create_task(_keep_coming_back(bot)))
    await served.start(*orders)
    for answers in (150, 350):
        await eventually(lambda n=answers: bots[0].answered > n)
        await process.kill()
        await process.start()
    states = await _ends(served, orders)
    assert [faults(state) for state in states] == [[]] * len(orders)
    assert [_cards(state) for state in states] == undisturbed
    for bot in bots:
        await eventually(lambda bot=bot: len(bot.ends) == len(orders))
    for keeper in keepers:
        keeper.cancel()
    await asyncio.wait(keepers)
    await served.leave()
    await process.stop()
    log = process.log.read_text()
    for token in (*served.tokens.values(), ORGANISER):
        assert token not in log
    assert "Traceback" not in log


async def _keep_coming_back(bot: RawBot) -> None:
    while True:
        try:
            await bot.connect()
            await bot.ended()
        except TimeoutError:
            continue
        await asyncio.sleep(0.05)


async def _ends(served: Organiser, orders: list[pb.MatchSpec]) -> list[pb.MatchState]:
    """Waits for all, also across a restart."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await served.ends(*orders)
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                await asyncio.sleep(0.05)


def _cards(state: pb.MatchState) -> list[tuple[int, int, bool]]:
    return [(taken.seat, taken.action.card, taken.stand_in) for taken in state.result.deals[0].actions]


@pytest.fixture
async def own_valkey(tmp_path: Path) -> AsyncIterator[EmbeddedValkey]:
    """A server that a test may stop."""
    with EmbeddedValkey(tmp_path / "store") as server:
        yield server
        os.kill(server.pid, signal.SIGCONT)


async def test_play_stands_still_while_the_store_is_out_and_nobody_is_flagged(own_valkey: EmbeddedValkey) -> None:
    terms = TimeControl(action_limit_ms=600)
    async with Served(own_valkey.url) as served:
        ann, bob = await served.seat("ann", "bob")
        for bot in (ann, bob):
            bot.pause_s = 0.005
        orders = [order(n, "ann", "bob", terms=terms) for n in range(10)]
        await served.start(*orders)
        await ann.until(lambda: ann.answered > 30)
        os.kill(own_valkey.pid, signal.SIGSTOP)
        await asyncio.sleep(0.1)
        answered = ann.answered, bob.answered
        await asyncio.sleep(1.5)
        assert (ann.answered, bob.answered) == answered
        os.kill(own_valkey.pid, signal.SIGCONT)
        states = await served.ends(*orders)
        assert [faults(state) for state in states] == [[]] * 10


async def test_a_referee_without_its_store_can_be_stopped(
    own_valkey: EmbeddedValkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.service import hall

    monkeypatch.setattr(hall, "LAST_WRITES_S", 0.2)
    async with Served(own_valkey.url) as served:
        orders, ann, bob = await stopped_in_the_middle(served, 2)
        os.kill(own_valkey.pid, signal.SIGSTOP)
        await ann.answer_open()
        await settle()
        async with asyncio.timeout(8):
            await served.referee.stop()
        assert (await bob.ended()).code is grpc.StatusCode.UNAVAILABLE
        os.kill(own_valkey.pid, signal.SIGCONT)
    async with Served(own_valkey.url) as again:
        again.tokens = served.tokens
        await again.seat("ann", "bob")
        assert [faults(state) for state in await again.ends(*orders)] == [[]] * 2


async def test_play_goes_on_when_the_store_comes_back_after_a_crash(own_valkey: EmbeddedValkey) -> None:
    async with Served(own_valkey.url) as served:
        ann, bob = await served.seat("ann", "bob")
        for bot in (ann, bob):
            bot.pause_s = 0.005
        orders = [order(n, "ann", "bob", terms=STRICT) for n in range(10)]
        await served.start(*orders)
        for answers in (30, 90):
            await ann.until(lambda n=answers: ann.answered > n)
            os.kill(own_valkey.pid, signal.SIGKILL)
            await asyncio.to_thread(own_valkey.restart)
        states = await served.ends(*orders)
        assert [faults(state) for state in states] == [[]] * 10
    async with Served(own_valkey.url) as again:
        assert await again.ends(*orders) == states, "and the log tells the same"


async def test_connections_to_the_store_that_break_after_it_has_written(own_valkey: EmbeddedValkey) -> None:
    """Every reply may be lost: what was written once is not written twice, and nothing is missing."""
    socket = own_valkey.url.removeprefix("unix://")
    async with Wire(f"unix:{socket}") as wire, Served(f"redis://{wire.address}") as served:
        ann, bob = await served.seat("ann", "bob")
        for bot in (ann, bob):
            bot.pause_s = 0.003
        orders = [order(n, "ann", "bob", terms=STRICT) for n in range(5)]
        await served.start(*orders)
        for answers in range(5, 90, 8):
            await ann.until(lambda n=answers: ann.answered > n)
            wire.lose_replies = 1 + answers % 5
        states = await served.ends(*orders)
        wire.lose_replies = 0
        assert [faults(state) for state in states] == [[]] * 5
    async with Served(own_valkey.url) as again:
        assert await again.ends(*orders) == states


async def test_another_referee_on_the_same_log_ends_this_one(redis_url: str, process: RefereeProcess) -> None:
    old = Organiser(process.address)
    ann, bob = await old.seat("ann", "bob")
    ann.limit = 3
    spec = order(1, "ann", "bob")
    await old.start(spec)
    await ann.until(lambda: ann.open)
    async with Served(redis_url) as new:
        await ann.answer_open()
        assert await process.ended() == 1
        assert "has taken over" in process.log.read_text()
        for bot in (ann, bob):
            assert (await bot.ended()).code is grpc.StatusCode.UNAVAILABLE
            bot.address = new.address
            await bot.connect()
        (state,) = await new.ends(spec)
        assert faults(state) == []
        await old.leave()


async def test_a_referee_of_another_name_has_another_log(redis_url: str) -> None:
    async with Served(redis_url, "one") as one, Served(redis_url, "two") as two:
        await one.register("ann")
        two.tokens = one.tokens
        spec = order(1, "ann", "ann")
        await one.start(spec)
        assert (await two.states([spec.id]))[spec.id].status == pb.MATCH_STATUS_UNKNOWN
        assert await two.start(spec) == [spec.id]
        for served in (one, two):
            await served.call("AbortMatches", pb.AbortMatchesRequest(ids=[spec.id]))
            await served.ends(spec)
        infos = [await served.call("GetReferee", pb.GetRefereeRequest()) for served in (one, two)]
        assert infos[0].incarnation != infos[1].incarnation


async def test_a_referee_that_cannot_listen_takes_no_log_over(redis_url: str) -> None:
    from referee.serve import CannotServe

    async with Served(redis_url) as served:
        await served.seat("ann", "bob")
        second = Referee(Settings(served.address, ORGANISER, redis_url))
        with pytest.raises(CannotServe, match="taken"):
            await second.start()
        (state,) = await served.play(order(1, "ann", "bob"))
        assert faults(state) == []
        await second.accounts.close()


async def test_an_incarnation_lives_as_long_as_the_log(redis_url: str) -> None:
    told = []
    for _ in range(2):
        async with Served(redis_url) as served:
            told.append((await served.call("GetReferee", pb.GetRefereeRequest())).incarnation)
    assert told[0] == told[1]
    import redis

    with redis.Redis.from_url(redis_url) as client:
        client.flushdb()
    async with Served(redis_url) as served:
        assert (await served.call("GetReferee", pb.GetRefereeRequest())).incarnation != told[0]


async def test_a_store_that_has_forgotten_ends_the_referee(redis_url: str) -> None:
    import redis

    async with Served(redis_url) as served:
        ann, _ = await served.seat("ann", "bob")
        ann.limit = 3
        await served.start(order(1, "ann", "bob"))
        await ann.until(lambda: ann.open)
        with redis.Redis.from_url(redis_url) as client:
            (key,) = client.keys("*:match:*")
            client.ltrim(key, 0, -2)
        await ann.answer_open()
        async with asyncio.timeout(5):
            await served.referee.until_taken()


async def test_in_memory_too_a_log_can_be_taken_up_again() -> None:
    kept = Kept()
    async with Served() as first:
        first.referee.hall.log = first.referee.hall.journal._log = first.referee._log = MemoryLog(kept)
        await first.referee.hall.log.open()
        orders, ann, bob = await stopped_in_the_middle(first, 2)
    async with Served() as second:
        second.referee.hall.log = second.referee.hall.journal._log = second.referee._log = MemoryLog(kept)
        second.tokens = first.tokens
        second.referee.accounts = first.referee.accounts
        assert len(await second.referee.hall.log.open()) == len(orders)
    assert ann.status is None or ann.status.code is grpc.StatusCode.UNAVAILABLE
    assert bob is not None
