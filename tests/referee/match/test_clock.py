"""The fake-clock suite: every mode, every seat, at -1, 0 and +1 ms, with no tolerance.

In each test a seat of a game is asked at some moment, something happens to its stream, and ``last`` is worked out by
hand: the last ms after the ask at which an answer is in time.
"""

import pytest

from carico.rules.outcome import FaultReason
from carico.time_control import TimeControl
from referee.match.events import Answered, Joined, Left
from tests.kit.sitting import Sitting, order, record_of

SEATS = [(f"briscola-{seats}", seat) for seats in (2, 3, 4, 6) for seat in range(seats)]
EVERY_SEAT = pytest.mark.parametrize(("name", "seat"), SEATS)
AROUND = pytest.mark.parametrize("delta", [-1, 0, 1])


def asked(name, seat, terms, times=1):
    """A match in which this seat was just asked for the so-manieth time; all others answered at once."""
    sitting = Sitting(order(name, terms))
    sitting.answer_until(seat, times)
    sitting.tick(after=7)  # it matters when the ask came, not when the match began
    assert sitting.match.open_seat == seat
    return sitting


def holds_to_the_ms(sitting, seat, last, delta, lag_ms=0, credit=0, at_ask=0):
    """An answer ``last + delta`` ms after the ask is in time exactly when delta is not positive."""
    match, numbers = sitting.match, sitting.match.numbers[seat]
    actions, bank = len(match.deal.played), match.clocks[seat].bank_ms
    used = last + delta
    sitting.now = at_ask + used
    sitting.tell(Answered(seat, numbers, sitting.card(), lag_ms))
    if delta > 0:
        assert match.faults[seat].reason is FaultReason.TIME_FORFEIT
        assert match.faults[seat].after == actions
        assert match.clock[actions] == (0, 0, bank)
        assert match.stand_in[0] == actions
    else:
        assert match.faults == {}
        assert match.clock[actions] == (
            used,
            credit,
            bank - max(0, used - credit) + match.spec.time_control.increment_ms,
        )


def flag_falls_by_itself(sitting, seat, last, at_ask):
    """Without an answer the flag falls at ``last + 1`` ms after the ask, which the machine knows beforehand."""
    match = sitting.match
    assert match.deadline == at_ask + last + 1
    sitting.now = at_ask + last
    assert sitting.tick() == []
    assert match.faults == {}
    sitting.tick(after=1)
    assert match.faults[seat].reason is FaultReason.TIME_FORFEIT


# --- connected ---


@AROUND
@EVERY_SEAT
def test_action_limit(name, seat, delta):
    sitting = asked(name, seat, TimeControl(bank_ms=1000, action_limit_ms=300))
    holds_to_the_ms(sitting, seat, 300, delta)


@AROUND
@EVERY_SEAT
def test_bank(name, seat, delta):
    sitting = asked(name, seat, TimeControl(bank_ms=250, action_limit_ms=300))
    holds_to_the_ms(sitting, seat, 250, delta)


@AROUND
@EVERY_SEAT
def test_bank_and_action_limit_of_one_length(name, seat, delta):
    holds_to_the_ms(asked(name, seat, TimeControl(bank_ms=300, action_limit_ms=300)), seat, 300, delta)


@AROUND
@EVERY_SEAT
def test_what_is_left_of_the_bank_after_an_action(name, seat, delta):
    sitting = asked(name, seat, TimeControl(bank_ms=500, increment_ms=0, action_limit_ms=300))
    sitting.answer(after=300 - 7)
    sitting.answer_until(seat, 2)
    holds_to_the_ms(sitting, seat, 200, delta, at_ask=sitting.now)


@AROUND
@EVERY_SEAT
def test_increment(name, seat, delta):
    """Put in after the action: 500 - 300 + 20 is there for the next one."""
    sitting = asked(name, seat, TimeControl(bank_ms=500, increment_ms=20, action_limit_ms=300))
    sitting.answer(after=300 - 7)
    sitting.answer_until(seat, 2)
    assert sitting.match.clocks[seat].bank_ms == 220
    holds_to_the_ms(sitting, seat, 220, delta, at_ask=sitting.now)


@AROUND
@EVERY_SEAT
def test_the_increment_does_not_save_the_action_that_earns_it(name, seat, delta):
    holds_to_the_ms(asked(name, seat, TimeControl(bank_ms=100, increment_ms=1000)), seat, 100, delta)


@AROUND
@EVERY_SEAT
def test_the_bank_may_grow_above_its_beginning(name, seat, delta):
    sitting = asked(name, seat, TimeControl(bank_ms=100, increment_ms=50, action_limit_ms=300))
    sitting.answer(after=3)
    sitting.answer_until(seat, 2)
    holds_to_the_ms(sitting, seat, 140, delta, at_ask=sitting.now)


