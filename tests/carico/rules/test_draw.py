"""Stocks by role (shuffle.md): the law to the letter, and that it changes nothing for a single deal."""

from dataclasses import replace
from hashlib import sha256
from itertools import permutations
from random import Random

import pytest

from carico.rules.actions import EXCHANGE
from carico.rules.deal import Deal
from carico.rules.draw import LAWS, by_role, shared
from carico.rules.game import game
from tests.kit.deals import BRISCA, DRAWING, EVERY, TRUMPED, codes, new_deal, play_on


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_card_k_of_a_full_block_goes_to_role_k_whoever_won(seats):
    block = bytes(range(seats))
    for winner in range(seats):
        drawn = by_role(block, seats, winner)
        assert {(winner + place) % seats: card for place, card in enumerate(drawn)} == {k: k for k in range(seats)}


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_last_block(seats):
    """The last drawer u has the upcard; any role s < n-1 takes L[s]; role n-1, if it is not u, takes L[u]."""
    last_block = bytes(range(seats - 1))
    for winner in range(seats):
        drawn = by_role(last_block, seats, winner)
        u = (winner - 1) % seats
        taken = {(winner + place) % seats: card for place, card in enumerate(drawn)}
        expected = {s: s for s in range(seats - 1) if s != u}
        if u != seats - 1:
            expected[seats - 1] = u
        assert taken == expected


@pytest.mark.parametrize(
    ("seats", "winner", "drawn"),
    [
        (2, 0, "a"),  # role 1 draws last
        (2, 1, "a"),  # role 0 draws last, so role 1 takes L[0]
        (3, 0, "ab"),
        (3, 1, "ba"),  # u = 0: role 1 takes L[1], role 2 takes L[0]
        (3, 2, "ba"),  # u = 1: role 2 takes L[1], role 0 takes L[0]
        (4, 0, "abc"),
        (4, 1, "bca"),
        (4, 2, "cba"),
        (4, 3, "cab"),
        (6, 0, "abcde"),
        (6, 4, "edabc"),
        (6, 5, "eabcd"),
    ],
)
def test_the_last_block_worked_by_hand(seats, winner, drawn):
    assert by_role(b"abcdef"[: seats - 1], seats, winner).decode() == drawn


def test_one_shared_stock_is_drawn_from_the_top():
    for seats in (2, 3, 4, 6):
        for winner in range(seats):
            for width in (seats, seats - 1):
                assert shared(bytes(range(width)), seats, winner) == bytes(range(width))
    assert dict(LAWS) == {"role": by_role, "shared": shared}


def test_scoperta_has_one_shared_stock_and_every_other_game_stocks_by_role():
    for name in EVERY:
        assert game(name).stock == "role"
    for name in TRUMPED:
        assert game(name, {"hand": 2, "upcard": "bottom"}).stock == "role"
    for name in DRAWING:
        assert game(name, {"open": True}).stock == "shared"


# --- nothing changes for a single deal: enumerated in full on small packs ---


def policy(salt):
    """A bot with its coins fixed: it plays as a hash of what it knows says."""

    def choose(deal):
        legal, hand = sorted(deal.legal()), sorted(deal.hands[deal.to_act])
        known = bytes([salt, deal.to_act, deal.upcard, *hand, 255, *deal.played, 255, *deal.exchanges])
        return legal[sha256(known).digest()[0] % len(legal)]

    return choose


def story(what, dealer, order, choose):
    """All that happens in a deal: every hand, in order of arrival, before every action, and the action."""
    deal = Deal(what, dealer, bytes(order))
    told = []
    while not deal.over:
        action = choose(deal)
        told.append((deal.to_act, action, *map(bytes, deal.hands)))
        deal.apply(action)
    return tuple(told), deal.realised(), tuple(deal.card_points)


LOW, HIGH = [0x00, 0x01, 0x02, 0x05, 0x06, 0x07], [0x10, 0x11, 0x12, 0x15, 0x16, 0x17]
SMALL_PACKS = [
    # name, pack of two suits so that trumps matter, whether the hands and the upcard stay
    ("briscola-2", LOW[:3] + HIGH[:3], False),  # two draw rounds
    ("briscola-2", LOW[:5] + HIGH[:5], True),  # four
    ("briscola-3", LOW[:3] + HIGH[:3], False),  # one: only the last block
    ("briscola-3", LOW[:5] + HIGH[:4], True),
    ("briscola-4", LOW[:4] + HIGH[:4], True),
    ("briscola-4", LOW + HIGH, True),
    ("briscola-6", LOW + HIGH, True),
]


