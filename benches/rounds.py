"""Rounds: all subjects of a bench one after the other, again and again, and ratios within each round.

A machine is busier in one minute than in the next, so two absolute figures say little; two figures of one round share
their minute. The median of the rounds' ratios is the result, their least and greatest tell how sure it is.
"""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

Values = Mapping[str, float]
"""What one subject did: quantity -> value."""

Measure = Callable[[float], Values]
"""Lets a subject work for about so many seconds and tells what it did."""


class Missing(Exception):
    """What a subject would measure is not on this machine; the text says what."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One quantity of a subject over that of its yardstick."""

    subject: str
    yardstick: str
    quantity: str
    aim: str = ""
    """What the ratio should be, in words; empty where it only informs."""


@dataclass(frozen=True, slots=True)
class Bench:
    """Subjects that are measured in turn, and what is compared."""

    name: str
    subjects: Mapping[str, Measure]
    comparisons: Sequence[Comparison]


@dataclass(frozen=True, slots=True)
class Result:
    """A comparison over all rounds."""

    comparison: Comparison
    value: float | None
    """The subject's median; None, here and below, where subject or yardstick is missing."""
    yardstick_value: float | None
    ratio: float | None
    """The median of the rounds' ratios."""
    least: float | None
    greatest: float | None
    missing: str = ""
    """What is missing, in words."""


def play_rounds(bench: Bench, rounds: int, seconds: float, told: Callable[[str], None]) -> list[Result]:
    """Measures all subjects ``rounds`` times, interleaved; ``told`` hears of each figure as it comes."""
    played: list[Mapping[str, Values]] = []
    missing: dict[str, str] = {}
    for number in range(1, rounds + 1):
        this: dict[str, Values] = {}
        for subject, measure in bench.subjects.items():
            try:
                this[subject] = measure(seconds)
                figures = ", ".join(f"{value:,.1f} {quantity}" for quantity, value in this[subject].items())
            except Missing as error:
                this[subject] = {}
                figures = missing[subject] = str(error)
            told(f"{bench.name} {number}/{rounds} {subject}: {figures}")
        played.append(this)
    return [
        replace(compare(one, played), missing=missing.get(one.subject) or missing.get(one.yardstick, ""))
        for one in bench.comparisons
    ]


def compare(comparison: Comparison, played: Sequence[Mapping[str, Values]]) -> Result:
    """The ratios of one comparison in rounds that were played."""
    pair = comparison.subject, comparison.yardstick
    if not all(values[subject] for values in played for subject in pair):
        value, yardstick_value = (
            _median_where_measured(comparison.quantity, [values[subject] for values in played]) for subject in pair
        )
        return Result(comparison, value, yardstick_value, None, None, None)
    values, yardsticks = ([values[subject][comparison.quantity] for values in played] for subject in pair)
    ratios = [value / yardstick for value, yardstick in zip(values, yardsticks, strict=True)]
    return Result(
        comparison,
        statistics.median(values),
        statistics.median(yardsticks),
        statistics.median(ratios),
        min(ratios),
        max(ratios),
    )


def _median_where_measured(quantity: str, figures: Sequence[Values]) -> float | None:
    return statistics.median([values[quantity] for values in figures]) if all(figures) else None
