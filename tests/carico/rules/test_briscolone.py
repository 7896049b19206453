"""Briscolone (rules.md section 8): five cards each, no trump suit, no upcard."""

from random import Random

import pytest

from carico.rules.cards import parse_card
from carico.rules.deal import Deal
from carico.rules.game import game
from carico.rules.view import view
from tests.kit.deals import codes, names, new_deal

PACKET = game("briscolone-2", {"deal": "packet"})


def laid(hands):
    order = codes(hands)
    return Deal(PACKET, 0, order + bytes(card for card in PACKET.pack if card not in order))


@pytest.mark.parametrize(
    ("lead", "reply", "winner"),
    [("2C", "AB", 1), ("2C", "4C", 0), ("3D", "AD", 0), ("KS", "QS", 1), ("2C", "AD", 1), ("7B", "2B", 1)],
)
def test_only_the_suit_led_wins(lead, reply, winner):
    rest = ["5C", "5D", "5S", "5B", "6C", "6D", "6S", "6B"]
    deal = laid(f"{lead} {' '.join(rest[:4])} {reply} {' '.join(rest[4:])}")
    assert (deal.trump, view(deal, 0).trump, view(deal, 0).upcard) == (-1, None, None)
    deal.apply(parse_card(lead))
    assert view(deal, 0).takes(parse_card(reply)) == (winner == 0)
    deal.apply(parse_card(reply))
    assert deal.leader == winner


def test_the_last_round_is_a_full_one():
    deal = new_deal(game("briscolone-2"), Random(1))
    while deal.rounds_left > 1:
        deal.apply(deal.legal()[0])
    assert deal.stock == len(deal.face_down()) == 2
    last = set(deal.face_down())
    while deal.rounds_left:
        deal.apply(deal.legal()[0])
    assert {hand[-1] for hand in deal.hands} == last
    assert deal.upcard_holder == -1
    assert [len(hand) for hand in deal.hands] == [5, 5]


def test_with_one_shared_stock_the_winner_draws_first():
    what = game("briscolone-2", {"open": True})
    deal = new_deal(what, Random(2))
    top = names(deal.face_down())[:2]
    assert list(map(str, view(deal, 0).stock_cards[:2])) == top
    deal.apply(deal.legal()[0])
    deal.apply(deal.legal()[0])
    winner = deal.leader
    assert names([deal.hands[winner][-1], deal.hands[1 - winner][-1]]) == top
