"""The exchange of Brisca (rules.md section 10), rule by rule."""

from random import Random

import pytest

from carico.rules.actions import EXCHANGE, Action, exchange
from carico.rules.cards import parse_card
from carico.rules.deal import Deal
from carico.rules.errors import IllegalAction
from carico.rules.exchange import TAKEN_WITH, is_asked
from carico.rules.game import game
from carico.rules.view import Exchange, view
from tests.kit.deals import BRISCA, codes, names, new_deal


def laid(name, hands, upcard, stock="", options=None):
    """A deal with dealer 0 in which mano's hand is the first, and so on; what is not named lies in the stock's rest."""
    what = game(name, {"deal": "packet", **(options or {})})
    order = codes(hands) + codes(upcard) + codes(stock)
    return Deal(what, 0, order + bytes(card for card in what.pack if card not in order))


def play(deal, cards):
    for card in cards.split():
        deal.apply(parse_card(card))


# --- what ---


@pytest.mark.parametrize(
    ("upcard", "taker"),
    [("AC", "7C"), ("3D", "7D"), ("KS", "7S"), ("QB", "7B"), ("JC", "7C"), ("9C", "7C"), ("8D", "7D"),
     ("7S", "2S"), ("6B", "2B"), ("5C", "2C"), ("4D", "2D")],
)  # fmt: skip
def test_what_takes_what(upcard, taker):
    assert names([TAKEN_WITH[parse_card(upcard)]]) == [taker]


def test_nothing_takes_the_two():
    assert {TAKEN_WITH[parse_card("2" + suit)] for suit in "CDSB"} == {0xFF}


def test_the_winner_takes_the_upcard_before_the_draw():
    deal = laid("brisca-2", "7C AD 4D 2C 3D 5D", "KC", "6S 6B")
    play(deal, "AD 3D")
    assert (deal.phase, deal.to_act, deal.stock) == ("exchange", 1, 34)
    assert deal.legal() == (Action.DECLINE, exchange("7C"))
    deal.apply(exchange("7C"))
    assert names([deal.upcard]) == ["7C"]
    assert deal.trump == 0
    # Asked again: everybody can see that the two might take the seven now.
    assert (deal.phase, deal.to_act, deal.legal()) == ("exchange", 1, (Action.DECLINE,))
    deal.apply(Action.DECLINE)
    assert (deal.phase, deal.to_act, deal.stock) == ("play", 1, 32)
    assert names(deal.hands[1]) == ["4D", "KC", "6S"]
    assert deal.actions == [(1, 0x10), (0, 0x11), (1, exchange("7C"))]
    assert deal.count == 3
    for seat in (0, 1):
        seen = view(deal, seat)
        assert seen.exchanges == (Exchange(1, parse_card("7C"), parse_card("KC"), 1),)
        assert seen.known == {1: (parse_card("KC"),)}
        assert parse_card("KC") not in seen.unseen
    assert names(deal.realised())[6] == "KC"


def test_the_loser_never_exchanges_nor_does_a_partner_or_an_earlier_winner():
    deal = laid("brisca-4", "AD 4S 4B 7C 4D 5D 5S 5B 6B 6D 6S 2D", "KC")
    play(deal, "AD 4D 5S 6D")  # seats 1, 2, 3, 0: seat 1 takes it, and seat 2 holds the seven
    assert (deal.to_act, deal.legal()) == (1, (Action.DECLINE,))
    with pytest.raises(IllegalAction):
        deal.apply(exchange("7C"))
    assert names(deal.hands[2]) == ["7C", "5D"]


def test_the_seven_has_to_be_in_the_hand():
    deal = laid("brisca-2", "7C AD 4D 2S 3D 5D", "KC")
    play(deal, "7C 3D")  # it takes the trick: it lies in the pile, so nobody is asked ever again
    while deal.upcard_holder < 0:
        assert deal.phase == "play"
        deal.apply(deal.legal()[0])


def test_both_exchanges_by_one_player_in_one_window():
    deal = laid("brisca-2", "7C 2C AD 4S 3D 5D", "AC")
    play(deal, "AD 3D")
    deal.apply(exchange("7C"))
    assert deal.legal() == (Action.DECLINE, exchange("2C"))
    deal.apply(exchange("2C"))
    assert deal.phase == "play"  # nothing takes the two
    assert names(deal.hands[1])[:2] == ["AC", "7C"]
    assert names([deal.upcard]) == ["2C"]
    assert view(deal, 0).known == {1: tuple(map(parse_card, ("AC", "7C")))}


def test_one_exchange_a_window_as_an_option():
    deal = laid("brisca-2", "7C 2C AD 4S 3D 5D", "AC", "AS 3S", {"exchange_max": 1})
    play(deal, "AD 3D")
    deal.apply(exchange("7C"))
    assert deal.phase == "play"
    play(deal, "AS 4S")
    assert deal.legal() == (Action.DECLINE, exchange("2C"))  # another trick, another window


def test_a_later_one_by_the_other():
    deal = laid("brisca-2", "7C AD 4D 2C 3D 5D", "KC", "6B AS")
    play(deal, "AD 3D")
    deal.apply(exchange("7C"))
    deal.apply(Action.DECLINE)
    play(deal, "4D 5D")
    deal.apply(exchange("2C"))
    assert names([deal.upcard]) == ["2C"]
    assert view(deal, 1).known == {1: (parse_card("KC"),), 0: (parse_card("7C"),)}


# --- when ---


