"""The connection to a Redis server: patience with one that is away for a moment, plain words for one that stays."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import redis
from redis import exceptions
from redis.backoff import EqualJitterBackoff, NoBackoff
from redis.retry import Retry

from carico.redis_mends import mend_of
from worker.store.address import check, shown
from worker.store.errors import StoreError, StoreUnavailable
from worker.store.values import Server

T = TypeVar("T")

OLDEST: Final = (7, 0)

TRIES: Final = 16
ANSWER_S: Final = 10.0
_CONNECT_S: Final = 2.0
_AWAY: Final = (exceptions.BusyLoadingError, exceptions.ConnectionError, exceptions.TimeoutError)
_LOCKED_OUT: Final = (exceptions.AuthenticationError, exceptions.AuthorizationError)
_WRITTEN: Final = "carico:written"
"""A key that is written only to see whether one can, and goes by itself."""
_WRITTEN_S: Final = 60


class Link:
    """One server, by its URL. Safe to share among threads, and to carry over a fork."""

    def __init__(self, url: str, *, tries: int = TRIES, answer_s: float = ANSWER_S) -> None:
        """Connects with the first call. Raises ValueError for an address of another form (``address.FORMS``).

        A call is tried again ``tries`` times, about ten seconds by default; an answer may take ``answer_s``.
        """
        check(url)
        self.address = shown(url)
        self.client: Any = redis.Redis.from_url(
            url,
            decode_responses=True,
            protocol=2,
            socket_timeout=answer_s,
            socket_connect_timeout=_CONNECT_S,
            retry=Retry(NoBackoff(), 0),
        )
        self._patience = _patience(tries)

    def call(self, do: Callable[[], T]) -> T:
        """What ``do`` returns, tried again as often as agreed while the server is away; ``do`` must bear repeating.

        Raises StoreUnavailable, which names the server, the reason and the mend, where it stays away or cannot write;
        StoreError for whatever else it refuses.
        """
        return self._try(do, self._patience)

    def check(self) -> None:
        """Raises StoreError unless the server can hold a season: Redis 7.0 or newer, and nothing evicted.

        Waits about a second for one that is away, then raises StoreUnavailable.
        """
        info = self._try(self.client.info, _patience(4))
        version = str(info["redis_version"])
        if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
            raise StoreError(f"the server at {self.address} is Redis {version}: 7.0 or newer is needed, or Valkey")
        policy = info["maxmemory_policy"]
        if policy != "noeviction":
            raise StoreError(
                f"the server at {self.address} throws keys away when its memory is full (maxmemory-policy {policy}), "
                f"and seasons with them: set maxmemory-policy noeviction"
            )

    def check_writable(self) -> None:
        """Raises StoreUnavailable unless the server can be written to now; waits for nobody."""
        self._try(lambda: self.client.set(_WRITTEN, 1, ex=_WRITTEN_S), _patience(0))

    def server(self) -> Server:
        """What the server tells of itself. Raises StoreUnavailable."""
        info = self.call(self.client.info)
        states = [info[name] for name in ("aof_last_write_status", "rdb_last_bgsave_status") if name in info]
        try:
            folder = self.client.config_get("dir", "appenddirname")
        except exceptions.RedisError:  # not everybody may ask
            folder = {}
        disk = _disk_of(folder.get("dir", ""), folder.get("appenddirname", ""))
        return Server(
            memory_bytes=info.get("used_memory"),
            memory_limit_bytes=info.get("maxmemory"),
            log_bytes=info.get("aof_current_size"),
            writes=all(state == "ok" for state in states) if states else None,
            disk_bytes=disk and disk.total,
            disk_free_bytes=disk and disk.free,
        )

    def _try(self, do: Callable[[], T], patience: Retry) -> T:
        try:
            return patience.call_with_retry(do, lambda _: None, lambda error: not isinstance(error, _LOCKED_OUT))
        except exceptions.RedisError as error:
            mend = mend_of(error)
            if mend is None:
                raise StoreError(f"the store at {self.address} refuses: {error}; see the server's log") from error
            raise StoreUnavailable(f"the store at {self.address} is unavailable: {error}; {mend}") from error


def _disk_of(folder: str, log: str) -> Any:
    """The usage of the disk that the server writes its append-only file to, if that folder is here too."""
    try:
        return shutil.disk_usage(folder) if folder and log and Path(folder, log).is_dir() else None
    except OSError:
        return None


def _patience(tries: int) -> Retry:
    return Retry(EqualJitterBackoff(cap=1.0, base=0.02), tries, supported_errors=_AWAY)