@AROUND
@pytest.mark.parametrize(("lag", "credit"), [(0, 0), (30, 30), (50, 50), (51, 50), (10**9, 50), (-1, 0), (-(10**9), 0)])
@EVERY_SEAT
def test_lag_is_credited_up_to_the_cap_and_never_negative(name, seat, lag, credit, delta):
    terms = TimeControl(bank_ms=1000, action_limit_ms=300, lag_credit_ms=50)
    holds_to_the_ms(asked(name, seat, terms), seat, 300 + credit, delta, lag, credit)


@AROUND
@pytest.mark.parametrize(("lag", "credit"), [(30, 30), (80, 50), (-5, 0)])
@EVERY_SEAT
def test_lag_credit_against_the_bank(name, seat, lag, credit, delta):
    terms = TimeControl(bank_ms=200, action_limit_ms=300, lag_credit_ms=50)
    holds_to_the_ms(asked(name, seat, terms), seat, 200 + credit, delta, lag, credit)


@EVERY_SEAT
def test_more_credit_than_was_used_gives_nothing_back(name, seat):
    sitting = asked(name, seat, TimeControl(bank_ms=200, increment_ms=5, lag_credit_ms=50))
    sitting.answer(after=3, lag_ms=50)
    (row,) = sitting.match.clock[-1:]
    assert row == (10, 50, 205)
    assert sitting.match.clocks[seat].bank_ms == 205


@EVERY_SEAT
def test_without_a_cap_lag_changes_nothing(name, seat):
    sitting = asked(name, seat, TimeControl(bank_ms=200, increment_ms=0))
    sitting.answer(after=50 - 7, lag_ms=40)
    assert sitting.match.clock[-1] == (50, 0, 150)


@pytest.mark.parametrize(
    ("terms", "last"),
    [
        (TimeControl(bank_ms=1000, action_limit_ms=300), 300),
        (TimeControl(bank_ms=200, action_limit_ms=300), 200),
        (TimeControl(bank_ms=1000, action_limit_ms=300, lag_credit_ms=50), 350),
        (TimeControl(bank_ms=200, action_limit_ms=300, lag_credit_ms=50), 250),
        (TimeControl(bank_ms=1, action_limit_ms=1), 1),
    ],
)
@EVERY_SEAT
def test_a_bot_that_never_answers_is_flagged_by_the_clock_alone(name, seat, terms, last):
    """After the greatest credit that its answer could have had."""
    sitting = Sitting(order(name, terms))
    sitting.answer_until(seat)
    flag_falls_by_itself(sitting, seat, last, at_ask=0)


@EVERY_SEAT
def test_the_bank_of_one_seat_is_none_of_the_others(name, seat):
    sitting = asked(name, seat, TimeControl(bank_ms=1000, increment_ms=0))
    sitting.answer(after=500)
    banks = [clock.bank_ms for clock in sitting.match.clocks]
    assert banks == [493 if other == seat else 1000 for other in range(len(banks))]


# --- away: the action limit rests, only the bank runs ---

AWAY = TimeControl(bank_ms=1000, increment_ms=0, action_limit_ms=300, grace_ms=5000)


@AROUND
@EVERY_SEAT
def test_away_when_asked_and_answered_late_on_the_old_stream(name, seat, delta):
    sitting = Sitting(order(name, AWAY))
    sitting.tell(Left("abcdef"[seat]))
    sitting.answer_until(seat)
    holds_to_the_ms(sitting, seat, 1000, delta)


@AROUND
@EVERY_SEAT
def test_away_in_the_middle(name, seat, delta):
    """It leaves within its action limit and stays away: the bank alone decides."""
    sitting = asked(name, seat, AWAY)
    sitting.tell(Left("abcdef"[seat]), after=300 - 7)
    holds_to_the_ms(sitting, seat, 1000, delta)


@AROUND
@EVERY_SEAT
def test_away_when_asked_and_back(name, seat, delta):
    """Back after 400 ms: the whole action limit is there, and it ends after 700."""
    sitting = Sitting(order(name, AWAY))
    sitting.tell(Left("abcdef"[seat]))
    sitting.answer_until(seat)
    sitting.tell(Joined("abcdef"[seat]), after=400)
    holds_to_the_ms(sitting, seat, 700, delta)


