"""The benches: what is compared with what, and what each should reach."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from benches.bots import TOKEN
from benches.processes import Server, run, serve
from benches.rounds import Bench, Comparison, Measure, Values

BOTS: Final = 64
"""Bots of the referee's bench, each on a connection of its own."""

RATE: Final = "actions/s"
SERVER_CPU: Final = "server CPU µs/action"
BOTS_CPU: Final = "bots' CPU µs/action"
GAMES: Final = "games/s"


@contextmanager
def referee_server(profile: Path | None = None) -> Iterator[Server]:
    """``carico referee`` with everything in memory."""
    arguments = ("clients.cli", "referee", "--in-memory", "--listen", "127.0.0.1:0")
    with serve(*arguments, extra={"CARICO_ORGANISER_TOKEN": TOKEN}, profile=profile) as server:
        yield server


@cache
def recorded() -> str:
    """The frames of one deal, one a line."""
    with referee_server() as server:
        frames: list[tuple[int, str]] = run("benches.recording", server.address)
    return "\n".join(f"{seat} {frame}" for seat, frame in frames)


@contextmanager
def echo_server(kind: str) -> Iterator[Server]:
    """A bare echo of these frames."""
    with tempfile.NamedTemporaryFile("w", suffix=".frames") as file:
        file.write(recorded())
        file.flush()
        with serve("benches.echo", kind, file.name) as server:
            yield server


def play_on(kind: str, server: Server, seconds: float) -> Values:
    """The bots' process against a server."""
    values: Values = run("benches.bots", kind, server.address, str(server.pid), str(BOTS), str(seconds))
    return values


def referee(seconds: float) -> Values:
    """Bots at the referee."""
    with referee_server() as server:
        return play_on("referee", server, seconds)


def echo(kind: str) -> Measure:
    """The same bots at an echo."""

    def measure(seconds: float) -> Values:
        with echo_server(kind) as server:
            return play_on("echo", server, seconds)

    return measure


def engine(name: str) -> Measure:
    """An engine in a process of its own."""

    def measure(seconds: float) -> Values:
        values: Values = run("benches.engines", name, str(seconds))
        return values

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

ENGINE_NAMES: Final = ("naipes", "arena", "arena-house", "rules")
"""The engines that ``benches.engines`` knows."""

ARENA: Final = Bench(
    "arena",
    {name: engine(name) for name in ENGINE_NAMES},
    (
        Comparison("arena", "naipes", GAMES, "at least 1.5"),
        Comparison("arena-house", "naipes", GAMES),
        Comparison("rules", "naipes", GAMES),
    ),
)

BENCHES: Final[Mapping[str, Bench]] = {bench.name: bench for bench in (REFEREE, ARENA)}
