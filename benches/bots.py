"""The bots' process: ``python -m benches.bots KIND ADDRESS PID NUMBER SECONDS``.

With the KINDs ``referee`` and ``echo`` NUMBER bots connect, each on its own, and play one deal at a time; with
``coalesced`` two bots play NUMBER deals at once, with ``lists`` they answer an echo of list-shaped messages. After a
warm-up they count for so many seconds. Prints one JSON object; PID is the server's, whose CPU time is measured in the
same window.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Final, NamedTuple

from benches.lists import list_shaped
from benches.organiser import Organiser
from benches.processes import cpu_seconds
from benches.stream import Stream
from carico.v1 import bots_pb2

TOKEN: Final = "carico_the-organiser-of-the-benches"

VIEW_MODE: Final = "VIEW_MODE_DELTAS"
"""How the bots are told of a deal: here alone it is chosen, for the referee and for what the echoes repeat."""

WARM_S: Final = 0.5


class Reading(NamedTuple):
    """What the counters said at one moment."""

    wall: float
    answers: int
    frames: int
    server_cpu: float
    own_cpu: float


async def main(kind: str, address: str, pid: int, number: int, seconds: float) -> dict[str, float]:
    """Plays, and returns what was counted."""
    names = [f"bot-{bot}" for bot in range(2 if kind in {"coalesced", "lists"} else number)]
    pairs = list(zip(names[::2], names[1::2], strict=True)) * (number if kind == "coalesced" else 1)
    async with AsyncExitStack() as ends:
        organiser = Organiser(address, TOKEN, pairs) if kind in {"referee", "coalesced"} else None
        ended: Callable[[str, str], None] = organiser.ended if organiser is not None else lambda bot, match: None
        tokens = await organiser.register() if organiser is not None else names
        frame = list_shaped() if kind == "lists" else bots_pb2.PlayResponse
        streams = [Stream(name, ended, VIEW_MODE, frame) for name in names]
        for stream, token in zip(streams, tokens, strict=True):
            await stream.connect(address, token)
            ends.push_async_callback(stream.close)
        works = [asyncio.create_task(stream.play()) for stream in streams]
        if organiser is not None:
            ends.push_async_callback(organiser.close)
            works.append(asyncio.create_task(organiser.run()))
        measured = asyncio.create_task(_measure(streams, pid, seconds))
        await asyncio.wait((measured, *works), return_when=asyncio.FIRST_COMPLETED)
        for work in works:
            if work.done():
                work.result()
                raise AssertionError("a stream ended while it was measured")
            work.cancel()
        await asyncio.wait(works)
        return measured.result()


async def _measure(streams: list[Stream], pid: int, seconds: float) -> dict[str, float]:
    def read() -> Reading:
        answers = sum(stream.answers for stream in streams)
        frames = sum(stream.frames for stream in streams)
        return Reading(time.perf_counter(), answers, frames, cpu_seconds(pid), cpu_seconds(os.getpid()))

    await asyncio.sleep(WARM_S)
    first = read()
    await asyncio.sleep(seconds)
    last = read()
    actions = last.answers - first.answers
    return {
        "actions/s": actions / (last.wall - first.wall),
        "actions/frame": actions / (last.frames - first.frames),
        "server CPU µs/action": (last.server_cpu - first.server_cpu) / actions * 1e6,
        "bots' CPU µs/action": (last.own_cpu - first.own_cpu) / actions * 1e6,
    }


if __name__ == "__main__":
    which, at, server, many, duration = sys.argv[1:]
    print(json.dumps(asyncio.run(main(which, at, int(server), int(many), float(duration)))))
