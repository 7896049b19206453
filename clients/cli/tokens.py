"""Tokens of bots on this machine: one file each, by league, in the user's config folder, for its owner only."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote

from clients.cli.failure import BadUsage, Refused
from clients.cli.files import make_folder, read_secret, write_whole

LONGEST_NAME: Final = 200
"""Characters of a folder's name that every file system takes."""


def token_file(bot: str, league: str) -> Path:
    """Where the token of a bot of this name is saved, for a league (``Where.leagues``). Raises BadUsage."""
    from worker.tournament.entrants import NAME_RULE, is_name

    if not is_name(bot):
        raise BadUsage(f"{bot!r} is no bot's name: write {NAME_RULE}")
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    folder = quote(league, safe="")
    if len(folder) > LONGEST_NAME:
        folder = hashlib.sha256(league.encode()).hexdigest()
    return Path(config) / "carico" / "tokens" / folder / bot


def save_token(bot: str, token: str, leagues: Sequence[str]) -> Path:
    """Saves it under each name of its league, in place of an older one; returns the first place. Raises Failure."""
    files = [token_file(bot, league) for league in leagues]
    for file in files:
        make_folder(file.parent, mode=0o700)
        write_whole(file, [token], private=True)
    return files[0]


def find_token(bot: str, given: Path | None, leagues: Sequence[str]) -> str:
    """The token of a bot: from the file given, else CARICO_TOKEN, else the saved one. Raises Refused, BadUsage."""
    if given is not None:
        return read_secret(given)
    if from_environment := os.environ.get("CARICO_TOKEN"):
        return from_environment.strip()
    files = [token_file(bot, league) for league in leagues]
    for file in files:
        if file.exists():
            return read_secret(file)
    raise Refused(
        f"no token for {bot} at this league: set CARICO_TOKEN, give --token-file FILE, or save one in {files[0]} with "
        f"`carico bot register {bot} --owner OWNER --save`"
    )
