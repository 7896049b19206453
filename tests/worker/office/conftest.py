"""An office with its referee, on a real store; one for all tests of a file."""

from collections.abc import Iterator

import pytest

from tests.kit.office_house import OfficeHouse
from worker.store.open import open_store
from worker.store.port import Store


@pytest.fixture(scope="module")
def house(valkey: str) -> Iterator[OfficeHouse]:
    with OfficeHouse(valkey) as house:
        yield house


@pytest.fixture
def store(valkey: str) -> Store:
    return open_store(valkey)
