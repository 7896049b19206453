import copy
import pickle
from random import Random

import pytest
from hypothesis import given

from carico.rules.actions import Action
from carico.rules.cards import POINTS
from carico.rules.deal import Deal
from carico.rules.errors import IllegalAction
from carico.rules.game import game
from tests.kit.deals import DRAWING, EVERY, SEEDS, codes, deals, games, names, new_deal, play_on, some_action


def every_state(what, seed):
    """One deal at each of its moments."""
    rng = Random(seed)
    deal = new_deal(what, rng)
    yield deal
    while not deal.over:
        deal.apply(some_action(deal, rng))
        yield deal


def state(deal):
    """Everything that a deal holds."""
    return {name: getattr(deal, name) for kind in type(deal).__mro__ for name in getattr(kind, "__slots__", ())}


@given(games(EVERY), SEEDS)
def test_every_card_is_in_exactly_one_place_at_every_moment(what, seed):
    for deal in every_state(what, seed):
        in_hands = [card for hand in deal.hands for card in hand]
        under_the_stock = [deal.upcard] if deal.rounds_left and what.has_upcard else []
        everywhere = [*in_hands, *deal.face_down(), *under_the_stock, *deal.played]
        assert sorted(everywhere) == sorted(what.pack)
        assert deal.stock == len(deal.face_down()) + len(under_the_stock)


@given(games(EVERY), SEEDS)
def test_120_card_points_always(what, seed):
    for deal in every_state(what, seed):
        on_the_table = sum(POINTS[card] for card in deal.table)
        assert sum(deal.card_points) + on_the_table == sum(POINTS[card] for card in deal.played)
    assert sum(deal.card_points) == (0 if deal.passed_out else 120)


@given(games(EVERY), SEEDS)
def test_the_realised_deck_is_the_pack_at_every_moment(what, seed):
    for deal in every_state(what, seed):
        assert sorted(deal.realised()) == sorted(what.pack)


@given(games(EVERY), SEEDS)
def test_cards_already_seen_keep_their_place_in_the_realised_deck(what, seed):
    states = [(deal.realised(), deal.rounds_left, len(deal.played) % what.players) for deal in every_state(what, seed)]
    final = states[-1][0]
    head = what.first_drawn
    for realised, rounds_left, _ in states:
        known = head + (what.draw_rounds - rounds_left) * what.players
        known = min(known, len(final) - (1 if what.upcard_last else 0))
        assert realised[:known] == final[:known]


@given(deals(EVERY))
def test_the_seat_to_act_may_play_any_card_of_its_hand(deal):
    if deal.over:
        assert deal.legal() == ()
        assert deal.to_act == -1
    elif deal.phase == "play":
        assert sorted(deal.legal()) == sorted(deal.hands[deal.to_act])


@given(deals(EVERY))
def test_an_illegal_action_changes_nothing(deal):
    before, legal = copy.deepcopy(state(deal)), deal.legal()
    # A play answers the question for an exchange too, and declines.
    plays = [] if deal.phase == "exchange" else range(64)
    kinds = [
        kind << 8 | argument for kind in range(1, 7) for argument in (*range(64), 62, 75, 120, 121, 128, 0xBB, 255)
    ]
    refused = [a for a in (-3, -1, *plays, 64, 65, *kinds, 1 << 40) if a not in legal]
    for action in refused:
        with pytest.raises(IllegalAction) as error:
            deal.apply(action)
        assert str(error.value)
    assert (state(deal), deal.legal()) == (before, legal)


def test_an_illegal_action_is_told_with_what_would_be_legal():
    deal = Deal(game("briscola-2"), 0, game("briscola-2").pack)
    with pytest.raises(IllegalAction, match=r"^seat 1 may not play 2B: it may play AC, play KC, play JC$"):
        deal.apply(codes("2B")[0])
    with pytest.raises(IllegalAction, match="over"):
        play_on(deal, Random(0)).apply(0)


@given(deals(EVERY), SEEDS)
def test_a_copy_is_equal_and_shares_nothing_that_changes(deal, seed):
    twin = deal.copy()
    assert twin == deal
    assert (twin.key(), hash(twin.key())) == (deal.key(), hash(deal.key()))
    assert type(twin) is type(deal)
    frozen = copy.deepcopy(state(deal))
    play_on(twin, Random(seed))
    assert state(deal) == frozen
    if not deal.over:
        assert twin != deal
        play_on(deal, Random(seed))
        assert twin == deal
        assert state(twin) == state(deal)


