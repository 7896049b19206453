"""Briscola Chiamata (rules.md section 9), rule by rule."""

from random import Random

import pytest

from carico.rules.actions import BID, CALL, Action, bid, call, named
from carico.rules.auction import target
from carico.rules.cards import parse_card
from carico.rules.chiamata_scores import factor, scores
from carico.rules.deal import Deal
from carico.rules.errors import IllegalAction
from carico.rules.game import game
from carico.rules.outcome import Fault, FaultReason, Termination, outcome
from carico.rules.view import Said, view
from tests.kit.deals import codes, names, new_deal, play_on
from tests.kit.redeal import redealt

OUT = Action.PASS
PLAIN = game("chiamata-5")


def at(said, options=None, dealer=0, order=None):
    """A deal after these things were said in turn."""
    what = game("chiamata-5", options)
    deal = Deal(what, dealer, order or what.pack)
    for action in said:
        deal.apply(action)
    return deal


def words(deal):
    """What may be said now."""
    return [str(named(action, deal.game.auction)) for action in deal.legal()]


# --- the auction ---


def test_eight_cards_each_and_no_trump_before_the_call():
    deal = at([])
    assert [len(hand) for hand in deal.hands] == [8] * 5
    assert (deal.stock, deal.trump, deal.phase, deal.to_act) == (0, -1, "auction", 1)
    seen = view(deal, 3)
    assert (seen.trump, seen.upcard, seen.caller, seen.called, seen.target, seen.partners) == (None,) * 5 + ((),)


@pytest.mark.parametrize(
    ("said", "may"),
    [
        ([], "pass, bid A, bid 3, bid K, bid Q, bid J, bid 7, bid 6, bid 5, bid 4, bid 2"),
        ([bid("K")], "pass, bid Q, bid J, bid 7, bid 6, bid 5, bid 4, bid 2"),
        ([OUT, bid("4")], "pass, bid 2"),
        ([bid("A"), bid("J"), OUT], "pass, bid 7, bid 6, bid 5, bid 4, bid 2"),
        ([bid("2"), bid("2", 117)], "pass, bid 2 at 118, bid 2 at 119, bid 2 at 120"),
    ],
)
def test_bids_by_rank(said, may):
    assert ", ".join(words(at(said))) == may


def test_the_two_is_raised_by_points():
    assert words(at([bid("2")])) == ["pass", *(f"bid 2 at {points}" for points in range(62, 121))]
    with pytest.raises(IllegalAction, match=r"seat 2 may not bid 2 at 70: it may pass, bid Q, bid J"):
        at([bid("K")]).apply(bid("2", 70))
    with pytest.raises(IllegalAction):
        at([]).apply(bid("2", 70))


def test_bids_by_points():
    by_points = {"auction": "points"}
    assert words(at([], by_points)) == ["pass", *(f"bid {points}" for points in range(61, 121))]
    assert words(at([bid(118)], by_points)) == ["pass", "bid 119", "bid 120"]
    with pytest.raises(IllegalAction, match=r"seat 2 may not bid 90: it may pass, bid 91, .*, \.\.\., bid 120$"):
        at([bid(90)], by_points).apply(bid(90))


@pytest.mark.parametrize(
    ("said", "caller", "made"),
    [
        ([bid("A"), OUT, OUT, OUT, OUT], 1, 61),
        ([OUT, OUT, OUT, OUT, bid("3")], 0, 61),
        ([bid("2"), bid("2", 120)], 2, 120),  # at once
        ([bid("A"), bid("3"), OUT, OUT, OUT, bid("K"), OUT], 1, 61),  # 3, 4 and 0 are out for good
    ],
)
def test_the_auction_ends_when_only_the_highest_bidder_is_left(said, caller, made):
    deal = at(said)
    assert (deal.phase, deal.to_act, deal.caller, deal.target) == ("call", caller, caller, made)
    assert words(deal) == ["call C", "call D", "call S", "call B"]


