"""What a fault is, what it costs, and whom: the seat's side loses, and everybody else plays on."""

import pytest

from carico.rules.deal import Deal
from carico.rules.outcome import FaultReason
from carico.rules.stand_in import stand_in
from carico.time_control import TimeControl
from referee.match.events import Aborted, Answered, Begun, Broke, Joined, Left, WentAbsent
from referee.match.instructions import AskSeat, Ended, Ignored
from referee.match.machine import Match, State
from tests.kit import naive_engine
from tests.kit.sitting import TERMS, Sitting, order, record_of, state_of

SEATS = [(f"briscola-{seats}", seat) for seats in (2, 3, 4, 6) for seat in range(seats)]
EVERY_SEAT = pytest.mark.parametrize(("name", "seat"), SEATS)
WAYS = ("illegal", "flag", "late answer", "disconnect", "disconnect before the turn", "protocol", "broke", "absent")


def commit_fault(sitting, seat, way):
    """Brings the seat to its fault in that way; it is asked, except where the way says otherwise."""
    match, bot = sitting.match, sitting.spec.seats[seat].bot
    if way == "disconnect before the turn":
        sitting.answer_until((seat + 1) % sitting.spec.game.players)
        sitting.tell(Left(bot))
        return FaultReason.DISCONNECT, sitting.tick(after=201)
    sitting.answer_until(seat)
    number = match.numbers[seat]
    match way:
        case "illegal":
            return FaultReason.ILLEGAL_ACTION, sitting.tell(Answered(seat, number, -1))
        case "flag":
            return FaultReason.TIME_FORFEIT, sitting.tick(after=301)
        case "late answer":
            return FaultReason.TIME_FORFEIT, sitting.tell(Answered(seat, number, sitting.card()), after=301)
        case "disconnect":
            sitting.tell(Left(bot))
            return FaultReason.DISCONNECT, sitting.tick(after=201)
        case "protocol":
            return FaultReason.PROTOCOL, sitting.tell(Answered(seat, number + 1, sitting.card()))
        case "broke":
            return FaultReason.PROTOCOL, sitting.tell(Broke(bot, "sent nonsense"))
        case _:
            return FaultReason.DISCONNECT, sitting.tell(WentAbsent(bot))


@pytest.mark.parametrize("way", WAYS)
@EVERY_SEAT
def test_a_fault_hands_the_seat_to_the_stand_in_and_loses_it_for_its_side(name, seat, way):
    sitting = Sitting(order(name))
    match = sitting.match
    reason, _ = commit_fault(sitting, seat, way)
    (fault,) = match.faults.values()
    assert (fault.seat, fault.reason) == (seat, reason)
    assert match.open_seat != seat
    asked = list(match.numbers)
    assert sitting.play_out()[-1] == Ended()
    assert match.state is State.ENDED
    assert match.numbers[seat] == asked[seat], "asked again after its fault"
    record = record_of(match)
    naive_engine.check(record)
    end = record["outcome"]
    side = next(side for side in match.spec.game.sides if seat in side)
    assert all(end["scores"][mate] == 0 for mate in side)
    assert end["winners"]
    assert not set(end["winners"]) & set(side)
    assert end["faults"] == [[seat, str(reason), fault.after]]
    mine = [number for number, row in enumerate(record["actions"]) if row[0] == seat]
    assert record["stand_in"] == [number for number in mine if number >= fault.after]
    assert all(record["clock"][number][:2] == [0, 0] for number in record["stand_in"])


@pytest.mark.parametrize("way", ["illegal", "flag", "late answer", "disconnect", "protocol", "broke", "absent"])
@EVERY_SEAT
def test_a_fault_of_the_seat_that_is_asked_moves_the_turn_on_at_once(name, seat, way):
    """The stand-in plays, and in the same breath the next seat is asked; its clock starts now."""
    sitting = Sitting(order(name))
    _, done = commit_fault(sitting, seat, way)
    match = sitting.match
    assert done[0] == AskSeat(match.open_seat)
    assert [type(instruction) for instruction in done[1:]] == ([Ignored] if way == "late answer" else [])
    assert match.open_seat != seat
    assert match.clocks[match.open_seat].asked_at == sitting.now
    assert match.deadline == sitting.now + 301
    assert match.log[-1][0] == sitting.now


