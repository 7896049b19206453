import pickle

import pytest
from hypothesis import given

from carico.rules.errors import OptionError, RulesError, UnknownGame
from carico.rules.game import DEFAULTS, game, game_names
from tests.kit.deals import games, names


def test_this_version_plays_briscola_for_2_3_4_and_6():
    assert game_names() == ("briscola-2", "briscola-3", "briscola-4", "briscola-6")


@pytest.mark.parametrize(
    ("name", "pack", "draws", "tricks", "sides"),
    [
        ("briscola-2", 40, 17, 20, ((0,), (1,))),
        ("briscola-3", 39, 10, 13, ((0,), (1,), (2,))),
        ("briscola-4", 40, 7, 10, ((0, 2), (1, 3))),
        ("briscola-6", 36, 3, 6, ((0, 2, 4), (1, 3, 5))),
    ],
)
def test_the_table_of_the_rules(name, pack, draws, tricks, sides):
    what = game(name)
    assert (what.name, what.variant, what.players, what.hand) == (name, "briscola", int(name[-1]), 3)
    assert (len(what.pack), what.draw_rounds, what.tricks) == (pack, draws, tricks)
    assert what.sides == what.places == sides
    assert all(seat in sides[what.side_of[seat]] for seat in range(what.players))
    assert dict(what.options) == {}


@pytest.mark.parametrize("missing", ["2C", "2D", "2S", "2B"])
def test_any_two_may_be_out_for_three_players(missing):
    what = game("briscola-3", {"missing": missing})
    assert set(names(game("briscola-2").pack)) - set(names(what.pack)) == {missing}
    assert dict(what.options) == ({} if missing == "2C" else {"missing": missing})


@pytest.mark.parametrize("name", ["", "briscola", "briscola-5", "briscola-1", "briscola-04", "Briscola-2", "brisca-2",
                                  "chiamata-5", "briscola-2 ", "briscola-2\n", "-2", "briscola-22"])  # fmt: skip
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
        ("briscola-2", {"partners": "start"}, "briscola-2 has no option 'partners': it takes hand, deal, upcard, open"),
        ("briscola-3", {"partners": "none"}, "briscola-3 has no option 'partners': it takes hand, deal, upcard, open, "
                                             "missing"),
        ("briscola-4", {"missing": "2C"}, "briscola-4 has no option 'missing': it takes hand, deal, upcard, open, "
                                          "partners"),
        ("briscola-2", {"exchange_margin": 1}, "briscola-2 has no option 'exchange_margin': it takes hand, deal, "
                                               "upcard, open"),
        ("briscola-2", {"Hand": 3}, "briscola-2 has no option 'Hand': it takes hand, deal, upcard, open"),
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
    assert list(game("briscola-3", {"missing": "2B", "hand": 2}).options) == ["hand", "missing"]
    assert list(DEFAULTS) == ["hand", "deal", "upcard", "open", "partners", "missing"]


def test_options_at_their_default_are_left_out():
    what = game("briscola-4", {"hand": 3, "deal": "single", "upcard": "next", "open": False, "partners": "none"})
    assert dict(what.options) == {}
    assert what is game("briscola-4")


@given(games())
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


@given(games())
def test_options_cannot_be_changed(what):
    with pytest.raises(TypeError):
        what.options["hand"] = 7
    with pytest.raises(AttributeError):
        what.hand = 7