def test_at_120_by_points_too():
    deal = at([OUT, bid(120)], {"auction": "points"})
    assert (deal.phase, deal.to_act, deal.target) == ("call", 2, 120)
    assert len(deal.legal()) == 40


def test_a_pass_is_final():
    deal = at([OUT, bid("A"), bid("3"), OUT, OUT])
    assert deal.to_act == 2  # not 1
    deal.apply(bid("K"))
    assert deal.to_act == 3
    deal.apply(bid("Q"))
    assert deal.to_act == 2


@pytest.mark.parametrize("dealer", range(5))
def test_mano_speaks_first_and_five_passes_pass_the_deal_out(dealer):
    deal = at([OUT] * 5, dealer=dealer)
    assert [seat for seat, _ in deal.actions] == [(dealer + k) % 5 for k in (1, 2, 3, 4, 5)]
    assert deal.over
    assert deal.passed_out
    assert deal.legal() == ()
    with pytest.raises(IllegalAction, match="the deal is over"):
        deal.apply(OUT)
    end = outcome(deal)
    assert (end.termination, end.winners, end.scores) == (Termination.PASSED_OUT, (), (0,) * 5)
    assert view(deal, 0).to_act is None


def test_the_last_has_to_bid_as_an_option():
    assert words(at([OUT] * 4))[0] == "pass"
    assert words(at([OUT] * 4, {"forced_last": True}))[0] == "bid A"
    assert words(at([OUT, OUT, OUT, bid("A")], {"forced_last": True}))[0] == "pass"
    assert words(at([OUT] * 3, {"forced_last": True}))[0] == "pass"


# --- the call and the partner ---


def test_the_call_names_trumps_and_the_called_card():
    deal = at([bid("4"), OUT, bid("2"), OUT, OUT, OUT])
    deal.apply(call("B"))
    assert names([deal.called]) == ["2B"]
    assert (deal.trump, deal.phase) == (3, "play")
    holder = next(seat for seat in range(5) if deal.called in deal.hands[seat])
    assert deal.partner == (holder if holder != 3 else -1)
    seen = view(deal, 1)
    assert (seen.caller, str(seen.called), seen.target, seen.trump) == (3, "2B", 61, "B")
    assert seen.auction[0] == Said(1, bid("4"))
    assert seen.auction[-1] == Said(3, call("B"))


def test_by_points_any_card_is_called():
    deal = at([OUT, OUT, bid(75), OUT, OUT], {"auction": "points"})
    deal.apply(call("QD"))
    assert (names([deal.called]), deal.trump, deal.target) == (["QD"], 1, 75)
    assert deal.actions[-1] == (3, CALL << 8 | 0x80 | 0x13)


@pytest.mark.parametrize(("options", "leads"), [({}, 1), ({"chiamata_lead": "caller"}, 3)])
def test_mano_leads_and_the_caller_as_an_option(options, leads):
    deal = at([OUT, OUT, bid("A"), OUT, OUT, call("C")], options)
    assert (deal.to_act, deal.leader) == (leads, leads)
    assert deal.leaders == bytes([leads])
    assert view(deal, 2).leader == leads


def test_until_the_called_card_is_played_only_its_holder_knows():
    deal = at([bid("A"), OUT, OUT, OUT, OUT, call("D")], order=new_deal(PLAIN, Random(8)).source)
    partner, card = deal.partner, parse_card("AD")
    assert partner not in (-1, 1)
    played = False
    while not deal.over:
        for seat in range(5):
            seen = view(deal, seat)
            assert seen.is_partner == (seat == partner)
            assert not seen.is_alone
            assert seen.sides_known == (played or seat == partner)
            assert seen.partner == (partner if played else None)
            callers = {1, partner}
            mates = callers if seat in callers else set(range(5)) - callers
            assert set(seen.partners) == (mates - {seat} if seen.sides_known else set())
        keep = [a for a in deal.legal() if a != card] or deal.legal()
        action = keep[0] if len(deal.played) < 25 else deal.legal()[0]
        deal.apply(action)
        played = played or action == card
    assert played


