"""Where time passes and where it stands still. Times are read from clock rows, never from the wall."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence

from carico.codec import milliseconds
from carico.time_control import TimeControl
from carico.v1 import organisers_pb2 as pb
from referee.store.log import Line, LogUnavailable
from tests.kit import villains
from tests.kit.raw_bots import RawBot
from tests.kit.served import Served, eventually, faults, order, settle, told

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
    assert served.referee.hall.counts.stalls >= 1
    assert not bob.notices


class SlowLog:
    """Stands between the referee and its log: each writing waits until it is let through, or fails."""

    def __init__(self, served: Served) -> None:
        self.fails = 0
        self.waiting: deque[asyncio.Future[None]] = deque()
        self._halted = False
        log = served.referee.hall.log
        write = log.append

        async def append(lines: Sequence[Line]) -> None:
            if self._halted:
                self.waiting.append(asyncio.get_running_loop().create_future())
                await self.waiting[-1]
            if self.fails:
                self.fails -= 1
                raise LogUnavailable("the store at nowhere: it is out")
            await write(lines)

        log.append = append

    def halt(self) -> None:
        """From now on writings wait."""
        self._halted = True

    def let_one_through(self) -> None:
        """Lets the oldest writing through."""
        self.waiting.popleft().set_result(None)

    def go_on(self) -> None:
        """Lets all through."""
        self._halted = False
        while self.waiting:
            self.let_one_through()


async def halted(served: Served, terms: TimeControl) -> tuple[SlowLog, pb.MatchSpec, RawBot, RawBot]:
    """A match in which the first bot has an open ask, and the log does not write."""
    ann, bob = await served.seat("ann", "bob")
    log = SlowLog(served)
    ann.limit = bob.limit = 4
    spec = order(1, "ann", "bob", terms=terms)
    await served.start(spec)
    await eventually(lambda: ann.open or bob.open)
    await settle()
    log.halt()
    return (log, spec, ann, bob) if ann.open else (log, spec, bob, ann)


async def test_nothing_is_told_before_it_stands_in_the_log(served: Served) -> None:
    log, spec, asked, other = await halted(served, STRICT)
    frames = len(asked.frames), len(other.frames)
    other.limit = None
    await asked.answer_open()
    await asyncio.sleep(0.4)
    assert len(log.waiting) == 1, "the answer is on its way"
    assert (len(asked.frames), len(other.frames)) == frames
    log.go_on()
    (state,) = await served.ends(spec)
    assert faults(state) == [], "no clock ran while the log was written"
    assert max(milliseconds(taken.used) for taken in state.result.deals[0].actions) <= 250
    assert len(other.frames) > frames[1]


async def test_a_state_that_is_not_logged_is_not_told_to_one_who_comes_back(served: Served) -> None:
    log, spec, asked, other = await halted(served, STRICT)
    log.go_on()
    await other.drop()
    await settle()
    log.halt()
    other.limit = None
    asks = len(other.asks)
    await other.connect()
    await settle()
    await asked.answer_open()
    await settle()
    log.let_one_through()
    await settle()
    assert len(log.waiting) == 1, "that it came back is in the log, the answer of the other side is not yet"
    assert len(other.starts) == 2
    assert len(other.asks) == asks
    log.go_on()
    (state,) = await served.ends(spec)
    assert faults(state) == []


async def test_play_stands_still_while_the_log_cannot_be_written(served: Served) -> None:
    log, spec, asked, other = await halted(served, STRICT)
    log.fails = 3
    log.go_on()
    other.limit = None
    await asked.answer_open()
    (state,) = await served.ends(spec)
    assert log.fails == 0
    assert faults(state) == []


async def test_an_end_is_told_to_the_organiser_only_once_it_is_logged(served: Served) -> None:
    log, spec, _, _ = await halted(served, STRICT)
    await served.call("AbortMatches", pb.AbortMatchesRequest(ids=[spec.id]))
    await settle()
    states = await served.states([spec.id])
    assert states[spec.id].status == pb.MATCH_STATUS_RUNNING
    assert not (await served.call("ListEndedMatches", pb.ListEndedMatchesRequest())).ids
    log.go_on()
    states = await served.states([spec.id], 5_000)
    assert states[spec.id].status == pb.MATCH_STATUS_VOID
