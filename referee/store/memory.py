"""Match log and accounts in memory: for tests, benches and a referee without a store. They end with the process."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.match.events import Event
from referee.match.spec import MatchSpec
from referee.store.accounts import Account, BotExists, FrozenVersion, NoSuchBot, hashed, new_token
from referee.store.log import Line, LogBroken, LogTaken, Story


@dataclass(slots=True)
class Kept:
    """What a log in memory holds; several MemoryLogs on one of these are one log, opened by several referees."""

    incarnation: str = field(default_factory=lambda: secrets.token_hex(8))
    epoch: int = 0
    specs: dict[str, MatchSpec] = field(default_factory=dict)
    events: dict[str, list[tuple[int, Event]]] = field(default_factory=dict)
    released: set[str] = field(default_factory=set)


class MemoryLog:
    """A MatchLog that ends with the process."""

    def __init__(self, kept: Kept | None = None) -> None:
        self._kept = Kept() if kept is None else kept
        self._epoch = 0

    @property
    def incarnation(self) -> str:
        """See MatchLog."""
        return self._kept.incarnation

    async def open(self) -> list[Story]:
        """See MatchLog."""
        self._kept.epoch += 1
        self._epoch = self._kept.epoch
        return [(spec, list(self._kept.events[id_])) for id_, spec in sorted(self._kept.specs.items())]

    async def begin(self, specs: Sequence[MatchSpec]) -> None:
        """See MatchLog."""
        self._check()
        for spec in specs:
            if not self._kept.events.setdefault(spec.id, []):
                self._kept.specs[spec.id] = spec

    async def append(self, lines: Sequence[Line]) -> None:
        """See MatchLog."""
        self._check()
        for id_, place, at, event in lines:
            events = self._kept.events.get(id_, [])
            if id_ not in self._kept.specs or place > len(events):
                raise LogBroken(f"the match log in memory has lost lines of match {id_}")
            if place == len(events):
                events.append((at, event))

    async def release(self, ids: Sequence[str]) -> None:
        """See MatchLog."""
        self._check()
        for id_ in ids:
            self._kept.released.add(id_)
            self._kept.specs.pop(id_, None)
            self._kept.events.pop(id_, None)

    async def released(self, ids: Sequence[str]) -> set[str]:
        """See MatchLog."""
        return self._kept.released.intersection(ids)

    async def close(self) -> None:
        """See MatchLog."""

    def _check(self) -> None:
        if self._epoch != self._kept.epoch:
            raise LogTaken("another referee has taken over the match log in memory")


class MemoryAccounts:
    """Accounts that end with the process."""

    def __init__(self) -> None:
        self._bots: dict[str, Account] = {}
        self._tokens: dict[bytes, str] = {}
        self._builds: dict[tuple[str, str], str] = {}

    async def register(self, bot: str, owner: str) -> str:
        """See Accounts."""
        if bot in self._bots:
            raise BotExists(bot)
        self._bots[bot] = Account(bot, owner)
        return await self.renew(bot)

    async def renew(self, bot: str) -> str:
        """See Accounts."""
        if bot not in self._bots:
            raise NoSuchBot(bot)
        token = new_token()
        self._tokens = {hash_: name for hash_, name in self._tokens.items() if name != bot}
        self._tokens[hashed(token)] = bot
        return token

    async def find(self, token: str) -> Account | None:
        """See Accounts."""
        bot = self._tokens.get(hashed(token))
        return None if bot is None else self._bots[bot]

    async def all(self) -> list[Account]:
        """See Accounts."""
        return sorted(self._bots.values(), key=lambda account: account.bot)

    async def check(self, bot: str, version: str, build: str) -> None:
        """See Accounts."""
        frozen = self._builds.get((bot, version))
        if frozen is not None and frozen != build:
            raise FrozenVersion(bot, version)

    async def freeze(self, bot: str, version: str, build: str) -> None:
        """See Accounts."""
        self._builds.setdefault((bot, version), build)

    async def frozen(self, bot: str) -> list[str]:
        """See Accounts."""
        return sorted(version for name, version in self._builds if name == bot)

    async def close(self) -> None:
        """See Accounts."""