@given(deals(EVERY))
def test_playing_the_actions_again_gives_an_equal_deal(deal):
    again = Deal(deal.game, deal.dealer, deal.source)
    for seat, action in deal.actions:
        assert again.to_act == seat
        again.apply(action)
    if again.phase != deal.phase:
        assert again != deal
        again.apply(Action.DECLINE)  # where nothing could be exchanged, that was no action
    assert again == deal
    assert state(again) == state(deal)
    assert again.count == len(again.actions)


def test_deals_differ_by_game_dealer_source_and_actions():
    what = game("briscola-2")
    deal = Deal(what, 0, what.pack)
    swapped = bytes(what.pack[::-1])
    played = deal.copy()
    played.apply(played.legal()[0])
    others = [
        Deal(game("briscola-2", {"hand": 5}), 0, what.pack),
        Deal(what, 1, what.pack),
        Deal(what, 0, swapped),
        played,
    ]
    assert all(other != deal for other in others)
    assert len({deal.key(), *(other.key() for other in others)}) == 5
    assert deal != "a deal"
    with pytest.raises(TypeError):
        hash(deal)


@given(deals(EVERY))
def test_a_deal_survives_pickling(deal):
    again = pickle.loads(pickle.dumps(deal))
    assert again == deal
    assert state(again) == state(deal)
    assert again.game is deal.game


@pytest.mark.parametrize("dealer", [-1, 2, 5])
def test_a_dealer_who_has_no_seat_is_refused(dealer):
    what = game("briscola-2")
    with pytest.raises(ValueError, match=f"dealer {dealer}: the seats are 0 to 1"):
        Deal(what, dealer, what.pack)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("briscola-2", lambda pack: pack[1:]),
        ("briscola-2", lambda pack: pack + pack[:1]),
        ("briscola-2", lambda pack: pack[1:] + pack[1:2]),
        ("briscola-2", lambda pack: b""),
        ("briscola-3", lambda pack: bytes([*pack[1:], 11])),
        ("briscola-6", lambda pack: bytes([*pack[1:], 12])),
    ],
)
def test_a_source_that_is_not_the_pack_is_refused(name, change):
    what = game(name)
    with pytest.raises(ValueError, match="holds each of its cards exactly once"):
        Deal(what, 0, change(what.pack))


def test_cards_are_dealt_one_at_a_time_from_mano():
    """The example of rules.md section 3.3."""
    what = game("briscola-2")
    order = new_deal(what, Random(1)).source
    deal = Deal(what, 0, order)
    assert deal.hands[1] == [order[0], order[2], order[4]]
    assert deal.hands[0] == [order[1], order[3], order[5]]
    assert deal.upcard == order[6]
    assert deal.face_down() == order[7:]
    assert deal.stock == 34
    assert deal.to_act == 1


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("upcard", ["next", "bottom"])
@pytest.mark.parametrize("way", ["single", "packet"])
def test_options_of_the_deal(dealer, way, upcard):
    what = game("briscola-4", {"deal": way, "upcard": upcard})
    order = names(new_deal(what, Random(dealer)).source)
    deal = Deal(what, dealer, codes("".join(order)))
    for role in range(4):
        seat = (dealer + 1 + role) % 4
        expected = order[3 * role : 3 * role + 3] if way == "packet" else [order[role + 4 * k] for k in range(3)]
        assert names(deal.hands[seat]) == expected
    assert names([deal.upcard]) == [order[12] if upcard == "next" else order[39]]
    assert names(deal.face_down()) == (order[13:] if upcard == "next" else order[12:39])


@pytest.mark.parametrize("name", DRAWING)
def test_other_hand_sizes_change_the_draws_and_not_the_tricks(name):
    tricks = len(game(name).pack) // game(name).players
    for hand in range(1, tricks + (name == "briscolone-2")):
        what = game(name, {"hand": hand})
        deal = new_deal(what, Random(hand))
        assert {len(cards) for cards in deal.hands} == {hand}
        assert (what.draw_rounds, what.tricks, deal.stock) == (tricks - hand, tricks, (tricks - hand) * what.players)
        while deal.stock:
            deal.apply(deal.legal()[0])
        assert len(deal.played) == what.players * (tricks - hand)
        assert {len(cards) for cards in deal.hands} == {hand}
        assert play_on(deal, Random(hand)).over
        assert len(deal.played) == len(what.pack)
