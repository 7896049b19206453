"""The data directory of a league on one machine: how it is reached, its secrets, its logs, and its one owner."""

import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from clients.cli.failure import BadUsage, Failure
from clients.cli.files import make_folder, read_secret, write_whole

LONGEST_SOCKET: Final = 100
"""Bytes that the path of a unix socket may have on every system."""


@dataclass(frozen=True, slots=True)
class DataDirectory:
    """Where a league keeps what it has; the directory itself may be missing."""

    path: Path

    @property
    def league_file(self) -> Path:
        """Where a running league says how it is reached."""
        return self.path / "league.json"

    @property
    def organiser_token_file(self) -> Path:
        """The organiser's token, for its owner only."""
        return self.path / "organiser.token"

    @property
    def store(self) -> Path:
        """What the embedded store keeps."""
        return self.path / "store"

    @property
    def logs(self) -> Path:
        """The logs of all parts."""
        return self.path / "logs"

    def admin_socket(self, part: str) -> Path | None:
        """Where a part of the league makes its admin socket; None where no socket can have so long a path."""
        path = (self.path / f"{part}.admin").absolute()
        return path if len(os.fsencode(path)) <= LONGEST_SOCKET else None

    @contextmanager
    def owned(self) -> Iterator[None]:
        """Makes the directory and is its one owner within. Raises Failure where another league runs in it."""
        make_folder(self.path, mode=0o700)
        make_folder(self.logs)
        try:
            handle = os.open(self.path / "owner", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise Failure(f"{self.path}: cannot write there: {error.strerror}") from error
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                owner = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
                raise Failure(
                    f"{self.path}: a league runs in this directory already (process {owner or 'unknown'}): "
                    "end it first, or choose another --data DIR"
                ) from None
            os.truncate(handle, 0)
            os.pwrite(handle, str(os.getpid()).encode(), 0)
            yield
        finally:
            os.close(handle)

    def announce(self, referee: str, redis: str) -> None:
        """Tells other commands how the league is reached."""
        write_whole(self.league_file, [json.dumps({"referee": referee, "redis": redis})], private=True)

    def withdraw(self) -> None:
        """The league is not running any more."""
        self.league_file.unlink(missing_ok=True)

    def announced(self, key: str) -> str | None:
        """How ``referee`` or ``redis`` is reached; None where no league has said so. Raises BadUsage."""
        try:
            found = json.loads(self.league_file.read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise BadUsage(f"{self.league_file}: cannot read it: {error}") from error
        value = found.get(key) if isinstance(found, dict) else None
        return value if isinstance(value, str) else None


def organiser_token_in(file: Path) -> str:
    """The organiser's token in a file, which is made with a new token where there is none. Raises BadUsage, Failure."""
    if not file.exists():
        make_folder(file.parent, mode=0o700)
        write_whole(file, [f"carico_{secrets.token_urlsafe(24)}"], private=True)
    return read_secret(file)
