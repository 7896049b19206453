"""Who meets whom: round robins at tables of any size, and the fixtures of a late entrant."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from worker.tournament.apart import NotEnoughOwners, covering
from worker.tournament.fixtures import Fixture
from worker.tournament.meetings import Meetings
from worker.tournament.seats import Seats
from worker.tournament.tables import Meeting, changing_partners, single_players
from worker.tournament.translates import plays_of

MOST_AT_TABLES: Final = 128
"""Most entrants of a season at tables of three or more places."""


class ScheduleError(ValueError):
    """A schedule that can't be made; the text says what to do instead."""


def scheduled(
    owners: Sequence[str], places: int, legs: int, sets: int, *, rotating: bool = False
) -> tuple[Fixture, ...]:
    """Every entrant with every other, ``legs`` times, on ``sets`` deal sets a fixture; entrant i is of ``owners[i]``.

    At tables of two places: ``round_robin``; owners do not matter there. At larger tables: ``tables.single_players``,
    or with ``rotating``, for four places, ``tables.changing_partners``; two bots of one owner never meet. All seatings
    of a deal set are played, so everybody sits in every seat equally often. ``leg`` is then the first of the legs that
    were planned together.

    Fixtures, rounds and legs are numbered from 0 in the order of play, deal sets from 0 in fixture order.
    Raises ScheduleError where entrants and places do not fit, ValueError for fewer than one leg or deal set.
    """
    if places == 2:
        return round_robin(len(owners), 2, legs, sets)
    check(len(owners), places)
    _check_counts(legs, sets)
    try:
        meetings = changing_partners(owners, legs) if rotating else single_players(owners, places, legs)
    except NotEnoughOwners as error:
        raise ScheduleError(f"{error}: two bots of one owner never sit at one such table") from error
    return tuple(_numbered(meetings, sets))


def round_robin(entrants: int, places: int, legs: int, sets: int) -> tuple[Fixture, ...]:
    """Every entrant against every other, ``legs`` times, on ``sets`` deal sets a fixture, each of an owner of its own.

    At tables of two places: the circle method. A leg has e - 1 rounds for an even number e of entrants, and e rounds
    with a bye each for an odd one. Within a leg an entrant stands first in its fixtures as often as second, but for one
    fixture where e is even; every second leg turns the order round. At larger tables: ``scheduled``.

    Raises ScheduleError where entrants and places do not fit, ValueError for fewer than one leg or deal set.
    """
    if places > 2:
        return scheduled([str(i) for i in range(entrants)], places, legs, sets)
    check(entrants, places)
    _check_counts(legs, sets)
    return tuple(_numbered(_legs(entrants, legs), sets))


def check(entrants: int, places: int) -> None:
    """Raises ScheduleError unless a round robin of so many entrants at tables of so many places can be made."""
    if entrants < places:
        tables = "" if places == 2 else f" at tables of {places}"
        raise ScheduleError(f"entrants: {entrants}; a round robin{tables} needs at least {places}")
    if places > 2 and entrants > MOST_AT_TABLES:
        raise ScheduleError(f"entrants: {entrants}; at tables of {places} there are {MOST_AT_TABLES} at most")


def fixtures_expected(entrants: int, places: int, legs: int, *, rotating: bool = False) -> int:
    """How many fixtures a schedule has, where each entrant is of an owner of its own; else about so many."""
    if places == 2:
        return legs * entrants * (entrants - 1) // 2
    if rotating:
        return -(-legs * (entrants - 1) // 4) * entrants if entrants % 4 > 1 else legs * entrants * (entrants - 1) // 4
    return plays_of(entrants, places, legs) * entrants // places


def _check_counts(legs: int, sets: int) -> None:
    if legs < 1 or sets < 1:
        raise ValueError(f"{legs} legs of {sets} deal sets: at least 1 of each is needed")


def single_fixture(places: int, sets: int) -> Fixture:
    """The one fixture of an arena: as many entrants as places, in their order, on deal sets 0 .. sets - 1."""
    return Fixture(0, 0, 0, tuple(range(places)), 0, sets)


def appended(newcomer: int, opponents: Sequence[int], after: Collection[Fixture], sets: int) -> tuple[Fixture, ...]:
    """The fixtures of a late entrant: one against each opponent, each a round of its own, in the opponents' order.

    Fixtures, rounds and deal sets go on from where the schedule ``after`` stops. The newcomer stands first and second
    by turns. Two-sided tables only. Raises ValueError where the newcomer is among its opponents.
    """
    pairs = ((newcomer, other) if i % 2 == 0 else (other, newcomer) for i, other in enumerate(opponents))
    return _appended(pairs, after, sets)


def appended_tables(
    owners: Sequence[str],
    among: Sequence[int],
    places: int,
    after: Collection[Fixture],
    sets: int,
    *,
    rotating: bool = False,
) -> tuple[Fixture, ...]:
    """The fixtures after which every two ``among`` the entrants of different owners have met, each a round of its own.

    For a late entrant, who is among them and has met nobody: it comes to as few tables as there can be, or a few more.
    Two of one owner never meet; with fewer owners than places there is no table yet, and the next late entrant may
    bring them. Larger tables only. Fixtures, rounds and deal sets go on from where the schedule ``after`` stops.
    """
    tables = [fixture.entrants for fixture in after]
    try:
        new = covering(owners, among, places, Meetings(len(owners), tables))
    except NotEnoughOwners:
        return ()
    seats = Seats(len(owners), tables)
    return _appended([seats.partners(table) if rotating else seats.single(table) for table in new], after, sets)


def byes(fixtures: Iterable[Fixture], number: int, entrants: int) -> tuple[int, ...]:
    """The entrants, of so many, that have no fixture in this round."""
    playing = {i for fixture in fixtures if fixture.round == number for i in fixture.entrants}
    return tuple(i for i in range(entrants) if i not in playing)


def _appended(tables: Iterable[tuple[int, ...]], after: Collection[Fixture], sets: int) -> tuple[Fixture, ...]:
    first_round = 1 + max((fixture.round for fixture in after), default=-1)
    return tuple(
        _numbered(
            ((first_round + i, 0, table) for i, table in enumerate(tables)),
            sets,
            first=1 + max((fixture.number for fixture in after), default=-1),
            first_set=max((fixture.deal_sets.stop for fixture in after), default=0),
        )
    )


def _numbered(meetings: Iterable[Meeting], sets: int, first: int = 0, first_set: int = 0) -> Iterator[Fixture]:
    for i, (number, leg, entrants) in enumerate(meetings):
        yield Fixture(first + i, number, leg, entrants, first_set + i * sets, sets)


def _legs(entrants: int, legs: int) -> Iterator[Meeting]:
    rounds = list(_circle(entrants))
    for leg in range(legs):
        turn = leg % 2
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
