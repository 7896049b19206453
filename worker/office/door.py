"""Who may come in, from where, and under which name it stands in the organisers' log."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

import grpc.aio

from carico.serving import bearer_token
from worker.office.errors import Reason, Refused
from worker.office.port import LONGEST_BY, BadRequest
from worker.office.tokens import Tokens

Context = grpc.aio.ServicerContext[Any, Any]

ANONYMOUS: Final = "organiser"
"""Stands in the log where a caller does not say who it is: there is one organiser's token, and this is its name."""


@dataclass(frozen=True, slots=True)
class Caller:
    """An organiser."""

    token: str
    address: str

    def name(self, by: str) -> str:
        """For the log: who it says it is, and the address, which it can't choose. Raises BadRequest."""
        if len(by) > LONGEST_BY or (by and not by.isprintable()):
            raise BadRequest(f"--by: write 1 to {LONGEST_BY} printable characters")
        end = f" from {self.address}"
        return f"{(by or ANONYMOUS)[: LONGEST_BY - len(end)]}{end}"

    def __repr__(self) -> str:
        """Without the token."""
        return f"Caller(address={self.address!r})"


class Door:
    """Lets organisers in."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    async def organiser(self, context: Context) -> Caller:
        """Who calls. Raises Refused where it is no organiser."""
        token = bearer_token(context)
        if token is None:
            raise Refused(Reason.NO_TOKEN)
        address = address_of(context)
        await self._tokens.check(token, address)
        return Caller(token, address)


class Turnstile:
    """Lets so many calls of a kind be under way at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._within = 0

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Raises Refused where there are as many already."""
        if self._within >= self._most:
            raise Refused(Reason.TOO_MANY, many=self._within)
        self._within += 1
        try:
            yield
        finally:
            self._within -= 1


def address_of(context: Context) -> str:
    """The address that a call came from, without its port; ``this machine`` for a unix socket."""
    kind, _, place = unquote(context.peer()).partition(":")
    if kind not in ("ipv4", "ipv6"):
        return "this machine"
    return place.rpartition(":")[0].strip("[]")
