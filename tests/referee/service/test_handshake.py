import asyncio
from collections.abc import Callable

import grpc
import pytest

from carico.v1 import bots_pb2 as pb
from carico.v1 import organisers_pb2
from referee.service import bots
from tests.kit.raw_bots import RawBot, Status
from tests.kit.served import ORGANISER, Served, order

Code = grpc.StatusCode


async def refused(bot: RawBot) -> Status:
    await bot.connect()
    assert not bot.welcomes
    return await bot.ended()


async def test_the_welcome_tells_who_is_there(served: Served) -> None:
    bot = await (await served.bot("ann")).connect()
    (welcome,) = bot.welcomes
    assert (welcome.protocol, welcome.bot, welcome.owner) == (1, "ann", "ann")
    assert welcome.referee.startswith("carico ")
    assert welcome.frame_limit > 0


@pytest.mark.parametrize("token", ["", "carico_", "carico_wrong", "x" * 5000, "tr\u00e4umen"])
async def test_a_token_that_is_none_is_refused(any_served: Served, token: str) -> None:
    bot = await any_served.bot("ann")
    bot.metadata = lambda: (("authorization", f"Bearer {token}".encode("latin-1", "replace").decode("latin-1")),)
    if not token.isascii():
        bot.metadata = lambda: (("authorization", "Bearer ?"),)
    status = await refused(bot)
    assert status.code is Code.UNAUTHENTICATED
    assert status.details.startswith("NO_TOKEN:" if not token else "BAD_TOKEN:")


@pytest.mark.parametrize("metadata", [(), (("authorization", "carico_x"),), (("authorization", "Basic YTpi"),)])
async def test_a_call_without_a_bearer_token_is_refused(served: Served, metadata: tuple[tuple[str, str], ...]) -> None:
    bot = await served.bot("ann")
    bot.metadata = lambda: metadata
    assert (await refused(bot)).details.startswith("NO_TOKEN:")


async def test_the_organiser_seats_no_bot(served: Served) -> None:
    bot = await served.bot("ann")
    bot.token = ORGANISER
    status = await refused(bot)
    assert (status.code, status.details.split(":")[0]) == (Code.PERMISSION_DENIED, "NOT_A_BOT")


HELLOS: dict[str, tuple[Callable[[pb.Hello], None], Code, str]] = {
    "another bot's name": (lambda h: setattr(h, "bot", "bob"), Code.PERMISSION_DENIED, "WRONG_BOT"),
    "no name": (lambda h: setattr(h, "bot", ""), Code.PERMISSION_DENIED, "WRONG_BOT"),
    "braces in the name": (lambda h: setattr(h, "bot", "{bot}{x}%s\n" * 50), Code.PERMISSION_DENIED, "WRONG_BOT"),
    "no protocol": (lambda h: h.ClearField("newest_protocol"), Code.FAILED_PRECONDITION, "OLD_PROTOCOL"),
    "a protocol to come": (
        lambda h: h.MergeFrom(pb.Hello(oldest_protocol=2, newest_protocol=9)),
        Code.FAILED_PRECONDITION,
        "OLD_PROTOCOL",
    ),
    "a mode to come": (lambda h: h.MergeFromString(b"\x30\x07"), Code.FAILED_PRECONDITION, "VIEW_MODE"),
    "no version": (lambda h: setattr(h, "version", ""), Code.INVALID_ARGUMENT, "BAD_NAME"),
    "a version with a space": (lambda h: setattr(h, "version", "1 2"), Code.INVALID_ARGUMENT, "BAD_NAME"),
    "a long version": (lambda h: setattr(h, "version", "1" * 41), Code.INVALID_ARGUMENT, "BAD_NAME"),
    "a long build": (lambda h: setattr(h, "build", "b" * 129), Code.INVALID_ARGUMENT, "BAD_NAME"),
}


@pytest.mark.parametrize("what", HELLOS)
async def test_a_hello_that_does_not_fit_is_refused(served: Served, what: str) -> None:
    spoil, code, reason = HELLOS[what]
    bot = await served.bot("ann")
    spoil(bot.hello)
    status = await refused(bot)
    assert (status.code, status.details.split(":")[0]) == (code, reason)


async def test_a_bot_of_several_protocols_is_welcome(served: Served) -> None:
    bot = await served.bot("ann", build="b" * 128)
    bot.hello.newest_protocol = 4
    bot.hello.version = "v1." + "0" * 37
    bot.hello.view_mode = pb.VIEW_MODE_SNAPSHOT
    await bot.connect()
    assert bot.welcomes[0].protocol == 1


