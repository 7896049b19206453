"""Where time passes and where it stands still. Times are read from clock rows, never from the wall."""

import asyncio
import time
from collections.abc import Sequence

from carico.codec import milliseconds
from carico.time_control import TimeControl
from carico.v1 import organisers_pb2 as pb
from referee.store.log import Line, LogUnavailable
from tests.kit import villains
from tests.kit.raw_bots import RawBot
from tests.kit.served import Served, faults, order, settle, told

STRICT = TimeControl(bank_ms=60_000, action_limit_ms=250)


async def test_a_bot_that_never_answers_is_flagged_by_a_timer(any_served: Served) -> None:
    sleeper = await (await any_served.bot("sleeper", villains.Sleeper)).connect()
    (bob,) = await any_served.seat("bob")
    orders = [order(n, "sleeper", "bob", terms=STRICT, dealer=n % 2) for n in range(4)]
    for state in await any_served.play(*orders):
        assert faults(state) == [(0, "TIME_FORFEIT")]
        rows = [taken for taken in state.result.deals[0].actions if taken.seat == 0]
        assert [row.stand_in for row in rows] == [False] * 2 + [True] * 18
        bank = 60_000
        for row in rows[:2]:
            bank += 100 - milliseconds(row.used)
            assert milliseconds(row.bank_left) == bank
        for row in rows[2:]:
            assert (milliseconds(row.used), milliseconds(row.credit), milliseconds(row.bank_left)) == (0, 0, bank)
        assert list((await told(bob, state)).winners) == [1]
    assert sleeper.status is None


async def test_an_empty_bank_flags_too(served: Served) -> None:
    await (await served.bot("sleeper", villains.Sleeper)).connect()
    await served.seat("bob")
    terms = TimeControl(bank_ms=100, increment_ms=0, action_limit_ms=5_000)
    (state,) = await served.play(order(1, "bob", "sleeper", terms=terms))
    assert faults(state) == [(1, "TIME_FORFEIT")]


async def test_while_a_bot_is_away_only_its_bank_runs(served: Served) -> None:
    ann, _ = await served.seat("ann", "bob")
    ann.limit = 2
    spec = order(1, "ann", "bob", terms=STRICT)
    await served.start(spec)
    await ann.until(lambda: ann.open)
    await ann.drop()
    await asyncio.sleep(0.4)
    ann.limit = None
    await ann.connect()
    (state,) = await served.ends(spec)
    assert faults(state) == []
    used = [milliseconds(taken.used) for taken in state.result.deals[0].actions if taken.seat == 0]
    assert used[2] >= 400


async def test_a_stall_of_the_referee_flags_nobody(served: Served) -> None:
    ann, bob = await served.seat("ann", "bob")
    ann.limit = 2
    spec = order(1, "ann", "bob", terms=STRICT)
    await served.start(spec)
    await ann.until(lambda: ann.open)
    time.sleep(1.0)  # noqa: ASYNC251  # the stall
    await ann.answer_open()
    (state,) = await served.ends(spec)
    assert faults(state) == []
    used = [milliseconds(taken.used) for taken in state.result.deals[0].actions]
    assert max(used) < 1_000
    assert served.referee.hall.pulse.stalls >= 1
    assert not bob.notices


class SlowLog:
    """Stands between the referee and its log: writing waits for a gate, or fails."""

    def __init__(self, served: Served) -> None:
        self.gate = asyncio.Event()
        self.gate.set()
        self.fails = 0
        self.waiting: list[Sequence[Line]] = []
        log = served.referee.hall.log
        write = log.append

        async def append(lines: Sequence[Line]) -> None:
            self.waiting.append(lines)
            await self.gate.wait()
            if self.fails:
                self.fails -= 1
                raise LogUnavailable("the store at nowhere: it is out")
            await write(lines)
            self.waiting.remove(lines)

        log.append = append  # type: ignore[method-assign]


async def halted(served: Served, terms: TimeControl) -> tuple[SlowLog, pb.MatchSpec, RawBot, RawBot]:
    """A match in which one bot has an open ask, and the log does not write."""
    ann, bob = await served.seat("ann", "bob")
    log = SlowLog(served)
    ann.limit = bob.limit = 4
    spec = order(1, "ann", "bob", terms=terms)
    await served.start(spec)
    async with asyncio.timeout(10):
        while not ann.open and not bob.open:
            await asyncio.sleep(0.001)
    await settle()
    log.gate.clear()
    return (log, spec, ann, bob) if ann.open else (log, spec, bob, ann)


async def test_nothing_is_told_before_it_stands_in_the_log(served: Served) -> None:
    log, spec, asked, other = await halted(served, STRICT)
    frames = len(asked.frames), len(other.frames)
    await asked.answer_open()
    await settle()
    assert log.waiting, "the answer is on its way"
    assert (len(asked.frames), len(other.frames)) == frames
    await asyncio.sleep(0.4)
    assert (len(asked.frames), len(other.frames)) == frames
    log.gate.set()
    other.limit = None
    await other.until(lambda: other.open or len(other.frames) > frames[1])
    await other.answer_open()
    (state,) = await served.ends(spec)
    assert faults(state) == [], "no clock ran while the log was written"
    used = [milliseconds(taken.used) for taken in state.result.deals[0].actions]
    assert max(used) <= 250


async def test_a_state_that_is_not_logged_is_not_told_to_one_who_comes_back(served: Served) -> None:
    log, spec, asked, other = await halted(served, STRICT)
    await other.drop()
    await settle()
    other.limit = 0
    await other.connect()
    await settle()
    await asked.answer_open()
    await settle()
    asks = len(other.asks)
    log.waiting.clear()
    write_one = asyncio.Event()
    log.gate, gate = write_one, log.gate
    gate.set()
    await settle()
    assert len(other.asks) == asks, "the answer of the other side is not in the log yet"
    write_one.set()
    other.limit = None
    await other.until(lambda: other.open or other.ends)
    await other.answer_open()
    (state,) = await served.ends(spec)
    assert faults(state) == []


async def test_play_stands_still_while_the_log_cannot_be_written(served: Served) -> None:
    log, spec, asked, other = await halted(served, STRICT)
    log.fails = 4
    log.gate.set()
    await asked.answer_open()
    other.limit = None
    await other.until(lambda: other.open or other.ends)
    assert log.fails == 0
    await other.answer_open()
    (state,) = await served.ends(spec)
    assert faults(state) == []
    assert len({(line[0], line[1]) for lines in log.waiting for line in lines}) <= 1


async def test_an_end_is_told_to_the_organiser_only_once_it_is_logged(served: Served) -> None:
    log, spec, _, _ = await halted(served, STRICT)
    await served.call("AbortMatches", pb.AbortMatchesRequest(ids=[spec.id]))
    await settle()
    states = await served.states([spec.id])
    assert states[spec.id].status == pb.MATCH_STATUS_RUNNING
    assert not (await served.call("ListEndedMatches", pb.ListEndedMatchesRequest())).ids
    log.gate.set()
    states = await served.states([spec.id], 5_000)
    assert states[spec.id].status == pb.MATCH_STATUS_VOID
