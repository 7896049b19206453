"""Tables of two sides whose partners change: whist tournaments, and what comes near where none is known here.

A table is (a, b, c, d): a and c are partners against b and d. In a whist tournament everybody partners every other once
and opposes every other twice; for 4 n entrants all play in all of 4 n - 1 rounds, for 4 n + 1 each has one bye in as
many rounds as there are entrants (Anderson, "Combinatorial Designs and Tournaments", 1997).
"""

from collections.abc import Iterator, Sequence
from math import isqrt
from typing import Final

from worker.tournament.whist_rounds import FIRST_ROUNDS
from worker.tournament.whist_search import Table, searched

SMALLEST: Final = 4


def whist(entrants: int, legs: int) -> list[Table]:
    """Tables at which everybody partners every other ``legs`` times and opposes every other twice as often, or about
    so.

    Exact for 4 n + 1 where that is a prime or the square of a prime 4 m + 3, for the other 4 n and 4 n + 1 of
    ``FIRST_ROUNDS``, and where the search comes upon it. Else everybody plays equally often, and the rest is as even as
    the search gets it. The same numbers give the same tables; tables of a round come together where rounds are known.
    Raises ValueError for fewer than four.
    """
    if entrants < SMALLEST:
        raise ValueError(f"{entrants} entrants: partners change at tables of {SMALLEST}")
    if entrants % 4 > 1:
        return list(_moved(searched(entrants, -(-legs * (entrants - 1) // 4)), entrants))
    if leg := _of_a_prime(entrants) or _of_a_square(entrants):
        return leg * legs
    still = entrants % 4 == 0
    m = entrants - still
    base: Sequence[Table] = FIRST_ROUNDS.get(entrants) or searched(m, entrants // 4, still=still)
    return list(_moved(base, m)) * legs


def partners(tables: Sequence[Table]) -> Iterator[tuple[int, int]]:
    """All partners of these tables, two a table."""
    return (pair for a, b, c, d in tables for pair in ((a, c), (b, d)))


def opponents(tables: Sequence[Table]) -> Iterator[tuple[int, int]]:
    """All opponents of these tables, four a table."""
    return (pair for a, b, c, d in tables for pair in ((a, b), (b, c), (c, d), (d, a)))


def _moved(base: Sequence[Table], m: int) -> Iterator[Table]:
    """The translates mod m of the base tables, those of one step together; m itself stands still."""
    for shift in range(m):
        for table in base:
            yield tuple(x if x == m else (x + shift) % m for x in table)


def _of_a_prime(p: int) -> list[Table]:
    """For a prime p = 4 n + 1 with primitive root w: (w^i, w^(i + n), w^(i + 2 n), w^(i + 3 n)) for i < n; else empty.

    Partners differ by 2 w^i, opponents by w^i (1 - w^n), so that each difference comes once and twice.
    """
    if p % 4 != 1 or not _is_prime(p):
        return []
    n = p // 4
    root = next(w for w in range(2, p) if len({pow(w, i, p) for i in range(p - 1)}) == p - 1)
    base = [tuple(pow(root, i + quarter * n, p) for quarter in range(4)) for i in range(n)]
    return list(_moved(base, p))


def _of_a_square(q: int) -> list[Table]:
    """The same in the field of x + i y mod p, for q = p^2 with a prime p = 4 m + 3; x + i y is numbered p x + y."""
    p = isqrt(q)
    if p * p != q or p % 4 != 3 or not _is_prime(p):
        return []

    def powers(w: tuple[int, int]) -> list[tuple[int, int]]:
        found = [(1, 0)]
        for _ in range(q - 2):
            (a, b), (c, d) = found[-1], w
            found.append(((a * c - b * d) % p, (a * d + b * c) % p))
        return found

    of_root = next(found for x in range(p) for y in range(1, p) if len(set(found := powers((x, y)))) == q - 1)
    n = q // 4
    return [
        tuple((x + dx) % p * p + (y + dy) % p for x, y in (of_root[i + quarter * n] for quarter in range(4)))
        for dx in range(p)
        for dy in range(p)
        for i in range(n)
    ]


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % q for q in range(2, isqrt(n) + 1))
