"""What accounts promise, for each of them."""

import asyncio
import hashlib

import pytest

from referee.store.accounts import (
    Account,
    Accounts,
    BadName,
    BotExists,
    FrozenVersion,
    NoSuchBot,
    check_name,
    hashed,
    new_token,
)


async def test_a_token_finds_its_bot(accounts: Accounts) -> None:
    tokens = {bot: await accounts.register(bot, f"owner-of-{bot}") for bot in ("bob", "ann")}
    for bot, token in tokens.items():
        assert await accounts.find(token) == Account(bot, f"owner-of-{bot}")
    assert await accounts.all() == [Account("ann", "owner-of-ann"), Account("bob", "owner-of-bob")]


@pytest.mark.parametrize("token", ["", "carico_", "carico_" + "A" * 32, "\udcff", "x" * 10_000, "ann"])
async def test_any_other_token_finds_nobody(accounts: Accounts, token: str) -> None:
    await accounts.register("ann", "o")
    assert await accounts.find(token) is None


async def test_the_hash_of_a_token_is_no_token(accounts: Accounts) -> None:
    token = await accounts.register("ann", "o")
    assert await accounts.find(hashed(token).hex()) is None
    assert await accounts.find(token.upper()) is None
    assert await accounts.find(token + " ") is None


async def test_a_name_is_given_once(accounts: Accounts) -> None:
    token = await accounts.register("ann", "first")
    with pytest.raises(BotExists):
        await accounts.register("ann", "second")
    assert await accounts.find(token) == Account("ann", "first")


async def test_of_many_who_want_a_name_one_gets_it(accounts: Accounts) -> None:
    found = await asyncio.gather(*(accounts.register("ann", f"o{n}") for n in range(8)), return_exceptions=True)
    tokens = [token for token in found if isinstance(token, str)]
    assert len(tokens) == 1
    assert sum(isinstance(error, BotExists) for error in found) == 7
    account = await accounts.find(tokens[0])
    assert account is not None
    assert [account] == await accounts.all()


async def test_a_renewed_token_kills_the_old_one(accounts: Accounts) -> None:
    first = await accounts.register("ann", "o")
    other = await accounts.register("bob", "o")
    second = await accounts.renew("ann")
    third = await accounts.renew("ann")
    assert len({first, second, third}) == 3
    assert await accounts.find(first) is None
    assert await accounts.find(second) is None
    assert await accounts.find(third) == Account("ann", "o")
    assert await accounts.find(other) == Account("bob", "o")
    with pytest.raises(NoSuchBot):
        await accounts.renew("cid")


async def test_of_many_renewals_at_once_one_token_lives(accounts: Accounts) -> None:
    await accounts.register("ann", "o")
    tokens = await asyncio.gather(*(accounts.renew("ann") for _ in range(8)))
    living = [token for token in tokens if await accounts.find(token) is not None]
    assert len(living) == 1


async def test_a_frozen_version_keeps_its_first_build(accounts: Accounts) -> None:
    await accounts.register("ann", "o")
    await accounts.check("ann", "1", "anything")
    assert await accounts.frozen("ann") == []
    await accounts.freeze("ann", "1", "one")
    await accounts.freeze("ann", "1", "two")
    await accounts.freeze("ann", "0", "")
    await accounts.check("ann", "1", "one")
    await accounts.check("ann", "0", "")
    await accounts.check("ann", "2", "two")
    await accounts.check("bob", "1", "two")
    for version, build in (("1", "two"), ("1", ""), ("0", "one"), ("1", "ONE")):
        with pytest.raises(FrozenVersion):
            await accounts.check("ann", version, build)
    assert await accounts.frozen("ann") == ["0", "1"]
    assert await accounts.frozen("bob") == []


async def test_names_that_look_alike_are_kept_apart(accounts: Accounts) -> None:
    tokens = [await accounts.register(bot, "o") for bot in ("a", "A", "a.", "a-1", "a_1")]
    await accounts.freeze("a", "1", "x")
    assert [(await accounts.find(token)) is not None for token in tokens] == [True] * 5
    assert await accounts.frozen("A") == []
    assert await accounts.frozen("a.") == []


def test_tokens_are_long_and_never_alike() -> None:
    tokens = {new_token() for _ in range(1_000)}
    assert len(tokens) == 1_000
    assert all(token.startswith("carico_") and len(token) == 39 for token in tokens)


def test_what_is_stored_of_a_token_is_its_sha_256() -> None:
    assert hashed("carico_x") == hashlib.sha256(b"carico_x").digest()


@pytest.mark.parametrize("name", ["a", "A9", "7up", "a.b-c_d", "x" * 40])
def test_these_are_names(name: str) -> None:
    check_name("bot", name)


@pytest.mark.parametrize("name", ["", "x" * 41, ".a", "-a", "_a", "a b", "a\n", "\u00e9", "a/b", "a:b", "{a}", "a\x00"])
def test_these_are_none(name: str) -> None:
    with pytest.raises(BadName, match=r"^bot "):
        check_name("bot", name)
