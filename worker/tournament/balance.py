"""How even a schedule is: counted, never assumed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from worker.tournament.fixtures import Fixture, seating


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the greatest of some counts; 0 and 0 of none."""

    least: int
    most: int

    def __str__(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


@dataclass(frozen=True, slots=True)
class Balance:
    """The counts of a schedule, over all its entrants or all two of them that may meet."""

    rounds: int
    fixtures: Range
    """Of an entrant."""
    byes: Range
    """Rounds in which an entrant has no fixture."""
    meetings: Range
    """Fixtures of two entrants that may meet."""
    kept_apart: int
    """How many twos never meet, being of one owner."""
    partners: Range | None
    """Fixtures of two entrants on one side; None unless partners change."""
    opponents: Range | None
    """Fixtures of two entrants on two sides; None unless partners change."""
    seats: int
    """The most by which an entrant's matches in one seat exceed those in another."""
    plays_after: Range | None
    """Fixtures in which one of two sits directly after the other; None at tables of two."""

    def to_json(self) -> dict[str, Any]:
        """The counts as plain JSON; a range is ``{"least", "most"}``."""
        return asdict(self)


def balance(
    fixtures: Sequence[Fixture],
    owners: Sequence[str],
    places: Sequence[Sequence[int]],
    *,
    rotating: bool = False,
) -> Balance:
    """Counts a schedule. ``places`` are the seats of each place of a table; ``rotating``: partners change."""
    everybody, several = range(len(owners)), len(places) > 2
    may_meet = [(a, b) for a, b in combinations(everybody, 2) if not several or owners[a] != owners[b]]
    both_ways = [*may_meet, *((b, a) for a, b in may_meet)]
    plays = Counter(entrant for fixture in fixtures for entrant in fixture.entrants)
    rounds = len({fixture.round for fixture in fixtures})
    after = Counter((a, b) for f in fixtures for a, b in zip(f.entrants, (*f.entrants[1:], f.entrants[0]), strict=True))
    return Balance(
        rounds=rounds,
        fixtures=_range(plays[i] for i in everybody),
        byes=_range(rounds - plays[i] for i in everybody),
        meetings=_met(may_meet, (pair for f in fixtures for pair in combinations(f.entrants, 2))),
        kept_apart=len(everybody) * (len(everybody) - 1) // 2 - len(may_meet),
        partners=_met(may_meet, _across(fixtures, 2)) if rotating else None,
        opponents=_met(may_meet, _across(fixtures, 1)) if rotating else None,
        seats=_seats(fixtures, len(owners), places),
        plays_after=_range(after[pair] for pair in both_ways) if several else None,
    )


def _range(counts: Iterable[int]) -> Range:
    found = list(counts)
    return Range(min(found, default=0), max(found, default=0))


def _met(pairs: Sequence[tuple[int, int]], met: Iterable[tuple[int, ...]]) -> Range:
    count = Counter(tuple(sorted(pair)) for pair in met)
    return _range(count[pair] for pair in pairs)


def _across(fixtures: Iterable[Fixture], steps: int) -> Iterator[tuple[int, int]]:
    """Each two who sit so many seats apart at a table of four, 1 or 2, once."""
    for fixture in fixtures:
        for i in range(4 if steps == 1 else 2):
            yield fixture.entrants[i], fixture.entrants[(i + steps) % 4]


def _seats(fixtures: Iterable[Fixture], entrants: int, places: Sequence[Sequence[int]]) -> int:
    matches = [[0] * sum(map(len, places)) for _ in range(entrants)]
    for fixture in fixtures:
        for r in range(fixture.seatings):
            for seat, entrant in enumerate(seating(fixture, r, places)):
                matches[entrant][seat] += fixture.sets
    return max((max(row) - min(row) for row in matches), default=0)