@EVERY_SEAT
def test_a_refused_action_is_no_action_and_costs_the_others_nothing(name, seat):
    sitting = Sitting(order(name))
    sitting.answer_until(seat)
    match = sitting.match
    before = match.deal.copy()
    sitting.tick(after=50)
    hidden = next(card for card in match.spec.game.pack if card not in match.deal.hands[seat])
    sitting.tell(Answered(seat, match.numbers[seat], hidden))
    expected = before.copy()
    expected.apply(stand_in(before))
    while expected.to_act == seat:
        expected.apply(stand_in(expected))
    assert match.deal == expected
    assert f"seat {seat} may not play" in match.fault_details[seat]


@EVERY_SEAT
def test_the_stand_ins_rows_repeat_the_bank_of_the_last_action(name, seat):
    """The time of a refused action is in no row, so a reader can follow the bank from row to row."""
    sitting = Sitting(order(name))
    sitting.answer_until(seat)
    sitting.answer(after=100)
    sitting.answer_until(seat, 2)
    sitting.tell(Answered(seat, sitting.match.numbers[seat], -1), after=40)
    sitting.play_out()
    rows = [row for (who, _), row in zip(sitting.match.deal.actions, sitting.match.clock, strict=True) if who == seat]
    assert rows[0] == (100, 0, 910)
    assert set(rows[1:]) == {(0, 0, 910)}


@pytest.mark.parametrize("action", [-1, 12, 63, 64, 255, 0x100, 0x200, 1 << 40, "hidden", "played"])
def test_whatever_is_not_legal_is_an_illegal_action(action):
    sitting = Sitting(order("briscola-2"))
    sitting.answer()
    sitting.answer()
    match = sitting.match
    seat = match.open_seat
    if action == "hidden":
        action = match.deal.hands[1 - seat][0]
    if action == "played":
        action = match.deal.actions[0][1]
    sitting.tell(Answered(seat, match.numbers[seat], action))
    assert match.faults[seat].reason is FaultReason.ILLEGAL_ACTION


@pytest.mark.parametrize("number", [-5, 0, 3, 4, 10**6])
@pytest.mark.parametrize("asked", [True, False])
def test_an_answer_to_an_ask_that_never_was_breaks_the_protocol(number, asked):
    """Whether or not it is the seat's turn; the seat was asked twice so far."""
    sitting = Sitting(order("briscola-2"))
    sitting.answer_until(1, 2)
    if not asked:
        sitting.answer()
        assert sitting.match.open_seat == 0
    turn = sitting.match.open_seat
    sitting.tell(Answered(1, number, sitting.card()))
    assert sitting.match.faults[1].reason is FaultReason.PROTOCOL
    assert str(number) in sitting.match.fault_details[1]
    assert asked or sitting.match.open_seat == turn
    assert sitting.match.log[-1] == (sitting.now, Answered(1, number, sitting.match.log[-1][1].action))


@EVERY_SEAT
def test_stale_and_duplicate_answers_do_no_harm(name, seat):
    sitting = Sitting(order(name))
    sitting.answer_until(seat)
    match = sitting.match
    first = Answered(seat, match.numbers[seat], sitting.card())
    sitting.tell(first)
    while match.numbers[seat] < 3 and not match.over:
        before = state_of(match)
        for stale in (first, Answered(seat, match.numbers[seat], -1), Answered(seat, 1, 77)):
            if stale.number == match.numbers[seat] and match.open_seat == seat:
                continue  # that one is open
            (told,) = sitting.tell(stale, after=1)
            assert isinstance(told, Ignored)
            assert (told.seat, told.reason) == (seat, "STALE_ANSWER")
            assert state_of(match) == before
        sitting.answer()
    assert match.faults == {}


def test_an_answer_for_another_seat_does_not_reach_it():
    """Answers carry their own seat; the one that is not asked gets told, the one that is asked stays asked."""
    sitting = Sitting(order("briscola-4"))
    sitting.answer()
    match = sitting.match
    turn, previous = match.open_seat, (match.open_seat - 1) % 4
    (told,) = sitting.tell(Answered(previous, match.numbers[previous], sitting.card()))
    assert isinstance(told, Ignored)
    assert match.open_seat == turn
    assert match.faults == {}


@pytest.mark.parametrize("way", WAYS)
def test_answers_for_a_seat_at_fault_are_ignored(way):
    sitting = Sitting(order("briscola-4"))
    commit_fault(sitting, 1, way)
    match = sitting.match
    before = state_of(match)
    for number in (-1, 0, match.numbers[1], match.numbers[1] + 1):
        (told,) = sitting.tell(Answered(1, number, 0))
        assert isinstance(told, Ignored)
        assert told.reason == "STAND_IN"
    assert state_of(match) == before


