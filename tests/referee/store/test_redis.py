"""What only a server can do wrong: break off, forget, refuse, or keep what it should not."""

import asyncio

import pytest
import redis

from referee.match.events import Begun
from referee.store.accounts import Account
from referee.store.log import LogTaken, LogUnavailable
from referee.store.redis import MARK_SECONDS, RedisAccounts, RedisLog, connect
from tests.kit.sittings import sitting, spec
from tests.kit.wire import Wire


def socket_of(url: str) -> str:
    return "unix:" + url.removeprefix("unix://").partition("?")[0]


def everything_in(client: redis.Redis) -> bytes:
    """All keys and values of a database, one after the other."""
    found = []
    for key in client.scan_iter():
        found.append(key)
        match client.type(key):
            case b"string":
                found.append(client.get(key))
            case b"hash":
                found += [text for pair in client.hgetall(key).items() for text in pair]
            case b"list":
                found += client.lrange(key, 0, -1)
            case b"set":
                found += client.smembers(key)
            case other:
                raise AssertionError(f"{key!r} is a {other!r}: look into it here too")
    return b"\n".join(found)


async def test_no_token_is_ever_stored(redis_url: str) -> None:
    accounts = RedisAccounts(connect(redis_url), "here")
    tokens = [await accounts.register(bot, "o") for bot in ("ann", "bob")]
    tokens.append(await accounts.renew("ann"))
    await accounts.find(tokens[2])
    await accounts.find("carico_a-guess")
    await accounts.close()
    with redis.Redis.from_url(redis_url) as client:
        stored = everything_in(client)
    assert b"ann" in stored
    for token in (*tokens, "carico_a-guess"):
        assert token.encode() not in stored
        assert token.removeprefix("carico_").encode() not in stored


async def test_a_renewed_token_leaves_no_hash(redis_url: str) -> None:
    accounts = RedisAccounts(connect(redis_url), "here")
    await accounts.register("ann", "o")
    with redis.Redis.from_url(redis_url) as client:
        before = len(everything_in(client))
        for _ in range(5):
            await accounts.renew("ann")
        assert len(everything_in(client)) == before
    await accounts.close()


async def test_whatever_reply_is_lost_each_line_is_written_once(redis_url: str) -> None:
    async with Wire(socket_of(redis_url)) as wire:
        log = RedisLog(connect(f"redis://{wire.address}/9"), "here", "tests")
        assert await log.open() == []
        specs = [spec(number) for number in range(6)]
        stories = [sitting(what, number, 14) for number, what in enumerate(specs)]
        wire.lose_replies = 1
        await persist(lambda: log.begin(specs))
        for place in range(14):
            wire.lose_replies = place % 6
            lines = [
                (w.id, place, *story[place]) for w, story in zip(specs, stories, strict=True) if place < len(story)
            ]
            await persist(lambda lines=lines: log.append(lines))
        wire.lose_replies = 0
        other = RedisLog(connect(redis_url), "here", "tests")
        assert await other.open() == list(zip(specs, stories, strict=True))
        wire.lose_replies = 2
        with pytest.raises(LogTaken):
            await persist(lambda: log.release([specs[0].id]))
        wire.lose_replies = 1
        await persist(lambda: other.release([specs[0].id]))
        assert len(await other.open()) == 5
        await log.close()
        await other.close()


async def persist(call):
    """Tries until it is done."""
    while True:
        try:
            return await call()
        except LogUnavailable:
            await asyncio.sleep(0.01)


async def test_a_server_that_is_away_is_named(redis_url: str) -> None:
    async with Wire(socket_of(redis_url)) as wire:
        log = RedisLog(connect(f"redis://{wire.address}/9"), wire.address, "tests")
        accounts = RedisAccounts(connect(f"redis://{wire.address}/9"), wire.address)
        await log.open()
        wire.cut()
        for call in (
            log.open(),
            log.begin([spec(1)]),
            log.append([(spec(1).id, 0, 0, Begun())]),
            log.release(["x"]),
            log.released(["x"]),
            accounts.register("ann", "o"),
            accounts.renew("ann"),
            accounts.find("carico_x"),
            accounts.all(),
            accounts.check("ann", "1", ""),
            accounts.freeze("ann", "1", ""),
            accounts.frozen("ann"),
        ):
            with pytest.raises(LogUnavailable, match=wire.address):
                await call
        wire.mend()
        await log.open()
        await log.begin([spec(1)])
        await log.close()
        await accounts.close()


