"""The facts that developers get wrong (rules.md section 11), each as a test of its own number."""

from math import sqrt
from random import Random

import pytest

from carico.rules.actions import Action
from carico.rules.deal import Deal
from carico.rules.game import game
from carico.rules.outcome import outcome
from carico.rules.trick import winning_index
from carico.rules.view import view
from tests.kit.deals import DRAWING, TRUMPED, codes, names, new_deal, play_on
from tests.kit.naive_engine import winner_of

GAMES = pytest.mark.parametrize("name", TRUMPED)


def finish_trick(deal, rng):
    """Plays the trick on the table to its end, without an exchange; gives its cards as (seat, card)."""
    trick = []
    for _ in range(deal.game.players):
        seat, card = deal.to_act, rng.choice(deal.legal())
        deal.apply(card)
        trick.append((seat, names([card])[0]))
    if deal.phase == "exchange":
        deal.apply(Action.DECLINE)
    return trick


def test_fact_1_rank_decides_and_points_never():
    seven_leads, two_leads = codes("7C 2C"), codes("2C 7C")
    assert (winning_index(seven_leads, 3), winning_index(two_leads, 3)) == (0, 1)
    assert (winning_index(seven_leads, 0), winning_index(two_leads, 0)) == (0, 1)
    assert winning_index(codes("4C 7C 2C 6C"), 1) == 1


@GAMES
def test_fact_2_the_dealers_right_leads_first_and_the_winner_draws_first(name):
    what, rng = game(name, {"open": True}), Random(2)
    for dealer in range(what.players):
        deal = new_deal(what, rng)
        deal = Deal(what, dealer, deal.source)
        assert deal.to_act == deal.leader == (dealer + 1) % what.players
        winners = []
        while deal.rounds_left > 1:
            stock = deal.face_down()
            trick = finish_trick(deal, rng)
            winner = winner_of(trick, "CDSB"[deal.trump])
            winners.append(winner != trick[0][0])
            drawn = [deal.hands[(winner + k) % what.players][-1] for k in range(what.players)]
            assert bytes(drawn) == stock[: what.players]
        assert any(winners), "no trick was won by another seat than the leader: the test shows nothing"


@GAMES
def test_fact_3_the_upcard_goes_to_the_last_in_order_and_three_more_tricks_follow(name):
    what, rng = game(name), Random(3)
    for _ in range(20):
        deal = new_deal(what, rng)
        while deal.rounds_left > 1:
            finish_trick(deal, rng)
        assert deal.upcard_holder == -1
        winner = winner_of(finish_trick(deal, rng), "CDSB"[deal.trump])
        last = (winner - 1) % what.players
        assert deal.upcard_holder == last
        assert deal.hands[last][-1] == deal.upcard
        assert deal.stock == 0
        assert deal.to_act == winner
        assert [len(hand) for hand in deal.hands] == [3] * what.players
        assert view(deal, winner).tricks_left == 3
        for _ in range(3):
            assert not deal.over
            finish_trick(deal, rng)
        assert deal.over


@pytest.mark.parametrize("name", DRAWING)
def test_fact_4_a_tie_is_an_outcome_of_its_own(name):
    what, rng = game(name), Random(4)
    while True:
        deal = play_on(new_deal(what, rng), rng)
        totals = [sum(deal.card_points[seat] for seat in side) for side in what.sides]
        if totals.count(max(totals)) > 1:
            break
    end = outcome(deal)
    assert end.winners == ()
    assert end.scores == (1,) * what.players


@GAMES
def test_fact_5_the_trump_suit_stays_when_the_upcard_has_gone(name):
    what, rng = game(name), Random(5)
    taken_by_trump = 0
    for _ in range(50):
        deal = new_deal(what, rng)
        trump = names([deal.upcard])[0][1]
        while not deal.over:
            stock = deal.stock
            trick = finish_trick(deal, rng)
            assert "CDSB"[deal.trump] == view(deal, 0).trump == trump
            winner = winner_of(trick, trump)
            assert deal.leader == winner
            card = dict(trick)[winner]
            taken_by_trump += stock == 0 and card[1] == trump != trick[0][1][1]
    assert taken_by_trump > 5


