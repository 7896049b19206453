import pytest

from carico import connection


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time is lost between attempts."""
    monkeypatch.setattr(connection, "FIRST_DELAY_S", 0.01)
    monkeypatch.setattr(connection, "LONGEST_DELAY_S", 0.05)
