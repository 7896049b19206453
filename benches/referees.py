"""The bench of the referee: 64 bots, one deal at a time each, against bare echoes of the same messages."""

from typing import Final

from benches.bots import VIEW_MODE
from benches.rounds import Bench, Comparison, Measure, Values
from benches.servers import echo_server, play_on, referee_server

BOTS: Final = 64
"""Bots of the referee's bench, each on a connection of its own."""

RATE: Final = "actions/s"
SERVER_CPU: Final = "server CPU µs/action"
BOTS_CPU: Final = "bots' CPU µs/action"


def referee(seconds: float) -> Values:
    """Bots at the referee."""
    with referee_server() as server:
        return play_on("referee", server, BOTS, seconds)


def echo(kind: str) -> Measure:
    """The same bots at an echo."""

    def measure(seconds: float) -> Values:
        with echo_server(kind, VIEW_MODE) as server:
            return play_on("echo", server, BOTS, seconds)

    return measure


REFEREE: Final = Bench(
    "referee",
    {"echo": echo("echo"), "echo-pairs": echo("echo-pairs"), "referee": referee},
    (
        Comparison("referee", "echo", RATE, "at least 0.8"),
        Comparison("referee", "echo", SERVER_CPU, "at most 1.25"),
        Comparison("referee", "echo", BOTS_CPU),
        Comparison("referee", "echo-pairs", RATE),
        Comparison("referee", "echo-pairs", SERVER_CPU),
        Comparison("referee", "echo-pairs", BOTS_CPU),
    ),
)
