"""What is played: fixtures, their deal sets, and the matches of these (design.md, decision 3).

A deal set fixes the deck and the dealer; only the entrants move. A match is one seating of one deal set in one fixture.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from worker.tournament.json_fields import only, whole, wholes


@dataclass(frozen=True, slots=True, order=True)
class MatchPlan:
    """A match to be played: one seating of one deal set in one fixture; ordered as records are."""

    deal_set: int
    fixture: int
    seating: int


@dataclass(frozen=True, slots=True)
class Fixture:
    """Entrants who meet, and the deal sets on which they do. All numbers are from 0 and unique in the season."""

    number: int
    round: int
    """Within a round of the schedule no entrant stands in two fixtures."""
    leg: int
    entrants: tuple[int, ...]
    """Indices into the season's entrants; seating 0 is this order."""
    first_set: int
    """The number of its first deal set; the others follow it."""
    sets: int
    """How many deal sets it has, at least 1."""

    def __post_init__(self) -> None:
        if len(set(self.entrants)) != len(self.entrants) or len(self.entrants) < 2 or min(self.entrants) < 0:
            raise ValueError(f"fixture {self.number}: entrants {self.entrants} must be two or more different indices")
        if self.sets < 1 or min(self.number, self.round, self.leg, self.first_set) < 0:
            raise ValueError(f"fixture {self.number}: it needs a deal set, and numbers from 0")

    @property
    def seatings(self) -> int:
        """How many seatings each of its deal sets has: as many as it has entrants."""
        return len(self.entrants)

    @property
    def deal_sets(self) -> range:
        """The numbers of its deal sets."""
        return range(self.first_set, self.first_set + self.sets)

    def matches(self, deal_sets: range | None = None) -> Iterator[MatchPlan]:
        """Its matches in the order of the records: all of them, or those of some of its deal sets."""
        for deal_set in self.deal_sets if deal_sets is None else deal_sets:
            for r in range(self.seatings):
                yield MatchPlan(deal_set, self.number, r)

    def to_json(self) -> dict[str, Any]:
        """The fixture as plain JSON."""
        return {
            "number": self.number,
            "round": self.round,
            "leg": self.leg,
            "entrants": list(self.entrants),
            "first_set": self.first_set,
            "sets": self.sets,
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "Fixture":
        """The fixture of ``to_json``. Raises ValueError on anything else."""
        only(found, [field.name for field in fields(cls)])
        return cls(
            number=whole(found, "number"),
            round=whole(found, "round"),
            leg=whole(found, "leg"),
            entrants=wholes(found, "entrants"),
            first_set=whole(found, "first_set"),
            sets=whole(found, "sets", least=1),
        )


def place_of(i: int, r: int, k: int) -> int:
    """The place that entrant i of a fixture takes in seating r of a table with k places: (i + r) mod k."""
    return (i + r) % k


def seating(fixture: Fixture, r: int, places: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Per seat the index of the season's entrant that takes it in seating r.

    ``places`` are the seats of each place of the table, as a Game has them; there must be as many as the fixture has
    entrants. Raises ValueError where there are not, or where the fixture has no such seating.
    """
    k = len(places)
    if k != len(fixture.entrants):
        raise ValueError(f"fixture {fixture.number} has {len(fixture.entrants)} entrants, the table {k} places")
    if not 0 <= r < k:
        raise ValueError(f"fixture {fixture.number} has seatings 0 to {k - 1}, not {r}")
    by_seat = {seat: entrant for i, entrant in enumerate(fixture.entrants) for seat in places[place_of(i, r, k)]}
    return tuple(by_seat[seat] for seat in range(len(by_seat)))


def dealer(deal_set: int, deal: int, players: int) -> int:
    """The seat that deals deal number ``deal`` of every match on this deal set: (deal_set + deal) mod players."""
    return (deal_set + deal) % players
