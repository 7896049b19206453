"""A referee for each test, which must fail at nothing."""

import logging
from collections.abc import AsyncIterator

import pytest

from tests.kit.served import Served


@pytest.fixture
async def served(caplog: pytest.LogCaptureFixture) -> AsyncIterator[Served]:
    """A referee with everything in memory. Fails a test in which it logs a traceback."""
    caplog.set_level(logging.INFO)
    async with Served() as served:
        yield served
    failed = [record.getMessage() for record in caplog.get_records("call") if record.exc_info]
    assert not failed
