"""Each store twice: in memory and in a real server."""

from collections.abc import AsyncIterator, Callable

import pytest

from referee.store.accounts import Accounts
from referee.store.log import MatchLog
from referee.store.memory import Kept, MemoryAccounts, MemoryLog
from referee.store.redis import RedisAccounts, RedisLog, connect

BACKENDS = ["memory", "redis"]


@pytest.fixture(params=BACKENDS)
async def another_log(request: pytest.FixtureRequest) -> AsyncIterator[Callable[[], MatchLog]]:
    """Makes what one more referee has in its hands: all of them are the same log."""
    made: list[MatchLog] = []
    kept = Kept()
    url = request.getfixturevalue("redis_url") if request.param == "redis" else ""

    def make() -> MatchLog:
        made.append(RedisLog(connect(url), "here", "tests") if url else MemoryLog(kept))
        return made[-1]

    yield make
    for log in made:
        await log.close()


@pytest.fixture
async def log(another_log: Callable[[], MatchLog]) -> MatchLog:
    """A log that is open and empty."""
    log = another_log()
    assert await log.open() == []
    return log


@pytest.fixture(params=BACKENDS)
async def accounts(request: pytest.FixtureRequest) -> AsyncIterator[Accounts]:
    """Accounts that are empty."""
    if request.param == "memory":
        yield MemoryAccounts()
        return
    accounts = RedisAccounts(connect(request.getfixturevalue("redis_url")), "here")
    yield accounts
    await accounts.close()
