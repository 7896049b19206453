"""The bench of two processes against one: what a second core is worth."""

from concurrent.futures import ThreadPoolExecutor
from typing import Final

from benches.processes import run_together
from benches.referees import BOTS_CPU, RATE, SERVER_CPU, referee
from benches.rounds import Bench, Comparison, Measure, Values

GAMES: Final = "games/s"

ENGINE: Final = "arena"


def arenas(number: int) -> Measure:
    """So many processes, each an arena; their games are counted together."""

    def measure(seconds: float) -> Values:
        return {GAMES: sum(told[GAMES] for told in run_together(number, "benches.side", ENGINE, str(seconds)))}

    return measure


def two_referees(seconds: float) -> Values:
    """Two referees, each with bots of its own: four busy processes."""
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(referee, (seconds, seconds))
    actions = one[RATE], other[RATE]
    cpu = {
        quantity: sum(rate * values[quantity] for rate, values in zip(actions, (one, other), strict=True))
        / sum(actions)
        for quantity in (SERVER_CPU, BOTS_CPU)
    }
    return {RATE: sum(actions), **cpu}


TWINS: Final = Bench(
    "twins",
    {
        "one-arena": arenas(1),
        "two-arenas": arenas(2),
        "one-referee": referee,
        "two-referees": two_referees,
    },
    (
        Comparison("two-arenas", "one-arena", GAMES, "at least 1.8"),
        Comparison("two-referees", "one-referee", RATE, "bots share the cores"),
        Comparison("two-referees", "one-referee", SERVER_CPU),
    ),
)
