"""Nothing may be left behind: no task, no error in the logs that the test did not ask for."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.kit.served import Served


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    """A referee with everything in memory."""
    async with Served() as served:
        yield served


@pytest.fixture(params=["memory", "redis"])
async def any_served(request: pytest.FixtureRequest) -> AsyncIterator[Served]:
    """The same with each store behind it."""
    url = request.getfixturevalue("redis_url") if request.param == "redis" else None
    async with Served(url) as served:
        yield served


def _is_ours(task: "asyncio.Task[Any]") -> bool:
    """This fixture itself, or what gRPC's client forgets where a write failed."""
    name = getattr(task.get_coro(), "__qualname__", "")
    return task is asyncio.current_task() or name == "_AioCall._handle_status_once_received"


def _is_late(context: dict[str, Any]) -> bool:
    """What gRPC's one poller still holds for the loop of an earlier test."""
    return "PollerCompletionQueue" in str(context.get("message")) and "is closed" in str(context.get("exception"))


@pytest.fixture(scope="session", autouse=True)
def quick_collection() -> None:
    """What is loaded by now is not looked through again each time that garbage is collected."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
async def nothing_left(caplog: pytest.LogCaptureFixture) -> AsyncIterator[list[logging.LogRecord]]:
    """Fails a test that leaves tasks, lost exceptions or tracebacks behind.

    A test that provokes a traceback takes it out of ``caplog``.
    """
    caplog.set_level(logging.INFO)
    lost: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: None if _is_late(context) else lost.append(context))
    before = asyncio.all_tasks()
    yield caplog.records
    gc.collect()
    for _ in range(200):
        left = {task for task in asyncio.all_tasks() - before if not _is_ours(task)}
        if not left:
            break
        await asyncio.sleep(0.01)
    else:
        raise AssertionError(f"tasks left behind: {left}")
    gc.collect()
    await asyncio.sleep(0)
    assert not lost
    errors = [record for phase in ("setup", "call") for record in caplog.get_records(phase) if record.exc_info]
    assert not errors, [record.getMessage() for record in errors]
