"""Who an organiser is, for the log of who did what: the user of the system and the machine, or the name given."""

import getpass
import os
import socket
from typing import Annotated

import typer

from clients.cli.failure import BadUsage

LONGEST = 120

ByOption = Annotated[
    str | None,
    typer.Option("--by", metavar="NAME", help="Who does it, for `carico season log` [default: USER@HOST]."),
]


def organiser(given: str | None = None) -> str:
    """The name for the log. Raises BadUsage for one that no log should hold."""
    if given is None:
        return f"{_user()}@{socket.gethostname()}"[:LONGEST]
    if not (1 <= len(given) <= LONGEST and given.isprintable()):
        raise BadUsage(f"--by: write 1 to {LONGEST} printable characters")
    return given


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in some containers
        return f"uid-{os.getuid()}"
