from collections.abc import AsyncIterator

import pytest

from tests.kit.served import Served


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    async with Served() as served:
        yield served
