"""Tokens of bots on this machine: one file each in the user's config folder, for its owner only."""

import os
from pathlib import Path

from clients.cli.failure import BadUsage, Refused
from clients.cli.files import make_folder, read_secret, write_whole


def token_file(bot: str) -> Path:
    """Where the token of a bot of this name is saved. Raises BadUsage for what is no name."""
    from worker.tournament.entrants import NAME_RULE, is_name

    if not is_name(bot):
        raise BadUsage(f"{bot!r} is no bot's name: write {NAME_RULE}")
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(config) / "carico" / "tokens" / bot


def save_token(bot: str, token: str) -> Path:
    """Saves it, in place of an older one; returns where. Raises Failure."""
    file = token_file(bot)
    make_folder(file.parent, mode=0o700)
    write_whole(file, [token], private=True)
    return file


def find_token(bot: str, given: Path | None) -> str:
    """The token of a bot: from the file given, else CARICO_TOKEN, else the saved one. Raises Refused, BadUsage."""
    if given is not None:
        return read_secret(given)
    if from_environment := os.environ.get("CARICO_TOKEN"):
        return from_environment.strip()
    file = token_file(bot)
    if file.exists():
        return read_secret(file)
    raise Refused(
        f"no token for {bot}: set CARICO_TOKEN, give --token-file FILE, or save one in {file} with "
        f"`carico bot register {bot} --owner OWNER --save`"
    )