def test_a_caller_in_hand_is_alone_and_nobody_else_is_told():
    order = new_deal(PLAIN, Random(9)).source
    own = next(card for card in Deal(PLAIN, 0, order).hands[1] if card & 15 == 0)
    deal = at([bid("A"), OUT, OUT, OUT, OUT, call("CDSB"[own >> 4])], order=order)
    assert deal.partner == -1
    for seat in range(5):
        seen = view(deal, seat)
        assert seen.is_alone == seen.sides_known == (seat == 1)
        assert not seen.is_partner
        assert (seen.partners, seen.partner) == ((), None)
    while own in deal.hands[1]:
        deal.apply(own if deal.to_act == 1 else deal.legal()[0])
    for seat in range(5):
        seen = view(deal, seat)
        assert seen.sides_known
        assert seen.partner is None
        assert set(seen.partners) == (set() if seat == 1 else {0, 2, 3, 4} - {seat})


def test_hands_swapped_between_the_others_make_no_difference():
    """The called card moves from one seat to another, or into the caller's hand, and a third seat sees the same."""
    rng, moved, alone = Random(10), 0, 0
    for _ in range(150):
        deal = play_on(new_deal(PLAIN, rng), rng, rng.randrange(40))
        if deal.phase != "play" or deal.over:
            continue
        for seat in range(5):
            other = redealt(deal, seat, rng, 20)
            assert view(other, seat) == view(deal, seat)
            moved += other.partner != deal.partner
            alone += (other.partner == -1) != (deal.partner == -1)
            if other.partner != deal.partner:
                assert not view(deal, seat).sides_known
                assert view(deal, seat).partners == view(other, seat).partners == ()
    assert moved > 50
    assert alone > 5


# --- scores ---


def ended(points, options=None, partner=2, made=61):
    """A deal that seat 1 called, with these card points."""
    deal = play_on(at([bid("A"), OUT, OUT, OUT, OUT, call("C")], options), Random(1))
    deal.card_points[:] = points
    deal.partner, deal.target = partner, made
    return deal


@pytest.mark.parametrize(
    ("points", "partner", "made", "options", "expected"),
    [
        ([20, 40, 21, 20, 19], 2, 61, {}, (-1, 2, 1, -1, -1)),
        ([20, 40, 20, 20, 20], 2, 61, {}, (1, -2, -1, 1, 1)),  # 60-60 is a failure
        ([20, 40, 20, 20, 20], 2, 61, {"tie60": "draw"}, (0, 0, 0, 0, 0)),
        ([20, 40, 20, 20, 20], 2, 62, {"tie60": "draw"}, (1, -2, -1, 1, 1)),
        ([20, 40, 19, 21, 20], 2, 61, {"tie60": "draw"}, (1, -2, -1, 1, 1)),
        ([10, 70, 20, 10, 10], -1, 61, {}, (-1, 4, -1, -1, -1)),
        ([10, 60, 20, 20, 10], -1, 61, {}, (1, -4, 1, 1, 1)),
        ([10, 54, 20, 26, 10], 2, 75, {}, (1, -2, -1, 1, 1)),
        ([10, 55, 20, 25, 10], 2, 75, {}, (-1, 2, 1, -1, -1)),
        ([0, 100, 20, 0, 0], 2, 61, {}, (-2, 4, 2, -2, -2)),
        ([0, 120, 0, 0, 0], -1, 61, {}, (-2, 8, -2, -2, -2)),
        ([60, 0, 0, 60, 0], 2, 61, {}, (2, -4, -2, 2, 2)),  # the others have all 120
        ([0, 120, 0, 0, 0], -1, 61, {"capot": 1}, (-1, 4, -1, -1, -1)),
        ([0, 120, 0, 0, 0], 0, 61, {"capot": 3}, (3, 6, -3, -3, -3)),
        ([10, 55, 20, 25, 10], 2, 75, {"multipliers": [[71, 2], [81, 3]]}, (-2, 4, 2, -2, -2)),
        ([10, 55, 20, 25, 10], 2, 81, {"multipliers": [[71, 2], [81, 3]]}, (3, -6, -3, 3, 3)),
        ([0, 100, 20, 0, 0], 2, 90, {"multipliers": [[71, 2], [81, 3]]}, (-6, 12, 6, -6, -6)),
    ],
)
def test_scores(points, partner, made, options, expected):
    deal = ended(points, options, partner, made)
    assert scores(deal) == expected
    assert sum(expected) == 0
    end = outcome(deal, [Fault(4, FaultReason.DISCONNECT, 7)])
    assert end.scores == expected  # as played, whoever is at fault
    assert end.winners == tuple(seat for seat in range(5) if expected[seat] > 0)
    assert end.penalties == (0, 0, 0, 0, 4)
    assert end.contract is not None
    assert (end.contract.caller, end.contract.partner) == (1, partner if partner >= 0 else None)


