"""Deals worked by hand from the rules, with their reason in words, played again by two engines.

The files say who wins each trick, what it is worth, who draws which card, what is exchanged and how the deal ends. The
package is asked about every game that it has, the naive engine about all eleven.
"""

import json
from collections import Counter

import pytest

from carico.record import replay
from carico.rules.game import game_names
from tests.kit import golden_by_carico, golden_by_naive
from tests.kit.deals import names
from tests.kit.golden_deals import golden_deals
from tests.kit.naive.deviation import Deviation
from tests.kit.naive.games import PACK_SIZE
from tests.kit.naive.hashes import hash_of
from tests.kit.naive.replay import check

DEALS = golden_deals()
PLAYED = [deal for deal in DEALS if deal.game in game_names()]


@pytest.mark.parametrize("deal", DEALS, ids=str)
def test_the_naive_engine_plays_a_deal_as_it_was_worked_by_hand(deal):
    tricks, outcome = golden_by_naive.tricks_and_outcome(deal)
    assert tricks == deal.tricks
    assert outcome == deal.outcome
    check(deal.record)


@pytest.mark.parametrize("deal", PLAYED, ids=str)
def test_the_package_plays_a_deal_as_it_was_worked_by_hand(deal):
    tricks, outcome = golden_by_carico.tricks_and_outcome(deal)
    assert tricks == deal.tricks
    assert json.loads(json.dumps(outcome)) == deal.outcome
    assert names(replay(deal.record).realised()) == deal.record["deck"]


def test_each_of_the_eleven_games_has_eight_deals_or_more():
    count = Counter(deal.game for deal in DEALS)
    assert set(count) == set(PACK_SIZE)
    assert min(count.values()) >= 8


@pytest.mark.parametrize("deal", DEALS[::7], ids=str)
def test_no_other_winners_and_no_other_deck_are_taken_for_right(deal):
    record = deal.record
    others = [seat for seat in range(record["players"]) if seat not in record["outcome"]["winners"]]
    with pytest.raises(Deviation, match=r"outcome\.winners"):
        check({**record, "outcome": {**record["outcome"], "winners": others}})
    swapped = {**record, "deck": [record["deck"][-1], *record["deck"][1:-1], record["deck"][0]]}
    with pytest.raises(Deviation):
        check({**swapped, "hash": hash_of(swapped)})
