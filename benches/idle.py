"""The bench of idle bots: what a thousand of them cost a referee that has nothing to ask."""

import resource
from typing import Final

from benches.bots import VIEW_MODE
from benches.processes import Failed, Server, run
from benches.rounds import Bench, Comparison, Values
from benches.servers import echo_server, referee_server

BOTS: Final = 1_000

SPARE: Final = 200
"""Files that a process has open beside its connections."""

MEMORY: Final = "KiB/bot"
CPU: Final = "idle CPU %"
CONNECT: Final = "ms/connect"


def referee(seconds: float) -> Values:
    """At the referee, where each bot is registered first."""
    _make_room()
    with referee_server() as server:
        return _rest("referee", server, seconds)


def silence(seconds: float) -> Values:
    """At a bare server of the same service that says welcome and no more."""
    _make_room()
    with echo_server("silence", VIEW_MODE) as server:
        return _rest("silence", server, seconds)


def _rest(kind: str, server: Server, seconds: float) -> Values:
    values: Values = run("benches.resting", kind, server.address, str(server.pid), str(BOTS), str(seconds))
    return values


def _make_room() -> None:
    """The processes that are started have as many open files as this one may. Raises Failed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = BOTS + SPARE
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise Failed(f"{BOTS} idle bots need {needed} open files, and this user may have {hard} (ulimit -Hn)")
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


IDLE: Final = Bench(
    "idle",
    {"silence": silence, "referee": referee},
    (
        Comparison("referee", "silence", MEMORY, "at most 1.5"),
        Comparison("referee", "silence", CPU, "at most 1.5"),
        Comparison("referee", "silence", CONNECT),
    ),
)
