"""The machine under arbitrary events: it never goes wrong, and everything it does is a function of its log."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from carico.record import verify
from carico.rules.outcome import FaultReason
from carico.time_control import TimeControl
from referee.match.events import (
    Aborted,
    Answered,
    Begun,
    Broke,
    Event,
    Joined,
    Left,
    Ticked,
    WentAbsent,
    from_json,
    to_json,
)
from referee.match.instructions import AskSeat, Ended, Ignored
from referee.match.machine import TRANSITIONS, Match, State
from tests.kit import naive_engine
from tests.kit.deals import EVERY
from tests.kit.naive.matches import check_match
from tests.kit.sitting import Sitting, chance, order, record_of, records_of, state_of

TERMS = st.none() | st.builds(
    TimeControl,
    bank_ms=st.integers(1, 800),
    increment_ms=st.sampled_from([0, 0, 5, 60]),
    action_limit_ms=st.integers(1, 400),
    lag_credit_ms=st.sampled_from([0, 0, 7, 40]),
    grace_ms=st.sampled_from([0, 1, 50, 300]),
)
SEATINGS = ("abcdef", "ababab", "aaaaaa", "aabbcc")
PAUSES = st.sampled_from([0, 0, 0, 1, 2, 10, 49, 50, 51, 120, 401, 2000])
BOTS = st.sampled_from("abcdefx")


class AnyEvents(RuleBasedStateMachine):
    """Bots that answer well and badly, come and go, at any time and in any order."""

    @initialize(
        name=st.sampled_from(EVERY),
        deals=st.sampled_from([1, 1, 2]),
        hand=st.sampled_from([3, 3, 1]),
        terms=TERMS,
        bots=st.sampled_from(SEATINGS),
        dealer=st.integers(0, 5),
        began=st.sampled_from([True, True, True, False]),
    )
    def start(self, name, deals, hand, terms, bots, dealer, began):
        chiamata = name == "chiamata-5"
        options = {"match": {"deals": 5 if chiamata else deals}} if deals > 1 else {}
        options |= {} if chiamata else {"hand": hand}
        spec = order(name, terms, bots, dealer % int(name[-1]), options)
        self.sitting = Sitting(spec, begin=began)
        self.match = self.sitting.match
        self.ends = 0
        self.judged = False

    def tell(self, event, after=0):
        before = state_of(self.match)
        was_over = self.match.over
        done = self.sitting.tell(event, after)
        self.ends += done.count(Ended())
        assert done.count(Ended()) == (self.match.over and not was_over)
        if self.match.log == before["log"]:
            assert state_of(self.match) == before, f"{event} changed something and is not in the log"
        else:
            assert self.match.log == [*before["log"], (self.sitting.now, event)]
            assert state_of(self.match) | {"log": None} != before | {"log": None}, f"{event} is logged for nothing"
        for instruction in done:
            assert isinstance(instruction, AskSeat | Ignored | Ended)
        if self.match.open_seat is not None and before["numbers"] != self.match.numbers:
            assert AskSeat(self.match.open_seat) in done
        if before["numbers"] == self.match.numbers:
            assert not [one for one in done if isinstance(one, AskSeat)]

    @rule()
    def begin(self):
        self.tell(Begun())

    @precondition(lambda self: self.match.open_seat is not None)
    @rule(after=PAUSES, lag=st.sampled_from([0, 0, -3, 5, 30, 10**6]), which=st.integers(0, 100))
    def answer_well(self, after, lag, which):
        seat = self.match.open_seat
        legal = self.match.deal.legal()
        self.tell(Answered(seat, self.match.numbers[seat], legal[which % len(legal)], lag), after)

    @precondition(lambda self: self.match.open_seat is not None)
    @rule(many=st.integers(1, 25))
    def answer_well_many_times(self, many):
        for _ in range(many):
            if self.match.open_seat is None:
                break
            self.answer_well(after=0, lag=0, which=many)

    @precondition(lambda self: self.match.open_seat is not None and self.sitting.now % 4 == 0)
    @rule(action=st.integers(-1, 300), after=PAUSES)
    def answer_with_any_action(self, action, after):
        self.tell(Answered(self.match.open_seat, self.match.numbers[self.match.open_seat], action), after)

    @rule(
        seat=st.integers(0, 5),
        number=st.sampled_from([-1, 0, 1, 1, 1]),
        action=st.integers(-1, 300),
        after=PAUSES,
        back=st.integers(0, 9),
    )
    def answer_anything(self, seat, number, action, after, back):
        """Mostly an ask of the past; now and then a number that is none, or the open ask with any action."""
        seat %= self.match.spec.game.players
        number = self.match.numbers[seat] - back + 1 if number == 1 and back else number * (back + 1)
        self.tell(Answered(seat, number, action), after)

    @rule(bot=BOTS, after=PAUSES)
    def leave(self, bot, after):
        self.tell(Left(bot), after)

    @rule(bot=BOTS, after=PAUSES)
    def join(self, bot, after):
        self.tell(Joined(bot), after)

    @precondition(lambda self: self.sitting.now % 5 == 0)
    @rule(bot=BOTS, after=PAUSES)
    def be_absent(self, bot, after):
        self.tell(WentAbsent(bot), after)

    @precondition(lambda self: self.sitting.now % 5 == 1)
    @rule(bot=BOTS)
    def break_protocol(self, bot):
        self.tell(Broke(bot, "nonsense"))

    @rule(after=PAUSES)
    def tick(self, after):
        self.tell(Ticked(), after)

    @precondition(lambda self: self.match.deadline is not None)
    @rule()
    def come_back_at_the_deadline(self):
        """One ms before it nothing happens, at it something does."""
        match, early = self.match, self.match.deadline - 1
        before = state_of(match)
        if early >= self.sitting.now:
            assert match.handle(Ticked(), early) == []
            assert state_of(match) == before
        self.tell(Ticked(), match.deadline - self.sitting.now)
        assert state_of(match) != before

    @precondition(lambda self: self.sitting.now % 50 == 1)
    @rule()
    def abort(self):
        self.tell(Aborted("enough"))

    @invariant()
    def a_deadline_lies_ahead(self):
        if self.match.deadline is not None:
            assert self.match.deadline > self.sitting.now

    @invariant()
    def it_is_a_function_of_its_log(self):
        lines = [to_json(at, event) for at, event in self.match.log]
        again = Match.replay(self.match.spec, map(from_json, lines))
        assert state_of(again) == state_of(self.match)
        if self.match.state is State.ENDED:
            assert records_of(again) == records_of(self.match)

    @invariant()
    def it_asks_exactly_one_sound_seat_while_it_plays(self):
        match = self.match
        if match.state is State.PLAYING:
            assert match.open_seat == match.deal.to_act
            assert match.open_seat not in match.faults
            assert not match.deal.over
        else:
            assert match.open_seat is None
        for seat, clock in enumerate(match.clocks):
            if match.state is State.PLAYING:
                assert (clock.asked_at is not None) == (seat == match.open_seat)
            assert clock.bank_ms >= 0

    @invariant()
    def its_rows_follow_from_one_another(self):
        match = self.match
        if not match.clocks:
            assert match.clock == []
            return
        told = {
            "time_control": match.spec.time_control.to_json(),
            "clock": [list(row) for row in match.clock],
            "actions": match.deal.actions,
            "players": match.spec.game.players,
            "stand_in": match.stand_in,
        }
        naive_engine.check_clock(told)

    @invariant()
    def its_end_is_told_once_and_its_record_is_right(self):
        match = self.match
        assert self.ends == match.over
        if match.state is State.ENDED and not self.judged:
            self.judged = True
            records = records_of(match)
            for record in records:
                verify(record)
                naive_engine.check(record)
            check_match(records)
            assert match.answered
            assert match.outcome.faults == tuple(match.faults.values())
        assert (match.outcome is None) == (match.state is not State.ENDED)
        assert (match.void_reason is None) == (match.state is not State.VOID)


AnyEvents.TestCase.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
TestAnyEvents = pytest.mark.timeout(600)(AnyEvents.TestCase)  # a failure is worth its shrinking


# --- the table ---

SAMPLES = {
    Begun: Begun(),
    Answered: Answered(1, 1, 0),
    Left: Left("b"),
    Joined: Joined("b"),
    WentAbsent: WentAbsent("b"),
    Broke: Broke("b", "x"),
    Ticked: Ticked(),
    Aborted: Aborted("x"),
}


def reached(state):
    """A match in that state."""
    sitting = Sitting(order("briscola-2"), begin=state is not State.CREATED)
    if state is State.ENDED:
        sitting.play_out()
    if state is State.VOID:
        sitting.tell(Aborted("x"))
    assert sitting.match.state is state
    return sitting


@pytest.mark.parametrize("kind", get_args(Event))
@pytest.mark.parametrize("state", list(State))
def test_what_is_not_in_the_table_changes_nothing(state, kind):
    sitting = reached(state)
    before = state_of(sitting.match)
    done = sitting.tell(SAMPLES[kind], after=0)
    if (state, kind) in TRANSITIONS:
        assert kind in (Ticked, Joined) or state_of(sitting.match) != before
    else:
        assert state_of(sitting.match) == before
        assert [type(one) for one in done] == ([Ignored] if kind is Answered else [])


def test_the_table_names_every_event_while_a_match_is_played():
    assert {kind for state, kind in TRANSITIONS if state is State.PLAYING} == set(get_args(Event)) - {Begun}
    assert {kind for state, kind in TRANSITIONS if state is State.CREATED} == {Begun, Aborted}
    assert {state for state, _ in TRANSITIONS} == {State.CREATED, State.PLAYING}


# --- whole matches ---


@settings(deadline=None)
@given(st.sampled_from(EVERY), st.integers(0, 2**32), st.sampled_from(SEATINGS))
def test_matches_with_slow_and_restless_bots_end_with_a_right_record(name, seed, bots):
    """Bots that answer within 0 to 350 ms, now and then leave for a while, and seldom play nonsense."""
    rng = chance((name, seed))
    sitting = Sitting(order(name, TimeControl(1500, 20, 300, 15, 250), bots, seed % int(name[-1])))
    match = sitting.match
    while not match.over:
        seat, away = match.open_seat, sorted(match.away)
        match rng.randrange(12):
            case 0:
                sitting.tell(Left(rng.choice(bots)), after=rng.randrange(100))
            case 1 if away:
                sitting.tell(Joined(rng.choice(away)), after=rng.randrange(100))
            case 2 if rng.random() < 0.1:
                sitting.tell(Answered(seat, match.numbers[seat], rng.randrange(64)))
            case 3 if match.deadline is not None:
                sitting.tick(
                    after=rng.choice([1, max(0, match.deadline - sitting.now - 1), match.deadline - sitting.now])
                )
            case _:
                sitting.answer(after=rng.randrange(rng.choice([20, 100, 350])), lag_ms=rng.randrange(-5, 40))
    again = Match.replay(match.spec, [from_json(to_json(at, event)) for at, event in match.log])
    assert state_of(again) == state_of(match)
    if match.state is State.ENDED:
        record = record_of(match)
        assert record_of(again) == record
        naive_engine.check(record)
        verify(record)
    else:
        assert match.void_reason == "NO_START"
        assert len(match.faults) == match.spec.game.players


def test_the_machine_does_the_same_thing_twice():
    """Two machines told the same agree, and neither is touched by the other."""
    one, two = Sitting(order("briscola-6")), Sitting(order("briscola-6"))
    for step in range(36):
        assert one.answer(after=step % 3) == two.answer(after=step % 3)
        assert state_of(one.match) == state_of(two.match)
    assert {fault.reason for fault in one.match.faults.values()} <= set(FaultReason)
