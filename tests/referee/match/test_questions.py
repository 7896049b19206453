"""What is asked besides a card, auction, call and exchange: its clock, its faults, and the stand-in's answers."""

import pytest

from carico.record import verify
from carico.rules.actions import Action, bid, call, exchange
from carico.rules.cards import parse_card
from carico.rules.outcome import FaultReason
from carico.time_control import TimeControl
from referee.match.events import Broke, Left
from referee.match.instructions import AskSeat
from referee.match.machine import Match
from tests.kit import naive_engine
from tests.kit.sitting import TERMS, Sitting, chance, order, record_of, state_of

BRISCA = [f"brisca-{seats}" for seats in (2, 3, 4, 5, 6)]
WAYS = ("illegal", "flag", "disconnect", "broke")


def fall(sitting, way):
    """The seat that is asked commits a fault."""
    bot = sitting.spec.seats[sitting.match.open_seat].bot
    match way:
        case "illegal":
            return sitting.say(-1)
        case "flag":
            return sitting.tick(after=301)
        case "disconnect":
            sitting.tell(Left(bot))
            return sitting.tick(after=201)
        case _:
            return sitting.tell(Broke(bot, "nonsense"))


def window(may_exchange, name="brisca-2", terms=TERMS):
    """A match in a window whose owner can exchange or cannot, in the first deal by chance that comes to one."""
    for seed in range(50):
        rng, sitting = chance((name, seed)), Sitting(order(name, terms, deck=seed))
        deal = sitting.match.deal
        while not sitting.match.over:
            if deal.phase == "exchange" and (len(deal.legal()) > 1) is may_exchange:
                return sitting
            sitting.say(rng.choice(deal.legal()) if deal.phase == "play" else Action.DECLINE)
    raise AssertionError("no such window")


def right(sitting):
    """The record of the match, played out, found right by both engines."""
    sitting.play_out()
    record = record_of(sitting.match)
    naive_engine.check(record)
    verify(record)
    assert state_of(Match.replay(sitting.spec, sitting.match.log)) == state_of(sitting.match)
    return record


# --- the clock of a window ---


@pytest.mark.parametrize("name", BRISCA)
def test_where_nothing_can_be_exchanged_the_time_of_the_answer_joins_the_next_action(name):
    sitting = window(False, name)
    match, seat, count = sitting.match, sitting.match.open_seat, sitting.match.deal.count
    bank, number = match.clocks[seat].bank_ms, match.numbers[seat]
    assert sitting.say(Action.DECLINE, after=100) == [AskSeat(seat)]
    assert (match.deal.count, len(match.clock), match.numbers[seat]) == (count, count, number + 1)
    assert match.clocks[seat].bank_ms == bank - 100, "what is left is the same as after a decline that is an action"
    assert match.deadline == sitting.now + 301, "each answer has an action limit of its own"
    sitting.answer(after=150)
    assert match.clock[count] == (250, 0, bank - 250 + TERMS.increment_ms)
    record = right(sitting)
    assert record["actions"][count][:2] == [seat, "play"]


@pytest.mark.parametrize("held", [False, True])
def test_when_the_flag_falls_after_a_decline_does_not_tell_what_is_held(held):
    sitting = window(held)
    match, seat = sitting.match, sitting.match.open_seat
    sitting.say(Action.DECLINE, after=100)
    sitting.tick(after=300)
    assert match.faults == {}
    sitting.tick(after=1)
    assert match.faults[seat].reason is FaultReason.TIME_FORFEIT
    right(sitting)


def test_a_decline_of_an_exchange_is_an_action_with_a_row_of_its_own():
    sitting = window(True)
    match, seat, count = sitting.match, sitting.match.open_seat, sitting.match.deal.count
    bank = match.clocks[seat].bank_ms
    sitting.say(Action.DECLINE, after=100)
    assert match.clock[count] == (100, 0, bank - 100 + TERMS.increment_ms)
    assert match.deadline == sitting.now + 301
    sitting.answer(after=30)
    assert match.clock[count + 1] == (30, 0, bank - 130 + 2 * TERMS.increment_ms)
    assert right(sitting)["actions"][count] == [seat, "decline"]


def test_an_exchange_is_an_action_and_the_seat_is_asked_again_whatever_it_holds():
    sitting = window(True)
    match, seat, count = sitting.match, sitting.match.open_seat, sitting.match.deal.count
    given = match.deal.legal()[1]
    sitting.say(given, after=100)
    assert match.clock[count][0] == 100
    assert match.open_seat == seat
    assert match.deal.count == count + 1
    assert right(sitting)["actions"][count] == [seat, "exchange", str(Action(given)).split()[1]]


def test_a_play_in_a_window_stands_for_the_decline():
    sitting = window(True)
    match, seat, count = sitting.match, sitting.match.open_seat, sitting.match.deal.count
    card = match.deal.hands[seat][0]
    sitting.say(card, after=100)
    assert match.deal.actions[count] == (seat, card)
    assert len(match.clock) == count + 1
    record = right(sitting)
    assert record["actions"][count][:2] == [seat, "play"]


