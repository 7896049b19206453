import pytest

from carico.v1 import organisers_pb2
from tests.kit import villains
from tests.kit.raw_bots import RawBot
from tests.kit.served import Served, faults, order, told
from tests.kit.villains import BREAKERS, HARMLESS, ILLEGAL, Odd


async def meet(served: Served, kind: type[RawBot], place: int) -> tuple[RawBot, RawBot, organisers_pb2.MatchState]:
    """A villain at that place and an honest bot play one match to its end."""
    villain = await (await served.bot("villain", kind)).connect()
    (honest,) = await served.seat("honest")
    names = ["villain", "honest"] if place == 0 else ["honest", "villain"]
    (state,) = await served.play(order(1, *names))
    end = await told(honest, state)
    if kind in HARMLESS:
        assert not end.faults
    else:
        assert list(end.winners) == [1 - place], "the other side wins, and is told so"
        assert [(fault.seat, fault.detail) for fault in end.faults] == [(place, "")], "details are for the owner"
    assert not honest.notices
    assert honest.status is None
    return villain, honest, state


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("kind", ILLEGAL, ids=lambda kind: kind.__name__)
async def test_what_is_no_legal_action_loses_the_deal(served: Served, kind: type[RawBot], place: int) -> None:
    villain, _, state = await meet(served, kind, place)
    assert faults(state) == [(place, "ILLEGAL_ACTION")]
    end = await told(villain, state)
    assert end.faults[0].detail
    assert end.faults[0].detail == state.result.deals[0].faults[0].detail
    assert villain.status is None, "a mistake in a deal is no reason to put it out"
    assert len(villain.asks) == Odd.good + 1, "the stand-in plays on"


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("kind", BREAKERS, ids=lambda kind: kind.__name__)
async def test_who_breaks_the_protocol_loses_the_deal(served: Served, kind: type[RawBot], place: int) -> None:
    _, _, state = await meet(served, kind, place)
    assert faults(state) == [(place, "PROTOCOL")]
    (fault,) = state.result.deals[0].faults
    assert fault.detail
    taken = [taken.stand_in for taken in state.result.deals[0].actions if taken.seat == place]
    assert taken == [False] * Odd.good + [True] * (20 - Odd.good)


@pytest.mark.parametrize("kind", HARMLESS, ids=lambda kind: kind.__name__)
async def test_nonsense_beside_good_answers_hurts_nobody(served: Served, kind: type[RawBot]) -> None:
    villain, _, state = await meet(served, kind, 0)
    assert faults(state) == []
    assert villain.status is None
    assert {notice.reason for notice in villain.notices} <= {"STALE_ANSWER", "UNKNOWN_MATCH", "MATCH_OVER"}
    assert len(villain.notices) >= 19


async def test_a_second_answer_changes_nothing(served: Served) -> None:
    await (await served.bot("twice", villains.Stutterer)).connect()
    await (await served.bot("once")).connect()
    orders = [order(1, "twice", "twice"), order(1, "once", "once")]
    orders[1].id += "/again"
    twice, once = await served.play(*orders)
    strip = [[(taken.seat, taken.action.card) for taken in state.result.deals[0].actions] for state in (twice, once)]
    assert strip[0] == strip[1]


async def test_a_long_match_with_every_answer_twice_ends_well(served: Served) -> None:
    villain = await (await served.bot("villain", villains.Stutterer)).connect()
    await served.seat("honest")
    states = await served.play(*(order(n, "villain", "honest") for n in range(40)))
    assert [faults(state) for state in states] == [[]] * 40
    assert villain.status is None


async def test_answering_for_another_seat_costs_only_the_sender_and_only_that_match(served: Served) -> None:
    villain = await (await served.bot("villain", villains.Usurper)).connect()
    ann, bob = await served.seat("ann", "bob")
    good = order(2, "ann", "bob")
    ann.pause_s = 0.002
    bad, fine = await served.play(order(1, "ann", "villain"), good)
    assert faults(bad) == [(1, "PROTOCOL")]
    assert faults(fine) == []
    assert [taken.stand_in for taken in bad.result.deals[0].actions if taken.seat == 0] == [False] * 20
    assert villain.status is None
    assert not bob.notices


async def test_a_match_of_others_cannot_be_answered(served: Served) -> None:
    ann, bob = await served.seat("ann", "bob")
    spy = await (await served.bot("spy")).connect()
    ann.limit = 3
    spec = order(1, "bob", "ann")
    await served.start(spec)
    await ann.until(lambda: ann.open)
    (ask,) = ann.open.values()
    request = ann.answer(ask)
    await spy.send(b"\x12" + bytes((request.ByteSize(),)) + request.SerializeToString())
    await spy.until(lambda: spy.notices)
    assert spy.notices[0].reason == "UNKNOWN_MATCH"
    await ann.answer_open()
    (state,) = await served.ends(spec)
    assert faults(state) == []
    assert not bob.notices


async def test_a_bot_in_another_version_has_no_seat(served: Served) -> None:
    ann, bob = await served.seat("ann", "bob")
    ann.limit = 3
    spec = order(1, "bob", "ann")
    await served.start(spec)
    await ann.until(lambda: ann.open)
    (ask,) = ann.open.values()
    ann.hello.version = "2"
    starts = len(ann.starts)
    await ann.connect()
    request = ann.answer(ask)
    await ann.send(b"\x12" + bytes((request.ByteSize(),)) + request.SerializeToString())
    await ann.until(lambda: ann.notices)
    assert ann.notices[0].reason == "UNKNOWN_MATCH"
    assert len(ann.starts) == starts
    ann.hello.version = "1"
    await ann.connect()
    await ann.until(lambda: ann.open)
    await ann.answer_open()
    (state,) = await served.ends(spec)
    assert faults(state) == []
    assert bob.status is None


async def test_a_villain_at_every_place_of_a_table_of_six(served: Served) -> None:
    from carico.rules.game import game

    kinds = [villains.Cheat, villains.Prophet, villains.Nameless, villains.Nowhere, villains.Zero, RawBot]
    bots = [await (await served.bot(f"bot{seat}", kind)).connect() for seat, kind in enumerate(kinds)]
    (state,) = await served.play(order(1, *(bot.name for bot in bots), of=game("briscola-6")))
    reasons = ["ILLEGAL_ACTION", "PROTOCOL", "ILLEGAL_ACTION", "PROTOCOL", "PROTOCOL"]
    assert sorted(faults(state)) == list(enumerate(reasons))
    for bot in bots:
        assert len((await told(bot, state)).faults) == 5