async def test_the_first_frame_must_be_a_hello(served: Served) -> None:
    bot = await (await served.bot("ann")).connect(greet=False)
    await bot.send(pb.PlayRequest(seen_ends=["x"]))
    status = await bot.ended()
    assert (status.code, status.details.split(":")[0]) == (Code.FAILED_PRECONDITION, "NO_HELLO")


@pytest.mark.parametrize("garbage", [b"\xff\xff\xff", b"\x0a\x04\x1a\x02\xff\xfe"], ids=["no message", "no UTF-8"])
async def test_garbage_for_a_hello_is_refused_in_public_words(served: Served, garbage: bytes) -> None:
    bot = await (await served.bot("ann")).connect(greet=False)
    await bot.send(garbage)
    status = await bot.ended()
    assert (status.code, status.details.split(":")[0]) == (Code.INVALID_ARGUMENT, "GARBAGE")


async def test_a_bot_that_says_nothing_is_sent_away(served: Served) -> None:
    served.referee._lobby._seconds = 0.05
    bot = await (await served.bot("ann")).connect(greet=False)
    assert (await bot.ended()).details.startswith("NO_HELLO:")


async def test_a_bot_that_closes_before_its_hello_is_forgotten(served: Served) -> None:
    bot = await (await served.bot("ann")).connect(greet=False)
    await bot.call.done_writing()
    assert (await bot.ended()).details.startswith("NO_HELLO:")


async def test_a_frozen_version_is_one_build(any_served: Served) -> None:
    ann = await (await any_served.bot("ann", build="first")).connect()
    bob = await (await any_served.bot("bob", build="b")).connect()
    spec = order(1, "ann", "bob")
    await any_served.play(spec)
    ann.hello.build = "second"
    await ann.connect()
    assert len(ann.welcomes) == 2, "nothing counts yet"
    await ann.drop()
    await any_served.release([spec.id])
    ann.hello.build = "second"
    status = await (await ann.connect()).ended()
    assert (status.code, status.details.split(":")[0]) == (Code.FAILED_PRECONDITION, "FROZEN_VERSION")
    ann.hello.build = "first"
    await ann.connect()
    ann.hello.build, ann.hello.version = "second", "2"
    await ann.connect()
    assert len(ann.welcomes) == 4
    listed = await any_served.call("ListBots", organisers_pb2.ListBotsRequest())
    assert [list(bot.frozen_versions) for bot in listed.bots] == [["1"], ["1"]]
    await bob.drop()


async def test_what_does_not_count_freezes_nothing(served: Served) -> None:
    await served.seat("ann", "bob")
    spec, other = order(1, "ann", "bob"), order(2, "ann", "bob")
    await served.play(spec)
    await served.release([spec.id], counted=False)
    (await served.bot("bob", build="x")).limit = 0
    await served.start(other)
    await served.call("AbortMatches", organisers_pb2.AbortMatchesRequest(ids=[other.id]))
    await served.ends(other)
    await served.release([other.id], counted=True)
    listed = await served.call("ListBots", organisers_pb2.ListBotsRequest())
    assert [list(bot.frozen_versions) for bot in listed.bots] == [[], []]


async def test_too_many_connections_in_a_short_time_are_refused(served: Served) -> None:
    bot = await served.bot("ann")
    for _ in range(bots.CONNECTS):
        await bot.connect()
    assert len(bot.welcomes) == bots.CONNECTS
    status = await (await bot.connect()).ended()
    assert (status.code, status.details.split(":")[0]) == (Code.RESOURCE_EXHAUSTED, "TOO_SOON")
    other = await (await served.bot("bob")).connect()
    assert other.welcomes


async def test_a_renewed_token_ends_the_stream_and_all_that_is_on_its_way(served: Served) -> None:
    ann = await (await served.bot("ann")).connect()
    late = RawBot(served.address, ann.token, "ann")
    await late.connect(greet=False)
    await asyncio.sleep(0.05)
    renewed = await served.call("RenewToken", organisers_pb2.RenewTokenRequest(bot="ann"))
    assert (await ann.ended()).code is Code.UNAUTHENTICATED
    await late.send(pb.PlayRequest(hello=late.hello))
    assert (await late.ended()).details.startswith("BAD_TOKEN:")
    await late.drop()
    assert (await refused_again(ann)).details.startswith("BAD_TOKEN:")
    ann.token = renewed.token
    await ann.connect()
    assert len(ann.welcomes) == 2


async def refused_again(bot: RawBot) -> Status:
    return await (await bot.connect()).ended()
