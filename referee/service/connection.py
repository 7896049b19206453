"""One bot's stream, from the inside: what is to be sent gathers in a frame until the event loop comes round."""

import asyncio
from typing import Any, Final

import grpc

from carico.v1 import bots_pb2
from referee.service.errors import Reason, Refused
from referee.store.accounts import Account

FRAME_LIMIT: Final = 2_000
"""Most messages in one frame, in both directions; so many answers are less than 64 kB."""

UNREAD_FRAMES: Final = 20
"""Most full frames that may wait for a bot that does not read; the full state of all matches fits in."""

PATIENCE: Final = 200
"""Messages that answer no ask which a bot may send at once; each good answer gives one back."""

LAST_FRAMES_S: Final = 1
"""How long a stream that is closed may take for the frames that wait."""

Context = grpc.aio.ServicerContext[Any, Any]


class Connection:
    """Sends to one bot, and counts how much nonsense it may still send."""

    def __init__(self, account: Account, version: str, build: str, deltas: bool, context: Context) -> None:
        self.account = account
        self.version = version
        self.build = build
        self.deltas = deltas
        """Whether it is told only what changed since the last ask of a seat, where it was asked before."""
        self.closing: Refused | None = None
        self.patience = PATIENCE
        self._asked = 0
        self._context = context
        self._loop = asyncio.get_running_loop()
        self._reader = asyncio.current_task()
        self._frame = bots_pb2.PlayResponse()
        self._size = 0
        self._full: list[bots_pb2.PlayResponse] = []
        self._idle: asyncio.Future[None] | None = None
        """What the writer waits for while there is nothing to be sent."""
        self._last_words = False
        self._broken = False
        self._writer = self._loop.create_task(self._write())

    def frame(self) -> bots_pb2.PlayResponse:
        """The frame that goes out next, to add one message to; where the stream is closing it goes nowhere."""
        if self.closing is not None or self._writer.done():
            return bots_pb2.PlayResponse()
        if self._size >= FRAME_LIMIT:
            self._full.append(self._frame)
            self._frame = bots_pb2.PlayResponse()
            self._size = 0
            if len(self._full) > UNREAD_FRAMES:
                self.close(Refused(Reason.TOO_MANY, text="the bot does not read what it is sent"))
        self._size += 1
        if self._idle is not None:
            self._wake()
        return self._frame

    def notice(self, reason: str, text: str, match: str = "") -> None:
        """Tells the bot's owner something."""
        self.frame().notices.add(reason=reason, text=text, match=match)

    def asked(self) -> None:
        """The bot was asked something, so that one answer is due."""
        self._asked += 1

    def answered(self) -> None:
        """A good answer came."""
        if self._asked:
            self._asked -= 1
        if self.patience < PATIENCE:
            self.patience += 1

    def answered_in_vain(self) -> None:
        """An answer came that changes nothing. One to each ask costs nothing: it may just have come too late."""
        if self._asked:
            self._asked -= 1
        else:
            self.patience -= 1

    def close(self, why: Refused) -> None:
        """Ends the stream with this status."""
        if self.closing is None:
            self.closing = why
            if self._reader is not None:
                self._reader.cancel()

    async def drain(self) -> None:
        """Waits until everything is handed over, or the stream is dead; nothing is sent after it."""
        self._last_words = True
        self._wake()
        await asyncio.wait([self._writer], timeout=LAST_FRAMES_S)

    def drop(self) -> bool:
        """The stream is gone: nothing more is sent. Says whether a frame was not taken."""
        held = self._broken or (self._idle is None and not self._writer.done())
        self._writer.cancel()
        return held

    def _wake(self) -> None:
        if self._idle is not None and not self._idle.done():
            self._idle.set_result(None)
        self._idle = None

    async def _write(self) -> None:
        """Sends what gathers in a turn of the event loop as one frame, for as long as the stream lasts."""
        write = self._context.write
        try:
            while True:
                if self._full:
                    frame = self._full.pop(0)
                elif self._size:
                    frame, self._frame, self._size = self._frame, bots_pb2.PlayResponse(), 0
                elif self._last_words:
                    return
                else:
                    self._idle = self._loop.create_future()
                    await self._idle
                    continue
                await write(frame)
        except (grpc.aio.BaseError, grpc.RpcError, asyncio.InvalidStateError):
            self._broken = True  # the stream is over: what was not written is told again on the next one