def test_the_greatest_factor_that_applies():
    what = game("chiamata-5", {"multipliers": [[71, 5], [81, 3]]})
    assert [factor(what, made, 60) for made in (61, 70, 71, 81, 120)] == [1, 1, 5, 5, 5]


def test_targets():
    assert [target(argument) for argument in (0, 11, 62, 120)] == [61, 61, 62, 120]


# --- the actions as values ---


def test_bids_and_calls_as_values():
    assert [str(a) for a in (bid("K"), bid("2", 75), bid(75), call("B"), call("AC"), Action.PASS)] == [
        "bid K", "bid 2 at 75", "bid 75", "call B", "call AC", "pass"]  # fmt: skip
    assert bid("2", 75) == bid(75) == BID << 8 | 75
    assert (bid("K").rank, bid("K").points, bid("2", 75).rank, bid("2", 75).points) == ("K", 61, "2", 75)
    assert (bid(75).rank, bid(75).points) == (None, 75)
    assert (call("B").suit, call("B").card, call("QD").suit, str(call("QD").card)) == ("B", None, "D", "QD")
    assert {action.kind for action in (bid("A"), call("C"), Action.PASS)} == {"bid", "call", "pass"}


def test_a_whole_deal_by_hand():
    """Seat 1 calls the ace of cups, which seat 3 plays in the last trick."""
    hands = {1: "3C KC AD 3D KD QD JD 7D", 2: "QC JC 7C 6C 5C 4C 2C 6D", 3: "AC AS 3S KS QS JS 7S 6S",
             4: "5D 4D 2D 5S 4S 2S AB 3B", 0: "KB QB JB 7B 6B 5B 4B 2B"}  # fmt: skip
    order = codes("".join(hands[seat] for seat in (1, 2, 3, 4, 0)))
    deal = at([bid("A"), OUT, OUT, OUT, OUT, call("C")], {"deal": "packet"}, order=order)
    tricks = ["AD 6D 6S 5D 2B", "3D 2C 7S 2D 4B", "QC JS 5S KB KC", "KD 4C QS 2S 5B",
              "5C KS 4D 6B 3C", "QD 6C 3S 4S 7B", "7C AS AB JB JD", "JC AC 3B QB 7D"]  # fmt: skip
    winners = [1, 2, 1, 2, 1, 2, 2, 3]
    for trick, winner in zip(tricks, winners, strict=True):
        for card in trick.split():
            deal.apply(parse_card(card))
        assert deal.leader == winner
    assert deal.card_points == [0, 38, 56, 26, 0]
    end = outcome(deal)
    assert end.scores == (-1, 2, -1, 1, -1)  # 64 of 61
    assert end.winners == (1, 3)
    assert deal.count == 6 + 40
