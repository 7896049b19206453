"""The bench of a bot that takes many deals at once: 64 deals of one pair of bots, each bot on one connection."""

from typing import Final

from benches.referees import BOTS_CPU, RATE, SERVER_CPU, referee
from benches.rounds import Bench, Comparison, Values
from benches.servers import echo_server, play_on, referee_server

DEALS: Final = 64

FRAME: Final = "actions/frame"

SNAPSHOT: Final = "VIEW_MODE_SNAPSHOT"
"""The yardstick tells whole views, however the referee is asked to tell them."""


def coalesced(seconds: float) -> Values:
    """Many deals of two bots at the referee."""
    with referee_server() as server:
        return play_on("coalesced", server, DEALS, seconds)


def lists(seconds: float) -> Values:
    """As many asks under way, in lists, over as many connections."""
    with echo_server("lists", SNAPSHOT) as server:
        return play_on("lists", server, DEALS, seconds)


COALESCED: Final = Bench(
    "coalesced",
    {"one-each": referee, "lists": lists, "coalesced": coalesced},
    (
        Comparison("coalesced", "one-each", RATE, "at least 5"),
        Comparison("coalesced", "one-each", SERVER_CPU),
        Comparison("coalesced", "one-each", BOTS_CPU),
        Comparison("coalesced", "lists", RATE, "at least 0.8, better 1.2"),
        Comparison("coalesced", "lists", FRAME),
        Comparison("coalesced", "lists", SERVER_CPU),
        Comparison("coalesced", "lists", BOTS_CPU),
    ),
)