async def test_a_crowd_at_the_door_is_let_in_one_after_another(redis_url: str) -> None:
    accounts = RedisAccounts(connect(redis_url), "here")
    token = await accounts.register("ann", "o")
    found = await asyncio.gather(*(accounts.find(token) for _ in range(500)))
    assert set(found) == {Account("ann", "o")}
    with redis.Redis.from_url(redis_url) as client:
        assert client.info("clients")["connected_clients"] < 30
    await accounts.close()


async def test_a_server_that_has_forgotten_everything_is_another_log(redis_url: str) -> None:
    log = RedisLog(connect(redis_url), "here", "tests")
    await log.open()
    await log.begin([spec(1)])
    before = log.incarnation
    with redis.Redis.from_url(redis_url) as client:
        client.flushdb()
    with pytest.raises(LogTaken):
        await log.append([(spec(1).id, 0, 0, Begun())])
    assert await log.open() == []
    assert log.incarnation != before
    await log.close()


async def test_a_server_that_takes_no_writes_can_be_asked_again(redis_url: str) -> None:
    log = RedisLog(connect(redis_url), "here", "tests")
    await log.open()
    await log.begin([spec(1)])
    with redis.Redis.from_url(redis_url) as client:
        client.config_set("min-replicas-to-write", 1)
        try:
            with pytest.raises(LogUnavailable, match=r"here.*NOREPLICAS.*bring them back"):
                await log.append([(spec(1).id, 0, 0, Begun())])
        finally:
            client.config_set("min-replicas-to-write", 0)
    await log.append([(spec(1).id, 0, 0, Begun())])
    assert (await log.open())[0][1] == [(0, Begun())]
    await log.close()


async def test_marks_of_released_matches_do_not_stay_for_ever(redis_url: str) -> None:
    log = RedisLog(connect(redis_url), "here", "tests")
    await log.open()
    await log.begin([spec(1)])
    await log.append([(spec(1).id, 0, 0, Begun())])
    await log.release([spec(1).id])
    with redis.Redis.from_url(redis_url) as client:
        names = sorted(key.decode().removeprefix("carico:referee:{tests}:") for key in client.scan_iter())
        assert names == ["epoch", "incarnation", f"released:{spec(1).id}"]
        left = client.ttl(f"carico:referee:{{tests}}:released:{spec(1).id}")
        assert 7 * 24 * 3600 < left <= MARK_SECONDS
    await log.close()


async def test_logs_of_different_names_do_not_meet(redis_url: str) -> None:
    one, two = (RedisLog(connect(redis_url), "here", name) for name in ("one", "two"))
    await one.open()
    await two.open()
    await one.begin([spec(1)])
    await one.release([spec(1).id])
    assert await two.released([spec(1).id]) == set()
    await two.begin([spec(1)])
    assert len(await two.open()) == 1
    await one.close()
    await two.close()


async def test_all_keys_of_a_log_lie_in_one_slot(redis_url: str) -> None:
    """A script of Redis may touch keys of one hash tag only, where a cluster holds them."""
    log = RedisLog(connect(redis_url), "here", "tests")
    accounts = RedisAccounts(connect(redis_url), "here")
    await log.open()
    await log.begin([spec(1), spec(2)])
    await log.release([spec(2).id])
    await accounts.register("ann", "o")
    await accounts.freeze("ann", "1", "")
    with redis.Redis.from_url(redis_url) as client:
        for key in client.scan_iter():
            assert key.startswith((b"carico:referee:{tests}:", b"carico:{accounts}:"))
    await log.close()
    await accounts.close()
