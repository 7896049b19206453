"""Match log and accounts in Redis (7.0 or newer) or Valkey."""

import json
import secrets
from collections.abc import Awaitable, Sequence
from importlib import resources
from typing import Any, Final

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import RedisError, ResponseError

from carico.redis_mends import mend_of
from referee.match.events import from_json, to_json
from referee.match.spec import MatchSpec
from referee.store.accounts import Account, BotExists, FrozenVersion, NoSuchBot, hashed, new_token
from referee.store.log import Line, LogBroken, LogTaken, LogUnavailable, Story

MARK_SECONDS: Final = 14 * 24 * 3600

CONNECTIONS: Final = 8
"""Most connections of one client."""


def connect(url: str) -> Redis:
    """A client for the URL: ``redis://``, ``rediss://`` or ``unix://``. It connects when it is used.

    Who finds all its connections busy waits for one: a crowd of bots that come back is let in one by one.
    Raises ValueError where it is no such URL.
    """
    retry = Retry(ExponentialBackoff(cap=0.5, base=0.02), 3)
    pool = BlockingConnectionPool.from_url(
        url, max_connections=CONNECTIONS, timeout=30, retry=retry, socket_timeout=10, socket_connect_timeout=2
    )
    return Redis.from_pool(pool)


async def _reached(url_name: str, call: Awaitable[Any]) -> Any:
    try:
        return await call
    except ResponseError as error:
        if str(error).startswith("GAP "):
            raise LogBroken(f"the match log at {url_name} has lost lines ({error})") from error
        raise _unavailable(url_name, error) from error
    except (RedisError, OSError) as error:
        raise _unavailable(url_name, error) from error


def _unavailable(url_name: str, error: Exception) -> LogUnavailable:
    mend = mend_of(error) or "see the server's log"
    return LogUnavailable(f"the store at {url_name}: {error}; {mend}")


def _script(name: str) -> str:
    return resources.files("referee.store").joinpath(f"{name}.lua").read_text()


class RedisLog:
    """A MatchLog in Redis. ``name`` is the referee's: one log a name, one referee at a time."""

    def __init__(self, client: Redis, where: str, name: str = "main") -> None:
        self._redis = client
        self._where = where
        self._root = f"carico:referee:{{{name}}}"
        self._epoch = b""
        self.incarnation = ""
        self._begin = client.register_script(_script("begin"))
        self._append = client.register_script(_script("append"))
        self._release = client.register_script(_script("release"))

    def _key(self, *parts: str) -> str:
        return ":".join((self._root, *parts))

    async def open(self) -> list[Story]:
        """See MatchLog."""
        await self._do(self._redis.set(self._key("incarnation"), secrets.token_hex(8), nx=True))
        self.incarnation = (await self._do(self._redis.get(self._key("incarnation")))).decode()
        self._epoch = str(await self._do(self._redis.incr(self._key("epoch")))).encode()
        stories = []
        for id_ in sorted(await self._do(self._redis.smembers(self._key("open")))):
            head, *lines = await self._do(self._redis.lrange(self._key("match", id_.decode()), 0, -1))
            stories.append((MatchSpec.from_json(json.loads(head)), [from_json(json.loads(line)) for line in lines]))
        return stories

    async def begin(self, specs: Sequence[MatchSpec]) -> None:
        """See MatchLog."""
        keys = [self._key("epoch"), self._key("open"), *(self._key("match", spec.id) for spec in specs)]
        args: list[Any] = [self._epoch]
        for spec in specs:
            args += [spec.id, json.dumps(spec.to_json(), separators=(",", ":"))]
        await self._write(self._begin(keys, args))

    async def append(self, lines: Sequence[Line]) -> None:
        """See MatchLog."""
        keys = [self._key("epoch")]
        args: list[Any] = [self._epoch]
        for id_, place, at, event in lines:
            keys.append(self._key("match", id_))
            args += [place + 1, json.dumps(to_json(at, event), separators=(",", ":"))]
        await self._write(self._append(keys, args))

    async def release(self, ids: Sequence[str]) -> None:
        """See MatchLog."""
        keys = [self._key("epoch"), self._key("open")]
        for id_ in ids:
            keys += [self._key("match", id_), self._key("released", id_)]
        await self._write(self._release(keys, [self._epoch, MARK_SECONDS, *ids]))

    async def released(self, ids: Sequence[str]) -> set[str]:
        """See MatchLog."""
        if not ids:
            return set()
        marks = await self._do(self._redis.mget([self._key("released", id_) for id_ in ids]))
        return {id_ for id_, mark in zip(ids, marks, strict=True) if mark is not None}

    async def close(self) -> None:
        """See MatchLog."""
        await self._redis.aclose()

    async def _do(self, call: Awaitable[Any]) -> Any:
        return await _reached(self._where, call)

    async def _write(self, call: Awaitable[Any]) -> None:
        if not await self._do(call):
            raise LogTaken(f"another referee has taken over the match log at {self._where}")


