"""Records what a referee sends two bots in one deal: ``python -m benches.recording ADDRESS MODE``.

MODE is the name of a ViewMode, in which the bots are told of the deal. Prints a JSON list of the frames that asked for
an action, in order: the seat that was asked, and the frame in hex.
"""

import asyncio
import json
import sys

from benches.bots import TOKEN
from benches.organiser import BRISCOLA, Organiser
from benches.stream import Stream
from carico.v1 import bots_pb2

Asked = list[tuple[int, str]]


class Recorder(Stream):
    """A bot that keeps the frames it answers, with its seat, in a list that both bots share."""

    def __init__(self, seat: int, organiser: Organiser, asked: Asked, mode: str) -> None:
        super().__init__(f"bot-{seat}", organiser.ended, mode)
        self._seat = seat
        self._asked = asked

    def reply(self, frame: bots_pb2.PlayResponse) -> bots_pb2.PlayRequest:
        """Keeps the frame if it asks, and answers."""
        if frame.asks:
            self._asked.append((self._seat, frame.SerializeToString().hex()))
        return super().reply(frame)


async def main(address: str, mode: str) -> Asked:
    """Has two bots play, and returns what they were asked in the first deal."""
    asked: Asked = []
    organiser = Organiser(address, TOKEN, [("bot-0", "bot-1")])
    recorders = [Recorder(seat, organiser, asked, mode) for seat in range(BRISCOLA.players)]
    for recorder, token in zip(recorders, await organiser.register(), strict=True):
        await recorder.connect(address, token)
    works = [asyncio.create_task(work) for work in (*(recorder.play() for recorder in recorders), organiser.run())]
    await organiser.taken.wait()
    for work in works:
        work.cancel()
    await asyncio.wait(works)
    for recorder in recorders:
        await recorder.close()
    await organiser.close()
    return asked[: len(BRISCOLA.pack)]


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(*sys.argv[1:]))))
