from random import Random
from typing import Any

import pytest

from carico.codec import milliseconds
from carico.rules.game import game
from carico.v1 import organisers_pb2 as pb
from referee.match.events import Aborted
from referee.match.machine import Match
from referee.service import tell
from referee.service.table import Table
from tests.kit.served import MARK, Served, order, replayed, told


async def test_matches_are_played_to_their_ends(any_served: Served) -> None:
    ann, bob = await any_served.seat("ann", "bob")
    orders = [order(n, "ann", "bob", dealer=n % 2) for n in range(40)]
    assert await any_served.start(*orders) == [spec.id for spec in orders]
    states = await any_served.ends(*orders)
    for spec, state in zip(orders, states, strict=True):
        assert state.status == pb.MATCH_STATUS_ENDED
        deal, outcome = replayed(spec, state.result)
        assert sum(deal.card_points) == 120
        for bot in (ann, bob):
            end = await told(bot, state)
            assert (tuple(end.winners), tuple(end.scores)) == (outcome.winners, outcome.scores)
            assert tuple(end.card_points) == outcome.card_points
            assert not end.void
            assert not end.faults
    assert not ann.notices
    assert any_served.referee.hall.counts.actions == 40 * len(orders)


@pytest.mark.parametrize("name", ["briscola-3", "briscola-4", "briscola-6"])
async def test_every_table_size_is_played(served: Served, name: str) -> None:
    what = game(name)
    bots = await served.seat(*(f"bot{seat}" for seat in range(what.players)))
    specs = [order(n, *(bot.name for bot in bots), of=what, dealer=n) for n in range(2)]
    for spec, state in zip(specs, await served.play(*specs), strict=True):
        replayed(spec, state.result)
        for seat, bot in enumerate(bots):
            assert (await told(bot, state)).seats == bytes((seat,))


async def test_a_bot_plays_several_seats_of_one_match(served: Served) -> None:
    ann, bob = await served.seat("ann", "bob")
    spec = order(1, "ann", "bob", "ann", "bob", of=game("briscola-4"))
    alone = order(2, "ann", "ann")
    states = await served.play(spec, alone)
    assert (await told(ann, states[0])).seats == bytes((0, 2))
    assert (await told(bob, states[0])).seats == bytes((1, 3))
    assert (await told(ann, states[1])).seats == bytes((0, 1))
    numbers = [(ask.seat, ask.number) for ask in ann.asks if ask.match == states[1].result.match]
    assert sorted(numbers) == [(seat, number) for seat in (0, 1) for number in range(1, 21)]


async def test_many_asks_travel_in_one_frame(served: Served) -> None:
    ann, bob = await served.seat("ann", "bob")
    await served.play(*(order(n, "ann", "bob") for n in range(100)))
    for bot in (ann, bob):
        assert not any(ask.HasField("used") for ask in bot.asks), "this is for those who come back"
        assert len(bot.asks) == 2_000
        assert len(bot.frames) < 500


async def test_every_score_falls_on_the_right_seat_whoever_came_first(served: Served) -> None:
    rng = Random(3)
    names = [f"bot{n}" for n in range(8)]
    for name in names:
        await served.register(name)
    orders = [order(n, *rng.sample(names, 2), dealer=rng.randrange(2)) for n in range(240)]
    rng.shuffle(names)
    await served.start(*orders[:80])
    bots = {}
    for name in names:
        bots[name] = await (await served.bot(name)).connect()
    for at in range(80, len(orders), 80):
        await served.start(*orders[at : at + 80])
    states = await served.ends(*orders)
    for spec, state in zip(orders, states, strict=True):
        _, outcome = replayed(spec, state.result)
        for number, seat in enumerate(spec.seats):
            end = await told(bots[seat.bot], state)
            assert end.seats == bytes((number,))
            assert tuple(end.scores) == outcome.scores


@pytest.mark.parametrize("where", ["ask", "handle"])
async def test_a_fault_of_the_referee_is_no_loss_of_a_bot(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, where: str
) -> None:
    """The match is void, and all others go on."""
    place: Any = Match if where == "handle" else tell
    good = getattr(place, where)
    specs = [order(n, "ann", "bob") for n in range(4)]

    def fail(*args: Any) -> Any:
        match = next(arg if isinstance(arg, Match) else arg.match for arg in args if isinstance(arg, Match | Table))
        if match.spec.id == specs[1].id and len(match.deal.played) == 8 and not isinstance(args[1], Aborted):
            raise RuntimeError("a fault of ours")
        return good(*args)

    monkeypatch.setattr(place, where, fail)
    bots = await served.seat("ann", "bob")
    states = await served.play(*specs)
    assert [state.result.void_reason for state in states] == ["", "REFEREE_FAILED", "", ""]
    for state in states:
        for bot in bots:
            assert (await told(bot, state)).void == (state is states[1])
            assert not bot.ends[state.result.match].faults
            assert bot.status is None
    assert any(record.exc_info for record in caplog.records)
    caplog.clear()


async def test_the_clock_rows_add_up(served: Served) -> None:
    await served.seat("ann", "bob")
    spec = order(1, "ann", "bob")
    (state,) = await served.play(spec)
    bank = {0: 60_000, 1: 60_000}
    for taken in state.result.deals[0].actions:
        used, credit = milliseconds(taken.used), milliseconds(taken.credit)
        bank[taken.seat] += 100 - max(0, used - credit)
        assert milliseconds(taken.bank_left) == bank[taken.seat]
        assert credit == 0
        assert not taken.stand_in


async def test_ids_of_the_organiser_never_reach_a_bot(any_served: Served) -> None:
    ann, bob = await any_served.seat("ann", "bob")
    orders = [order(n, "ann", "bob") for n in range(10)]
    await any_served.start(*orders)
    await any_served.call("AbortMatches", pb.AbortMatchesRequest(ids=[orders[0].id], reason=f"{MARK} is over"))
    await any_served.ends(*orders)
    handles = {start.match for start in ann.starts}
    assert len(handles) == len(orders)
    assert all(len(handle) == 16 for handle in handles)
    for bot in (ann, bob):
        assert not any(MARK.encode() in frame for frame in bot.frames)