class RedisAccounts:
    """Accounts in Redis, shared by all referees of a store."""

    def __init__(self, client: Redis, where: str) -> None:
        self._redis = client
        self._where = where

    async def register(self, bot: str, owner: str) -> str:
        """See Accounts."""
        if not await self._do(self._redis.hsetnx(_ACCOUNTS, bot, owner)):
            raise BotExists(bot)
        return await self.renew(bot)

    async def renew(self, bot: str) -> str:
        """See Accounts."""
        if not await self._do(self._redis.hexists(_ACCOUNTS, bot)):
            raise NoSuchBot(bot)
        token = new_token()
        new = hashed(token).hex()
        old = await self._do(self._redis.hget(_TOKEN_OF, bot))
        pipe = self._redis.pipeline(transaction=True)
        if old is not None:
            pipe.hdel(_TOKENS, old)
        pipe.hset(_TOKENS, new, bot)
        pipe.hset(_TOKEN_OF, bot, new)
        await self._do(pipe.execute())
        return token

    async def find(self, token: str) -> Account | None:
        """See Accounts."""
        mark = hashed(token).hex()
        bot = await self._do(self._redis.hget(_TOKENS, mark))
        if bot is None:
            return None
        owner = await self._do(self._redis.hget(_ACCOUNTS, bot))
        current = await self._do(self._redis.hget(_TOKEN_OF, bot))
        return Account(bot.decode(), owner.decode()) if current == mark.encode() and owner is not None else None

    async def all(self) -> list[Account]:
        """See Accounts."""
        found = await self._do(self._redis.hgetall(_ACCOUNTS))
        return [Account(bot.decode(), owner.decode()) for bot, owner in sorted(found.items())]

    async def check(self, bot: str, version: str, build: str) -> None:
        """See Accounts."""
        frozen = await self._do(self._redis.hget(_builds(bot), version))
        if frozen is not None and frozen.decode() != build:
            raise FrozenVersion(bot, version)

    async def freeze(self, bot: str, version: str, build: str) -> None:
        """See Accounts."""
        await self._do(self._redis.hsetnx(_builds(bot), version, build))

    async def frozen(self, bot: str) -> list[str]:
        """See Accounts."""
        return sorted(version.decode() for version in await self._do(self._redis.hkeys(_builds(bot))))

    async def close(self) -> None:
        """See Accounts."""
        await self._redis.aclose()

    async def _do(self, call: Awaitable[Any]) -> Any:
        return await _reached(self._where, call)


_ACCOUNTS: Final = "carico:{accounts}:owners"
_TOKENS: Final = "carico:{accounts}:tokens"
_TOKEN_OF: Final = "carico:{accounts}:token-of"


def _builds(bot: str) -> str:
    return f"carico:{{accounts}}:builds:{bot}"