@pytest.mark.parametrize("again", [Broke("b", "x"), WentAbsent("b"), Left("b")])
@pytest.mark.parametrize("way", WAYS)
def test_a_seat_has_one_fault_only(way, again):
    sitting = Sitting(order("briscola-3"))
    commit_fault(sitting, 1, way)
    first = dict(sitting.match.faults)
    sitting.tell(again)
    sitting.tick(after=201)
    assert sitting.match.faults[1] == first[1]


def test_being_back_after_a_fault_changes_nothing():
    sitting = Sitting(order("briscola-2"))
    commit_fault(sitting, 0, "disconnect")
    asked = sitting.match.numbers[0]
    sitting.tell(Joined("a"))
    sitting.play_out()
    assert sitting.match.numbers[0] == asked
    assert sitting.match.outcome.scores == (0, 2)


@EVERY_SEAT
def test_answers_after_the_end_are_ignored(name, seat):
    sitting = Sitting(order(name))
    sitting.play_out()
    before = state_of(sitting.match)
    for number in (0, 1, sitting.match.numbers[seat], 99):
        (told,) = sitting.tell(Answered(seat, number, 0), after=10**6)
        assert (told.seat, told.reason) == (seat, "MATCH_OVER")
    assert state_of(sitting.match) == before


# --- bots that are not there ---


@EVERY_SEAT
def test_an_absent_bot_is_played_out_at_once(name, seat):
    """Nobody waits for its clock or its grace: the others are asked as fast as they answer."""
    sitting = Sitting(order(name))
    sitting.tell(WentAbsent("abcdef"[seat]))
    sitting.play_out()
    assert sitting.now == 0
    assert sitting.match.numbers[seat] <= 1
    assert [fault.reason for fault in sitting.match.faults.values()] == [FaultReason.DISCONNECT]
    assert sitting.match.state is State.ENDED


def test_an_absent_bot_in_the_middle_of_a_deal_too():
    sitting = Sitting(order("briscola-2"))
    for _ in range(7):
        sitting.answer()
    done = sitting.tell(WentAbsent("a"))
    assert done == [AskSeat(1)] or sitting.match.open_seat == 1
    sitting.play_out()
    assert sitting.match.outcome.scores == (0, 2)
    assert sitting.match.faults[0].after == 7


@pytest.mark.parametrize("name", ["briscola-2", "briscola-3", "briscola-4", "briscola-6"])
def test_nobody_there_is_void_and_not_nil_nil(name):
    sitting = Sitting(order(name))
    bots = [seat.bot for seat in sitting.spec.seats]
    *_, last = (sitting.tell(WentAbsent(bot)) for bot in bots)
    assert last == [Ended()]
    match = sitting.match
    assert (match.state, match.void_reason, match.outcome) == (State.VOID, "NO_START", None)
    assert match.deal.over


@pytest.mark.parametrize("name", ["briscola-2", "briscola-3", "briscola-4", "briscola-6"])
def test_bots_that_are_there_and_never_answer_are_void_too(name):
    sitting = Sitting(order(name))
    while not sitting.match.over:
        done = sitting.tick(after=301)
    assert done == [Ended()]
    assert (sitting.match.state, sitting.match.void_reason) == (State.VOID, "NO_START")


def test_one_answer_is_a_start_even_a_wrong_one():
    for wrong in ("illegal", "protocol"):
        sitting = Sitting(order("briscola-2"))
        commit_fault(sitting, 1, wrong)
        done = sitting.tell(WentAbsent("a"))
        assert done == [Ended()]
        assert sitting.match.state is State.ENDED
        assert sitting.match.outcome.scores == (0, 0)


# --- one bot with several seats ---


def test_a_bot_with_a_whole_side_loses_both_seats_at_once():
    sitting = Sitting(order("briscola-4", bots="abab"))
    assert sitting.spec.seats_of("a") == (0, 2)
    sitting.answer()
    sitting.tell(Left("a"))
    sitting.tick(after=201)
    faults = sitting.match.faults
    assert {seat: fault.reason for seat, fault in faults.items()} == dict.fromkeys((0, 2), FaultReason.DISCONNECT)
    sitting.play_out()
    assert sitting.match.outcome.scores == (0, 2, 0, 2)
    naive_engine.check(record_of(sitting.match))


