"""Attacks on the referee itself: play goes on beside them, newcomers are let in, and memory stays flat."""

import asyncio
import gc
import sys
import tracemalloc
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from carico.connection import final_reason
from carico.v1 import organisers_pb2 as pb
from referee.service import reception
from referee.service.health import MOST_WATCHING
from referee.service.lobby import MOST_WAITING
from tests.kit.raids import RAIDS, Target
from tests.kit.raw_bots import RawBot
from tests.kit.referee_process import RefereeProcess
from tests.kit.served import Organiser, Served, eventually, faults, order, serving_tasks, settle

ROUNDS = 40
"""In CI; enough for thousands of streams."""

MOST_HELD = 50_000
"""Bytes; a raid of ten rounds has hundreds of streams."""

MOST_GROWN_KB = 32 * 1024
"""What a process may grow by after two attacks of each kind: what the allocator keeps for the next peak."""


@pytest.fixture
async def raided() -> AsyncIterator[None]:
    """What ends while nobody waits for it is nobody's error."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    yield
    gc.collect()


async def let_in(served: Served, name: str) -> RawBot:
    """Comes as every bot does, which tries again: gRPC refuses streams that come faster than it can look at them."""
    bot = await served.bot(name)
    for _ in range(10):
        if (await bot.connect()).status is None:
            return bot
        assert bot.status is not None
        assert final_reason(*bot.status, served.address) is None
        await asyncio.sleep(0.05)
    raise AssertionError(f"kept out: {bot.status}")


@pytest.mark.usefixtures("raided")
@pytest.mark.parametrize("name", RAIDS)
async def test_play_goes_on_and_nothing_is_kept(served: Served, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reception, "FLOOD_PAUSE_S", 0.0)
    ann, bob = await served.seat("ann", "bob")
    await served.register("raider")
    target = Target(served.address, served.tokens["raider"], "raider")
    tasks = serving_tasks()
    raid = asyncio.create_task(RAIDS[name](target, ROUNDS))
    number = 0
    while not raid.done() or number < 20:
        states = await played(served, *(order(n, "ann", "bob") for n in range(number, number + 10)))
        assert [faults(state) for state in states] == [[]] * 10
        await served.release([state.id for state in states], counted=False)
        number += 10
    await raid
    newcomer = await let_in(served, "newcomer")
    await newcomer.drop()
    assert (ann.status, bob.status, ann.notices, bob.notices) == (None, None, [], [])
    guests = served.referee.hall.guests
    await eventually(lambda: len(list(guests.connections())) == 2 and serving_tasks() <= tasks)
    await eventually(lambda: len(served.referee._lobby) == 0)
    assert set(guests._guests) <= {"ann", "bob", "raider", "newcomer"}
    raider = guests["raider"]
    assert not raider.tables
    assert not raider.ends
    assert set(raider.left_at) <= {"1"}
    assert not served.referee.hall._tables
    assert served.referee._health._watching == 0


@pytest.mark.usefixtures("raided")
@pytest.mark.parametrize("name", RAIDS)
async def test_nothing_is_held_of_a_raid(served: Served, name: str, caplog: pytest.LogCaptureFixture) -> None:
    """All that Python holds in this process, the raider's side included, to the byte."""
    await served.register("raider")
    target = Target(served.address, served.tokens["raider"], "raider")
    tasks = serving_tasks()
    held = []
    tracemalloc.start()
    try:
        for _ in range(3):
            await RAIDS[name](target, 10)
            await eventually(lambda: serving_tasks() <= tasks and not len(served.referee._lobby))
            await settle()
            caplog.clear()
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert held[2] - held[1] < MOST_HELD, "what was kept of the first raid is not kept again"


@pytest.mark.usefixtures("raided")
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("silent_streams", MOST_WAITING),
        ("silent_calls", MOST_WAITING),
        ("silent_spectators", MOST_WAITING),
        ("health_watchers", MOST_WATCHING),
    ],
)
async def test_those_who_only_wait_keep_nobody_out(served: Served, name: str, most: int) -> None:
    """There are more of them than the referee serves calls at once."""
    await served.register("raider")
    raid = asyncio.create_task(RAIDS[name](Target(served.address, served.tokens["raider"], "raider"), 130))
    highest = number = 0
    while not raid.done():
        highest = max(highest, serving_tasks())
        await asyncio.sleep(0.05)
        ann, bob = await let_in(served, "ann"), await let_in(served, "bob")
        (state,) = await played(served, order(number, "ann", "bob"))
        assert faults(state) == []
        await ann.drop()
        await bob.drop()
        number += 1
    await raid
    assert most // 2 < highest < most + 200, "the raid was one, and it was bounded"


async def played(organiser: Organiser, *orders: pb.MatchSpec) -> list[pb.MatchState]:
    """Plays matches as a worker does, which asks again where a call was cut off."""
    for _ in range(20):
        try:
            return await organiser.play(*orders)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.CANCELLED:
                raise
            await asyncio.sleep(0.05)
    raise AssertionError("no call comes through")


def rss_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


async def attacked(organiser: Organiser, rounds: int) -> None:
    target = Target(organiser.address, organiser.tokens["raider"], "raider")
    for name, raid in RAIDS.items():
        await raid(target, rounds)
        states = await played(organiser, *(order(n, "ann", "bob") for n in range(10)))
        assert [faults(state) for state in states] == [[]] * 10, name
    await asyncio.sleep(0.5)


@pytest.mark.usefixtures("raided")
@pytest.mark.parametrize(
    "times",
    [pytest.param(1, id="short"), pytest.param(40, id="long", marks=[pytest.mark.soak, pytest.mark.timeout(3600)])],
)
async def test_memory_stays_flat(tmp_path: Path, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALLOC_ARENA_MAX", "1")  # else what grows is the number of the allocator's heaps
    if sys.platform != "linux":
        pytest.skip("only Linux tells the memory of another process so")
    async with RefereeProcess(None, tmp_path) as referee:
        assert referee._process is not None
        organiser = Organiser(referee.address)
        await organiser.seat("ann", "bob")
        await organiser.register("raider")
        for _ in range(2):
            await attacked(organiser, ROUNDS)
        warm = rss_kb(referee._process.pid)
        for _ in range(times):
            await attacked(organiser, ROUNDS)
        grown = rss_kb(referee._process.pid) - warm
        await organiser.leave()
        assert await referee.stop() == 0
    assert "Traceback" not in referee.log.read_text()
    assert grown < MOST_GROWN_KB, f"grew by {grown} kB"
