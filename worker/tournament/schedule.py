"""Who meets whom: round robins by the circle method, and the fixtures of a late entrant."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from worker.tournament.fixtures import Fixture


class ScheduleError(ValueError):
    """A schedule that this version can't make; the text says what to do instead."""


def round_robin(entrants: int, places: int, legs: int, sets: int) -> tuple[Fixture, ...]:
    """Every entrant against every other, ``legs`` times, on ``sets`` deal sets a fixture.

    At tables of two places: the circle method. A leg has e - 1 rounds for an even number e of entrants, and e rounds
    with a bye each for an odd one. Within a leg an entrant stands first in its fixtures as often as second, but for one
    fixture where e is even; every second leg turns the order round. At larger tables a leg is one round of one table,
    for exactly as many entrants as places; every leg moves them on by one.

    Fixtures, rounds and legs are numbered from 0 in the order of play, deal sets from 0 in fixture order.
    Raises ScheduleError where entrants and places do not fit, ValueError for fewer than one leg or deal set.
    """
    check(entrants, places)
    if legs < 1 or sets < 1:
        raise ValueError(f"{legs} legs of {sets} deal sets: at least 1 of each is needed")
    return tuple(_numbered(_legs(entrants, places, legs), sets))


def check(entrants: int, places: int) -> None:
    """Raises ScheduleError unless a round robin of so many entrants at tables of so many places can be made."""
    if entrants < 2:
        raise ScheduleError(f"entrants: {entrants}; a round robin needs at least 2")
    if places > 2 and entrants != places:
        raise ScheduleError(
            f"entrants: {entrants}, places at a table: {places}; this version schedules one such table, "
            "several tables of three or more come with a later version"
        )


def single_fixture(places: int, sets: int) -> Fixture:
    """The one fixture of an arena: as many entrants as places, in their order, on deal sets 0 .. sets - 1."""
    return Fixture(0, 0, 0, tuple(range(places)), 0, sets)


def appended(newcomer: int, opponents: Sequence[int], after: Collection[Fixture], sets: int) -> tuple[Fixture, ...]:
    """The fixtures of a late entrant: one against each opponent, each a round of its own, in the opponents' order.

    Fixtures, rounds and deal sets go on from where the schedule ``after`` stops. The newcomer stands first and second
    by turns. Two-sided tables only. Raises ValueError where the newcomer is among its opponents.
    """
    pairs = ((newcomer, other) if i % 2 == 0 else (other, newcomer) for i, other in enumerate(opponents))
    first_round = 1 + max((fixture.round for fixture in after), default=-1)
    return tuple(
        _numbered(
            ((first_round + i, 0, pair) for i, pair in enumerate(pairs)),
            sets,
            first=1 + max((fixture.number for fixture in after), default=-1),
            first_set=max((fixture.deal_sets.stop for fixture in after), default=0),
        )
    )


def byes(fixtures: Iterable[Fixture], number: int, entrants: int) -> tuple[int, ...]:
    """The entrants, of so many, that have no fixture in this round."""
    playing = {i for fixture in fixtures if fixture.round == number for i in fixture.entrants}
    return tuple(i for i in range(entrants) if i not in playing)


Meeting = tuple[int, int, tuple[int, ...]]
"""Round, leg and entrants of a fixture that has no number yet."""


def _numbered(meetings: Iterable[Meeting], sets: int, first: int = 0, first_set: int = 0) -> Iterator[Fixture]:
    for i, (number, leg, entrants) in enumerate(meetings):
        yield Fixture(first + i, number, leg, entrants, first_set + i * sets, sets)


def _legs(entrants: int, places: int, legs: int) -> Iterator[Meeting]:
    rounds = list(_circle(entrants)) if places == 2 else [[tuple(range(places))]]
    for leg in range(legs):
        turn = leg % places
        for i, meetings in enumerate(rounds):
            for meeting in meetings:
                yield leg * len(rounds) + i, leg, meeting[turn:] + meeting[:turn]


def _circle(entrants: int) -> Iterator[list[tuple[int, ...]]]:
    """The rounds of one leg.

    An odd number m of entrants stands on a circle; in round r entrant r + d meets r - d (mod m) for every d > 0 and r
    is left over: it has the bye, or meets the last of an even number, who stands aside. Of two on the circle the one
    from whom it is an odd number of steps onwards to the other stands first; m being odd, this holds for exactly one
    of them, and for each entrant against half of the others.
    """
    m = entrants - 1 + entrants % 2
    for r in range(m):
        aside: list[tuple[int, ...]] = []
        if m < entrants:
            aside = [(r, m) if r % 2 == 0 else (m, r)]
        pairs = (((r - d) % m, (r + d) % m) for d in range(1, m // 2 + 1))
        yield aside + [(a, b) if (b - a) % m % 2 else (b, a) for a, b in pairs]
