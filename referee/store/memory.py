"""Match log and accounts in memory: for tests, benches and a referee without a store. They end with the process."""

import secrets
from collections.abc import Sequence

from referee.match.events import Event
from referee.match.spec import MatchSpec
from referee.store.accounts import Account, BotExists, FrozenVersion, NoSuchBot, hashed, new_token
from referee.store.log import Line, Story


class MemoryLog:
    """A MatchLog that keeps nothing but what is open."""

    def __init__(self) -> None:
        self.incarnation = secrets.token_hex(8)
        self._specs: dict[str, MatchSpec] = {}
        self._events: dict[str, list[tuple[int, Event]]] = {}
        self._released: set[str] = set()

    async def open(self) -> list[Story]:
        """See MatchLog."""
        return [(spec, list(self._events[id_])) for id_, spec in self._specs.items()]

    async def begin(self, specs: Sequence[MatchSpec]) -> None:
        """See MatchLog."""
        for spec in specs:
            if self._specs.setdefault(spec.id, spec) is spec:
                self._events[spec.id] = []

    async def append(self, lines: Sequence[Line]) -> None:
        """See MatchLog."""
        for id_, place, at, event in lines:
            events = self._events[id_]
            if place == len(events):
                events.append((at, event))

    async def release(self, ids: Sequence[str]) -> None:
        """See MatchLog."""
        for id_ in ids:
            self._released.add(id_)
            self._specs.pop(id_, None)
            self._events.pop(id_, None)

    async def released(self, ids: Sequence[str]) -> set[str]:
        """See MatchLog."""
        return self._released.intersection(ids)

    async def close(self) -> None:
        """See MatchLog."""


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
