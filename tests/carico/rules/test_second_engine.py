"""An engine that shares no line with this one plays every record again from its fields alone."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carico.record import Place, deal_record, dumps, verify
from carico.rules.game import game
from carico.time_control import TimeControl
from tests.kit import naive_engine
from tests.kit.deals import EVERY, SEEDS, games
from tests.kit.naive.dealing import played as naive_played
from tests.kit.records import played

PLACES = st.builds(
    Place,
    season=st.none() | st.just("s1"),
    deal_set=st.integers(0, 10_000),
    fixture=st.none() | st.integers(0, 100),
    seating=st.integers(0, 5),
    deal=st.integers(0, 3),
    attempt=st.integers(0, 3),
)
TERMS = st.none() | st.builds(
    TimeControl, bank_ms=st.integers(1, 5000), increment_ms=st.integers(0, 200), lag_credit_ms=st.integers(0, 100)
)


def agree(record, seed):
    """Both engines find the record right, from its line alone."""
    record = json.loads(dumps(record))
    naive_engine.check(record)
    assert record["shuffle"]["key"] == naive_engine.practice_key(seed, record).hex()
    verify(record)


@given(games(EVERY), SEEDS, PLACES, TERMS, st.integers(0, 2))
def test_a_second_engine_replays_any_game_with_any_options(what, seed, place, terms, faults):
    agree(deal_record(played(what, seed, place, terms, faults)), seed)


@pytest.mark.parametrize("name", EVERY)
def test_a_second_engine_replays_a_hundred_deals_of_each_game(name):
    for number in range(100):
        agree(deal_record(played(game(name), 5, Place(None, number, None, 0, 0, 0), None, number % 3)), 5)


def test_the_second_engine_sees_differences():
    place = Place(None, 3, None, 0, 0, 0)
    whole = json.loads(dumps(deal_record(played(game("briscola-4"), 5, place, TimeControl(), 1))))
    naive_engine.check(whole)
    spoilt = {
        "deck": whole["deck"][:-2] + whole["deck"][:-3:-1],
        "actions": [whole["actions"][1], whole["actions"][0], *whole["actions"][2:]],
        "clock": [*whole["clock"][:-1], [1, 0, 1]],
        "stand_in": whole["stand_in"][1:],
        "outcome": {**whole["outcome"], "scores": [1, 1, 1, 1]},
        "hash": whole["hash"][::-1],
        "dealer": (whole["dealer"] + 1) % 4,
        "shuffle": {**whole["shuffle"], "stock": "shared"},
    }
    for name, value in spoilt.items():
        with pytest.raises(naive_engine.Deviation):
            naive_engine.check({**whole, name: value})


@pytest.mark.parametrize("name", EVERY)
def test_the_package_finds_the_records_of_the_second_engine_right(name):
    for number in range(20):
        verify(naive_played(name, {}, Random(number), seed=5, deal_set=number))
