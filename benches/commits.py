"""The bench of the commit: what a worker's store does to commit a chunk of ten deals, against the bare script."""

from typing import Final

from benches.processes import run
from benches.rounds import Bench, Comparison, Measure, Values

RATE: Final = "commits/s"
CLIENT_CPU: Final = "client CPU µs/commit"


def commits(kind: str) -> Measure:
    """One way to commit, at a private store of its own."""

    def measure(seconds: float) -> Values:
        values: Values = run("benches.committing", kind, str(seconds))
        return values

    return measure


COMMITS: Final = Bench(
    "commit",
    {"bare": commits("bare"), "pipelined": commits("pipelined"), "store": commits("store")},
    (
        Comparison("store", "bare", RATE, "at least 0.8"),
        Comparison("store", "bare", CLIENT_CPU),
        Comparison("store", "pipelined", RATE, "at least 0.8"),
    ),
)
