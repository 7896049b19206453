"""What orders a table, as exact fractions (standings.md), and positions."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

Met = tuple[tuple[int, int], tuple[int, int]]
"""A finished fixture of two: its entrants, and the match points of each."""


def share(score: int, deals: int) -> Fraction:
    """Deal-score share: score / (2 x deals), 0 without deals."""
    return Fraction(score, 2 * deals) if deals else Fraction(0)


def per_deal(total: Fraction | int, deals: int) -> Fraction:
    """A total per deal, 0 without deals."""
    return Fraction(total) / deals if deals else Fraction(0)


def direct_encounter(match_points: Mapping[int, int], met: Sequence[Met]) -> dict[int, int]:
    """For each entrant its match points in the finished fixtures among exactly those tied with it on match points.

    0 for all of a tied group in which not every two met equally often. Not taken again for those that it leaves tied.
    """
    tied: dict[int, list[int]] = {}
    for entrant, points in match_points.items():
        tied.setdefault(points, []).append(entrant)
    times = {pair: 0 for group in tied.values() for pair in combinations(sorted(group), 2)}
    direct = dict.fromkeys(match_points, 0)
    for (a, b), points_of in met:
        pair = (a, b) if a < b else (b, a)
        if pair in times:
            times[pair] += 1
            direct[a] += points_of[0]
            direct[b] += points_of[1]
    for group in tied.values():
        if len({times[pair] for pair in combinations(sorted(group), 2)}) > 1:
            direct.update(dict.fromkeys(group, 0))
    return direct


def positions(keys: Iterable[tuple[Fraction, ...]]) -> list[int]:
    """Competition ranking (1, 1, 3), greater keys first; equal keys share a position."""
    listed = list(keys)
    first: dict[tuple[Fraction, ...], int] = {}
    for i, key in enumerate(sorted(listed, reverse=True), start=1):
        first.setdefault(key, i)
    return [first[key] for key in listed]
