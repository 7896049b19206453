import pytest


@pytest.fixture
def redis_url(valkey: str) -> str:
    """A database of its own, empty."""
    import redis

    url = f"{valkey}?db=9"
    with redis.Redis.from_url(url) as client:
        client.flushdb()
    return url
