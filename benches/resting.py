"""Bots that connect and do nothing: ``python -m benches.resting KIND ADDRESS PID BOTS SECONDS``.

KIND is ``referee``, where the bots are registered first, or ``silence``. Prints one JSON object: what each bot has cost
the server with the process id PID in memory that no other process shares, and what all together cost it in CPU time.
"""

import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from benches.bots import TOKEN, VIEW_MODE
from benches.organiser import Organiser
from benches.processes import fine_cpu_seconds
from benches.stream import Stream

SETTLE_S: Final = 1.0
"""After the last bot has connected, before the server's idleness is measured."""


async def main(kind: str, address: str, pid: int, bots: int, seconds: float) -> dict[str, float]:
    """Connects them one after the other and lets them rest for so many seconds.

    The memory of a referee's accounts counts as that of the bots; what the first bot of all costs does not.
    """
    first, *names = (f"bot-{bot}" for bot in range(bots + 1))
    async with AsyncExitStack() as ends:
        await _connect(ends, address, [first], await _tokens(kind, address, [first]))
        before = private_kib(pid)
        tokens = await _tokens(kind, address, names)
        start = time.perf_counter()
        await _connect(ends, address, names, tokens)
        connecting = time.perf_counter() - start
        await asyncio.sleep(SETTLE_S)
        memory, used, rests = private_kib(pid) - before, fine_cpu_seconds(pid), time.perf_counter()
        await asyncio.sleep(seconds)
        return {
            "KiB/bot": memory / bots,
            "idle CPU %": (fine_cpu_seconds(pid) - used) / (time.perf_counter() - rests) * 100,
            "ms/connect": connecting / bots * 1000,
        }


async def _tokens(kind: str, address: str, names: list[str]) -> list[str]:
    if kind != "referee":
        return names
    organiser = Organiser(address, TOKEN, [(name, name) for name in names])
    try:
        return await organiser.register()
    finally:
        await organiser.close()


async def _connect(ends: AsyncExitStack, address: str, names: list[str], tokens: list[str]) -> None:
    for name, token in zip(names, tokens, strict=True):
        stream = Stream(name, lambda bot, match: None, VIEW_MODE)
        await stream.connect(address, token)
        ends.push_async_callback(stream.close)


def private_kib(pid: int) -> int:
    """The memory of a process that no other has, in KiB."""
    lines = (line.split() for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines())
    return sum(int(line[1]) for line in lines if line[0] in {"Private_Clean:", "Private_Dirty:"})


if __name__ == "__main__":
    which, at, server, many, duration = sys.argv[1:]
    print(json.dumps(asyncio.run(main(which, at, int(server), int(many), float(duration)))))
