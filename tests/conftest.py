import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write the golden texts anew instead of comparing them")


@pytest.fixture
def renew(request: pytest.FixtureRequest) -> bool:
    """Whether golden texts are to be written anew."""
    return bool(request.config.getoption("--renew"))
