"""First rounds of whist tournaments, found by search: the others are their translates, mod 4 n - 1 or mod 4 n + 1.

Of 4 n entrants the last one stands still. A test counts partners and opponents in all of them.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

FIRST_ROUNDS: Final[Mapping[int, tuple[tuple[int, int, int, int], ...]]] = MappingProxyType(
    {
        8: (
            (7, 3, 4, 6),
            (5, 2, 0, 1),
        ),
        12: (
            (11, 6, 0, 9),
            (10, 2, 4, 3),
            (8, 7, 1, 5),
        ),
        16: (
            (15, 5, 9, 7),
            (0, 13, 8, 1),
            (2, 12, 6, 3),
            (14, 10, 4, 11),
        ),
        20: (
            (19, 4, 9, 10),
            (6, 15, 18, 7),
            (16, 3, 12, 8),
            (1, 14, 11, 13),
            (0, 5, 17, 2),
        ),
        21: (
            (6, 14, 9, 15),
            (12, 3, 1, 5),
            (20, 0, 7, 17),
            (16, 10, 11, 19),
            (4, 8, 18, 2),
        ),
        24: (
            (23, 14, 10, 6),
            (16, 3, 17, 7),
            (11, 4, 5, 13),
            (15, 0, 18, 21),
            (1, 12, 19, 22),
            (9, 20, 2, 8),
        ),
        25: (
            (6, 9, 16, 5),
            (19, 17, 8, 23),
            (15, 1, 14, 10),
            (2, 24, 4, 21),
            (20, 18, 3, 11),
            (12, 0, 7, 13),
        ),
        28: (
            (27, 26, 16, 15),
            (18, 4, 10, 0),
            (8, 22, 2, 13),
            (21, 17, 9, 24),
            (6, 5, 7, 3),
            (1, 20, 11, 23),
            (25, 19, 12, 14),
        ),
    }
)
"""By the number of entrants; a table is (a, b, c, d) with a and c against b and d."""
