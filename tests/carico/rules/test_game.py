import json
import pickle

import pytest
from hypothesis import given

from carico.rules.cards import parse_card
from carico.rules.errors import OptionError, RulesError, UnknownGame
from carico.rules.game import game, game_names
from carico.rules.match_form import MatchForm
from carico.rules.options import DEFAULTS
from tests.kit.deals import EVERY, games, names


def test_this_version_plays_every_game_of_the_rules():
    assert game_names() == (
        *("briscola-2", "briscola-3", "briscola-4", "briscola-6", "briscolone-2", "chiamata-5"),
        *("brisca-2", "brisca-3", "brisca-4", "brisca-5", "brisca-6"),
    )


@pytest.mark.parametrize(
    ("name", "options", "pack", "hand", "draws", "tricks", "sides"),
    [
        ("briscola-2", {}, 40, 3, 17, 20, ((0,), (1,))),
        ("briscola-3", {}, 39, 3, 10, 13, ((0,), (1,), (2,))),
        ("briscola-4", {}, 40, 3, 7, 10, ((0, 2), (1, 3))),
        ("briscola-6", {}, 36, 3, 3, 6, ((0, 2, 4), (1, 3, 5))),
        ("briscolone-2", {}, 40, 5, 15, 20, ((0,), (1,))),
        ("chiamata-5", {}, 40, 8, 0, 8, ((0,), (1,), (2,), (3,), (4,))),
        ("brisca-2", {}, 40, 3, 17, 20, ((0,), (1,))),
        ("brisca-3", {}, 36, 3, 9, 12, ((0,), (1,), (2,))),
        ("brisca-3", {"pack": 39}, 39, 3, 10, 13, ((0,), (1,), (2,))),
        ("brisca-4", {}, 40, 3, 7, 10, ((0, 2), (1, 3))),
        ("brisca-5", {}, 40, 3, 5, 8, ((0,), (1,), (2,), (3,), (4,))),
        ("brisca-6", {}, 36, 3, 3, 6, ((0, 2, 4), (1, 3, 5))),
        ("brisca-6", {"pack": 48}, 48, 3, 5, 8, ((0, 2, 4), (1, 3, 5))),
    ],
)
def test_the_table_of_the_rules(name, options, pack, hand, draws, tricks, sides):
    what = game(name, options)
    assert (what.name, what.variant, what.players, what.hand) == (name, name[:-2], int(name[-1]), hand)
    assert (len(what.pack), what.draw_rounds, what.tricks) == (pack, draws, tricks)
    assert what.sides == what.places == sides
    assert all(seat in sides[what.side_of[seat]] for seat in range(what.players))
    assert dict(what.options) == options
    assert what.has_upcard == (what.variant in ("briscola", "brisca"))
    assert sum(parse_card(card).points for card in names(what.pack)) == 120


@pytest.mark.parametrize("size", [36, 48])
def test_which_cards_are_in_the_packs_of_brisca_for_six(size):
    pack = names(game("brisca-6", {"pack": size}).pack)
    assert {card[0] for card in pack} == set("A3KQJ7654" if size == 36 else "A3KQJ9876542")
    assert len(pack) == size


@pytest.mark.parametrize("missing", ["2C", "2D", "2S", "2B"])
def test_any_two_may_be_out_for_three_players(missing):
    what = game("briscola-3", {"missing": missing})
    assert set(names(game("briscola-2").pack)) - set(names(what.pack)) == {missing}
    assert dict(what.options) == ({} if missing == "2C" else {"missing": missing})


@pytest.mark.parametrize("name", ["", "briscola", "briscola-5", "briscola-1", "briscola-04", "Briscola-2", "brisca-7",
                                  "chiamata-4", "briscola-2 ", "briscola-2\n", "-2", "briscola-22"])  # fmt: skip
