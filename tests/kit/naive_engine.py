"""A second engine, written from the written pages alone, to check the first.

It reads the public fields of a record and nothing else: cards are strings, a hand is a list, the stock is one pile. It
is slow and plain on purpose and shares no line with the package under test, so that the two can only agree where the
pages say the same to both. Its parts lie in `tests.kit.naive`; this is what tests take from it.
"""

from tests.kit.naive.clock import check_clock
from tests.kit.naive.deviation import Deviation
from tests.kit.naive.hashes import hash_of, practice_key, shuffled
from tests.kit.naive.replay import check, differences, outcome_of, replayed, steps
from tests.kit.naive.stock import derived, realised
from tests.kit.naive.table import Table
from tests.kit.naive.trick import winner_of
from tests.kit.naive.verdict import verdict

__all__ = [
    "Deviation",
    "Table",
    "check",
    "check_clock",
    "derived",
    "differences",
    "hash_of",
    "outcome_of",
    "practice_key",
    "realised",
    "replayed",
    "shuffled",
    "steps",
    "verdict",
    "winner_of",
]
