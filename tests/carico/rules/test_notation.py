from random import Random

import pytest
from hypothesis import given

from carico.rules.actions import Action, bid, call
from carico.rules.cards import CARDS
from carico.rules.deal import Deal
from carico.rules.errors import BadNotation
from carico.rules.game import game
from carico.rules.notation import deal_text, parse_deal
from tests.kit.deals import EVERY, deals, new_deal, play_on


@given(deals(EVERY))
def test_a_deal_at_any_moment_goes_round_as_text(deal):
    text = deal_text(deal)
    again = parse_deal(text)
    assert again == deal
    assert deal_text(again) == text
    assert parse_deal(f"# so it was\n{text}") == deal


def test_an_auction_as_text():
    what = game("chiamata-5")
    deal = Deal(what, 0, what.pack)
    for action in (bid("2"), bid("2", 70), Action.PASS, Action.PASS, Action.PASS, Action.PASS, call("B")):
        deal.apply(action)
    lines = deal_text(deal).splitlines()
    assert lines[6] == "auction: 1 bid 2; 2 bid 2 at 70; 3 pass; 4 pass; 0 pass; 1 pass; 2 call B"
    assert lines[5].startswith("hands: 1 AC 7C")
    end = deal_text(play_on(deal, Random(1))).splitlines()
    assert f"contract: 2 with {deal.partner}, called 2B, target 70" in end
    passed = Deal(what, 0, what.pack)
    for _ in range(5):
        passed.apply(Action.PASS)
    assert "contract: passed out" in deal_text(passed).splitlines()


def test_an_exchange_as_text():
    rng = Random(5)
    while True:
        deal = play_on(new_deal(game("brisca-4"), rng), rng)
        if deal.exchanges:
            break
    seat, given_, taken, after = deal.exchanges[:4]
    trick = [line for line in deal_text(deal).splitlines() if line.startswith(f"{after // 4:2}: ")]
    assert f"; {seat} exchange {CARDS[given_]} for {CARDS[taken]}; " in trick[0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("game: briscola-2", ""), "no line begins with game: a deal needs game, options, dealer, source"),
        (("game: briscola-2", "game: briscola-5"), "'briscola-5' is no game of this version"),
        (("dealer: 0", "dealer: x"), "invalid literal"),
        (("options: {}", "options: 3"), "not iterable"),
        (("AC 3C", "AC AC"), "the source is not the pack of briscola-2"),
        (("AC 3C", "AC XX"), "'XX' is no card"),
        ((" 1: 1 ", " 1: 0 "), "line 8: '0 AC': it is seat 1's turn"),
        ((" 1: 1 AC", " 1: 1 2B"), "line 8: seat 1 may not play 2B"),
        ((" 1: 1 AC", " 1: 1 call"), "line 8: 'call' is no action"),
    ],
)
def test_a_text_that_tells_of_no_deal_is_refused(change, message):
    what = game("briscola-2")
    deal = Deal(what, 0, what.pack)
    deal.apply(0)
    text = deal_text(deal)
    assert change[0] in text
    with pytest.raises(BadNotation, match=message):
        parse_deal(text.replace(*change))
