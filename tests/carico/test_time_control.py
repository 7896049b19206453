import pytest

from carico.time_control import LONGEST_MS, TimeControl


def test_the_defaults_are_those_of_the_league():
    assert TimeControl().to_json() == {
        "bank_ms": 60_000,
        "increment_ms": 100,
        "action_limit_ms": 5_000,
        "lag_credit_ms": 0,
        "grace_ms": 20_000,
    }
    assert list(TimeControl().to_json()) == ["bank_ms", "increment_ms", "action_limit_ms", "lag_credit_ms", "grace_ms"]


@pytest.mark.parametrize("name", list(TimeControl().to_json()))
def test_terms_are_whole_milliseconds_in_range(name):
    least = 1 if name in ("bank_ms", "action_limit_ms") else 0
    for value in (least, LONGEST_MS):
        assert TimeControl(**{name: value}).to_json()[name] == value
    for value in (least - 1, LONGEST_MS + 1, 1.0, True, "5", None):
        mend = f"^{name} = {value!r}: write whole milliseconds from {least} to 86400000$"
        with pytest.raises(ValueError, match=mend):
            TimeControl(**{name: value})


def test_terms_go_round():
    terms = TimeControl(1, 2, 3, 4, 5)
    assert TimeControl(**terms.to_json()) == terms