@pytest.mark.parametrize("bottom", [False, True])
@pytest.mark.parametrize(("name", "cards", "behind_the_hands"), SMALL_PACKS)
def test_every_story_comes_from_as_many_packs_as_with_one_shared_stock(name, cards, behind_the_hands, bottom):
    """For bots with their coins fixed, stocks by role and one shared stock tell the same stories equally often.

    Hands of one card. The whole pack is permuted, or all of it but the hands and the upcard. And the realised deck, as
    one shared stock, makes the identical play: so the map from packs to packs is one to one.
    """
    by_roles = replace(game(name), pack=bytes(cards), hand=1, upcard_last=bottom, stock="role")
    one_stock = replace(by_roles, stock="shared")
    seats = by_roles.players
    choose = policy(len(cards))
    order = list(cards)
    Random(seats).shuffle(order)
    if not behind_the_hands:
        head, middle, tail = [], order, []
    elif bottom:
        head, middle, tail = order[:seats], order[seats:-1], order[-1:]
    else:
        head, middle, tail = order[: seats + 1], order[seats + 1 :], []
    every_pack = [bytes([*head, *rest, *tail]) for rest in permutations(middle)]
    stories, plain, realised = set(), set(), set()
    for pack in every_pack:
        told = story(by_roles, 0, pack, choose)
        assert story(one_stock, 0, told[1], choose) == told
        stories.add(told[0])
        realised.add(told[1])
        plain.add(story(one_stock, 0, pack, choose)[0])
    assert stories == plain
    assert realised == set(every_pack)


SMALL_PACKS_WITH_EXCHANGES = [
    # name, pack, hand, how many cards stay: each hand but the last, or the hands and the upcard
    ("brisca-2", "7C AC 2C 5C 7D 2D", 2, 0),  # one draw round
    ("brisca-2", "7C AC 2D KC 7D 3D 2C 5C AD 6C", 2, 5),  # three
    ("brisca-3", "7C 2C 7D 2D AC 6C 3D 5D KC 4C QD JD", 2, 7),
    ("brisca-4", "7C 2C 7D 2D AC 6C 3D 5D KC 4C QD JD", 2, 9),
    ("briscolone-2", "7C AC 2C 5C 7D 2D", 2, 0),
    ("briscolone-2", "7C AC 2C 5C 7D 2D AD KD", 1, 2),
]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("name", "cards", "hand", "stay"), SMALL_PACKS_WITH_EXCHANGES)
def test_every_story_comes_from_as_many_packs_with_exchanges_and_without_an_upcard_too(name, cards, hand, stay, seed):
    """As above. The exchange touches two cards already placed and reads only the past."""
    margin = 0 if name in BRISCA else None
    by_roles = replace(game(name), pack=codes(cards), hand=hand, exchange_margin=margin)
    one_stock = replace(by_roles, stock="shared")
    order = list(codes(cards))
    Random(seed).shuffle(order)
    every_pack = [bytes([*order[:stay], *rest]) for rest in permutations(order[stay:])]
    choose = policy(seed)
    told = [story(by_roles, 0, pack, choose) for pack in every_pack]
    assert all(story(one_stock, 0, one[1], choose) == one for one in told)
    assert {one[0] for one in told} == {story(one_stock, 0, pack, choose)[0] for pack in every_pack}
    assert {one[1] for one in told} == set(every_pack)
    exchanged = sum(any(action >> 8 == EXCHANGE for _, action, *_ in one[0]) for one in told)
    assert exchanged or name not in BRISCA or stay, "nobody exchanged: the test shows nothing"


@pytest.mark.parametrize(
    ("name", "options"),
    [*((name, {"upcard": upcard}) for name in TRUMPED for upcard in ("next", "bottom")), ("briscolone-2", {})],
)
def test_the_realised_deck_is_the_same_deal_with_one_shared_stock(name, options):
    rng = Random(9)
    by_roles = game(name, options)
    one_stock = replace(by_roles, stock="shared")
    differs = 0
    for _ in range(100):
        deal = play_on(new_deal(by_roles, rng), rng)
        same = Deal(one_stock, deal.dealer, deal.realised())
        for seat, card in deal.actions:
            assert same.to_act == seat
            same.apply(card)
        assert same.over
        assert same.card_points == deal.card_points
        assert same.realised() == same.source == deal.realised()
        differs += deal.realised() != deal.source
    assert differs > 50, "the draw law never mattered: the test shows nothing"


def test_both_seatings_of_a_deck_hand_a_role_the_same_cards():
    """What stocks by role are for: role r draws the same cards up to the last round, whoever wins the tricks."""
    what, rng = game("briscola-2"), Random(10)
    for _ in range(50):
        deal = new_deal(what, rng)
        drawn = []
        for _ in range(2):
            again = deal.copy()
            play_on(again, rng, 2 * (what.draw_rounds - 1))
            got = [set(again.hands[seat]) | {c for s, c in again.actions if s == seat} for seat in range(2)]
            drawn.append(got)
        assert drawn[0] == drawn[1]
