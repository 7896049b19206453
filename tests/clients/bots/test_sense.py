"""What house bots bid, call, exchange and give to partners: single decisions in deals made for them."""

import pytest

from carico import Bot
from carico.rules import actions
from carico.rules.cards import parse_card
from carico.rules.deal import Deal
from carico.rules.game import Game, game
from carico.rules.view import view
from clients.bots.careful import Careful
from clients.bots.counter import Counter, guess
from clients.bots.greedy import Greedy
from clients.bots.random_bot import RandomBot

CHIAMATA = game("chiamata-5")
STRONG = "AC 3C KC JC 7C AD 5S 5B"
WEAK = "2C 4C 2D 4D 2S 4S 2B 4B"
THINKING: list[type[Bot]] = [Greedy, Careful, Counter]


def deal(of: Game, *hands: str, upcard: str = "") -> Deal:
    """A deal whose dealer is the last seat, so that seat 0 is mano; what is not named follows in the pack's order."""
    named = [[int(parse_card(name)) for name in hand.split()] for hand in hands]
    held = [*named, *([] for _ in range(of.players - len(named)))]
    turned = [int(parse_card(upcard))] if upcard else []
    rest = [card for card in of.pack if card not in turned and not any(card in hand for hand in held)]
    for hand in held:
        missing = of.hand - len(hand)
        hand.extend(rest[:missing])
        rest = rest[missing:]
    dealt = [held[i % of.players][i // of.players] for i in range(of.players * of.hand)]
    return Deal(of, of.players - 1, bytes([*dealt, *turned, *rest]))


def answer(made: type[Bot], of: Deal) -> str:
    assert of.to_act is not None
    return str(made().act(view(of, of.to_act)))


def say(of: Deal, *said: str) -> Deal:
    for action in said:
        of.apply(actions.parse_action(action))
    return of


@pytest.mark.parametrize("made", THINKING)
def test_a_strong_hand_bids_and_calls_its_suit_and_a_weak_one_passes(made: type[Bot]) -> None:
    assert answer(made, deal(CHIAMATA, WEAK)) == "pass"
    strong = deal(CHIAMATA, STRONG)
    assert answer(made, strong).startswith("bid ")
    say(strong, "bid Q", "pass", "pass", "pass", "pass")
    assert answer(made, strong) == "call C"


@pytest.mark.parametrize("made", [Careful, Counter])
def test_no_suit_is_called_whose_card_would_be_our_own(made: type[Bot]) -> None:
    own = say(deal(CHIAMATA, STRONG), "bid A", "pass", "pass", "pass", "pass")
    assert answer(made, own) in ("call S", "call B")


@pytest.mark.parametrize("made", [Careful, Counter])
def test_a_bid_that_the_hand_does_not_promise_is_left_to_others(made: type[Bot]) -> None:
    assert answer(made, say(deal(CHIAMATA, WEAK, STRONG), "bid 2")).startswith("bid 2 at 62")
    assert answer(made, say(deal(CHIAMATA, WEAK, STRONG), "bid 2", "bid 2 at 90", *["pass"] * 3)) == "pass"


@pytest.mark.parametrize("made", [Careful, Counter])
def test_by_points_it_calls_the_strongest_card_that_it_lacks(made: type[Bot]) -> None:
    by_points = say(deal(game("chiamata-5", {"auction": "points"}), STRONG), "bid 61", *["pass"] * 4)
    assert answer(made, by_points) == "call QC"


def test_random_passes_or_bids_half_and_half() -> None:
    said = []
    for number in range(200):
        bot = RandomBot()
        bot.seed = number.to_bytes(2, "big")
        said.append(str(bot.act(view(deal(CHIAMATA), 0))))
    assert 70 < said.count("pass") < 130
    assert len(set(said)) == 11


@pytest.mark.parametrize("made", THINKING)
def test_the_seven_takes_the_ace(made: type[Bot]) -> None:
    won = say(deal(game("brisca-2"), "7C 3D 2S", "4D 5D 6D", upcard="AC"), "3D", "4D")
    assert answer(made, won) == "exchange 7C"


@pytest.mark.parametrize("made", [Careful, Counter])
def test_the_seven_is_kept_for_the_ace(made: type[Bot]) -> None:
    """A king is worth a small trump, but not that one."""
    hands = "KD 2S 4S", "{} 2B JS"
    for small, played in (("6C", "6C"), ("7C", "2B")):
        dealt = deal(game("brisca-2"), hands[0], hands[1].format(small), upcard="AC")
        assert answer(made, say(dealt, "KD")) == played


@pytest.mark.parametrize("made", [Careful, Counter])
def test_a_hidden_partner_gives_its_points_to_the_caller_and_an_opponent_does_not(made: type[Bot]) -> None:
    others = "AC 3C KC", "5D", "2S", "2B"
    auction = ["bid Q", *["pass"] * 4, "call C"]
    for partner, gives in (("QC", True), ("6C", False)):
        table = deal(CHIAMATA, *others, f"3D 2D 4D 6D 5S 6S 7S {partner}")
        assert (answer(made, say(table, *auction, "AC", "5D", "2S", "2B")) == "3D") == gives


def test_who_gives_points_to_the_caller_is_taken_for_the_partner() -> None:
    hands = STRONG, "3D", "2D"
    table = say(deal(CHIAMATA, *hands), "bid Q", "pass", "pass", "pass", "pass", "call C", "AC", "3D", "2D")
    allies = guess(view(table, 0))
    assert allies[0] == 1
    assert allies[1] > 1 / 4 > allies[2]
