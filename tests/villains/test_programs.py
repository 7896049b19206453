"""Programs that speak JSON lines badly, at once at every game: nobody but they is hurt, and nothing of them is left."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from carico.cannot_play import CannotPlay
from carico.program_runner import play_program_async
from carico.rules.game import game, game_names
from carico.time_control import TimeControl
from tests.kit.fair import check_honest, check_result
from tests.kit.programs import program
from tests.kit.rogue_programs import ROGUES
from tests.kit.served import Served, order
from tests.kit.told import Told
from tests.kit.villain_time import VillainTime

TERMS = TimeControl(action_limit_ms=200, grace_ms=200)


def left_over(folder: Path) -> list[str]:
    """Processes that still run a program of that folder."""
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if str(folder).encode() in (text := line.read_bytes()):
                found.append(text.decode(errors="replace"))
    return found


@pytest.mark.parametrize("name", game_names())
async def test_nobody_is_hurt_but_the_program(served: Served, name: str, tmp_path: Path) -> None:
    played = game(name)
    honest = await served.seat(*(f"honest{place}" for place in range(len(played.places) - 1)))
    await served.register(*ROGUES)
    told = {rogue: Told() for rogue in ROGUES}
    tasks = [
        asyncio.create_task(
            play_program_async(
                program(tmp_path, lines, f"{rogue}.py"),
                name=rogue,
                version="1",
                referee=served.address,
                token=served.tokens[rogue],
                reporter=told[rogue],
            )
        )
        for rogue, lines in ROGUES.items()
    ]
    await asyncio.gather(*(one.until_connected() for one in told.values()))
    orders = []
    for number, rogue in enumerate(ROGUES):
        names = [""] * played.players
        for at, seats in enumerate(played.places):
            for seat in seats:
                names[seat] = (
                    rogue if at == number % len(played.places) else honest[at - (at > number % len(played.places))].name
                )
        orders.append(order(number, *names, of=played, terms=TERMS))
    async with VillainTime(served.referee.hall, ROGUES, 5):
        states = await served.play(*orders)
        for rogue, spec, state in zip(ROGUES, orders, states, strict=True):
            check_result(spec, state, [rogue])
        for bot in honest:
            await check_honest(served, bot, orders, states)
    for task in tasks:
        task.cancel()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError | CannotPlay) for end in ends)
    assert left_over(tmp_path) == []