@AROUND
@EVERY_SEAT
def test_away_in_the_middle_and_back(name, seat, delta):
    """Away from 100 to 500: 100 of the limit are used, 200 are left, so it ends at 700."""
    sitting = asked(name, seat, AWAY)
    sitting.tell(Left("abcdef"[seat]), after=100 - 7)
    sitting.tell(Joined("abcdef"[seat]), after=400)
    holds_to_the_ms(sitting, seat, 700, delta)


@AROUND
@EVERY_SEAT
def test_away_twice(name, seat, delta):
    sitting = asked(name, seat, AWAY)
    for _ in range(2):
        sitting.tell(Left("abcdef"[seat]), after=50)
        sitting.tell(Joined("abcdef"[seat]), after=200)
    holds_to_the_ms(sitting, seat, 700, delta)


@AROUND
@EVERY_SEAT
def test_back_at_the_last_ms_of_the_bank(name, seat, delta):
    """While it was away the bank ran; being back does not refill it."""
    sitting = asked(name, seat, AWAY)
    sitting.tell(Left("abcdef"[seat]), after=10)
    sitting.tell(Joined("abcdef"[seat]), after=900)
    holds_to_the_ms(sitting, seat, 1000, delta)


@AROUND
@EVERY_SEAT
def test_time_away_before_the_ask_does_not_count_for_it(name, seat, delta):
    """Away long before its turn, back 30 ms after it was asked."""
    sitting = Sitting(order(name, AWAY))
    sitting.tell(Left("abcdef"[seat]))
    while sitting.match.open_seat != seat:
        sitting.answer(after=50)
    start = sitting.now
    sitting.tell(Joined("abcdef"[seat]), after=30)
    holds_to_the_ms(sitting, seat, 330, delta, at_ask=start)


@AROUND
@EVERY_SEAT
def test_time_away_at_the_last_ask_does_not_count_for_this_one(name, seat, delta):
    sitting = asked(name, seat, AWAY)
    sitting.tell(Left("abcdef"[seat]))
    sitting.tell(Joined("abcdef"[seat]), after=200)
    sitting.answer()
    sitting.answer_until(seat, 2)
    holds_to_the_ms(sitting, seat, 300, delta, at_ask=sitting.now)


@AROUND
@EVERY_SEAT
def test_away_with_credit(name, seat, delta):
    terms = TimeControl(bank_ms=1000, action_limit_ms=300, lag_credit_ms=50, grace_ms=5000)
    sitting = asked(name, seat, terms)
    sitting.tell(Left("abcdef"[seat]), after=100)
    sitting.tell(Joined("abcdef"[seat]), after=200)
    holds_to_the_ms(sitting, seat, 540, delta, lag_ms=40, credit=40)


@EVERY_SEAT
def test_away_the_flag_falls_by_itself_when_the_bank_is_used_up(name, seat):
    sitting = Sitting(order(name, AWAY))
    sitting.answer_until(seat)
    sitting.tell(Left("abcdef"[seat]))
    flag_falls_by_itself(sitting, seat, 1000, at_ask=0)


@EVERY_SEAT
def test_back_the_flag_falls_by_itself_when_the_rest_of_the_limit_is_used_up(name, seat):
    sitting = Sitting(order(name, AWAY))
    sitting.answer_until(seat)
    sitting.tell(Left("abcdef"[seat]), after=120)
    sitting.tell(Joined("abcdef"[seat]), after=300)
    flag_falls_by_itself(sitting, seat, 600, at_ask=0)


@EVERY_SEAT
def test_the_others_being_away_changes_nothing_for_this_seat(name, seat):
    sitting = Sitting(order(name, AWAY))
    sitting.answer_until(seat)
    for other in range(sitting.spec.game.players):
        if other != seat:
            sitting.tell(Left("abcdef"[other]))
    flag_falls_by_itself(sitting, seat, 300, at_ask=0)


# --- grace ---

GRACE = TimeControl(bank_ms=9000, increment_ms=0, action_limit_ms=9000, grace_ms=200)


@AROUND
@EVERY_SEAT
def test_grace_of_the_seat_that_is_asked(name, seat, delta):
    sitting = asked(name, seat, GRACE)
    sitting.tell(Left("abcdef"[seat]))
    sitting.tell(Joined("abcdef"[seat]), after=200 + delta)
    if delta > 0:
        assert sitting.match.faults[seat].reason is FaultReason.DISCONNECT
    else:
        assert sitting.match.faults == {}
        assert sitting.match.open_seat == seat


