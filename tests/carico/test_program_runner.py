"""Programs at a real referee."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from carico import bridge as bridges
from carico.bridge import GivenUp
from carico.cannot_play import CannotPlay
from carico.program_runner import fingerprint, play_program_async
from carico.time_control import TimeControl
from tests.kit.cut_line import line_to
from tests.kit.programs import GOOD, program
from tests.kit.served import Served, faults, game, order, replayed
from tests.kit.told import Told


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    async with Served() as served:
        yield served


@asynccontextmanager
async def playing(served: Served, command: list[str], name: str, address: str = "") -> AsyncIterator[Told]:
    if name not in served.tokens:
        await served.register(name)
    told = Told()
    task = asyncio.create_task(
        play_program_async(
            command,
            name=name,
            version="1",
            referee=address or served.address,
            token=served.tokens[name],
            reporter=told,
        )
    )
    try:
        await told.until_connected()
        yield told
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.mark.parametrize("name", ["briscola-2", "briscola-3", "briscola-4"])
async def test_whole_matches(served: Served, tmp_path: Path, name: str) -> None:
    of = game(name)
    names = ["a", "b", "c"][: len(of.places)]
    command = program(tmp_path)
    specs = [order(n, *(names[side] for side in of.side_of), of=of, dealer=n % of.players) for n in range(8)]
    async with (
        asyncio.timeout(30),
        playing(served, command, "a") as a,
        playing(served, command, "b") as b,
        playing(served, command, "c") as c,
    ):
        states = await served.play(*specs)
        told = [a, b, c][: len(names)]
        for one in told:
            await one.until_ended(8)
    for spec, state in zip(specs, states, strict=True):
        assert faults(state) == []
        replayed(spec, state.result)
    for one in told:
        assert not one.problems
        assert not one.notices


async def test_a_program_that_is_killed_loses_nothing(served: Served, tmp_path: Path) -> None:
    dies = f"        if asked == 15 and once(): os.kill(os.getpid(), signal.SIGKILL)\n{GOOD}"
    specs = [order(n, "a", "b") for n in range(10)]
    async with (
        playing(served, program(tmp_path, dies, "a.py"), "a") as a,
        playing(served, program(tmp_path, GOOD, "b.py"), "b"),
    ):
        states = await served.play(*specs)
        await a.until_ended(10)
    assert [faults(state) for state in states] == [[]] * 10
    assert [notice.reason for notice in a.notices] == ["PROGRAM"]
    assert "signal 9" in a.notices[0].text


async def test_a_line_that_breaks_is_nothing_to_the_program(served: Served, tmp_path: Path) -> None:
    slow = "        time.sleep(0.002)\n" + GOOD
    specs = [order(n, "a", "b") for n in range(10)]
    async with (
        line_to(served.address) as line,
        playing(served, program(tmp_path, slow), "a", address=line.address) as a,
        playing(served, program(tmp_path, GOOD, "b.py"), "b"),
    ):
        await served.start(*specs)
        for connections in (2, 3):
            await asyncio.sleep(0.02)
            assert line.cut()
            await a.until_connected(connections)
        states = await served.ends(*specs)
        await a.until_ended(10)
    assert [faults(state) for state in states] == [[]] * 10
    assert not a.notices


async def test_a_mistake_costs_its_deal_only_and_is_told(served: Served, tmp_path: Path) -> None:
    once = "        answer(message, 'nonsense' if asked in (3, 30) else None)\n"
    specs = [order(n, "a", "b") for n in range(4)]
    async with (
        playing(served, program(tmp_path, once), "a") as a,
        playing(served, program(tmp_path, GOOD, "b.py"), "b"),
    ):
        states = await served.play(*specs)
        await a.until_ended(4)
    assert sorted(len(faults(state)) for state in states) == [0, 0, 1, 1]
    (problem,) = a.problems
    assert "'nonsense'" in problem.text


async def test_a_program_that_hangs_is_ended_and_plays_on(served: Served, tmp_path: Path) -> None:
    hangs = f"        if once(): time.sleep(100)\n{GOOD}"
    async with (
        playing(served, program(tmp_path, hangs), "a") as a,
        playing(served, program(tmp_path, GOOD, "b.py"), "b"),
    ):
        (state,) = await served.play(order(1, "a", "b", terms=TimeControl(action_limit_ms=300)))
        assert [reason for _, reason in faults(state)] == ["TIME_FORFEIT"]
        # The next ask waits until the program is killed, for less than the limit of this match.
        (state,) = await served.play(order(2, "a", "b"))
        assert faults(state) == []
        await a.until_ended(2)
    assert any("wrote nothing" in notice.text for notice in a.notices)


async def test_a_program_that_does_not_stay_up_ends_the_run(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridges, "FIRST_PAUSE_S", 0.01)
    await served.register("a")
    task = asyncio.create_task(
        play_program_async(
            program(tmp_path, "        sys.exit(7)\n"),
            name="a",
            version="1",
            referee=served.address,
            token=served.tokens["a"],
            reporter=(told := Told()),
        )
    )
    await told.until_connected()
    async with playing(served, program(tmp_path, GOOD, "b.py"), "b"):
        states = await served.play(*[order(n, "a", "b") for n in range(3)])
        assert [len(faults(state)) for state in states] == [1, 1, 1]
        await served.start(order(3, "a", "b"))
        with pytest.raises(GivenUp, match="exit code 7"):
            async with asyncio.timeout(20):
                await task


async def test_a_program_that_says_no_hello_never_reaches_the_referee(served: Served) -> None:
    await served.register("a")
    with pytest.raises(GivenUp, match="never said hello"):
        await play_program_async(["true"], name="a", version="1", referee=served.address, token=served.tokens["a"])


async def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARICO_REFEREE", raising=False)
    with pytest.raises(CannotPlay, match="CARICO_REFEREE"):
        await play_program_async(["true"], name="a", version="1", token="t")
    with pytest.raises(CannotPlay, match="no such program"):
        await play_program_async(["./none"], name="a", version="1", token="t", referee="127.0.0.1:1")


def test_the_fingerprint_changes_with_the_files_and_words(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("1")
    first = fingerprint(["python3", str(file)])
    assert fingerprint(["python3", str(file)]) == first
    assert fingerprint(["python3", str(file), "-x"]) != first
    file.write_text("2")
    assert fingerprint(["python3", str(file)]) != first
