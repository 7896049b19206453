"""Bots at a real referee: whole matches, slow ones, broken ones, broken lines."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from carico import Bot, Card, View
from carico.arena import Entrant, play_fixture
from carico.cannot_play import CannotPlay
from carico.codec import game_message, write_view
from carico.connection import Refused
from carico.record import SeatName
from carico.reporter import Tally
from carico.rules import shuffle
from carico.rules.actions import to_json
from carico.rules.cards import parse_card
from carico.rules.deal import Deal
from carico.rules.outcome import FaultReason
from carico.rules.view import view
from carico.runner import play, play_async
from carico.v1 import bots_pb2 as pb
from clients.bots.careful import Careful
from clients.bots.greedy import Greedy
from clients.bots.random_bot import RandomBot
from tests.kit.bots_door import Stream, door
from tests.kit.cut_line import line_to
from tests.kit.served import BRISCOLA, Served, faults, game, order, replayed
from tests.kit.told import Told


@asynccontextmanager
async def playing(
    served: Served, made: type[Bot], name: str, address: str = "", seed: bytes = b""
) -> AsyncIterator[Told]:
    """A bot that plays at the referee until the block ends."""
    if name not in served.tokens:
        await served.register(name)
    told = Told()
    task = asyncio.create_task(
        play_async(
            made,
            name=name,
            version="1",
            referee=address or served.address,
            token=served.tokens[name],
            seed=seed,
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


class Slow(RandomBot):
    """Thinks for a moment, without being in the way."""

    async def act(self, view: View) -> Card:  # type: ignore[override]
        await asyncio.sleep(0.002)
        return super().act(view)


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    async with Served() as served:
        yield served


@pytest.mark.parametrize("name", ["briscola-2", "briscola-3", "briscola-4"])
async def test_whole_matches(served: Served, name: str) -> None:
    of = game(name)
    names = ["a", "b", "c"][: len(of.places)]
    specs = [order(n, *(names[side] for side in of.side_of), of=of, dealer=n % of.players) for n in range(6)]
    async with (
        asyncio.timeout(30),
        playing(served, Greedy, "a") as a,
        playing(served, Slow, "b") as b,
        playing(served, RandomBot, "c") as c,
    ):
        states = await served.play(*specs)
        told = [a, b, c][: len(of.places)]
        for one in told:
            await one.until_ended(6)
    for spec, state in zip(specs, states, strict=True):
        assert faults(state) == []
        _, end = replayed(spec, state.result)
        for one in told:
            (mine,) = [e for e in one.ends if e.match == state.result.match]
            assert mine.card_points == end.card_points
            assert mine.winners == end.winners
    for one in told:
        assert not one.problems
        assert not one.notices
        assert one.tally.ended == 6
    assert sum(one.tally.won for one in told) <= 6
    assert a.welcomes[0].owner == "a"


async def test_matches_go_on_after_the_line_broke(served: Served) -> None:
    specs = [order(n, "a", "b") for n in range(10)]
    async with (
        line_to(served.address) as line,
        playing(served, Slow, "a", address=line.address) as a,
        playing(served, Slow, "b") as b,
    ):
        await served.start(*specs)
        for connections in (2, 3):
            await asyncio.sleep(0.01)
            assert line.cut() == 2
            await a.until_connected(connections)
        states = await served.ends(*specs)
        await a.until_ended(10)
        await b.until_ended(10)
    assert [faults(state) for state in states] == [[]] * 10
    assert len(a.losses) == 2
    # One end a match, whether or not it was told twice.
    assert len(a.ends) == len(b.ends) == 10


async def test_the_arena_and_the_referee_play_the_same_deals(served: Served) -> None:
    made = {"careful": Careful, "random": RandomBot}
    entrants = [Entrant(SeatName(name, "1", name), bot) for name, bot in made.items()]
    records = list(play_fixture(BRISCOLA, entrants, range(3), 11))
    master = shuffle.master(shuffle.practice_secret(11))
    specs = [
        order(record["deal_set"], *[seat["bot"] for seat in record["seats"]], dealer=record["dealer"])
        for record in records
    ]
    for spec, record in zip(specs, records, strict=True):
        spec.id = f"{record['deal_set']}/{record['seating']}"
        assert spec.source == bytes(map(parse_card, record["shuffle"]["source"]))
    async with (
        playing(served, Careful, "careful", seed=shuffle.bot_seed(master, "careful")),
        playing(served, RandomBot, "random", seed=shuffle.bot_seed(master, "random")),
    ):
        states = await served.play(*specs)
    for spec, state, record in zip(specs, states, records, strict=True):
        deal, _ = replayed(spec, state.result)
        assert [to_json(*action) for action in deal.actions] == record["actions"]


def test_ctrl_c_ends_a_runner_at_once_and_in_silence(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "from carico import play\n"
        "from carico.reporter import Reporter\n"
        "from clients.bots.greedy import Greedy\n"
        "class Told(Reporter):\n"
        "    def lost(self, lost):\n"
        "        print('ready', flush=True)\n"
        "try:\n"
        "    play(Greedy, name='a', version='1', referee='127.0.0.1:1', token='t', reporter=Told())\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(130)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    running = subprocess.Popen(
        [sys.executable, str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "ready\n"
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=20)
    assert running.returncode == 130
    assert errors == ""


class Broken(RandomBot):
    """Divides by zero once the stock is half gone."""

    def act(self, view: View) -> Card:
        if view.stock < 20:
            raise ZeroDivisionError("as I was written")
        return super().act(view)


class BrokenLater(RandomBot):
    """The same, in an async act."""

    async def act(self, view: View) -> Card:  # type: ignore[override]
        await asyncio.sleep(0)
        if view.stock < 20:
            raise ZeroDivisionError("as I was written")
        return super().act(view)


class Cheat(RandomBot):
    """Plays a card that it does not hold."""

    def act(self, view: View) -> Card:
        return view.unseen[0]


class Mute(RandomBot):
    """Forgets to return."""

    def act(self, view: View) -> Card:
        return None  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("made", "text", "traceback"),
    [
        (Broken, "act raised ZeroDivisionError: as I was written", True),
        (BrokenLater, "act raised ZeroDivisionError: as I was written", True),
        (Cheat, "but it may only play", False),
        (Mute, "act returned None: return one of view.legal", False),
    ],
)
async def test_a_mistake_costs_the_deal_at_once_and_is_told_once(
    served: Served, made: type[Bot], text: str, traceback: bool
) -> None:
    specs = [order(n, "a", "b") for n in range(3)]
    async with asyncio.timeout(4), playing(served, made, "a") as a, playing(served, RandomBot, "b") as b:
        states = await served.play(*specs)
        await a.until_ended(3)
        await b.until_ended(3)
    assert [faults(state) for state in states] == [[(0, FaultReason.ILLEGAL_ACTION)]] * 3
    assert a.tally == Tally(lost=3, faults=3)
    assert b.tally == Tally(won=3)
    (problem,) = a.problems
    assert text in problem.text
    if traceback:
        assert problem.traceback.startswith("Traceback")
        assert "raise ZeroDivisionError" in problem.traceback
        assert "/carico/runner.py" not in problem.traceback
    else:
        assert problem.traceback == ""


async def test_a_bot_that_never_answers_one_ask_plays_its_other_matches(served: Served) -> None:
    class Stuck(RandomBot):
        async def act(self, view: View) -> Card:  # type: ignore[override]
            if view.dealer == 1 and view.stock < 30:
                await asyncio.Event().wait()
            return super().act(view)

    stuck, other = order(1, "a", "b", dealer=1), order(2, "a", "b", dealer=0)
    async with playing(served, Stuck, "a") as a, playing(served, RandomBot, "b"):
        await served.start(stuck, other)
        (state,) = await served.ends(other)
        assert faults(state) == []
        assert len(a.ends) == 1


async def test_thinking_about_a_match_that_is_over_stops() -> None:
    stopped = asyncio.Event()

    class Stuck(Bot):
        async def act(self, view: View) -> Card:  # type: ignore[override]
            try:
                await asyncio.Event().wait()
            finally:
                stopped.set()
            return view.legal[0]

    async def script(stream: Stream) -> None:
        ask = pb.Ask(match="m", seat=1, number=1)
        write_view(view(Deal(BRISCOLA, 0, BRISCOLA.pack), 1), ask.view)
        await stream.welcome(starts=[pb.MatchStart(match="m", seats=b"\x01", game=game_message(BRISCOLA))], asks=[ask])
        await asyncio.sleep(0.01)
        await stream.write(ends=[pb.MatchEnd(match="m", seats=b"\x01", void=True)])
        assert list((await stream.read()).seen_ends) == ["m"]
        await stream.stay()

    async with door(script) as address, asyncio.timeout(10):
        told = Told()
        task = asyncio.create_task(play_async(Stuck, name="a", version="1", referee=address, token="t", reporter=told))
        await stopped.wait()
        assert len(told.ends) == 1
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_the_referee_has_the_last_word_about_a_bot(served: Served) -> None:
    await served.register("a", "b")
    for name, token, text in (("a", "carico_wrong", "token"), ("a", served.tokens["b"], "belongs to the bot b")):
        with pytest.raises(Refused, match=text):
            await play_async(RandomBot, name=name, version="1", referee=served.address, token=token)
    with pytest.raises(Refused, match="version"):
        await play_async(RandomBot, name="a", version="x" * 50, referee=served.address, token=served.tokens["a"])


async def test_a_newer_connection_takes_over_and_the_older_one_stops(served: Served) -> None:
    await served.register("a")
    args = {"name": "a", "version": "1", "referee": served.address, "token": served.tokens["a"]}
    first = Told()
    task = asyncio.create_task(play_async(RandomBot, **args, reporter=first))  # type: ignore[arg-type]
    await first.until_connected()
    async with playing(served, RandomBot, "a"):
        async with asyncio.timeout(10):
            with pytest.raises(Refused, match="another connection took over"):
                await task
    assert not first.losses


async def test_the_build_of_a_version_that_counts_is_frozen(served: Served) -> None:
    spec = order(1, "a", "b")
    async with playing(served, RandomBot, "a") as a, playing(served, Greedy, "b"):
        await served.play(spec)
        await served.release([spec.id])
        assert a.welcomes
    with pytest.raises(Refused, match="FROZEN_VERSION"):
        await play_async(Greedy, name="a", version="1", referee=served.address, token=served.tokens["a"])
    async with playing(served, RandomBot, "a"):
        pass


async def test_all_that_is_decided_in_one_tick_goes_in_one_frame() -> None:
    state = Deal(BRISCOLA, 0, BRISCOLA.pack)
    frames: list[int] = []
    done = asyncio.Event()

    async def script(stream: Stream) -> None:
        starts = [pb.MatchStart(match=f"m{n}", seats=b"\x01", game=game_message(BRISCOLA)) for n in range(40)]
        asks = [pb.Ask(match=f"m{n}", seat=1, number=1) for n in range(40)]
        for ask in asks:
            write_view(view(state, 1), ask.view)
        await stream.welcome(starts=starts, asks=asks)
        while sum(frames) < 40:
            frames.append(len((await stream.read()).answers))
        done.set()

    class Later(RandomBot):
        async def act(self, view: View) -> Card:  # type: ignore[override]
            await asyncio.sleep(0)
            return view.legal[0]

    async with door(script) as address:
        task = asyncio.create_task(play_async(Later, name="a", version="1", referee=address, token="t"))
        async with asyncio.timeout(10):
            await done.wait()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    assert len(frames) <= 3


def test_a_slow_sync_bot_sends_each_answer_when_it_has_it() -> None:
    """Thirty asks in one frame must not wait for the thirtieth answer."""
    import time

    state = Deal(BRISCOLA, 0, BRISCOLA.pack)
    frames: list[int] = []

    class Thinker(Bot):
        def act(self, view: View) -> Card:
            time.sleep(0.006)
            return view.legal[0]

    async def main() -> None:
        done = asyncio.Event()

        async def script(stream: Stream) -> None:
            starts = [pb.MatchStart(match=f"m{n}", seats=b"\x01", game=game_message(BRISCOLA)) for n in range(30)]
            asks = [pb.Ask(match=f"m{n}", seat=1, number=1) for n in range(30)]
            for ask in asks:
                write_view(view(state, 1), ask.view)
            await stream.welcome(starts=starts, asks=asks)
            while sum(frames) < 30:
                frames.append(len((await stream.read()).answers))
            done.set()

        async with door(script) as address:
            task = asyncio.create_task(play_async(Thinker, name="a", version="1", referee=address, token="t"))
            async with asyncio.timeout(10):
                await done.wait()
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    asyncio.run(main())
    assert len(frames) >= 3


# --- what can be wrong before the first stream ---


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARICO_REFEREE", raising=False)
    with pytest.raises(CannotPlay, match="CARICO_REFEREE"):
        play(RandomBot, name="a", version="1", token="t")
    monkeypatch.setenv("CARICO_REFEREE", "carico.example:7000")
    with pytest.raises(CannotPlay, match=r"carico\.example:7000 is another machine"):
        play(RandomBot, name="a", version="1", token="t")

    class Empty(Bot):
        pass

    with pytest.raises(CannotPlay, match="Empty has no act"):
        play(Empty, name="a", version="1", token="t", referee="127.0.0.1:1")
