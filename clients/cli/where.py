"""Where the league is: what a flag says, else the environment, else ``league.json`` in the data directory.

A flag ``--data`` counts as a flag: the file in that directory comes before the environment. Without a flag and without
CARICO_DATA the directory is ``league`` under the current one.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from clients.cli.data_directory import DataDirectory
from clients.cli.failure import BadUsage, Refused, Unreachable
from clients.cli.files import read_secret

DEFAULT_DATA: Final = Path("league")
DEFAULT_LISTEN: Final = "127.0.0.1:12040"
"""120 points, 40 cards."""
DEFAULT_OFFICE: Final = "127.0.0.1:12041"
DEFAULT_DASHBOARD: Final = "127.0.0.1:12042"

_ADDRESS: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):([0-9]{1,5})")

RefereeOption = Annotated[
    str | None,
    typer.Option("--referee", metavar="HOST:PORT", help="The referee (else CARICO_REFEREE, else the league's)."),
]
RedisOption = Annotated[
    str | None, typer.Option("--redis", metavar="URL", help="The store (else CARICO_REDIS, else the league's).")
]
DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="DIR", help=f"The league's data directory (else CARICO_DATA, else ./{DEFAULT_DATA})."
    ),
]
OrganiserTokenOption = Annotated[
    Path | None,
    typer.Option(
        "--organiser-token-file",
        metavar="FILE",
        help="The organiser's token (else CARICO_ORGANISER_TOKEN, else the league's).",
    ),
]


TlsOption = Annotated[bool, typer.Option("--tls", help="Speak TLS, with the authorities that this machine trusts.")]
TlsAuthoritiesOption = Annotated[
    Path | None, typer.Option("--tls-ca", metavar="FILE", help="Speak TLS, with the authorities in this PEM file.")
]


@dataclass(frozen=True, slots=True)
class Where:
    """What the flags of a command say; each answer is looked up when it is asked for."""

    referee: str | None = None
    redis: str | None = None
    data: Path | None = None
    organiser_token_file: Path | None = None

    @property
    def directory(self) -> DataDirectory:
        """The data directory that counts, whether or not it is there."""
        return DataDirectory(self.data or Path(os.environ.get("CARICO_DATA") or DEFAULT_DATA))

    def referee_address(self) -> str:
        """HOST:PORT of the referee. Raises Unreachable where nothing tells, BadUsage where it is no address."""
        found = self._look_up(self.referee, "CARICO_REFEREE", "referee")
        if found is None:
            raise Unreachable(self._nothing("referee", "--referee HOST:PORT"))
        return checked_address(found)

    def leagues(self) -> list[str]:
        """What tells this league from others on this machine: its data directory, where it runs in one; its address.

        A league that stays in its directory may have another port each time. Raises as ``referee_address``.
        """
        address = self.referee_address()
        here = self.directory.announced("referee") == address
        return [*([str(self.directory.path.absolute())] if here else []), address]

    def referee_or_none(self) -> str | None:
        """HOST:PORT of the referee, None where nothing tells. Raises BadUsage where it is no address."""
        found = self._look_up(self.referee, "CARICO_REFEREE", "referee")
        return None if found is None else checked_address(found)

    def redis_url(self) -> str:
        """The store's URL. Raises Unreachable where nothing tells."""
        found = self._look_up(self.redis, "CARICO_REDIS", "redis")
        if found is None:
            raise Unreachable(self._nothing("store", "--redis URL"))
        return found

    def redis_given(self) -> str | None:
        """The store's URL that a flag or the environment names, if one does: a league may start its own otherwise."""
        return self.redis or os.environ.get("CARICO_REDIS") or None

    def organiser_token(self) -> str:
        """The organiser's token. Raises Refused where there is none, BadUsage for one that is none."""
        token = self._organiser_token()
        if not token.isascii() or not token.isprintable() or " " in token:
            raise BadUsage("the organiser's token holds characters that no token has: copy it once more, as one word")
        return token

    def _organiser_token(self) -> str:
        if self.organiser_token_file is not None:
            return read_secret(self.organiser_token_file)
        file = self.directory.organiser_token_file
        from_environment = os.environ.get("CARICO_ORGANISER_TOKEN")
        if from_environment and not (self.data is not None and file.exists()):
            return from_environment
        if file.exists():
            return read_secret(file)
        raise Refused(
            f"this needs the organiser's token: run it where {file} is, or give --organiser-token-file FILE "
            "or CARICO_ORGANISER_TOKEN"
        )

    def _look_up(self, flag: str | None, variable: str, key: str) -> str | None:
        if flag is not None:
            return flag
        if self.data is not None:
            return self.directory.announced(key) or os.environ.get(variable)
        return os.environ.get(variable) or self.directory.announced(key)

    def _nothing(self, what: str, flag: str) -> str:
        return (
            f"no {what} is known: no league runs in {self.directory.path}; start one with `carico serve`, "
            f"name its directory with --data DIR, or give {flag}"
        )


def checked_web_address(text: str) -> str:
    """HOST:PORT of a text that is that or a PORT, which this machine alone reaches. Raises BadUsage."""
    if text.startswith("unix:"):
        raise BadUsage(f"{text!r} is no address for a browser: write PORT or HOST:PORT")
    return checked_address(f"127.0.0.1:{text}" if text.isdecimal() else text)


def checked_address(text: str) -> str:
    """The text, if it is HOST:PORT (an IPv6 host in brackets) or unix:PATH. Raises BadUsage."""
    found = _ADDRESS.fullmatch(text)
    if not text.startswith("unix:") and (found is None or int(found[2]) > 65_535):
        raise BadUsage(f"{text!r} is no address: write HOST:PORT, such as {DEFAULT_LISTEN}, or unix:PATH")
    return text
