"""A league of real parts, one for each test that asks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.league import League


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    """Store, referee and client; workers and bots are started by the test."""
    with League(tmp_path) as parts:
        yield parts
