"""A bot of as few lines as the contract allows: it plays the first card of its hand. Referee and echo get the same."""

from collections.abc import Callable
from typing import Any, Final

import grpc

from carico.v1 import bots_pb2, types_pb2

VERSION: Final = "1"

PLAY: Final = "/carico.v1.BotsService/Play"

OWN_CONNECTION: Final = (("grpc.use_local_subchannel_pool", 1),)


class Stream:
    """One bot on a connection of its own."""

    def __init__(
        self, name: str, ended: Callable[[str, str], None], mode: str, frame: Any = bots_pb2.PlayResponse
    ) -> None:
        """``ended`` is told of each end of a match: the bot's name and the handle. ``mode`` is the name of a ViewMode.

        ``frame`` is the message that is read: of the contract, or one with the same fields.
        """
        self.name = name
        self._mode = bots_pb2.ViewMode.Value(mode)
        self._frame = frame
        self.answers = 0
        """Answers sent so far."""
        self.frames = 0
        """Frames in which they were sent."""
        self._ended = ended

    async def connect(self, address: str, token: str) -> None:
        """Opens the stream and waits for the welcome."""
        self._channel = grpc.aio.insecure_channel(address, options=OWN_CONNECTION)
        play: Any = self._channel.stream_stream(
            PLAY,
            request_serializer=bots_pb2.PlayRequest.SerializeToString,
            response_deserializer=self._frame.FromString,
        )
        self._call = play(metadata=(("authorization", f"Bearer {token}"),))
        hello = bots_pb2.Hello(
            oldest_protocol=1, newest_protocol=1, bot=self.name, version=VERSION, view_mode=self._mode
        )
        await self._call.write(bots_pb2.PlayRequest(hello=hello))
        await self._call.read()

    async def play(self) -> None:
        """Answers whatever is asked until the stream ends."""
        read, write = self._call.read, self._call.write
        while (frame := await read()) is not grpc.aio.EOF:
            request = self.reply(frame)
            if request.answers or request.seen_ends:
                self.answers += len(request.answers)
                self.frames += bool(request.answers)
                await write(request)

    async def close(self) -> None:
        """Ends the stream."""
        self._call.cancel()
        await self._channel.close()

    def reply(self, frame: bots_pb2.PlayResponse) -> bots_pb2.PlayRequest:
        """What is sent for a frame."""
        request = bots_pb2.PlayRequest()
        for ask in frame.asks:
            answer = request.answers.add(match=ask.match, seat=ask.seat, number=ask.number)
            answer.action.kind = types_pb2.ACTION_KIND_PLAY
            answer.action.card = self.card(ask)
        for end in frame.ends:
            request.seen_ends.append(end.match)
            self._ended(self.name, end.match)
        return request

    def card(self, ask: Any) -> int:
        """The first card of the hand that is asked."""
        card: int = (ask.view.hand or ask.change.hand)[0]
        return card