@pytest.mark.parametrize(
    ("name", "options", "last"),
    [
        ("brisca-2", {}, 16),
        ("brisca-3", {}, 8),
        ("brisca-3", {"pack": 39}, 9),
        ("brisca-4", {}, 6),
        ("brisca-5", {}, 4),
        ("brisca-6", {}, 2),
        ("brisca-6", {"pack": 48}, 4),
        ("brisca-2", {"exchange_margin": 0}, 17),
        ("brisca-2", {"exchange_margin": 2}, 15),
        ("brisca-4", {"exchange_margin": 2, "hand": 5}, 3),
        ("brisca-2", {"exchange_margin": None}, 0),
        ("brisca-2", {"hand": 1}, 0),  # the winner holds no card that could be put down
    ],
)
def test_after_which_tricks_the_winner_is_asked(name, options, last):
    """With an honour as the upcard and its seven at the bottom of the stock, every winner that may be is asked."""
    what = game(name, {**options, "upcard": "next"})
    rng, asked = Random(1), set()
    for _ in range(30):
        deal = new_deal(what, rng)
        taker = TAKEN_WITH[deal.upcard]
        while not deal.over:
            if deal.phase == "exchange":
                asked.add(len(deal.played) // what.players)
                assert deal.to_act == deal.leader
                assert deal.stock >= what.players
                deal.apply(Action.DECLINE)
            else:
                kept = [card for card in deal.legal() if card != taker] or deal.legal()
                deal.apply(rng.choice(kept))
    assert asked == set(range(1, last + 1))


def test_two_n_cards_lie_there_at_the_last_window():
    what, rng = game("brisca-4"), Random(3)
    stocks = set()
    for _ in range(50):
        deal = new_deal(what, rng)
        while not deal.over:
            if deal.phase == "exchange":
                stocks.add(deal.stock)
            deal.apply(deal.legal()[0])
    assert min(stocks) == 8


@pytest.mark.parametrize("name", BRISCA)
def test_who_is_asked_does_not_depend_on_what_the_winner_holds(name):
    """Winners that hold the taker and winners that do not are asked alike: by the upcard, the plays and the stock."""
    what, rng = game(name), Random(4)
    held = {True: 0, False: 0}
    for _ in range(150):
        deal = new_deal(what, rng)
        while not deal.over:
            trick_over = deal.played and len(deal.played) % what.players == 0 and deal.phase == "exchange"
            if trick_over:
                held[len(deal.legal()) > 1] += 1
                made = 0 if not deal.exchanges else deal.exchanges[3::4].count(len(deal.played))
                assert is_asked(what, deal.upcard, deal.played, deal.rounds_left, made)
                assert view(deal, (deal.to_act + 1) % what.players).phase == "exchange"
            deal.apply(rng.choice(deal.legal()))
    assert min(held.values()) >= 10


def test_without_twos_a_low_upcard_cannot_be_taken():
    what = game("brisca-3")
    assert not is_asked(what, parse_card("7C"), b"", 9, 0)
    assert not is_asked(what, parse_card("4C"), b"", 9, 0)
    assert is_asked(what, parse_card("AC"), b"", 9, 0)
    lacking = game("brisca-3", {"pack": 39, "missing": "2D"})
    assert not is_asked(lacking, parse_card("6D"), b"", 9, 0)
    assert is_asked(lacking, parse_card("6C"), b"", 9, 0)


# --- the answers ---


def test_a_play_declines():
    deal = laid("brisca-2", "7C AD 4D 2C 3D 5D", "KC", "6S 6B")
    play(deal, "AD 3D")
    spoken = deal.copy()
    spoken.apply(Action.DECLINE)
    spoken.apply(parse_card("4D"))
    deal.apply(parse_card("4D"))
    assert names(deal.hands[1]) == names(spoken.hands[1]) == ["7C", "6S"]
    assert deal.hands == spoken.hands
    assert [action for _, action in spoken.actions] == [0x10, 0x11, Action.DECLINE, parse_card("4D")]
    assert [action for _, action in deal.actions] == [0x10, 0x11, parse_card("4D")]
    assert deal != spoken  # what was said differs


def test_the_card_drawn_may_be_that_play_and_no_other():
    deal = laid("brisca-2", "7C AD 4D 2C 3D 5D", "KC", "6S 6B")
    play(deal, "AD 3D")
    before = deal.copy()
    for card in ("6B", "5D", "KC", "AD"):
        with pytest.raises(IllegalAction):
            deal.apply(parse_card(card))
        assert deal == before
        assert deal.hands == before.hands
    deal.apply(parse_card("6S"))  # seat 1 is mano, role 0: the first of the block
    assert deal.actions[-1] == (1, parse_card("6S"))


def test_a_decline_where_nothing_could_be_exchanged_is_no_action():
    deal = laid("brisca-2", "6C AD 4D 7C 3D 5D", "KC")
    play(deal, "AD 3D")
    assert deal.legal() == (Action.DECLINE,)
    asked = deal.copy()
    deal.apply(Action.DECLINE)
    assert deal.actions == asked.actions
    assert deal.count == asked.count == 2
    assert deal != asked
    with pytest.raises(IllegalAction):
        deal.apply(Action.DECLINE)


def test_the_upcard_that_was_put_down_is_drawn_last():
    deal = laid("brisca-2", "7C AD 4D 4S 3D 5D", "AC")
    play(deal, "AD 3D")
    deal.apply(exchange("7C"))
    while deal.upcard_holder < 0:
        deal.apply(deal.legal()[0])
    holder = deal.upcard_holder
    assert names(deal.hands[holder])[-1] == "7C"
    assert holder != deal.leader
    assert EXCHANGE << 8 | 0 not in deal.legal()
    assert 0x07 in {int(card) for card in view(deal, 1 - holder).known[holder]}