@pytest.mark.parametrize(
    ("name", "size", "tricks", "draws"),
    [("briscola-3", 39, 13, 10), ("briscola-6", 36, 6, 3), ("brisca-3", 36, 12, 9), ("brisca-6", 36, 6, 3)],
)
def test_fact_6_hands_of_three_and_six_seats_run_out_evenly(name, size, tricks, draws):
    what, rng = game(name), Random(6)
    assert (len(what.pack), what.tricks, what.draw_rounds) == (size, tricks, draws)
    assert not {*names(what.pack)} & ({"2C"} if size == 39 else {"2C", "2D", "2S", "2B"})
    deal = new_deal(what, rng)
    for number in range(tricks):
        assert {len(hand) for hand in deal.hands} == {min(3, tricks - number)}
        finish_trick(deal, rng)
    assert deal.over


@pytest.mark.parametrize("name", ["briscola-4", "briscola-6", "brisca-4", "brisca-6"])
def test_fact_7_the_winner_of_a_team_trick_leads(name):
    what, rng = game(name), Random(7)
    places_from_leader = set()
    for _ in range(30):
        deal = new_deal(what, rng)
        while not deal.over:
            trick = finish_trick(deal, rng)
            winner = winner_of(trick, "CDSB"[deal.trump])
            places_from_leader.add((winner - trick[0][0]) % what.players)
            if not deal.over:
                assert deal.to_act == deal.leader == winner
                assert [seat for seat, _ in trick] == [(trick[0][0] + k) % what.players for k in range(what.players)]
    assert places_from_leader == set(range(what.players))


def test_fact_8_random_play_outs_have_the_published_frequencies():
    """20,000 deals against the page's 10,000: each mean within three standard errors of the difference.

    The page's figures carry an error of their own, so the error of a difference is that of both samples together:
    sd * sqrt(1/20,000 + 1/10,000), 0.27 card points and 0.16, 0.61 and 0.61 per cent.
    """
    n, published = 20_000, 10_000
    what, rng = game("briscola-2"), Random(8)
    order = list(what.pack)
    mano_points = ties = mano_wins = dealer_wins = squares = 0
    for number in range(n):
        rng.shuffle(order)
        deal = Deal(what, number % 2, bytes(order))
        while deal.to_act >= 0:
            hand = deal.hands[deal.to_act]
            deal.apply(hand[int(rng.random() * len(hand))])
        points = deal.card_points[1 - number % 2]
        mano_points += points
        squares += points * points
        ties += points == 60
        mano_wins += points > 60
        dealer_wins += points < 60
    scale = sqrt(1 / n + 1 / published)
    mean = mano_points / n
    assert abs(mean - 61.82) < 3 * 22.3 * scale
    assert abs(sqrt(squares / n - mean * mean) - 22.3) < 3 * 22.3 / sqrt(2) * scale
    for count, share in ((ties, 0.0184), (mano_wins, 0.5226), (dealer_wins, 0.4590)):
        assert abs(count / n - share) < 3 * sqrt(share * (1 - share)) * scale


def test_fact_8_holds_for_brisca_too():
    """Exchanges by chance: whoever can exchange does so every other time."""
    n, published = 10_000, 10_000
    what, rng = game("brisca-2"), Random(80)
    order = list(what.pack)
    mano_points = ties = mano_wins = exchanges = 0
    for number in range(n):
        rng.shuffle(order)
        deal = Deal(what, number % 2, bytes(order))
        while deal.to_act >= 0:
            legal = deal.legal()
            deal.apply(legal[int(rng.random() * len(legal))])
        points = deal.card_points[1 - number % 2]
        mano_points += points
        ties += points == 60
        mano_wins += points > 60
        exchanges += len(deal.exchanges) // 4
    scale = sqrt(1 / n + 1 / published)
    assert abs(mano_points / n - 61.96) < 3 * 22.3 * scale
    for count, share in ((ties, 0.0161), (mano_wins, 0.5291)):
        assert abs(count / n - share) < 3 * sqrt(share * (1 - share)) * scale
    assert abs(exchanges / n - 0.271) < 3 * sqrt(0.271) * scale
