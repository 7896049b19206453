"""A bot that speaks the bots' contract by hand: raw frames over gRPC. Villains are made of it.

Of the SDK it takes the reading of views alone, so that it can tell what is legal in any game. In deltas an ask is kept
with its whole view beside what changed.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple, Self

import grpc

from carico.codec import action_message, read_game, read_view
from carico.rules.game import Game
from carico.v1 import bots_pb2 as pb
from carico.v1 import types_pb2

PATIENCE_S = 20.0
"""Far more than anything here takes."""

GONE = (grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError)


class Status(NamedTuple):
    """How a stream ended."""

    code: grpc.StatusCode
    details: str


def play(card: int) -> types_pb2.Action:
    """The action of playing a card."""
    return types_pb2.Action(kind=types_pb2.ACTION_KIND_PLAY, card=card)


def changed(known: pb.View, change: pb.Change) -> pb.View:
    """The view that follows from the last one and what changed."""
    view = pb.View()
    view.CopyFrom(known)
    view.hand = change.hand
    view.played += change.played
    view.leaders += change.leaders
    view.card_points = change.card_points
    view.upcard, view.upcard_holder, view.stock = change.upcard, change.upcard_holder, change.stock
    view.ClearField("shown")
    view.shown.extend(change.shown)
    view.stock_cards = change.stock_cards
    view.auction += change.auction
    view.exchanges += change.exchanges
    return view


class RawBot:
    """Connects, says hello, and answers what it is asked; it keeps all that it was ever sent."""

    def __init__(self, address: str, token: str, name: str, version: str = "1", build: str = "") -> None:
        self.address = address
        self.token = token
        self.name = name
        self.hello = pb.Hello(oldest_protocol=1, newest_protocol=1, bot=name, version=version, build=build)
        self.limit: int | None = None
        """Answers that it still gives; None for as many as are wanted."""
        self.pause_s = 0.0
        """How long it thinks about a frame."""
        self.answered = 0
        self.frames: list[bytes] = []
        """All frames received, as they came."""
        self.welcomes: list[pb.Welcome] = []
        self.starts: list[pb.MatchStart] = []
        self.games: dict[str, Game] = {}
        """What is played, by handle."""
        self.asks: list[pb.Ask] = []
        self.notices: list[pb.Notice] = []
        self.ends: dict[str, pb.MatchEnd] = {}
        self.open: dict[tuple[str, int], pb.Ask] = {}
        """Asks on this stream that it has not answered."""
        self.views: dict[tuple[str, int], pb.View] = {}
        """The last view of each seat on this stream, whole."""
        self.status: Status | None = None
        """How the last stream ended; None while it is open."""
        self.channel: grpc.aio.Channel | None = None
        self.call: Any = None
        self._listener: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._writing = asyncio.Lock()
        """A stream takes one write at a time."""

    # --- what a villain does otherwise ---

    def answers(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        """What is sent for an ask."""
        return [self.answer(ask)]

    def answer(self, ask: pb.Ask) -> pb.Answer:
        """The honest answer: a legal action, by chance that repeats wherever the view does."""
        legal = self.legal(ask)
        digest = hashlib.sha256(ask.view.SerializeToString(deterministic=True)).digest()
        return self.say(ask, legal[digest[0] % len(legal)])

    def legal(self, ask: pb.Ask) -> tuple[types_pb2.Action, ...]:
        """What the seat may do."""
        return tuple(action_message(action) for action in read_view(ask.view, self.games[ask.match], ask.seat).legal)

    def say(self, ask: pb.Ask, action: types_pb2.Action | None = None, **other: Any) -> pb.Answer:
        """An answer to an ask, with these fields in place of what they should be."""
        fields: dict[str, Any] = {"match": ask.match, "seat": ask.seat, "number": ask.number} | other
        return pb.Answer(action=action, **fields)

    def reply(self, frame: pb.PlayResponse) -> pb.PlayRequest | bytes | None:
        """What is sent for a frame."""
        request = pb.PlayRequest()
        for ask in frame.asks:
            if self.limit is not None and self.answered >= self.limit:
                continue
            self.answered += 1
            self.open.pop((ask.match, ask.seat), None)
            request.answers.extend(self.answers(ask))
        request.seen_ends.extend(end.match for end in frame.ends)
        return request if request.answers or request.seen_ends else None

    # --- the line ---

    async def connect(self, greet: bool = True) -> Self:
        """Opens a stream; with ``greet`` it says hello and waits for the welcome, or for the end of the stream."""
        await self.drop()
        self.status = None
        self.open.clear()
        self.views.clear()
        self.channel = self.new_channel()
        stream = self.channel.stream_stream("/carico.v1.BotsService/Play")
        self.call = stream(metadata=self.metadata())
        self._listener = asyncio.create_task(self._listen())
        if greet:
            welcomes = len(self.welcomes)
            await self.send(pb.PlayRequest(hello=self.hello))
            await self.until(lambda: len(self.welcomes) > welcomes or self.status is not None)
        return self

    def new_channel(self) -> grpc.aio.Channel:
        """A connection of its own."""
        options = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0))
        return grpc.aio.insecure_channel(self.address, options=options)

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What the call carries."""
        return (("authorization", f"Bearer {self.token}"),)

    async def drop(self) -> None:
        """Breaks the line without a goodbye."""
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.wait([self._listener])
            self._listener = None
        if self.channel is not None:
            await self.channel.close()
            self.channel = None

    async def send(self, request: pb.PlayRequest | bytes) -> None:
        """Sends a frame; nothing happens where the stream is over."""
        data = request if isinstance(request, bytes) else request.SerializeToString()
        async with self._writing:
            with suppress(*GONE):
                await self.call.write(data)

    async def answer_open(self) -> None:
        """Answers all that is open, and from now on everything."""
        self.limit = None
        asks, self.open = list(self.open.values()), {}
        self.answered += len(asks)
        await self.send(pb.PlayRequest(answers=[answer for ask in asks for answer in self.answers(ask)]))

    async def until(self, true: Callable[[], Any]) -> None:
        """Returns when something is true after a frame or the end of the stream."""
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                self._changed.clear()
                await self._changed.wait()

    async def ended(self) -> Status:
        """Waits for the end of the stream and tells how it came."""
        await self.until(lambda: self.status is not None)
        assert self.status is not None
        return self.status

    async def __aenter__(self) -> Self:
        return await self.connect()

    async def __aexit__(self, *_: object) -> None:
        await self.drop()

    async def _listen(self) -> None:
        call = self.call
        with suppress(grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError):
            while (data := await call.read()) is not grpc.aio.EOF:
                frame = pb.PlayResponse.FromString(data)
                self._note(data, frame)
                if self.pause_s:
                    await asyncio.sleep(self.pause_s)
                request = self.reply(frame)
                self._changed.set()
                if request is not None:
                    await self.send(request)
        self.status = Status(await call.code(), await call.details() or "")
        self._changed.set()

    def _note(self, data: bytes, frame: pb.PlayResponse) -> None:
        self.frames.append(data)
        if frame.HasField("welcome"):
            self.welcomes.append(frame.welcome)
        self.starts += frame.starts
        for start in frame.starts:
            self.games[start.match] = read_game(start.game)
        self.asks += frame.asks
        self.notices += frame.notices
        for ask in frame.asks:
            place = ask.match, ask.seat
            if ask.HasField("change"):
                ask.view.CopyFrom(changed(self.views[place], ask.change))
            self.views[place] = ask.view
            self.open[place] = ask
        for end in frame.ends:
            self.ends[end.match] = end