def test_credit_of_both_answers_is_for_the_one_action():
    terms = TimeControl(bank_ms=1000, action_limit_ms=300, lag_credit_ms=20)
    sitting = window(False, terms=terms)
    match, seat, count = sitting.match, sitting.match.open_seat, sitting.match.deal.count
    bank = match.clocks[seat].bank_ms
    sitting.say(Action.DECLINE, after=50, lag_ms=10)
    sitting.answer(after=50, lag_ms=15)
    used, credit, left = match.clock[count]
    assert (used, left) == (100, bank - used + credit + terms.increment_ms)
    assert credit <= 2 * terms.lag_credit_ms
    assert match.clocks[seat].bank_ms == left
    right(sitting)


# --- the stand-in ---


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("may_exchange", [True, False])
def test_in_a_window_the_stand_in_declines(may_exchange, way):
    sitting = window(may_exchange)
    match, seat, count = sitting.match, sitting.match.open_seat, sitting.match.deal.count
    fall(sitting, way)
    assert match.faults[seat].after == count
    record = right(sitting)
    assert record["actions"][count][:2] == ([seat, "decline"] if may_exchange else [seat, "play"])
    assert record["stand_in"][0] == count
    assert [row[1] for n, row in enumerate(record["actions"]) if n in record["stand_in"]].count("exchange") == 0


@pytest.mark.parametrize("way", WAYS)
def test_in_an_auction_the_stand_in_passes(way):
    sitting = Sitting(order("chiamata-5"))
    sitting.say(bid("K"))
    fall(sitting, way)
    match = sitting.match
    assert match.deal.actions == [(1, bid("K")), (2, Action.PASS)]
    assert match.open_seat == 3
    for _ in range(3):
        sitting.say(Action.PASS)
    sitting.say(call("B"))
    record = right(sitting)
    assert record["outcome"]["penalties"] == [0, 0, 4, 0, 0]
    assert sum(record["outcome"]["scores"]) == 0
    assert record["stand_in"][0] == 1


@pytest.mark.parametrize(("auction", "told"), [("rank", ["bid", "A"]), ("points", ["bid", 61])])
def test_where_the_last_player_must_bid_so_does_the_stand_in(auction, told):
    options = {"forced_last": True} | ({"auction": auction} if auction == "points" else {})
    sitting = Sitting(order("chiamata-5", options=options))
    for _ in range(4):
        sitting.say(Action.PASS)
    fall(sitting, "flag")
    record = right(sitting)
    assert record["actions"][4] == [0, *told]
    assert record["actions"][5] == [0, "call", "C" if auction == "rank" else "AC"]
    assert record["stand_in"][:2] == [4, 5]


@pytest.mark.parametrize("way", WAYS)
def test_the_stand_in_calls_the_first_suit(way):
    sitting = Sitting(order("chiamata-5"))
    sitting.say(bid("J"))
    for _ in range(4):
        sitting.say(Action.PASS)
    match = sitting.match
    assert (match.open_seat, match.deal.phase) == (1, "call")
    done = fall(sitting, way)
    assert done[0] == AskSeat(match.open_seat)
    assert match.deal.called == parse_card("JC")
    record = right(sitting)
    assert record["actions"][5] == [1, "call", "C"]
    assert record["outcome"]["penalties"][1] == 4


def test_bids_and_calls_have_rows_of_their_own():
    sitting = Sitting(order("chiamata-5"))
    for after, action in enumerate([bid("A"), bid("2"), Action.PASS, bid("2", 62), *[Action.PASS] * 3, call("S")], 10):
        sitting.say(action, after=after)
    assert sitting.match.faults == {}
    assert [row[0] for row in sitting.match.clock] == list(range(10, 18))
    record = right(sitting)
    assert record["actions"][3] == [4, "bid", "2", 62]
    assert record["outcome"]["target"] == 62


def test_a_bid_that_is_too_low_is_an_illegal_action_and_the_auction_goes_on():
    sitting = Sitting(order("chiamata-5"))
    sitting.say(bid("K"))
    sitting.say(bid("3"))
    match = sitting.match
    assert match.faults[2].reason is FaultReason.ILLEGAL_ACTION
    assert "may not bid 3" in match.fault_details[2]
    assert match.open_seat == 3
    right(sitting)


def test_a_card_that_cannot_be_exchanged_is_an_illegal_action():
    sitting = window(True)
    match, seat = sitting.match, sitting.match.open_seat
    may = match.deal.legal()
    other = next(exchange(str(card)) for card in ("7C", "7D", "2C", "2D") if exchange(card) not in may)
    sitting.say(other)
    assert match.faults[seat].reason is FaultReason.ILLEGAL_ACTION
    right(sitting)
