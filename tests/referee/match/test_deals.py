"""Matches of several deals: how many, who deals, what goes on from deal to deal and what begins anew."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carico.record import verify
from carico.rules.game import game
from carico.rules.outcome import FaultReason
from carico.time_control import TimeControl
from referee.match.events import Aborted, Answered, Begun, Broke, Joined, Left, WentAbsent, from_json, to_json
from referee.match.instructions import AskSeat, Ended
from referee.match.machine import Match, State
from referee.match.spec import MatchSpec
from tests.kit import naive_engine
from tests.kit.deals import EVERY
from tests.kit.naive.matches import check_match, decided, won
from tests.kit.sitting import TERMS, Sitting, chance, order, records_of, state_of

FIVE = {"match": {"deals": 5}}
FORMS = [{"best_of": 3}, {"best_of": 4}, {"first_to": 2, "cap": 7}, {"first_to": 3, "cap": 3}, {"deals": 5}]


def play_with_chance(sitting, seed):
    """Everybody answers by chance, and seldom what is not legal."""
    rng, match = chance(seed), sitting.match
    while not match.over:
        legal = match.deal.legal()
        sitting.say(rng.choice(legal) if rng.random() < 0.995 else -1, after=rng.randrange(3))
    return match


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(EVERY), st.sampled_from(FORMS), st.integers(0, 2**32), st.booleans())
def test_a_match_goes_on_until_its_form_says_that_it_is_over(name, form, seed, timed):
    form = {"deals": 5} if name == "chiamata-5" else form
    terms = TimeControl(bank_ms=5000, action_limit_ms=300) if timed else None
    match = play_with_chance(Sitting(order(name, terms, dealer=seed % int(name[-1]), options={"match": form})), seed)
    assert match.state is State.ENDED
    records = records_of(match)
    for record in records:
        naive_engine.check(record)
        verify(record)
    check_match(records)  # as many deals as the form says, numbered, the deal moving right
    assert [decided(records[: i + 1]) for i in range(len(records))] == [False] * (len(records) - 1) + [True]
    places = {tuple(side): number for number, side in enumerate(match.spec.game.sides)}
    if name != "chiamata-5":  # there several places win a deal, and no form counts them
        assert {place: deals for place, deals in enumerate(match.deals_won()) if deals} == won(records)
    assert len(places) == len(match.deals_won())
    again = Match.replay(match.spec, [from_json(to_json(at, event)) for at, event in match.log])
    assert state_of(again) == state_of(match)
    assert records_of(again) == records


def test_a_best_of_ends_when_nobody_can_catch_up_and_a_first_to_at_its_cap():
    """All cards of a deal fall at once where each hand has one card and the best is to win; a fault decides a deal."""
    two = Sitting(order("briscola-2", options={"match": {"best_of": 5}}))
    for lost in (0, 1, 0, 0):
        assert not two.match.over
        two.tell(Broke("ab"[lost], "x"))
        done = two.deal_out()
    assert done[-1] == Ended()
    assert two.match.deals_won() == [1, 3]
    capped = Sitting(order("briscola-2", options={"match": {"first_to": 2, "cap": 3}}))
    for number in range(3):
        assert not capped.match.over
        # Both at fault: a tie of nothing, won by nobody. One answer before it, else nobody would have begun.
        capped.answer()
        capped.tell(Broke("a", "x"))
        done = capped.tell(Broke("b", "x"))
        assert capped.match.number == min(number + 1, 2)
    assert done[-1] == Ended()
    assert capped.match.state is State.ENDED
    assert capped.match.deals_won() == [0, 0]


@pytest.mark.parametrize("name", EVERY)
def test_the_next_deal_begins_in_the_same_breath(name):
    """The dealer moves right, the cards are others, banks are full again, and the numbers of asks go on."""
    sitting = Sitting(order(name, dealer=1, options=FIVE))
    match, seats = sitting.match, sitting.match.spec.game.players
    first = match.deal
    sitting.answer(after=200)
    numbers = list(match.numbers)
    done = sitting.deal_out()
    assert match.number == 1
    assert match.deal.dealer == 2 % seats
    assert match.deal.source != first.source
    assert match.open_seat == 3 % seats
    assert done[-1] == AskSeat(match.open_seat)
    assert match.deal.count == 0
    assert match.clock == []
    assert {clock.bank_ms for clock in match.clocks} == {TERMS.bank_ms}
    assert match.clocks[match.open_seat].asked_at == sitting.now
    assert match.numbers[match.open_seat] > max(1, numbers[match.open_seat])
    assert match.before[0].deal is first
    assert match.before[0].clock[0] == (200, 0, TERMS.bank_ms - 200 + TERMS.increment_ms)
    assert match.before[0].outcome is not None
    assert match.outcome is None


def test_an_answer_to_the_deal_before_does_no_harm():
    sitting = Sitting(order("briscola-2", options=FIVE))
    sitting.deal_out()
    match = sitting.match
    before = state_of(match)
    for seat in range(2):
        (told,) = sitting.tell(Answered(seat, match.numbers[seat] - (seat == match.open_seat), sitting.card()))
        assert told.reason == "STALE_ANSWER"
    assert state_of(match) == before


def test_a_fault_costs_its_own_deal_only():
    sitting = Sitting(order("briscola-2", options={"match": {"deals": 3}}))
    match = sitting.match
    sitting.say(-1)
    sitting.deal_out()
    assert match.before[0].outcome.winners == (0,)
    assert match.before[0].faults[1].reason is FaultReason.ILLEGAL_ACTION
    assert match.before[0].fault_details.keys() == {1}
    assert match.before[0].stand_in
    assert match.faults == {}
    assert match.fault_details == {}
    assert match.stand_in == []
    asked = match.numbers[1]
    sitting.play_out()
    assert match.numbers[1] == asked + 2 * match.spec.game.tricks
    assert [record["outcome"]["faults"] for record in records_of(match)] == [[[1, "ILLEGAL_ACTION", 0]], [], []]


def test_a_bot_that_is_away_for_longer_than_its_grace_loses_every_deal_until_it_is_back():
    sitting = Sitting(order("briscola-4", bots="abab", options={"match": {"deals": 4}}))
    match = sitting.match
    sitting.answer()
    sitting.tell(Left("a"))
    sitting.tick(after=201)
    assert match.faults.keys() == {0, 2}
    for number in (1, 2):
        sitting.deal_out()
        assert match.number == number
        # Nobody waits: it has lost the deal before its first action.
        assert {fault.reason for fault in match.faults.values()} == {FaultReason.DISCONNECT}
        assert [(fault.seat, fault.after) for fault in match.faults.values()] == [(0, 0), (2, 0)]
        assert match.fault_details[0] == "was away for more than 200 ms"
        assert match.deadline > sitting.now
    sitting.tell(Joined("a"))
    sitting.deal_out()
    assert match.number == 3
    assert match.faults == {}
    sitting.play_out()
    winners = [played.outcome.winners for played in match.deals]
    assert winners[:3] == [(1, 3)] * 3
    for record in records_of(match):
        naive_engine.check(record)


def test_a_grace_runs_on_into_the_next_deal_and_the_action_limit_rests_there():
    sitting = Sitting(order("briscola-2", TimeControl(bank_ms=5000, action_limit_ms=100, grace_ms=200), options=FIVE))
    match = sitting.match
    while match.number == 0:
        if match.deal.count == 39:
            sitting.tell(Left("a"))
        sitting.answer()
    assert match.open_seat == 0  # it leads in the second deal
    sitting.tick(after=150)  # longer than the action limit, and within the grace
    assert match.faults == {}
    assert match.deadline == sitting.now - 150 + 201
    sitting.tick(after=51)
    assert match.faults[0].reason is FaultReason.DISCONNECT


def test_a_bot_that_was_absent_when_the_match_began_is_absent_in_its_second_deal_too():
    sitting = Sitting(order("briscola-2", options=FIVE))
    sitting.tell(Left("a"))
    sitting.tell(WentAbsent("a"))
    while sitting.match.number == 0:
        sitting.answer(after=1)
    assert [(fault.seat, fault.after) for fault in sitting.match.faults.values()] == [(0, 0)]
    sitting.tell(Joined("a"))
    sitting.deal_out()
    assert sitting.match.faults == {}


def test_a_later_deal_in_which_nobody_answers_makes_the_match_void():
    sitting = Sitting(order("briscola-2", options={"match": {"deals": 3}}))
    sitting.deal_out()
    sitting.tick(after=301)
    assert not sitting.match.over  # the other one may still answer
    assert sitting.tick(after=301) == [Ended()]
    match = sitting.match
    assert (match.state, match.void_reason, match.number) == (State.VOID, "NO_START", 1)
    assert match.before[0].outcome is not None
    assert match.outcome is None
    assert state_of(Match.replay(match.spec, match.log)) == state_of(match)


def test_an_abort_in_a_later_deal_makes_the_whole_match_void():
    sitting = Sitting(order("brisca-2", options=FIVE))
    sitting.deal_out()
    sitting.answer()
    assert sitting.tell(Aborted("enough")) == [Ended()]
    assert (sitting.match.state, sitting.match.number) == (State.VOID, 1)


def test_passed_out_deals_are_played_and_the_deal_moves_on():
    sitting = Sitting(order("chiamata-5", options=FIVE))
    match = sitting.match
    while not match.over:
        dealer = match.deal.dealer
        for k in range(1, 6):
            assert match.open_seat == (dealer + k) % 5
            sitting.say(match.deal.legal()[0])  # a pass comes first
    assert match.state is State.ENDED
    records = records_of(match)
    assert [record["dealer"] for record in records] == [0, 1, 2, 3, 4]
    assert {record["outcome"]["termination"] for record in records} == {"PASSED_OUT"}
    assert match.numbers == [5] * 5
    for record in records:
        naive_engine.check(record)


@pytest.mark.parametrize("name", EVERY)
def test_a_specification_with_several_packs_goes_round_through_json(name):
    spec = order(name, options=FIVE)
    assert len(set(spec.sources)) == game(name, FIVE).most_deals == 5
    assert MatchSpec.from_json(json.loads(json.dumps(spec.to_json()))) == spec


def test_the_log_tells_every_deal():
    """A log that ends anywhere gives the match as it stood there."""
    sitting = Sitting(order("briscola-2", options={"match": {"deals": 2}, "hand": 1}))
    match, states = sitting.match, []
    states.append(state_of(match))
    while not match.over:
        sitting.answer(after=1)
        states.append(state_of(match))
    assert match.log[0][1] == Begun()
    for number, state in enumerate(states):
        assert state_of(Match.replay(match.spec, match.log[: number + 1])) == state
