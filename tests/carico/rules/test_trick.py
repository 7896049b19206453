from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carico.rules.cards import CARDS, pack
from carico.rules.trick import NO_TRUMP, winning_index
from tests.kit.deals import codes, names
from tests.kit.naive_engine import winner_of

TRICKS = st.lists(st.sampled_from(list(pack(long=True))), min_size=1, max_size=6, unique=True)


@pytest.mark.parametrize(
    ("trick", "trump", "winner"),
    [
        ("7C 2C", "D", "7C"),  # rank decides, both are worth nothing
        ("2C 7C", "D", "7C"),
        ("KC 3C", "D", "3C"),
        ("2C AS", "D", "2C"),  # different suits and no trump: the leader
        ("AC 2D", "D", "2D"),  # the only trump wins
        ("2D AC", "D", "2D"),  # also when it was led
        ("QD JD", "D", "QD"),
        ("4C AS 5C", "D", "5C"),
        ("4C AS 5C AB", "D", "5C"),
        ("4C 2D 5C AD", "D", "AD"),
        ("4C 3S AS 3B AB 2C", "D", "4C"),
        ("2C AS", None, "2C"),  # no trumps at all
        ("9C 8C", "D", "9C"),  # the long pack
        ("8C 7C", "D", "8C"),
        ("JC 9C", "D", "JC"),
    ],
)
def test_who_takes_the_trick(trick, trump, winner):
    cards = codes(trick)
    suit = NO_TRUMP if trump is None else "CDSB".index(trump)
    assert names(cards)[winning_index(cards, suit)] == winner


@given(TRICKS, st.integers(0, 3))
def test_the_winner_is_the_highest_trump_else_the_highest_of_the_suit_led(trick, trump):
    cards = [CARDS[code] for code in trick]
    trumps = [card for card in cards if card >> 4 == trump]
    followers = [card for card in cards if card.suit == cards[0].suit]
    best = max(trumps or followers, key=lambda card: card.strength)
    assert cards[winning_index(trick, trump)] is best


def test_a_second_engine_agrees_on_every_trick_of_two_cards():
    for pair in permutations(pack(), 2):
        for trump in range(4):
            expected = winner_of(list(enumerate(names(pair))), "CDSB"[trump])
            assert winning_index(pair, trump) == expected


def test_a_second_engine_agrees_on_many_tricks_of_three_to_six_cards():
    rng = Random(3)
    whole = list(pack())
    for _ in range(20_000):
        trick = rng.sample(whole, rng.randrange(3, 7))
        trump = rng.randrange(4)
        assert winning_index(trick, trump) == winner_of(list(enumerate(names(trick))), "CDSB"[trump])
