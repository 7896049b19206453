"""The ledger's entries: the result of one deal, the closing of a fixture that was not played, a withdrawal.

Whole numbers only. The ledger is append-only: a deal is put in once under its key and attempt, a void outranks what its
attempt brought, and the table is a fold over what counts.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from worker.tournament.fixtures import Fixture
from worker.tournament.json_fields import BadField, only, text, whole, wholes

COMPLETED: Final = "COMPLETED"
PASSED_OUT: Final = "PASSED_OUT"

NO_SHOW: Final = "NO_SHOW"
"""An entrant was absent when the fixture was due, and stayed away for the no-show time."""
NO_START: Final = "NO_START"
"""A deal set was void twice because no seat ever answered."""
WITHDRAWN: Final = "WITHDRAWN"
"""An entrant withdrew before the fixture was finished."""


class LedgerError(ValueError):
    """An entry that contradicts itself, the schedule or an entry that is there already."""


class DealKey(NamedTuple):
    """What a counted deal is filed under in its season; ordered as records are."""

    deal_set: int
    fixture: int
    seating: int
    deal: int


@dataclass(frozen=True, slots=True)
class DealResult:
    """What one deal counts for. Tuples per seat have one entry a seat; tuples of seats are in rising order.

    Raises LedgerError where the parts do not fit each other.
    """

    deal_set: int
    fixture: int
    seating: int
    deal: int
    """Number of the deal in its match, from 0."""
    attempt: int
    """0, and one more for each void of the deal set; not a part of the key, since one attempt alone counts."""
    scores: tuple[int, ...]
    """Per seat, before penalties."""
    card_points: tuple[int, ...]
    """Per seat, as captured."""
    winners: tuple[int, ...]
    """The seats with a winning score."""
    faulty: tuple[int, ...]
    """The seats that the stand-in had to take over."""
    penalties: tuple[int, ...]
    """Per seat, 0 where none was charged; positive numbers are taken off the score."""
    termination: str
    """COMPLETED, or PASSED_OUT for an auction that nobody bid in."""

    def __post_init__(self) -> None:
        seats = len(self.scores)
        if min(self.deal_set, self.fixture, self.seating, self.deal, self.attempt) < 0:
            raise LedgerError(f"{self.key}: numbers start at 0")
        if seats < 2 or len(self.card_points) != seats or len(self.penalties) != seats:
            raise LedgerError(f"{self.key}: scores, card points and penalties need one entry a seat")
        for listed in (self.winners, self.faulty):
            if list(listed) != [seat for seat in range(seats) if seat in listed]:
                raise LedgerError(f"{self.key}: {listed} must be seats in rising order, each once")
        if min(self.card_points) < 0 or min(self.penalties) < 0:
            raise LedgerError(f"{self.key}: card points and penalties are never negative")
        if self.termination not in (COMPLETED, PASSED_OUT):
            raise LedgerError(f"{self.key}: termination {self.termination!r} is neither {COMPLETED} nor {PASSED_OUT}")

    @property
    def key(self) -> DealKey:
        """What the deal is filed under."""
        return DealKey(self.deal_set, self.fixture, self.seating, self.deal)

    @property
    def seats(self) -> int:
        """How many seats the table had."""
        return len(self.scores)

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON."""
        return {
            "deal_set": self.deal_set,
            "fixture": self.fixture,
            "seating": self.seating,
            "deal": self.deal,
            "attempt": self.attempt,
            "scores": list(self.scores),
            "card_points": list(self.card_points),
            "winners": list(self.winners),
            "faulty": list(self.faulty),
            "penalties": list(self.penalties),
            "termination": self.termination,
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "DealResult":
        """The result of ``to_json``. Raises BadField or LedgerError on anything else."""
        only(found, [field.name for field in fields(cls)])
        return cls(
            deal_set=whole(found, "deal_set"),
            fixture=whole(found, "fixture"),
            seating=whole(found, "seating"),
            deal=whole(found, "deal"),
            attempt=whole(found, "attempt"),
            scores=wholes(found, "scores"),
            card_points=wholes(found, "card_points"),
            winners=wholes(found, "winners"),
            faulty=wholes(found, "faulty"),
            penalties=wholes(found, "penalties"),
            termination=text(found, "termination"),
        )

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "DealResult":
        """What a deal record (record-format.md) counts for; an arena's fixture, null there, is number 0.

        Raises BadField or LedgerError for a record without a whole outcome.
        """
        try:
            outcome = record["outcome"]
            fixture = record["fixture"]
            return cls.from_json(
                {
                    "deal_set": record["deal_set"],
                    "fixture": 0 if fixture is None else fixture,
                    "seating": record["seating"],
                    "deal": record["deal"],
                    "attempt": record["attempt"],
                    "scores": outcome["scores"],
                    "card_points": outcome["card_points"],
                    "winners": sorted(outcome["winners"]),
                    "faulty": sorted({seat for seat, _, _ in outcome["faults"]}),
                    "penalties": outcome.get("penalties") or [0] * len(outcome["scores"]),
                    "termination": outcome["termination"],
                }
            )
        except (KeyError, TypeError) as wrong:
            raise BadField(f"no whole deal record: {wrong}") from wrong


@dataclass(frozen=True, slots=True)
class FixtureClosure:
    """A fixture that was closed otherwise than by play: a walkover.

    Raises LedgerError for a reason or a list that it does not know.
    """

    fixture: int
    reason: str
    """NO_SHOW, NO_START or WITHDRAWN."""
    lost_by: tuple[int, ...]
    """Indices of the season's entrants that lost it unplayed, rising; the fixture's others won it."""

    def __post_init__(self) -> None:
        if self.reason not in (NO_SHOW, NO_START, WITHDRAWN):
            raise LedgerError(f"fixture {self.fixture}: {self.reason!r} is no reason to close it")
        if not self.lost_by or list(self.lost_by) != sorted(set(self.lost_by)):
            raise LedgerError(f"fixture {self.fixture}: {self.lost_by} must be entrants in rising order, each once")

    def to_json(self) -> dict[str, Any]:
        """The closure as plain JSON."""
        return {"fixture": self.fixture, "reason": self.reason, "lost_by": list(self.lost_by)}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "FixtureClosure":
        """The closure of ``to_json``. Raises BadField or LedgerError on anything else."""
        only(found, ("fixture", "reason", "lost_by"))
        return cls(whole(found, "fixture"), text(found, "reason"), wholes(found, "lost_by"))


def no_show(fixture: Fixture, absent: Collection[int]) -> FixtureClosure:
    """The walkover of a fixture whose ``absent`` entrants stayed away: to the others, or to nobody if all did.

    Raises LedgerError where nobody was absent, or somebody who is not in the fixture.
    """
    if not set(absent) <= set(fixture.entrants):
        raise LedgerError(f"fixture {fixture.number}: {tuple(absent)} are not all in it")
    return FixtureClosure(fixture.number, NO_SHOW, tuple(sorted(set(absent))))


def no_start(fixture: Fixture) -> FixtureClosure:
    """The walkover to nobody of a fixture with a deal set that was void twice for want of a first action."""
    return FixtureClosure(fixture.number, NO_START, tuple(sorted(fixture.entrants)))


def withdrawn(fixture: int, entrant: int) -> FixtureClosure:
    """The walkover of a fixture that was not finished when this entrant of it withdrew."""
    return FixtureClosure(fixture, WITHDRAWN, (entrant,))


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An entrant that left the season (standings.md)."""

    entrant: int
    """Its index in the season."""
    played: int
    """How many of its fixtures were finished then."""
    fixtures: int
    """How many it had then, without those against entrants whose fixtures had left the table."""

    @property
    def annuls(self) -> bool:
        """Whether its fixtures leave the table: before half of them were played. After that the rest are walkovers."""
        return 2 * self.played < self.fixtures

    def to_json(self) -> dict[str, Any]:
        """The withdrawal as plain JSON."""
        return {"entrant": self.entrant, "played": self.played, "fixtures": self.fixtures}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "Withdrawal":
        """The withdrawal of ``to_json``. Raises BadField on anything else."""
        only(found, ("entrant", "played", "fixtures"))
        return cls(whole(found, "entrant"), whole(found, "played"), whole(found, "fixtures"))


def counted(results: Iterable[DealResult], attempts: Mapping[int, int]) -> Iterator[DealResult]:
    """The results that count: those of the current attempt of their deal set, which is 0 where none is given.

    A void raises the attempt, so it outranks whatever the earlier ones brought.
    """
    return (result for result in results if result.attempt == attempts.get(result.deal_set, 0))
