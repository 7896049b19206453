import re

import pytest
from hypothesis import given

from carico.rules.exchange import is_asked
from carico.rules.game import game
from carico.rules.words import rules_text
from tests.kit.deals import EVERY, games


@pytest.mark.parametrize(
    ("name", "options", "told", "not_told"),
    [
        ("briscola-2", {}, ["40 cards:", "20 tricks", "first 17 tricks", "60-60 is a tie"], ["Exchange", "Two"]),
        ("briscola-3", {"missing": "2S"}, ["39 cards without 2S:", "Scores 3 and 0", 'missing = "2S"'], ["61"]),
        ("briscola-4", {"partners": "last3"}, ["0+2 and 1+3", "once the stock is used up"], ["all the time"]),
        ("briscola-4", {"partners": "start"}, ["Partners see each other's hands all the time"], ["used up"]),
        ("briscola-6", {"open": True}, ["0+2+4 and 1+3+5", "stock lie face up", "open = true"], ["its own"]),
        ("briscola-2", {"upcard": "bottom", "deal": "packet"}, ["The last card of the pack is", "a hand at"], []),
        ("briscolone-2", {}, ["5 cards each", "no suit is trumps", "The highest card of the suit led"], ["upcard"]),
        ("brisca-2", {}, ["tricks 1 to 16", "the 7 of trumps for A, 3, K, Q, J.", "the 2 of trumps for 7, 6, 5, 4.",
                          "After trick 17 it is too late", "Several in one go"], []),
        ("brisca-2", {"exchange_margin": 0, "exchange_max": 1}, ["tricks 1 to 17", "At most 1 after"], ["too late"]),
        ("brisca-2", {"exchange_margin": None}, ["exchange_margin = null"], ["of trumps for"]),
        ("brisca-2", {"hand": 1}, ["There is no moment for one"], ["of trumps for"]),
        ("brisca-3", {}, ["36 cards:", "A 3 K Q J 7 6 5 4.", "the 7 of trumps"], ["the 2 of trumps"]),
        ("brisca-6", {"pack": 48}, ["48 cards:", "the 7 of trumps for A, 3, K, Q, J, 9, 8."], []),
        ("chiamata-5", {}, ["8 cards each", "A bid is a rank", "passed out", "60-60 is a failure", "Times 2 where",
                            "Mano leads"], ["Drawing", "multi"]),
        ("chiamata-5", {"auction": "points", "forced_last": True, "chiamata_lead": "caller", "tie60": "draw",
                        "capot": 1, "multipliers": [[71, 2]]},
         ["from 61 to 120", "the last has to bid", "The caller leads", "counts for nobody",
          "Times 2 from a target of 71 on"], ["one side has all", "A bid is a rank"]),
        ("briscola-4", {}, ["it plays its weakest card", "its side has 0 and the other 2"], ["declines", "passes"]),
        ("brisca-3", {}, ["it declines and plays its weakest card", "the best of the others wins"], ["passes"]),
        ("chiamata-5", {"forced_last": True}, ["it passes where it may, calls the first suit"], ["its side"]),
        ("brisca-4", {"match": {"first_to": 3, "cap": 9}}, ["first wins 3 deals", "after 9 deals"], []),
        ("chiamata-5", {"match": {"deals": 10}}, ["10 deals; the deal moves"], []),
    ],
)  # fmt: skip
def test_what_the_text_says(name, options, told, not_told):
    text = rules_text(game(name, options))
    assert text.startswith(name)
    assert [words for words in told if words not in text] == []
    assert [words for words in not_told if words in text] == []


@given(games(EVERY))
def test_the_numbers_are_those_of_the_engine(what):
    text = rules_text(what)
    assert f"{len(what.pack)} cards" in text
    assert f"{what.tricks} tricks" in text
    assert (f"first {what.draw_rounds} tricks" in text) == (what.draw_rounds > 0)
    window = re.search(r"After each of tricks 1 to (\d+), before", text)
    rounds = [left for left in range(what.draw_rounds, 0, -1) if is_asked(what, what.pack[0], b"", left, 0)]
    assert (int(window[1]) if window else 0) == len(rounds)
    assert max(map(len, text.splitlines()[1:])) <= 122
    assert text.endswith(".\n")
