"""The bench of a season: workers and store on top of the referee, against the referee alone on the same chunks."""

from typing import Final

from benches.processes import run
from benches.rounds import Bench, Comparison, Measure, Values

LONGER: Final = 3
"""A season is measured so many times as long as others, since it takes up to 0.25 s until a sweep finds it."""


def league(kind: str) -> Measure:
    """A league of its own, warm."""

    def measure(seconds: float) -> Values:
        values: Values = run("benches.league", kind, str(LONGER * seconds))
        return values

    return measure


SEASON: Final = Bench(
    "season",
    {"alone": league("alone"), "season": league("season")},
    (
        Comparison("season", "alone", "deals/s", "at least 0.9"),
        Comparison("season", "alone", "CPU µs/action"),
        Comparison("season", "alone", "referee CPU µs/action"),
        Comparison("season", "alone", "bots' CPU µs/action"),
        Comparison("season", "alone", "organiser's CPU µs/action"),
    ),
)
