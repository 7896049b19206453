import pytest
import redis
from kombu import Connection

from worker.store.address import broker_url, check, shown


@pytest.mark.parametrize(
    ("url", "broker"),
    [
        ("unix:///tmp/x/v.sock", "redis+socket:///tmp/x/v.sock?virtual_host=0"),
        ("unix:///tmp/x/v.sock?db=3", "redis+socket:///tmp/x/v.sock?virtual_host=3"),
        ("unix://me:p%40ss@/tmp/v.sock", "redis+socket://me:p%40ss@/tmp/v.sock?virtual_host=0"),
        ("unix:///tmp/v.sock?username=me&password=p%40ss", "redis+socket://me:p%40ss@/tmp/v.sock?virtual_host=0"),
        ("redis://127.0.0.1:6379/2", "redis://127.0.0.1:6379/2"),
        ("rediss://:secret@host/0", "rediss://:secret@host/0"),
    ],
)
def test_the_broker_is_at_the_same_place(url: str, broker: str) -> None:
    assert broker_url(url) == broker


def test_celerys_transport_takes_it(valkey: str) -> None:
    control = redis.Redis.from_url(valkey)
    control.acl_setuser("post", enabled=True, passwords=["+p@ss"], keys=["*"], channels=["*"], commands=["+@all"])
    try:
        for url in (valkey, valkey.replace("unix://", "unix://post:p%40ss@") + "?db=3"):
            with Connection(broker_url(url)) as connection:
                queue = connection.SimpleQueue("test-address")
                queue.put({"hello": url})
                other = redis.Redis.from_url(valkey, db=3 if "db=3" in url else 0)
                assert other.llen("test-address") == 1
                message = queue.get(timeout=5)
                message.ack()
                assert message.payload == {"hello": url}
                queue.close()
    finally:
        control.acl_deluser("post")


@pytest.mark.parametrize("wrong", ["", "memory://", "http://x", "valkey://host", "redis://", "unix://", "/tmp/v.sock"])
def test_other_addresses_are_refused(wrong: str) -> None:
    for check_it in (check, broker_url):
        with pytest.raises(ValueError, match="is no address of a Redis server: give redis://"):
            check_it(wrong)


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("redis://me:secret@host:1/0", "redis://host:1/0"),
        ("unix:///tmp/v.sock?db=1&password=secret", "unix:///tmp/v.sock?db=1"),
        ("unix:///tmp/v.sock", "unix:///tmp/v.sock"),
        ("http://me:secret@host", "http://host"),
    ],
)
def test_passwords_are_not_shown(url: str, text: str) -> None:
    assert shown(url) == text
