"""Example bots as processes at a real referee."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from tests.kit.deals import EVERY
from tests.kit.served import Served, faults, game, order, replayed

EXAMPLES = Path(__file__).parents[2] / "clients" / "examples"
PROTO = Path(__file__).parents[2] / "proto"


async def plays_whole_matches(served: Served, name: str, command: Sequence[str], log: Path, **environment: str) -> None:
    """Runs a bot of that name as a process and plays matches of every game with it; fails at any fault of its."""
    await served.register(name)
    (other,) = await served.seat("other")
    (third,) = await served.seat("third")
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, "CARICO_TOKEN": served.tokens[name], "CARICO_REFEREE": served.address, **environment},
        )
    try:
        number = 0
        for which in EVERY:
            of = game(which)
            names = [name, other.name, third.name]
            specs = []
            for turn in range(min(len(of.places), 3) * 2):
                at = [names[(side + turn) % min(len(of.places), 3)] for side in of.side_of]
                specs.append(order(number, *at, of=of, dealer=turn % of.players))
                number += 1
            async with asyncio.timeout(60):
                states = await served.play(*specs)
            for spec, state in zip(specs, states, strict=True):
                assert faults(state) == []
                replayed(spec, state.result)
    finally:
        if process.returncode is None:
            process.terminate()
        async with asyncio.timeout(20):
            await process.wait()
