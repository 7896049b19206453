"""The referee and the bare echoes as processes, and the bots that play at them."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from benches.bots import TOKEN
from benches.processes import Server, run, serve
from benches.rounds import Values


@contextmanager
def referee_server(profile: Path | None = None) -> Iterator[Server]:
    """``carico referee`` with everything in memory."""
    arguments = ("clients.cli", "referee", "--in-memory", "--listen", "127.0.0.1:0")
    with serve(*arguments, extra={"CARICO_ORGANISER_TOKEN": TOKEN}, profile=profile) as server:
        yield server


@cache
def recorded(mode: str) -> str:
    """The frames of one deal, one a line, as a referee tells them in this mode."""
    with referee_server() as server:
        frames: list[tuple[int, str]] = run("benches.recording", server.address, mode)
    return "\n".join(f"{seat} {frame}" for seat, frame in frames)


@contextmanager
def echo_server(kind: str, mode: str) -> Iterator[Server]:
    """A bare echo of these frames."""
    with tempfile.NamedTemporaryFile("w", suffix=".frames") as file:
        file.write(recorded(mode))
        file.flush()
        with serve("benches.echo", kind, file.name) as server:
            yield server


def play_on(kind: str, server: Server, bots: int, seconds: float) -> Values:
    """The bots' process against a server."""
    values: Values = run("benches.bots", kind, server.address, str(server.pid), str(bots), str(seconds))
    return values
