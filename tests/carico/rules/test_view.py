from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carico.codec import write_view
from carico.rules.cards import Card
from carico.rules.game import game
from carico.rules.view import Trick, View, view
from carico.v1 import bots_pb2
from tests.kit.deals import EVERY, SEEDS, TRUMPED, codes, deals, games, names, new_deal, play_on
from tests.kit.redeal import redealt

SLOTS = View.__slots__


def sent(seen: View) -> bytes:
    """The view as it travels."""
    message = bots_pb2.View()
    write_view(seen, message)
    return message.SerializeToString(deterministic=True)


def winner_of(trick, trump):
    """The seat whose card wins: among trumps if there are any, else among the suit led, the strongest."""
    suits = [card[1] for _, card in trick]
    suit = trump if trump in suits else suits[0]
    return min((row for row in trick if row[1][1] == suit), key=lambda row: "A3KQJ9876542".index(row[1][0]))[0]


def told(seen: View) -> list[object]:
    """All that a view says."""
    return [getattr(seen, name) for name, kind in vars(View).items() if isinstance(kind, property)]


def codes_in(seen: View) -> set[int]:
    """Every card that can be found anywhere in a view."""
    loose = {seen.upcard_code, *seen.hand_codes, *seen.played_codes, *seen.stock_codes}
    return loose.union(*seen.shown_codes)


