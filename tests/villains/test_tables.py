"""Every villain at every game, at its first and at its last place: nobody is hurt but the villain."""

import pytest

from carico.rules.game import game, game_names
from carico.time_control import TimeControl
from tests.kit.cast import CAST, STALLERS
from tests.kit.fair import check_honest, check_result
from tests.kit.raw_bots import RawBot
from tests.kit.served import Served, faults, order
from tests.kit.villain_time import VillainTime

TERMS = TimeControl(action_limit_ms=100, grace_ms=150)
"""Short, since timers ring by the true time; the clock behind them stands still unless villains stall."""


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("kind", CAST, ids=lambda kind: kind.__name__)
async def test_nobody_is_hurt_but_the_villain(served: Served, kind: type[RawBot], name: str) -> None:
    played = game(name)
    villain = await (await served.bot("villain", kind)).connect()
    honest = await served.seat(*(f"honest{place}" for place in range(len(played.places))))
    orders = []
    for number, place in enumerate((None, 0, len(played.places) - 1)):
        names = [""] * played.players
        for at, seats in enumerate(played.places):
            for seat in seats:
                names[seat] = villain.name if at == place else honest[at].name
        orders.append(order(number, *names, of=played, terms=TERMS, dealer=number % played.players))
    async with VillainTime(served.referee.hall, [villain.name], 20 if kind in STALLERS else 0):
        states = await served.play(*orders)
        assert check_result(orders[0], states[0], ()) == set(), "matches of others go on"
        for spec, state in zip(orders[1:], states[1:], strict=True):
            reasons = check_result(spec, state, [villain.name])
            assert reasons <= CAST[kind]
            assert reasons or "" in CAST[kind]
        for bot in honest:
            await check_honest(served, bot, orders, states)
    if villain.channel is not None and CAST[kind] <= {"ILLEGAL_ACTION", "PROTOCOL"}:
        await villain.until(lambda: villain.status is not None or len(villain.ends) == 2)
        for spec, state in zip(orders[1:], states[1:], strict=True):
            end = villain.ends.get(state.result.match)
            mine = {seat: spec.seats[seat].bot == villain.name for seat, _ in faults(state)}
            assert end is None or {fault.seat: bool(fault.detail) for fault in end.faults} == mine, "it is told its own"
    await villain.drop()
    (state,) = await served.play(order(9, *(["honest0", "honest1"] * 3)[: played.players], of=played, terms=TERMS))
    assert faults(state) == [], "play goes on as before"