def test_an_unknown_game_is_refused_with_those_there_are(name):
    with pytest.raises(UnknownGame, match=r"is no game of this version: it plays briscola-2, briscola-3, briscola-4"):
        game(name)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("briscola-2", {"hand": 0}, "option hand = 0: write a whole number from 1 to 19"),
        ("briscola-2", {"hand": 20}, "option hand = 20: write a whole number from 1 to 19"),
        ("briscola-3", {"hand": 13}, "option hand = 13: write a whole number from 1 to 12"),
        ("briscola-4", {"hand": 10}, "option hand = 10: write a whole number from 1 to 9"),
        ("briscola-6", {"hand": 6}, "option hand = 6: write a whole number from 1 to 5"),
        ("briscola-2", {"hand": 3.0}, "option hand = 3.0: write a whole number from 1 to 19"),
        ("briscola-2", {"hand": True}, "option hand = true: write a whole number from 1 to 19"),
        ("briscola-2", {"hand": "5"}, "option hand = \"5\": write a whole number from 1 to 19"),
        ("briscola-2", {"hand": None}, "option hand = null: write a whole number from 1 to 19"),
        ("briscola-2", {"deal": "double"}, "option deal = \"double\": write one of single, packet"),
        ("briscola-2", {"deal": []}, "option deal = []: write one of single, packet"),
        ("briscola-2", {"upcard": "top"}, "option upcard = \"top\": write one of next, bottom"),
        ("briscola-2", {"open": 1}, "option open = 1: write true or false"),
        ("briscola-2", {"open": "true"}, "option open = \"true\": write true or false"),
        ("briscola-4", {"partners": True}, "option partners = true: write one of none, last3, start"),
        ("briscola-3", {"missing": "3C"}, "option missing = \"3C\": write one of 2C, 2D, 2S, 2B"),
        ("briscola-2", {"partners": "start"}, "briscola-2 has no option 'partners': it takes hand, deal, upcard, "
                                              "open, match"),
        ("briscola-3", {"partners": "none"}, "briscola-3 has no option 'partners': it takes hand, deal, upcard, open, "
                                             "missing, match"),
        ("briscola-4", {"missing": "2C"}, "briscola-4 has no option 'missing': it takes hand, deal, upcard, open, "
                                          "partners, match"),
        ("briscola-2", {"exchange_margin": 1}, "briscola-2 has no option 'exchange_margin': it takes hand, deal, "
                                               "upcard, open, match"),
        ("briscola-2", {"Hand": 3}, "briscola-2 has no option 'Hand': it takes hand, deal, upcard, open, match"),
        ("briscolone-2", {"hand": 21}, "option hand = 21: write a whole number from 1 to 20"),
        ("briscolone-2", {"upcard": "next"}, "briscolone-2 has no option 'upcard': it takes hand, deal, open, match"),
        ("chiamata-5", {"hand": 8}, "chiamata-5 has no option 'hand': it takes deal, auction, forced_last, "
                                    "chiamata_lead, tie60, capot, multipliers, match"),
        ("chiamata-5", {"open": True}, "chiamata-5 has no option 'open': it takes deal, auction, forced_last, "
                                       "chiamata_lead, tie60, capot, multipliers, match"),
        ("chiamata-5", {"auction": "cards"}, "option auction = \"cards\": write one of rank, points"),
        ("chiamata-5", {"forced_last": 1}, "option forced_last = 1: write true or false"),
        ("chiamata-5", {"chiamata_lead": "dealer"}, "option chiamata_lead = \"dealer\": write one of mano, caller"),
        ("chiamata-5", {"tie60": "win"}, "option tie60 = \"win\": write one of loss, draw"),
        ("chiamata-5", {"capot": 0}, "option capot = 0: write a whole number from 1 to 100"),
        ("chiamata-5", {"multipliers": [[60, 2]]}, "option multipliers = [[60, 2]]: write pairs of a target from 61 to "
                                                   "120 and a factor from 1 to 100, such as [[71,2],[81,3]]"),
        ("chiamata-5", {"multipliers": [71, 2]}, "option multipliers = [71, 2]: write pairs of a target from 61 to "
                                                 "120 and a factor from 1 to 100, such as [[71,2],[81,3]]"),
        ("chiamata-5", {"multipliers": 2}, "option multipliers = 2: write pairs of a target from 61 to "
                                           "120 and a factor from 1 to 100, such as [[71,2],[81,3]]"),
        ("chiamata-5", {"multipliers": [[81, 2], [71, 3]]}, "option multipliers = [[81, 2], [71, 3]]: the targets have "
                                                            "to rise"),
        ("chiamata-5", {"match": {"first_to": 5, "cap": 9}}, "option match = {\"first_to\": 5, \"cap\": 9}: write "
                                                             "{\"deals\": k} with k a multiple of 5, at most 1000"),
        ("chiamata-5", {"match": {"deals": 6}}, "option match = {\"deals\": 6}: write "
                                                "{\"deals\": k} with k a multiple of 5, at most 1000"),
        ("brisca-2", {"exchange_margin": 3}, "option exchange_margin = 3: write one of 0, 1, 2, null"),
        ("brisca-2", {"exchange_margin": False}, "option exchange_margin = false: write one of 0, 1, 2, null"),
        ("brisca-2", {"exchange_max": 0}, "option exchange_max = 0: write a whole number from 1 to 100, or null for no "
                                          "limit"),
        ("brisca-2", {"exchange_max": 1, "exchange_margin": None}, "option exchange_max: exchange_margin = null allows "
                                                                   "no exchange, leave one of the two out"),
        ("brisca-2", {"pack": 40}, "brisca-2 has no option 'pack': it takes hand, deal, upcard, exchange_margin, "
                                   "exchange_max, open, match"),
        ("brisca-3", {"pack": 40}, "option pack = 40: write one of 36, 39"),
        ("brisca-6", {"pack": "48"}, "option pack = \"48\": write one of 36, 48"),
        ("brisca-3", {"missing": "2D"}, "option missing = \"2D\": a pack of 36 lacks no single two, set pack = 39"),
        ("brisca-3", {"hand": 12}, "option hand = 12: write a whole number from 1 to 11"),
        ("brisca-6", {"hand": 8, "pack": 48}, "option hand = 8: write a whole number from 1 to 7"),
        *(("briscola-2", {"match": value}, f"option match = {json.dumps(value)}: write {{\"best_of\": m}}, "
           "{\"first_to\": w, \"cap\": c} with w at most c, or {\"deals\": k}, in whole numbers from 1 to 1000")
          for value in (3, {}, {"best_of": 0}, {"best_of": True}, {"first_to": 3}, {"first_to": 3, "cap": 2},
                        {"deals": 3, "cap": 3}, {"deals": 1001}, {"deals": "3"}, [["deals", 3]])),
    ],
)  # fmt: skip
def test_bad_options_name_the_option_and_the_mend(name, options, message):
    with pytest.raises(OptionError) as error:
        game(name, options)
    assert str(error.value) == message
    assert isinstance(error.value, RulesError)


