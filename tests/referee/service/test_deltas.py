"""Deltas: a bot that chose them knows as much as one that is told whole views, in fewer bytes."""

import asyncio

import pytest

from carico.rules.game import Game, game, game_names
from carico.v1 import bots_pb2 as pb
from tests.kit.raw_bots import RawBot
from tests.kit.served import Served, faults, order

OPEN = game("briscola-2", {"open": True})
PARTNERS = game("briscola-4", {"partners": "last3"})


async def bot_in(mode: pb.ViewMode, served: Served, name: str) -> RawBot:
    bot = await served.bot(name)
    bot.hello.view_mode = mode
    return await bot.connect()


def told(bot: RawBot) -> list[tuple[int, int, pb.View]]:
    return [(ask.seat, ask.number, ask.view) for ask in bot.asks]


@pytest.mark.parametrize("of", [*map(game, game_names()), OPEN, PARTNERS], ids=repr)
async def test_both_modes_tell_the_same(served: Served, of: Game) -> None:
    """The same deck for a bot in each mode, which plays all seats by its views alone."""
    changes = await bot_in(pb.VIEW_MODE_DELTAS, served, "ann")
    whole = await bot_in(pb.VIEW_MODE_SNAPSHOT, served, "bob")
    for bot in (changes, whole):
        spec = order(1, *[bot.name] * of.players, of=of)
        spec.id += bot.name
        await served.start(spec)
    for bot in (changes, whole):
        await bot.until(lambda bot=bot: bot.ends)
    assert told(changes) == told(whole)
    assert sum(ask.HasField("change") for ask in changes.asks) == len(changes.asks) - of.players
    assert not any(ask.HasField("change") for ask in whole.asks)
    assert sum(map(len, changes.frames)) < sum(map(len, whole.frames)) or of.tricks < 8


async def test_after_each_reconnect_the_first_ask_is_whole(any_served: Served) -> None:
    ann = await bot_in(pb.VIEW_MODE_DELTAS, any_served, "ann")
    await any_served.seat("bob")
    spec = order(1, "ann", "bob")
    await any_served.start(spec)
    for limit in range(1, 20, 3):
        ann.limit = limit
        asked = len(ann.asks)
        await ann.connect()
        await ann.until(lambda asked=asked, limit=limit: ann.answered == limit and ann.open)
        first, *others = ann.asks[asked:]
        assert not first.HasField("change")
        assert all(ask.HasField("change") for ask in others)
    ann.limit = None
    await ann.connect()
    (state,) = await any_served.ends(spec)
    assert faults(state) == []


async def test_a_new_stream_may_choose_otherwise(served: Served) -> None:
    ann = await bot_in(pb.VIEW_MODE_DELTAS, served, "ann")
    await served.seat("bob")
    ann.limit = 5
    spec = order(1, "ann", "bob")
    await served.start(spec)
    await ann.until(lambda: ann.answered == 5)
    ann.hello.view_mode = pb.VIEW_MODE_UNSPECIFIED
    ann.limit = None
    asked = len(ann.asks)
    await ann.connect()
    (state,) = await served.ends(spec)
    assert faults(state) == []
    assert not any(ask.HasField("change") for ask in ann.asks[asked:])


async def test_matches_at_once_keep_their_views_apart(served: Served) -> None:
    ann = await bot_in(pb.VIEW_MODE_DELTAS, served, "ann")
    bob = await bot_in(pb.VIEW_MODE_DELTAS, served, "bob")
    specs = [order(n, *(("ann", "bob") if n % 2 else ("bob", "ann")), dealer=n % 2) for n in range(40)]
    states = await served.play(*specs)
    await asyncio.gather(*(bot.until(lambda bot=bot: len(bot.ends) == 40) for bot in (ann, bob)))
    assert not any(faults(state) for state in states)
