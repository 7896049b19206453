import pytest

from carico.rules import cards
from carico.rules.cards import CARDS, Card, card_name, is_card, pack, parse_card
from carico.rules.errors import BadNotation
from tests.kit.deals import names

EVERY_CARD = [code for code in range(64) if is_card(code)]


def test_the_alphabet_has_48_cards_of_four_suits_and_twelve_ranks():
    assert len(EVERY_CARD) == 48
    assert {card_name(code) for code in EVERY_CARD} == {rank + suit for rank in "A3KQJ9876542" for suit in "CDSB"}


@pytest.mark.parametrize("code", EVERY_CARD)
def test_notation_goes_round(code):
    text = card_name(code)
    card = parse_card(text)
    assert (card, str(card), text) == (code, text, card.rank + card.suit)
    assert type(card) is Card
    assert card is CARDS[code]


@pytest.mark.parametrize("text", ["", "A", "CA", "ac", "AC ", " AC", "1C", "TC", "AX", "ACC", "\u0661C", "10C"])
def test_what_is_no_card_is_refused_with_the_mend(text):
    with pytest.raises(BadNotation, match="is no card: write a rank of A3KQJ9876542 and a suit of CDSB"):
        parse_card(text)


@pytest.mark.parametrize("code", [-1, 12, 15, 28, 63, 64, 255, 1 << 40])
def test_other_ints_are_no_cards(code):
    assert not is_card(code)


def test_points_are_those_of_the_rules():
    worth = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}
    for code in EVERY_CARD:
        assert CARDS[code].points == worth.get(card_name(code)[0], 0) == cards.POINTS[code]


def test_strength_follows_the_rank_order_and_nothing_else():
    order = "A3KQJ9876542"
    for code in EVERY_CARD:
        assert CARDS[code].strength == 12 - order.index(card_name(code)[0])


def test_the_pack_stands_in_the_order_in_which_derivation_starts():
    assert names(pack()) == [rank + suit for suit in "CDSB" for rank in "A3KQJ76542"]
    assert names(pack(long=True)) == [rank + suit for suit in "CDSB" for rank in "A3KQJ9876542"]
    assert names(pack(without="2D")) == [name for name in names(pack()) if name != "2D"]


@pytest.mark.parametrize(
    ("without", "long", "size"),
    [("", False, 40), ("2C", False, 39), ("2B", False, 39), ("2C2D2S2B", False, 36), ("", True, 48)],
)
def test_every_pack_holds_120_points_30_in_a_suit(without, long, size):
    whole = pack(without, long)
    assert len(whole) == len(set(whole)) == size
    for suit in range(4):
        assert sum(cards.POINTS[code] for code in whole if code >> 4 == suit) == 30


def test_cards_have_no_order_of_their_own():
    for compare in (
        lambda a, b: a < b,
        lambda a, b: a <= b,
        lambda a, b: a > b,
        lambda a, b: a >= b,
    ):
        with pytest.raises(TypeError, match=r"card\.strength"):
            compare(parse_card("AC"), parse_card("2C"))


def test_a_card_equals_its_int_and_shows_its_name():
    card = parse_card("7B")
    assert (card, hash(card), repr(card)) == (0x37, hash(0x37), "Card('7B')")


def test_what_is_no_card_can_still_be_looked_at():
    assert [repr(Card(code)) for code in (0x00, 0x0C, 255)] == ["Card('AC')", "<no card: 12>", "<no card: 255>"]