# --- what is hidden ---


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *((name, {}) for name in EVERY),
        *((name, {"upcard": "bottom", "hand": 5, "deal": "packet"}) for name in TRUMPED),
        *(
            (f"{variant}-{n}", {"partners": when})
            for variant in ("briscola", "brisca")
            for n in "46"
            for when in ("start", "last3")
        ),
        ("briscolone-2", {"hand": 3, "deal": "packet"}),
        ("chiamata-5", {"auction": "points", "forced_last": True, "chiamata_lead": "caller"}),
        ("brisca-2", {"exchange_margin": 0}),
        ("brisca-6", {"pack": 48, "exchange_max": 1, "exchange_margin": 0}),
    ],
)
def test_states_that_are_equal_for_a_seat_give_it_equal_bytes(name, options):
    """A thousand views of random states a game and more, with all that the seat cannot see dealt anew."""
    what, rng = game(name, options), Random(f"{name}{options}")
    differed = 0
    for _ in range(1000 // what.players):
        deal = play_on(new_deal(what, rng), rng, rng.randrange(len(what.pack) + 1))
        for seat in range(what.players):
            other = redealt(deal, seat, rng, swaps=12)
            differed += other.source != deal.source
            mine, yours = view(deal, seat), view(other, seat)
            assert sent(mine) == sent(yours)
            assert mine == yours
            assert (mine.digest(), hash(mine), repr(mine)) == (yours.digest(), hash(yours), repr(yours))
            assert told(mine) == told(yours)
    assert differed > 600, "hardly anything was dealt anew: the test shows nothing"


@given(deals(EVERY))
def test_a_view_holds_no_card_that_is_hidden(deal):
    what = deal.game
    for seat in range(what.players):
        hidden = set(deal.face_down()) if not what.open else set()
        for other, hand in enumerate(deal.hands):
            mates = what.side_of[other] == what.side_of[seat]
            shown = what.open or (
                mates and (what.partners == "start" or (what.partners == "last3" and deal.stock == 0))
            )
            if other != seat and not shown:
                hidden.update(hand)
        # Public, wherever they are: the upcard, and cards taken in exchanges.
        hidden -= {deal.upcard, *deal.exchanges[2::4]}
        seen = view(deal, seat)
        assert not codes_in(seen) & hidden
        assert set(seen.unseen) == hidden


@given(deals(EVERY, plain=True))
def test_what_a_view_holds_is_what_the_rules_make_public(deal):
    for seat in range(deal.game.players):
        seen = view(deal, seat)
        assert seen.hand == tuple(deal.hands[seat])
        assert (seen.phase, seen.to_act) == (deal.phase, None if deal.over else deal.to_act)
        if deal.phase == "play":
            assert seen.legal == seen.plays == seen.hand
        else:
            assert seen.legal == (deal.legal() if seat == deal.to_act else ())
            assert seen.plays == ()
        assert all(type(card) is Card for card in (*seen.hand, *seen.table, *seen.unseen))
        assert seen.table == tuple(deal.table)
        assert (seen.dealer, seen.seat, seen.game) == (deal.dealer, seat, deal.game)
        assert deal.over or seen.leader == deal.leader
        assert (seen.upcard_holder, seen.stock) == (deal.upcard_holder, deal.stock)
        assert seen.upcard == (deal.upcard if deal.game.has_upcard else None)
        assert seen.trump == ("CDSB"[deal.trump] if deal.trump >= 0 else None)
        assert seen.card_points == tuple(deal.card_points)
        assert (seen.shown, seen.stock_cards) == ({}, ())
        assert seen.table_points == sum(card.points for card in seen.table)
        assert seen.tricks_left == deal.game.tricks - len(seen.tricks)
        rows = [card for trick in seen.tricks for card in trick.cards] + list(seen.table)
        assert rows == list(deal.played)


@given(deals(EVERY))
def test_tricks_tell_leader_cards_and_winner(deal):
    seen, seats = view(deal, 0), deal.game.players
    actions = [(who, action) for who, action in deal.actions if action < 64]
    points = [0] * seats
    for number, trick in enumerate(seen.tricks):
        rows = actions[number * seats : (number + 1) * seats]
        assert trick.leader == rows[0][0]
        assert list(trick.cards) == [card for _, card in rows]
        assert trick.winner == winner_of([(seat, names([card])[0]) for seat, card in rows], seen.trump)
        points[trick.winner] += trick.points
    assert points == deal.card_points


@pytest.mark.parametrize(
    ("options", "moment", "seen"),
    [
        ({}, 0, []),
        ({"partners": "none"}, 30, []),
        ({"partners": "start"}, 0, [2]),
        ({"partners": "start"}, 30, [2]),
        ({"partners": "last3"}, 0, []),
        ({"partners": "last3"}, 27, []),
        ({"partners": "last3"}, 28, [2]),  # the seventh trick of ten took the last of the stock
        ({"partners": "last3"}, 29, [2]),
        ({"open": True}, 0, [1, 2, 3]),
        ({"open": True}, 30, [1, 2, 3]),
        ({"open": True, "partners": "last3"}, 0, [1, 2, 3]),
    ],
)
def test_whose_hands_are_shown_to_seat_0_of_four(options, moment, seen):
    rng = Random(moment)
    deal = play_on(new_deal(game("briscola-4", options), rng), rng, moment)
    shown = view(deal, 0).shown
    assert list(shown) == seen
    for seat in seen:
        assert list(shown[seat]) == sorted(deal.hands[seat], key=int)


def test_partners_at_six_seats_are_the_two_alternate_ones():
    rng = Random(6)
    deal = new_deal(game("briscola-6", {"partners": "start"}), rng)
    assert list(view(deal, 1).shown) == [3, 5]
    assert view(deal, 1).partners == (3, 5)
    assert view(new_deal(game("briscola-3"), rng), 1).partners == ()


@given(games(TRUMPED), SEEDS)
def test_scoperta_shows_the_stock_in_drawing_order(what, seed):
    what = game(what.name, {**what.options, "open": True})
    rng = Random(seed)
    deal = new_deal(what, rng)
    while not deal.over:
        seen = view(deal, 1)
        assert bytes(seen.stock_cards) == deal.face_down()
        assert len(seen.stock_cards) == max(0, deal.stock - 1)
        assert seen.unseen == ()
        if seen.stock:
            coming = [*seen.stock_cards, seen.upcard][: what.players]
            tricks = len(deal.played) // what.players
            while len(deal.played) // what.players == tricks:
                deal.apply(rng.choice(deal.legal()))
            while deal.phase == "exchange":
                deal.apply(rng.choice(deal.legal()))
            coming[-1] = deal.upcard if deal.stock == 0 else coming[-1]
            leader = deal.leader
            assert [deal.hands[(leader + k) % what.players][-1] for k in range(what.players)] == coming
        else:
            play_on(deal, rng, what.players)


# --- views are values ---


@given(deals(EVERY), st.integers(0, 5))
def test_views_of_different_moments_differ(deal, seat):
    seat %= deal.game.players
    if deal.over:
        return
    before = view(deal, seat)
    again = view(deal.copy(), seat)
    assert (before, hash(before), before.digest()) == (again, hash(again), again.digest())
    deal.apply(deal.legal()[0])
    after = view(deal, seat)
    assert after != before
    assert after.digest() != before.digest()
    assert before == again, "a view changed after it was taken"


def test_views_of_different_games_differ():
    what, longer = game("briscola-4"), game("briscola-4", {"partners": "last3"})
    one = view(new_deal(what, Random(1)), 0)
    fields = {
        "played": one.played_codes,
        "leaders": one.leader_codes,
        "points": one.point_codes,
        "upcard": one.upcard_code,
        "upcard_holder": one.upcard_holder,
        "stock": one.stock,
    }
    other = View(longer, 0, one.dealer, one.hand_codes, **fields)
    same = View(what, 0, one.dealer, one.hand_codes, **fields)
    assert same == one
    assert other != one
    assert other.digest() != one.digest()
    assert one != "a view"


def test_each_field_makes_a_view_another_view():
    rng = Random(2)
    deal = play_on(new_deal(game("briscola-4", {"open": True}), rng), rng, 9)
    base = {
        "seat": 1,
        "dealer": deal.dealer,
        "hand": bytes(deal.hands[1]),
        "played": bytes(deal.played),
        "leaders": bytes(deal.leaders),
        "points": bytes(deal.card_points),
        "upcard": deal.upcard,
        "upcard_holder": -1,
        "stock": deal.stock,
        "shown": tuple(map(bytes, deal.hands)),
        "stock_cards": deal.face_down(),
        "auction": b"\0\xff",
        "exchanges": b"\0\x07\0\4",
    }
    first = View(deal.game, **base)
    for name, value in base.items():
        changed = {**base, name: value + 1 if isinstance(value, int) else value[1:]}
        assert View(deal.game, **changed) != first, name
        assert View(deal.game, **changed).digest() != first.digest(), name


@given(deals(EVERY))
def test_takes_says_whether_the_trick_as_it_lies_would_be_yours(deal):
    if deal.over:
        return
    seen = view(deal, deal.to_act)
    for card in seen.plays:
        trick = list(enumerate([*map(str, seen.table), str(card)]))
        assert seen.takes(card) == (winner_of(trick, seen.trump) == len(seen.table))


def test_a_view_shows_itself_in_words():
    what = game("briscola-2")
    deal = play_on(new_deal(what, Random(3)), Random(3), 1)
    hand = " ".join(map(str, view(deal, 0).hand))
    (card,) = view(deal, 0).table
    assert repr(view(deal, 0)) == f"<View briscola-2 seat 0: hand {hand}, table {card}, trump {view(deal, 0).trump}>"


def test_a_tricks_points():
    assert Trick(0, tuple(map(Card, codes("AC 3D KS QB JC 7C"))), 0).points == 11 + 10 + 4 + 3 + 2
