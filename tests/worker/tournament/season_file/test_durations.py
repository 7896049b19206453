import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.tournament.season_file.durations import format_duration, parse_duration


@pytest.mark.parametrize(
    ("written", "ms"),
    [("60s", 60_000), ("100ms", 100), ("0s", 0), ("5m", 300_000), ("2h", 7_200_000), ("20 s", 20_000)],
)
def test_a_length_of_time_is_a_whole_number_and_its_unit(written: str, ms: int) -> None:
    assert parse_duration(written) == ms


@pytest.mark.parametrize("written", ["", "60", "s", "1.5s", "-1s", "1s ", "1d", "1s1ms", "٣s", "9999999999s"])
def test_anything_else_is_none(written: str) -> None:
    assert parse_duration(written) is None


@given(st.integers(0, 10**8))
def test_what_is_formatted_is_read_again(ms: int) -> None:
    assert parse_duration(format_duration(ms)) == ms


def test_lengths_are_written_as_people_would() -> None:
    assert [format_duration(ms) for ms in (0, 50, 1000, 60_000, 90_000, 300_000, 86_400_000)] == [
        "0s",
        "50ms",
        "1s",
        "60s",
        "90s",
        "5m",
        "24h",
    ]
