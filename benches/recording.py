"""Records what a referee sends a bot in one deal: ``python -m benches.recording ADDRESS``.

Prints a JSON list: each frame that asked for an action, in order, in hex.
"""

import asyncio
import json
import sys

from benches.bots import TOKEN
from benches.organiser import Organiser
from benches.stream import Stream
from carico.v1 import bots_pb2


class Recorder(Stream):
    """A bot that keeps the frames it answers."""

    def __init__(self, name: str, organiser: Organiser) -> None:
        super().__init__(name, organiser.ended)
        self.asked: list[bytes] = []
        self.enough = asyncio.Event()

    def reply(self, frame: bots_pb2.PlayResponse) -> bots_pb2.PlayRequest:
        """Keeps the frame if it asks, and answers."""
        if frame.asks:
            self.asked.append(frame.SerializeToString())
            if len(self.asked) == Organiser.actions_each:
                self.enough.set()
        return super().reply(frame)


async def main(address: str) -> list[str]:
    """Has two bots play, and returns what one of them was asked in the first deal."""
    names = ["bot-0", "bot-1"]
    organiser = Organiser(address, TOKEN, names)
    recorders = [Recorder(name, organiser) for name in names]
    for recorder, token in zip(recorders, await organiser.register(), strict=True):
        await recorder.connect(address, token)
    works = [asyncio.create_task(work) for work in (*(recorder.play() for recorder in recorders), organiser.run())]
    await recorders[0].enough.wait()
    for work in works:
        work.cancel()
    await asyncio.wait(works)
    for recorder in recorders:
        await recorder.close()
    await organiser.close()
    return [frame.hex() for frame in recorders[0].asked[: Organiser.actions_each]]


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(sys.argv[1]))))