@AROUND
@EVERY_SEAT
def test_grace_of_a_seat_that_is_not_asked(name, seat, delta):
    """It is gone for too long whether or not it is its turn; nobody else notices at that moment."""
    sitting = Sitting(order(name, GRACE))
    turn = (seat + 1) % sitting.spec.game.players
    sitting.answer_until(turn)
    sitting.tell(Left("abcdef"[seat]), after=7)
    actions = len(sitting.match.deal.played)
    assert sitting.match.deadline == 7 + 200 + 1
    sitting.tick(after=200 + delta)
    if delta > 0:
        (fault,) = sitting.match.faults.values()
        assert (fault.seat, fault.reason, fault.after) == (seat, FaultReason.DISCONNECT, actions)
    else:
        assert sitting.match.faults == {}
    assert sitting.match.open_seat == turn
    assert len(sitting.match.deal.played) == actions


@AROUND
@EVERY_SEAT
def test_grace_runs_on_from_one_ask_to_the_next(name, seat, delta):
    sitting = Sitting(order(name, GRACE))
    sitting.tell(Left("abcdef"[seat]))
    sitting.tick(after=150)
    sitting.answer_until(seat)
    sitting.tick(after=50 + delta)
    assert (seat in sitting.match.faults) == (delta > 0)


@EVERY_SEAT
def test_each_time_away_has_a_grace_of_its_own(name, seat):
    sitting = asked(name, seat, GRACE)
    for _ in range(5):
        sitting.tell(Left("abcdef"[seat]), after=1)
        sitting.tell(Joined("abcdef"[seat]), after=200)
    assert sitting.match.faults == {}


@EVERY_SEAT
def test_leaving_twice_does_not_start_the_grace_again(name, seat):
    sitting = asked(name, seat, GRACE)
    sitting.tell(Left("abcdef"[seat]))
    sitting.tell(Left("abcdef"[seat]), after=150)
    sitting.tick(after=51)
    assert sitting.match.faults[seat].reason is FaultReason.DISCONNECT


@EVERY_SEAT
def test_no_grace_at_all(name, seat):
    sitting = asked(name, seat, TimeControl(grace_ms=0))
    sitting.tell(Left("abcdef"[seat]))
    assert sitting.match.faults == {}
    assert sitting.match.deadline == sitting.now + 1
    sitting.tick(after=1)
    assert sitting.match.faults[seat].reason is FaultReason.DISCONNECT


@EVERY_SEAT
def test_a_flag_comes_before_a_grace_that_ends_at_the_same_moment(name, seat):
    sitting = asked(name, seat, TimeControl(bank_ms=107, grace_ms=100))
    sitting.tell(Left("abcdef"[seat]))
    sitting.tick(after=101)
    assert sitting.match.faults[seat].reason is FaultReason.TIME_FORFEIT


def test_late_ticks_let_things_fall_in_their_order():
    """Seat 1 is asked at 0 and away from 50; seat 0 is away from 20. The referee wakes up at 5,000."""
    sitting = Sitting(order("briscola-2", TimeControl(bank_ms=1000, action_limit_ms=1000, grace_ms=100)))
    sitting.answer()
    sitting.answer()
    assert sitting.match.open_seat is not None
    turn = sitting.match.open_seat
    other = 1 - turn
    sitting.tell(Left("ab"[other]), after=20)
    sitting.tell(Left("ab"[turn]), after=30)
    sitting.tick(after=4950)
    reasons = [(fault.seat, fault.reason) for fault in sitting.match.faults.values()]
    assert reasons == [(other, FaultReason.DISCONNECT), (turn, FaultReason.DISCONNECT)]


# --- what holds in every mode ---


def test_without_a_clock_there_is_no_deadline_and_no_row():
    sitting = Sitting(order("briscola-3", None))
    sitting.tell(Left("a"), after=10)
    sitting.tick(after=10**9)
    assert sitting.match.deadline is None
    assert sitting.match.faults == {}
    sitting.play_out()
    record = record_of(sitting.match)
    assert (record["time_control"], record["clock"]) == (None, [])


def test_an_end_has_no_deadline():
    sitting = Sitting(order("briscola-2"), begin=False)
    assert sitting.match.deadline is None
    sitting = Sitting(order("briscola-2"))
    sitting.play_out()
    assert sitting.match.deadline is None


def test_what_a_bot_is_told_of_its_clock():
    sitting = Sitting(order("briscola-2", TimeControl(bank_ms=1000, increment_ms=10, lag_credit_ms=5)))
    seat = sitting.match.open_seat
    clock = sitting.match.clocks[seat]
    assert (clock.bank_ms, clock.used_ms, clock.credit_ms, clock.used_so_far(30)) == (1000, 0, 0, 30)
    sitting.answer(after=40, lag_ms=3)
    assert (clock.bank_ms, clock.used_ms, clock.credit_ms, clock.used_so_far(99)) == (973, 40, 3, 0)