def test_a_wrong_card_of_one_seat_leaves_the_bots_other_seat_playing():
    sitting = Sitting(order("briscola-4", bots="abab"))
    commit_fault(sitting, 2, "illegal")
    assert list(sitting.match.faults) == [2]
    asked = sitting.match.numbers[0]
    sitting.play_out()
    assert sitting.match.numbers[0] > asked
    assert sitting.match.outcome.scores == (0, 2, 0, 2)


def test_while_a_bot_is_away_the_limit_rests_for_each_of_its_seats():
    terms = TimeControl(bank_ms=10_000, action_limit_ms=300, grace_ms=9_000)
    sitting = Sitting(order("briscola-4", terms, bots="abab"))
    sitting.tell(Left("a"))
    for seat in (2, 0):
        sitting.answer_until(seat)
        sitting.answer(after=2_000)
    assert sitting.match.faults == {}
    sitting.tell(Joined("a"))
    sitting.answer_until(0, 2)
    sitting.tick(after=301)
    assert list(sitting.match.faults) == [0]


def test_each_seat_of_a_bot_has_its_own_bank_and_numbers():
    sitting = Sitting(order("briscola-4", bots="aaaa"))
    for used in (10, 20, 30, 40):
        sitting.answer(after=used)
    assert sitting.match.numbers.count(1) == 3
    assert sorted(row[2] for row in sitting.match.clock) == [970, 980, 990, 1000]


def test_a_bot_against_itself_that_goes_away_is_void_or_lost_for_both():
    for answered in (False, True):
        sitting = Sitting(order("briscola-2", bots="aa"))
        if answered:
            sitting.answer()
        assert sitting.tell(WentAbsent("a")) == [Ended()]
        if answered:
            assert sitting.match.outcome.scores == (0, 0)
        else:
            assert sitting.match.void_reason == "NO_START"


# --- the end ---


def test_an_abort_makes_the_match_void_whenever_it_comes():
    for begun, answers in ((False, 0), (True, 0), (True, 7), (True, 39)):
        sitting = Sitting(order("briscola-2"), begin=begun)
        for _ in range(answers):
            sitting.answer()
        assert sitting.tell(Aborted("the organiser's wish")) == [Ended()]
        match = sitting.match
        assert (match.state, match.void_reason, match.outcome, match.open_seat, match.deadline) == (
            State.VOID,
            "the organiser's wish",
            None,
            None,
            None,
        )
        assert sitting.tell(Begun()) == []


def test_a_match_that_ended_cannot_be_aborted():
    sitting = Sitting(order("briscola-2"))
    sitting.play_out()
    end = state_of(sitting.match)
    assert sitting.tell(Aborted("too late")) == []
    assert state_of(sitting.match) == end


@pytest.mark.parametrize("name", ["briscola-2", "briscola-3", "briscola-4", "briscola-6"])
def test_an_undisturbed_match_asks_in_turn_and_ends_once(name):
    sitting = Sitting(order(name), begin=False)
    match = sitting.match
    assert sitting.tell(Begun()) == [AskSeat(1)]
    expected = Deal(match.spec.game, 0, match.spec.source)
    ends = 0
    for _ in range(len(match.spec.game.pack)):
        assert match.open_seat == expected.to_act
        expected.apply(sitting.card())
        done = sitting.answer(after=2)
        ends += Ended() in done
        assert match.deal == expected
    assert ends == 1
    assert match.over
    assert match.stand_in == []
    record = record_of(match)
    naive_engine.check(record)
    assert {tuple(row[:2]) for row in record["clock"]} == {(2, 0)}
    assert match.numbers == [match.spec.game.tricks] * match.spec.game.players


def test_details_of_a_fault_name_the_times():
    sitting = Sitting(order("briscola-2", TERMS))
    sitting.tick(after=5_000)
    text = sitting.match.fault_details[1]
    assert text == "used 5000 ms for ask 1: the bank held 1000 ms, the action limit is 300 ms"


def test_a_match_over_in_the_log_is_the_match_that_was_played():
    sitting = Sitting(order("briscola-3"))
    commit_fault(sitting, 2, "disconnect before the turn")
    sitting.play_out()
    assert state_of(Match.replay(sitting.spec, sitting.match.log)) == state_of(sitting.match)