def test_options_stand_in_the_order_of_the_record_format_whatever_order_they_came_in():
    given_backwards = {"partners": "start", "open": True, "upcard": "bottom", "deal": "packet", "hand": 5}
    assert list(game("briscola-4", given_backwards).options) == ["hand", "deal", "upcard", "open", "partners"]
    every = {"match": {"cap": 9, "first_to": 3}, "missing": "2B", "pack": 39, "exchange_max": 1, "exchange_margin": 0}
    assert list(game("brisca-3", every).options) == ["exchange_margin", "exchange_max", "pack", "missing", "match"]
    assert list(game("brisca-3", every).options["match"]) == ["first_to", "cap"]
    every = {"multipliers": [[71, 2]], "capot": 1, "tie60": "draw", "chiamata_lead": "caller", "forced_last": True}
    assert list(game("chiamata-5", {**every, "auction": "points"}).options) == ["auction", *reversed(every)]
    assert list(game("briscola-3", {"missing": "2B", "hand": 2}).options) == ["hand", "missing"]
    assert list(DEFAULTS) == [
        *("hand", "deal", "upcard", "exchange_margin", "exchange_max", "auction", "forced_last", "chiamata_lead"),
        *("tie60", "capot", "multipliers", "open", "partners", "pack", "missing", "match"),
    ]


def test_options_at_their_default_are_left_out():
    what = game("briscola-4", {"hand": 3, "deal": "single", "upcard": "next", "open": False, "partners": "none"})
    assert dict(what.options) == {}
    assert what is game("briscola-4")


@given(games(EVERY))
def test_a_game_is_one_object_and_survives_pickling(what):
    assert game(what.name, dict(reversed(what.options.items()))) is what
    assert pickle.loads(pickle.dumps(what)) is what
    assert hash(what) == hash(game(what.name, what.options))


def test_a_game_stays_one_object_however_many_others_are_made():
    """Views compare games by identity."""
    first = game("briscola-2", {"hand": 4})
    for name, most in (("briscola-2", 19), ("briscola-3", 12), ("briscola-4", 9)):
        for hand in range(1, most + 1):
            for way in ("single", "packet"):
                for upcard in ("next", "bottom"):
                    for face_up in (False, True):
                        game(name, {"hand": hand, "deal": way, "upcard": upcard, "open": face_up})
    assert game("briscola-2", {"hand": 4}) is first


@given(games(EVERY))
def test_options_cannot_be_changed(what):
    with pytest.raises(TypeError):
        what.options["hand"] = 7
    with pytest.raises(AttributeError):
        what.hand = 7
    for value in what.options.values():
        if isinstance(value, (dict, list)):
            value.clear()
    assert game(what.name, what.options) is what


@pytest.mark.parametrize(
    ("name", "value", "most", "wins"),
    [
        ("briscola-2", {"best_of": 5}, 5, 3),
        ("brisca-4", {"best_of": 4}, 4, 3),
        ("brisca-2", {"first_to": 3, "cap": 20}, 20, 3),
        ("briscolone-2", {"deals": 7}, 7, None),
        ("chiamata-5", {"deals": 10}, 10, None),
    ],
)
def test_how_many_deals_make_a_match(name, value, most, wins):
    what = game(name, {"match": value})
    assert dict(what.options) == {"match": value}
    assert what.match == MatchForm(most, wins)
    assert game(name, {"match": None}).match is None
    assert what is not game(name)
