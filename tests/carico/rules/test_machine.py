"""A deal of every game in any hands: what holds at each of its moments, whatever is done to it."""

import pickle
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from carico.rules.actions import Action, from_json, named, parse_action, to_json
from carico.rules.cards import POINTS
from carico.rules.deal import Deal
from carico.rules.errors import BadNotation, IllegalAction
from carico.rules.notation import deal_text, parse_deal
from carico.rules.outcome import outcome
from carico.rules.stand_in import stand_in
from carico.rules.view import view
from tests.kit.deals import EVERY, SEEDS, games, new_deal

INTS = [
    *range(64),
    *(kind << 8 | argument for kind in range(1, 6) for argument in (0, 2, 3, 7, 11, 75, 120, 128, 0x93)),
]


class AnyDeal(RuleBasedStateMachine):
    """Acts at random, copies, and goes back to the beginning."""

    name: str

    @initialize(data=st.data(), seed=SEEDS)
    def begin(self, data, seed):
        self.what = data.draw(games((self.name,)))
        self.deal = new_deal(self.what, Random(seed))
        self.answers = []

    def act(self, action):
        self.answers.append(action)
        self.deal.apply(action)

    @precondition(lambda self: not self.deal.over)
    @rule(number=st.integers(0, 200), times=st.integers(1, 6))
    def legally(self, number, times):
        for k in range(times):
            if not self.deal.over:
                legal = self.deal.legal()
                self.act(legal[(number + k) % len(legal)])

    @precondition(lambda self: not self.deal.over)
    @rule()
    def by_the_stand_in(self):
        assert stand_in(self.deal) in self.deal.legal()
        self.act(stand_in(self.deal))

    @precondition(lambda self: self.deal.phase == "exchange")
    @rule(number=st.integers(0, 10))
    def with_a_play_in_the_window(self, number):
        hand = self.deal.hands[self.deal.to_act]
        self.act(hand[number % len(hand)])

    @precondition(lambda self: not self.deal.over)
    @rule(number=st.sampled_from(INTS))
    def otherwise(self, number):
        """What is not legal is refused; in the window for an exchange a play declines."""
        if number in self.deal.legal() or (self.deal.phase == "exchange" and number < 64):
            return
        before = self.deal.copy()
        with pytest.raises(IllegalAction):
            self.deal.apply(number)
        assert self.deal == before

    @rule()
    def in_a_copy(self):
        twin = self.deal.copy()
        assert twin == self.deal
        self.deal, old = twin, self.deal
        if not old.over:
            old.apply(old.legal()[0])

    @rule()
    def from_the_beginning(self):
        again = Deal(self.what, self.deal.dealer, self.deal.source)
        for action in self.answers:
            again.apply(action)
        assert again == self.deal
        assert again.actions == self.deal.actions
        assert parse_deal(deal_text(self.deal)) == self.deal

    @invariant()
    def every_card_is_somewhere(self):
        deal = self.deal
        held = [card for hand in deal.hands for card in hand]
        under = [deal.upcard] if deal.rounds_left and self.what.has_upcard else []
        assert sorted([*held, *deal.face_down(), *under, *deal.played]) == sorted(self.what.pack)
        captured = sum(POINTS[card] for card in deal.played) - sum(POINTS[card] for card in deal.table)
        assert sum(deal.card_points) == captured

    @invariant()
    def the_one_to_act_may_do_what_its_view_says(self):
        deal = self.deal
        if deal.over:
            assert deal.legal() == ()
            return
        seen = view(deal, deal.to_act)
        assert list(map(int, seen.legal)) == list(deal.legal())
        assert seen.phase == deal.phase
        if deal.phase == "play":
            assert sorted(deal.legal()) == sorted(deal.hands[deal.to_act])
        for action in seen.legal:
            row = to_json(deal.to_act, action, self.what.auction)
            assert from_json(row) == (deal.to_act, action)
            assert parse_action(str(action)) == action
            assert named(action, self.what.auction) == action

    @invariant()
    def its_actions_are_counted(self):
        assert self.deal.count == len(self.deal.actions)
        assert self.deal.count <= len(self.answers)

    def teardown(self):
        deal = getattr(self, "deal", None)
        if deal is None:
            return
        while not deal.over:
            deal.apply(deal.legal()[-1])
        end = outcome(deal)
        assert sum(end.card_points) == (0 if deal.passed_out else 120)
        if self.name == "chiamata-5":
            assert sum(end.scores) == 0


@pytest.mark.parametrize("name", EVERY)
def test_any_deal(name):
    machine = type("AnyDeal", (AnyDeal,), {"name": name})
    run_state_machine_as_test(machine, settings=settings(max_examples=25, stateful_step_count=40, deadline=None))


@pytest.mark.parametrize(
    "text",
    ["", "XX", "bid", "bid 9", "bid 60", "bid 121", "bid 2 at 61", "bid 3 at 70", "call X", "exchange", "pass 1"],
)
def test_texts_that_are_no_actions_are_refused(text):
    with pytest.raises(BadNotation):
        parse_action(text)


def test_action_values_survive_pickling():
    assert [pickle.loads(pickle.dumps(action)) for action in (Action.PASS, named(0x44B), named(0x5B7))] == [
        Action.PASS,
        0x44B,
        0x5B7,
    ]
