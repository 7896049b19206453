"""Who is there when a match begins, and what becomes of those who are not."""

import asyncio

import pytest

from carico.time_control import TimeControl
from carico.v1 import bots_pb2
from carico.v1 import organisers_pb2 as pb
from referee.service.guests import Guests
from tests.kit import villains
from tests.kit.served import Served, faults, order, told

NOW = TimeControl(grace_ms=0)
SOON = TimeControl(grace_ms=100)


async def test_where_nobody_comes_the_match_is_void(any_served: Served) -> None:
    await any_served.register("ann", "bob")
    spec = order(1, "ann", "bob", terms=SOON)
    (state,) = await any_served.play(spec)
    assert (state.status, state.result.void_reason) == (pb.MATCH_STATUS_VOID, "NO_START")
    ann = await (await any_served.bot("ann")).connect()
    end = await told(ann, state)
    assert end.void
    assert (end.winners, end.card_points, list(end.scores), list(end.faults)) == (b"", b"", [], [])


class Mute(villains.Sleeper):
    """Never answers at all."""

    good = 0


async def test_where_nobody_ever_answers_the_match_is_void(served: Served) -> None:
    ann = await (await served.bot("ann", Mute)).connect()
    bob = await (await served.bot("bob", Mute)).connect()
    (state,) = await served.play(order(1, "ann", "bob", terms=TimeControl(action_limit_ms=50)))
    assert (state.status, state.result.void_reason) == (pb.MATCH_STATUS_VOID, "NO_START")
    for bot in (ann, bob):
        assert await told(bot, state) == bots_pb2.MatchEnd(
            match=state.result.match, seats=bytes((bot is bob,)), void=True
        )


async def test_who_has_been_away_for_longer_than_the_grace_is_absent_at_once(served: Served) -> None:
    ann, bob = await served.seat("ann", "bob")
    await ann.drop()
    await asyncio.sleep(0.12)
    orders = [order(n, "ann", "bob", terms=SOON, dealer=n % 2) for n in range(4)]
    states = await served.play(*orders)
    assert [faults(state) for state in states] == [[(0, "DISCONNECT")]] * 4
    for state in states:
        assert state.result.deals[0].faults[0].after == 0
        assert list((await told(bob, state)).winners) == [1]


async def test_who_has_been_away_for_less_may_still_come(served: Served) -> None:
    ann, _ = await served.seat("ann", "bob")
    await ann.drop()
    spec = order(1, "ann", "bob")
    await served.start(spec)
    await ann.connect()
    (state,) = await served.ends(spec)
    assert faults(state) == []


async def test_a_bot_that_never_came_is_counted_from_the_start_of_the_referee(served: Served) -> None:
    await served.seat("bob")
    await served.register("ann")
    (state,) = await served.play(order(1, "bob", "ann", terms=NOW))
    assert faults(state) == [(1, "DISCONNECT")]


async def test_another_version_is_not_the_one_that_was_entered(served: Served) -> None:
    ann = await (await served.bot("ann", version="2")).connect()
    await served.seat("bob")
    (old, new) = await served.play(order(1, "ann@1", "bob", terms=SOON), order(2, "ann@2", "bob"))
    assert faults(old) == [(0, "DISCONNECT")]
    assert faults(new) == []
    assert [start.match for start in ann.starts] == [new.result.match]
    assert (await told(ann, old)).faults[0].detail, "its owner learns of it all the same"


async def test_a_version_that_leaves_for_another_is_away(served: Served) -> None:
    ann, _ = await served.seat("ann", "bob")
    ann.limit = 2
    spec = order(1, "ann@1", "bob", terms=SOON)
    await served.start(spec)
    await ann.until(lambda: ann.answered == 2)
    ann.hello.version = "2"
    await ann.connect()
    (state,) = await served.ends(spec)
    assert faults(state) == [(0, "DISCONNECT")]


async def test_the_organiser_sees_who_is_there(served: Served) -> None:
    ann, bob = await served.seat("ann", "bob")
    await served.register("cid")
    ann.limit = bob.limit = 0
    await served.start(order(1, "ann", "bob"))
    await bob.drop()
    await asyncio.sleep(0.02)
    listed = {bot.bot: bot for bot in (await served.call("ListBots", pb.ListBotsRequest())).bots}
    assert list(listed) == ["ann", "bob", "cid"]
    assert (listed["ann"].connected, listed["ann"].version, listed["ann"].open_matches) == (True, "1", 1)
    assert (listed["bob"].connected, listed["bob"].version, listed["bob"].owner) == (False, "1", "bob")
    assert listed["bob"].away.nanos > 0
    assert not listed["ann"].HasField("away")
    assert (listed["cid"].connected, listed["cid"].version, listed["cid"].HasField("away")) == (False, "", False)
    some = await served.call("ListBots", pb.ListBotsRequest(bots=["cid", "nobody"]))
    assert [bot.bot for bot in some.bots] == ["cid"]


def test_only_so_many_versions_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    guests = Guests()
    guest = guests["ann"]
    for number in range(100):
        guest.connection = SimpleNamespace(version=str(number))
        guest.leave()
    assert len(guest.left_at) <= 16
    assert guests.version_of("ann") == "99"
