"""Tables that keep the bots of one owner apart, as even as a bounded search gets them."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from worker.tournament.meetings import Meetings

Table = tuple[int, ...]

SWAPS: Final = 60_000
"""Of the search, at most."""
SEED: Final = 1


class NotEnoughOwners(ValueError):
    """A table can't be filled without two bots of one owner."""


def apart(owners: Sequence[str], places: int, meetings: int) -> list[Table]:
    """Tables at which every two of different owners meet about ``meetings`` times, and no two of one owner ever.

    ``owners[i]`` is the owner of entrant i. Everybody plays equally often unless one owner has so many bots that this
    can't be. Raises NotEnoughOwners where there are fewer owners than places.
    """
    check_owners(owners, places)
    many = Counter(owners)
    others = len(owners) - min(many.values())
    plays = -(-meetings * others // (places - 1))
    while len(owners) * plays % places:
        plays += 1
    if max(many.values()) * places > len(owners):
        return covering(owners, range(len(owners)), places, Meetings(len(owners)), meetings)
    return evened(_dealt(owners, places, plays), owners)


def check_owners(owners: Sequence[str], places: int) -> None:
    """Raises NotEnoughOwners where these are of fewer owners than there are places at a table."""
    if len(set(owners)) < places:
        raise NotEnoughOwners(f"{len(set(owners))} owners for tables of {places}")


def covering(owners: Sequence[str], among: Sequence[int], places: int, met: Meetings, meetings: int = 1) -> list[Table]:
    """Tables after which every two ``among`` the entrants that are of different owners have met so often at least.

    Each table has two who have not, and otherwise those who met least and played least. ``met`` is what was before, and
    counts on. Raises NotEnoughOwners.
    """
    check_owners([owners[i] for i in among], places)
    of, plays = met.of, met.plays
    lacking = {a: {b for b in among if owners[a] != owners[b] and of[a][b] < meetings} for a in among}
    tables: list[Table] = []
    while any(lacking.values()):
        first = max(among, key=lambda a: (len(lacking[a]), -plays[a]))
        table = [first]
        while len(table) < places:
            taken = {owners[a] for a in table}
            seated = table
            table.append(
                min(
                    (x for x in among if owners[x] not in taken),
                    key=lambda x: (
                        -sum(x in lacking[a] for a in seated),
                        met.at(x, seated),
                        -len(lacking[x]),
                        plays[x],
                    ),
                )
            )
        met.add(table)
        for a in table:
            lacking[a] = {b for b in lacking[a] if of[a][b] < meetings}
        tables.append(tuple(table))
    return tables


def evened(tables: Sequence[Table], owners: Sequence[str]) -> list[Table]:
    """The tables after swaps of two entrants between two tables that make the meetings more even, in bounded time.

    Everybody plays as often as before; bots of one owner that were apart stay so. The same tables give the same.
    """
    found = [list(table) for table in tables]
    met = Meetings(len(owners), tables)
    allowed = [(a, b) for a in range(len(owners)) for b in range(a) if owners[a] != owners[b]]
    cost = sum(met.of[a][b] ** 2 for a, b in allowed)
    mean, rest = divmod(sum(met.of[a][b] for a, b in allowed), len(allowed))
    goal = rest * (mean + 1) ** 2 + (len(allowed) - rest) * mean**2
    chance = Random(SEED)
    kept, least = [list(table) for table in found], cost
    for step in range(SWAPS):
        if least == goal:
            break
        t, u = found[chance.randrange(len(found))], found[chance.randrange(len(found))]
        i, j = chance.randrange(len(t)), chance.randrange(len(u))
        x, y = t[i], u[j]
        rest_t, rest_u = t[:i] + t[i + 1 :], u[:j] + u[j + 1 :]
        if x == y or t is u or _clash(owners, x, rest_u) or _clash(owners, y, rest_t):
            continue
        change = _swap(met, x, y, rest_t, rest_u)
        warmth = 1 - step % (SWAPS // 3) / (SWAPS // 3)
        allowance = 0
        while chance.random() < warmth * warmth / 2:
            allowance += 1
        if change <= allowance:
            t[i], u[j] = y, x
            cost += change
            if cost < least:
                kept, least = [list(table) for table in found], cost
        else:
            _swap(met, y, x, rest_t, rest_u)
    return [tuple(table) for table in kept]


def _clash(owners: Sequence[str], x: int, table: Sequence[int]) -> bool:
    return any(owners[x] == owners[other] for other in table)


def _swap(met: Meetings, x: int, y: int, rest_t: Sequence[int], rest_u: Sequence[int]) -> int:
    """Puts y for x beside ``rest_t`` and x for y beside ``rest_u``; by how much that changes the sum of squares."""
    return _move(met, x, rest_t, -1) + _move(met, y, rest_u, -1) + _move(met, y, rest_t, 1) + _move(met, x, rest_u, 1)


def _move(met: Meetings, x: int, table: Sequence[int], by: int) -> int:
    row, change = met.of[x], 0
    for other in table:
        change += by * (2 * row[other] + by)
        row[other] += by
        met.of[other][x] += by
    return change


def _dealt(owners: Sequence[str], places: int, plays: int) -> list[Table]:
    """A first set of tables, each entrant at ``plays`` of them, owners apart.

    An owner whose bots have as many tables to play as there are left sits at each of these. So the last tables can
    always be filled.
    """
    left = [plays] * len(owners)
    of_owner = {owner: number * plays for owner, number in Counter(owners).items()}
    met = Meetings(len(owners))
    tables: list[Table] = []
    for remaining in range(len(owners) * plays // places, 0, -1):
        due = [owner for owner, number in of_owner.items() if number == remaining]
        table: list[int] = []
        while len(table) < places:
            taken = {owners[a] for a in table}
            wanted = {owner for owner in due if owner not in taken}
            free = [
                x
                for x, number in enumerate(left)
                if number and owners[x] not in taken and (not wanted or owners[x] in wanted)
            ]
            table.append(min(free, key=lambda x: (met.at(x, table), -left[x], -of_owner[owners[x]])))
        for a in table:
            left[a] -= 1
            of_owner[owners[a]] -= 1
        met.add(table)
        tables.append(tuple(table))
    return tables
