"""The port of the accounts: who answers for which bot, tokens, frozen versions. Nobody else knows them."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Final, Protocol

TOKEN_PREFIX: Final = "carico_"
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
"""What names of bots, owners and versions look like."""


@dataclass(frozen=True, slots=True)
class Account:
    """A registered bot and who answers for it."""

    bot: str
    owner: str


class AccountError(Exception):
    """Something about accounts that a user can mend; the text is fit for their eyes."""


class BadName(AccountError):
    """A name that is none."""

    def __init__(self, what: str, name: str) -> None:
        super().__init__(
            f"{what} {name[:60]!r} is no name: write 1 to 40 letters, digits, dots, underscores or hyphens, "
            "a letter or digit first"
        )


class BotExists(AccountError):
    """The name is taken."""

    def __init__(self, bot: str) -> None:
        super().__init__(f"a bot named {bot} is registered already: choose another name, or renew its token")


class NoSuchBot(AccountError):
    """Nobody has registered the bot."""

    def __init__(self, bot: str) -> None:
        super().__init__(f"no bot named {bot} is registered: register it first")


class FrozenVersion(AccountError):
    """A version that has played deals that count, and is now another build."""

    def __init__(self, bot: str, version: str) -> None:
        super().__init__(
            f"version {version} of {bot} has played deals that count and is frozen, but this is another build: "
            "give it a new version"
        )


def new_token() -> str:
    """A token with 192 bits from the system's generator."""
    return TOKEN_PREFIX + secrets.token_urlsafe(24)


def hashed(token: str) -> bytes:
    """What is stored of a token. It has enough entropy of its own, so one SHA-256 is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def check_name(what: str, name: str) -> None:
    """Raises BadName where a bot's, owner's or version's name is none; ``what`` says which it is."""
    if not NAME.fullmatch(name):
        raise BadName(what, name)


class Accounts(Protocol):
    """Bots, their owners, their tokens (stored hashed) and their frozen versions.

    Every call may raise LogUnavailable where the store can't be reached.
    """

    async def register(self, bot: str, owner: str) -> str:
        """A new bot; returns its token, which is not kept. Raises BotExists."""
        ...

    async def renew(self, bot: str) -> str:
        """A new token for a bot; the old one is worth nothing from now on. Raises NoSuchBot."""
        ...

    async def find(self, token: str) -> Account | None:
        """Whose token it is, or None."""
        ...

    async def all(self) -> list[Account]:
        """All bots, by name."""
        ...

    async def check(self, bot: str, version: str, build: str) -> None:
        """Raises FrozenVersion where the version is frozen with another build."""
        ...

    async def freeze(self, bot: str, version: str, build: str) -> None:
        """The version has played a deal that counts; its first build stays."""
        ...

    async def frozen(self, bot: str) -> list[str]:
        """The frozen versions of a bot."""
        ...

    async def close(self) -> None:
        """Lets go of connections."""
        ...
