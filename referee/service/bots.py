"""The door for bots: one two-way stream a connection, all matches of the bot on it."""

import asyncio
import logging
import time
from collections import defaultdict, deque
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError

from carico.v1 import bots_pb2, bots_pb2_grpc
from referee import PROTOCOL, VERSION
from referee.service.connection import FRAME_LIMIT, Connection
from referee.service.door import Context, Door
from referee.service.errors import Reason, Refused, refusal
from referee.service.hall import Hall
from referee.service.lobby import FIRST_S, Crowded, Lobby
from referee.store.accounts import AccountError, FrozenVersion, check_name
from referee.store.log import LogUnavailable

CONNECTS: Final = 20
"""Most streams that one bot may open within CONNECTS_S."""

CONNECTS_S: Final = 10

LAST_WORDS_S: Final = 5
"""How long a stream that is closed may take to hear why."""

_VIEW_MODES: Final = (
    bots_pb2.VIEW_MODE_UNSPECIFIED,
    bots_pb2.VIEW_MODE_SNAPSHOT,
    bots_pb2.VIEW_MODE_DELTAS,
)

_EOF = grpc.aio.EOF

logger = logging.getLogger("carico.referee")


class BotsServicer(bots_pb2_grpc.BotsServiceServicer):
    """Lets bots in and hands what they say to the hall."""

    def __init__(self, hall: Hall, door: Door, lobby: Lobby) -> None:
        self._hall = hall
        self._door = door
        self._lobby = lobby
        self._opened: defaultdict[str, deque[float]] = defaultdict(deque)

    async def Play(  # type: ignore[override]  # noqa: N802
        self, request_iterator: Any, context: Context
    ) -> None:
        """See the contract."""
        connection: Connection | None = None
        why: Refused | None = None
        held = False
        try:
            connection = await self._greet(context)
            await self._listen(connection, context)
            self._hall.reception.goodbye(connection)
            await connection.drain()
        except Refused as refused:
            why = refused
        except asyncio.CancelledError:
            if connection is None or connection.closing is None:
                raise  # the server stops
            why = connection.closing
        except grpc.aio.BaseError:
            pass  # the stream broke
        except Exception:
            logger.exception("a stream failed")
            why = Refused(Reason.INTERNAL)
        finally:
            if connection is not None:
                self._hall.reception.goodbye(connection)
                held = connection.drop()
        if why is not None:
            self._hall.counts.refusals["bots", why.reason.value] += 1
            await _say_why(context, why)
        elif held:
            raise asyncio.CancelledError  # gRPC can't end a stream in good order where a frame was not taken

    async def _listen(self, connection: Connection, context: Context) -> None:
        """Takes frames until the bot closes the stream. Raises Refused where it breaks the contract of frames."""
        try:
            while (frame := await _read(context)) is not _EOF:
                if frame.HasField("hello"):
                    raise Refused(Reason.SECOND_HELLO)
                self._hall.reception.receive(connection, frame)
        except Refused as refused:
            self._hall.reception.break_off(connection, refused.sentence)
            raise

    async def _greet(self, context: Context) -> Connection:
        """Lets a bot in by its hello and its token. Raises Refused.

        A stream is refused after its hello has come, since gRPC in Python does not tell why to one that still writes.
        """
        hello = await self._read_hello(context)
        frozen = await self._frozen(hello)
        account = await self._door.bot(context)  # nothing is waited for after this: a renewed token lets nobody in
        self._not_too_often(account.bot)
        if hello.bot != account.bot:
            raise Refused(Reason.WRONG_BOT, bot=account.bot, hello=repr(hello.bot[:60]))
        if frozen is not None:
            raise frozen
        self._hall.reception.admit(account.bot)
        if self._hall.closing:
            raise Refused(Reason.CLOSING)
        deltas = hello.view_mode == bots_pb2.VIEW_MODE_DELTAS
        connection = Connection(account, hello.version, hello.build, deltas, context)
        welcome = connection.frame().welcome
        welcome.protocol = PROTOCOL
        welcome.referee = f"carico {VERSION}"
        welcome.bot, welcome.owner = account.bot, account.owner
        welcome.frame_limit = FRAME_LIMIT
        self._hall.reception.welcome(connection)
        return connection

    async def _read_hello(self, context: Context) -> bots_pb2.Hello:
        """The hello that a stream begins with, in words that this referee knows. Raises Refused."""
        try:
            frame = await self._lobby.first(_read(context))
        except Crowded:
            raise Refused(Reason.TOO_MANY, text="too many wait to say hello: come back soon") from None
        except TimeoutError:
            raise Refused(Reason.NO_HELLO, seconds=FIRST_S) from None
        if frame is _EOF or not frame.HasField("hello"):
            raise Refused(Reason.NO_HELLO, seconds=FIRST_S)
        hello: bots_pb2.Hello = frame.hello
        if not hello.oldest_protocol <= PROTOCOL <= hello.newest_protocol:
            ours = {"ours": PROTOCOL, "oldest": hello.oldest_protocol, "newest": hello.newest_protocol}
            raise Refused(Reason.OLD_PROTOCOL, **ours)
        if hello.view_mode not in _VIEW_MODES:
            raise Refused(Reason.VIEW_MODE)
        return hello

    async def _frozen(self, hello: bots_pb2.Hello) -> Refused | None:
        """Why the version may not play as this build, if so. Raises Refused for what is no hello of a bot."""
        try:
            check_name("version", hello.version)
            check_build(hello.build)
            await self._door.accounts.check(hello.bot, hello.version, hello.build)
        except FrozenVersion as error:
            return refusal(error)
        except (AccountError, LogUnavailable) as error:
            raise refusal(error) from error
        return None

    def _not_too_often(self, bot: str) -> None:
        opened, now = self._opened[bot], time.monotonic()
        while opened and opened[0] < now - CONNECTS_S:
            opened.popleft()
        if len(opened) >= CONNECTS:
            raise Refused(Reason.TOO_SOON, seconds=CONNECTS_S)
        opened.append(now)


async def _read(context: Context) -> Any:
    """The next frame, or the end. Raises Refused for bytes that are none."""
    try:
        return await context.read()
    except DecodeError:
        raise Refused(Reason.GARBAGE) from None


async def _say_why(context: Context, why: Refused) -> None:
    """Ends a stream with its status. A bot that does not read it is left with what gRPC still holds for it."""
    try:
        await asyncio.wait_for(why.abort(context), LAST_WORDS_S)
    except (TimeoutError, grpc.aio.InternalError):
        raise asyncio.CancelledError from None


def check_build(build: str) -> None:
    """Raises Refused where a fingerprint is longer than 128 characters."""
    if len(build) > 128:
        raise Refused(Reason.BAD_NAME, text="build: write at most 128 characters")
