import pytest
from hypothesis import given

from carico.rules.stand_in import stand_in, weakest
from tests.kit.deals import EVERY, codes, deals, names


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("AC 3C KC", "KC"),
        ("2D 4C AC", "2D"),
        ("2B 2S 2D", "2D"),  # one rank: the first suit in the order C D S B
        ("2B 2S 2D 2C", "2C"),
        ("AB AS", "AS"),
        ("3B AS", "3B"),  # rank order, not points
        ("7C 6B 6S", "6S"),
        ("8C 9C 7D", "7D"),
        ("KD", "KD"),
    ],
)
def test_the_weakest_card_by_rank_then_by_suit(hand, card):
    cards = codes(hand)
    assert names([weakest(cards)]) == [card]
    assert names([weakest(cards[::-1])]) == [card]


@given(deals(EVERY))
def test_the_stand_in_plays_the_weakest_card_of_the_seat_to_act(deal):
    if deal.phase != "play" or deal.over:
        return
    hand = names(deal.hands[deal.to_act])
    order = [rank + suit for rank in "A3KQJ987654" + "2" for suit in "BSDC"]
    (card,) = names([stand_in(deal)])
    assert card == max(hand, key=order.index)
    assert stand_in(deal) in deal.legal()
