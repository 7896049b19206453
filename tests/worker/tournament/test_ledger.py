from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import (
    COMPLETED,
    NO_SHOW,
    NO_START,
    PASSED_OUT,
    DealKey,
    DealResult,
    FixtureClosure,
    LedgerError,
    no_show,
    no_start,
)

RESULT = DealResult(12, 3, 1, 0, 2, (0, 2), (70, 50), (1,), (0,), (0, 0), COMPLETED)
FIXTURE = Fixture(3, 0, 0, (7, 2), 0, 1)


NUMBER = st.integers(0)


@given(st.data(), NUMBER, NUMBER, NUMBER, NUMBER, NUMBER)
def test_a_result_comes_back_from_json_as_it_was(
    data: st.DataObject, deal_set: int, fixture: int, seating: int, deal: int, attempt: int
) -> None:
    seats = data.draw(st.integers(2, 6))
    each = st.tuples(*[st.integers(0, 120)] * seats)
    some = st.sets(st.integers(0, seats - 1)).map(lambda found: tuple(sorted(found)))
    result = DealResult(
        deal_set,
        fixture,
        seating,
        deal,
        attempt,
        scores=data.draw(st.tuples(*[st.integers(-16, 16)] * seats)),
        card_points=data.draw(each),
        winners=data.draw(some),
        faulty=data.draw(some),
        penalties=data.draw(each),
        termination=data.draw(st.sampled_from((COMPLETED, PASSED_OUT))),
    )
    assert DealResult.from_json(result.to_json()) == result


def test_the_attempt_is_no_part_of_the_key() -> None:
    assert RESULT.key == replace(RESULT, attempt=0).key == DealKey(deal_set=12, fixture=3, seating=1, deal=0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"scores": [0, 2, 0]},
        {"scores": [0.0, 2]},
        {"card_points": [70, -1]},
        {"card_points": "7"},
        {"winners": [1, 1]},
        {"winners": [2]},
        {"faulty": [1, 0]},
        {"faulty": [True]},
        {"penalties": [0]},
        {"penalties": [-4, 0]},
        {"termination": "VOID"},
        {"deal": -1},
        {"deal": None},
        {"extra": 1},
    ],
)
def test_what_is_no_result_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"DealKey|must be|unknown"):
        DealResult.from_json(RESULT.to_json() | wrong)


def test_a_missing_field_is_named() -> None:
    found = RESULT.to_json()
    del found["seating"]
    with pytest.raises(ValueError, match=r"fields missing: \['seating'\]"):
        DealResult.from_json(found)


def record(**outcome: Any) -> dict[str, Any]:
    return {
        "format": "carico.deal/1",
        "deal_set": 12,
        "fixture": 3,
        "seating": 1,
        "deal": 0,
        "attempt": 2,
        "outcome": {
            "termination": "COMPLETED",
            "winners": [1],
            "card_points": [70, 50],
            "scores": [0, 2],
            "faults": [[0, "TIME_FORFEIT", 7], [0, "DISCONNECT", 9]],
        }
        | outcome,
    }


def test_a_record_says_what_its_deal_counts_for() -> None:
    assert DealResult.from_record(record()) == RESULT
    assert DealResult.from_record(record() | {"fixture": None}).fixture == 0
    assert DealResult.from_record(record(penalties=[4, 0])).penalties == (4, 0)
    with pytest.raises(ValueError, match="no whole deal record"):
        DealResult.from_record({"deal_set": 1})


def test_a_walkover_goes_to_those_who_are_there_or_to_nobody() -> None:
    assert no_show(FIXTURE, [2]) == FixtureClosure(3, NO_SHOW, (2,))
    assert no_show(FIXTURE, {7, 2}) == FixtureClosure(3, NO_SHOW, (2, 7))
    assert no_start(FIXTURE) == FixtureClosure(3, NO_START, (2, 7))
    assert FixtureClosure.from_json(no_start(FIXTURE).to_json()) == no_start(FIXTURE)


def test_what_is_no_walkover_is_refused() -> None:
    with pytest.raises(LedgerError, match="not all in it"):
        no_show(FIXTURE, [3])
    with pytest.raises(LedgerError, match="rising order"):
        no_show(FIXTURE, [])
    with pytest.raises(LedgerError, match="rising order"):
        FixtureClosure(3, NO_SHOW, (7, 2))
    with pytest.raises(LedgerError, match="no reason"):
        FixtureClosure(3, "RAIN", (2,))
