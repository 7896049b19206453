"""Rounds: all subjects of a bench one after the other, again and again, and ratios within each round.

A machine is busier in one minute than in the next, so two absolute figures say little; two figures of one round share
their minute. The median of the rounds' ratios is the result, their least and greatest tell how sure it is.
"""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Values = Mapping[str, float]
"""What one subject did: quantity -> value."""

Measure = Callable[[float], Values]
"""Lets a subject work for about so many seconds and tells what it did."""


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
    value: float
    """The subject's median."""
    yardstick_value: float
    ratio: float
    """The median of the rounds' ratios."""
    least: float
    greatest: float


def play_rounds(bench: Bench, rounds: int, seconds: float, told: Callable[[str], None]) -> list[Result]:
    """Measures all subjects ``rounds`` times, interleaved; ``told`` hears of each figure as it comes."""
    played: list[Mapping[str, Values]] = []
    for number in range(1, rounds + 1):
        this: dict[str, Values] = {}
        for subject, measure in bench.subjects.items():
            this[subject] = measure(seconds)
            figures = ", ".join(f"{value:,.1f} {quantity}" for quantity, value in this[subject].items())
            told(f"{bench.name} {number}/{rounds} {subject}: {figures}")
        played.append(this)
    return [compare(comparison, played) for comparison in bench.comparisons]


def compare(comparison: Comparison, played: Sequence[Mapping[str, Values]]) -> Result:
    """The ratios of one comparison in rounds that were played."""
    values = [values[comparison.subject][comparison.quantity] for values in played]
    yardsticks = [values[comparison.yardstick][comparison.quantity] for values in played]
    ratios = [value / yardstick for value, yardstick in zip(values, yardsticks, strict=True)]
    return Result(
        comparison,
        statistics.median(values),
        statistics.median(yardsticks),
        statistics.median(ratios),
        min(ratios),
        max(ratios),
    )
