"""Guests: the bots that are here or have been, their open matches, and the ends they have not yet seen."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from carico.v1 import bots_pb2
from referee.match.spec import MatchSpec
from referee.service.connection import Connection
from referee.service.table import Table

UNSEEN_ENDS: Final = 10_000
"""Most ends of matches that are kept for a bot that does not say it has seen them."""

VERSIONS_KEPT: Final = 16
"""Most versions of a bot whose leaving is remembered."""


@dataclass(slots=True)
class Guest:
    """What is remembered of one bot."""

    connection: Connection | None = None
    tables: dict[str, Table] = field(default_factory=dict)
    """Its matches that run, by handle."""
    ends: dict[str, bots_pb2.MatchEnd] = field(default_factory=dict)
    """Ends that it has not yet said it has seen, by handle."""
    left_at: dict[str, float] = field(default_factory=dict)
    """When each version was here last, by the monotonic clock in s."""
    shut_out_until: float = 0.0

    def leave(self) -> None:
        """Its stream is gone."""
        assert self.connection is not None
        self.left_at.pop(self.connection.version, None)
        self.left_at[self.connection.version] = time.monotonic()
        while len(self.left_at) > VERSIONS_KEPT:
            del self.left_at[next(iter(self.left_at))]
        self.connection = None

    def keep_end(self, end: bots_pb2.MatchEnd) -> None:
        """A match of its is over: it is told now, and again until it says it has seen it."""
        self.tables.pop(end.match, None)
        self.ends[end.match] = end
        while len(self.ends) > UNSEEN_ENDS:
            del self.ends[next(iter(self.ends))]
        if self.connection is not None:
            self.connection.frame().ends.append(end)


class Guests:
    """All bots of one referee."""

    def __init__(self) -> None:
        self._guests: dict[str, Guest] = {}
        self._opened_at = time.monotonic()

    def __getitem__(self, bot: str) -> Guest:
        """A bot's guest book entry, made where there is none."""
        guest = self._guests.get(bot)
        if guest is None:
            guest = self._guests[bot] = Guest()
        return guest

    def connections(self) -> Iterator[Connection]:
        """The bots that are here."""
        return (guest.connection for guest in self._guests.values() if guest.connection is not None)

    def present(self, spec: MatchSpec, bot: str) -> Connection | None:
        """The connection of a bot that has a seat, if it is here in the version that was entered."""
        connection = self[bot].connection
        return connection if connection is not None and connection.version == spec.version_of(bot) else None

    def away_ms(self, bot: str, version: str) -> int:
        """How long a bot has been without a stream in that version, in ms; at most since the referee started."""
        return int((time.monotonic() - self[bot].left_at.get(version, self._opened_at)) * 1000)

    def version_of(self, bot: str) -> str:
        """The version of a bot that is here, or was last; empty where it never was."""
        guest = self[bot]
        if guest.connection is not None:
            return guest.connection.version
        return next(reversed(guest.left_at), "")
