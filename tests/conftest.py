import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background has it ignored, and so its children

settings.register_profile("unhurried", deadline=None)  # a busy machine is no failure
settings.load_profile("unhurried")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write the golden texts anew instead of comparing them")


@pytest.fixture
def renew(request: pytest.FixtureRequest) -> bool:
    """Whether golden texts are to be written anew."""
    return bool(request.config.getoption("--renew"))


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a private server, the same for all tests of a session: give every season a name of its own."""
    from worker.store.embedded import EmbeddedValkey

    with EmbeddedValkey(tmp_path_factory.mktemp("valkey")) as server:
        yield server.url
