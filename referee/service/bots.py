"""The door for bots: one two-way stream a connection, all matches of the bot on it."""

import asyncio
import time
from collections import defaultdict, deque
from typing import Any, Final

import grpc

from carico.v1 import bots_pb2, bots_pb2_grpc
from referee import PROTOCOL, VERSION
from referee.service.connection import FRAME_LIMIT, Connection
from referee.service.door import Context, Door
from referee.service.errors import Reason, Refused, refusal
from referee.service.hall import Hall
from referee.store.accounts import Account, AccountError, check_name
from referee.store.log import LogUnavailable

HELLO_S: Final = 10
"""How long a new stream may take for its hello."""

CONNECTS: Final = 20
"""Most streams that one bot may open within CONNECTS_S."""

CONNECTS_S: Final = 10

_EOF = grpc.aio.EOF


class BotsServicer(bots_pb2_grpc.BotsServiceServicer):
    """Lets bots in and hands what they say to the hall."""

    def __init__(self, hall: Hall, door: Door) -> None:
        self._hall = hall
        self._door = door
        self._opened: defaultdict[str, deque[float]] = defaultdict(deque)

    async def Play(  # type: ignore[override]  # noqa: N802
        self, request_iterator: Any, context: Context
    ) -> None:
        """See the contract."""
        connection: Connection | None = None
        try:
            account = await self._door.bot(context)
            self._not_too_often(account.bot)
            connection = await self._greet(account, context)
            while (frame := await context.read()) is not _EOF:
                if frame.HasField("hello"):
                    self._hall.break_off(connection, "said hello twice")
                    raise Refused(Reason.NO_HELLO, seconds=HELLO_S)
                self._hall.receive(connection, frame)
        except Refused as refused:
            await self._leave(connection)
            await refused.abort(context)
        except asyncio.CancelledError:
            closing = connection.closing if connection is not None else None
            await self._leave(connection)
            if closing is None:
                raise  # the bot has gone, or the server stops
            await closing.abort(context)
        finally:
            await self._leave(connection)

    async def _leave(self, connection: Connection | None) -> None:
        if connection is not None:
            self._hall.goodbye(connection)
            connection.drop()

    async def _greet(self, account: Account, context: Context) -> Connection:
        try:
            frame = await asyncio.wait_for(context.read(), HELLO_S)
        except TimeoutError:
            raise Refused(Reason.NO_HELLO, seconds=HELLO_S) from None
        if frame is _EOF or not frame.HasField("hello"):
            raise Refused(Reason.NO_HELLO, seconds=HELLO_S)
        hello = frame.hello
        if not hello.oldest_protocol <= PROTOCOL <= hello.newest_protocol:
            ours = {"ours": PROTOCOL, "oldest": hello.oldest_protocol, "newest": hello.newest_protocol}
            raise Refused(Reason.OLD_PROTOCOL, **ours)
        if hello.view_mode not in (bots_pb2.VIEW_MODE_UNSPECIFIED, bots_pb2.VIEW_MODE_SNAPSHOT):
            raise Refused(Reason.VIEW_MODE)
        if hello.bot != account.bot:
            raise Refused(Reason.WRONG_BOT, bot=account.bot, hello=repr(hello.bot[:60]))
        try:
            check_name("version", hello.version)
            check_build(hello.build)
            await self._door.accounts.check(account.bot, hello.version, hello.build)
        except (AccountError, LogUnavailable) as error:
            raise refusal(error) from error
        connection = Connection(account, hello.version, hello.build, context)
        welcome = connection.frame().welcome
        welcome.protocol = PROTOCOL
        welcome.referee = f"carico {VERSION}"
        welcome.bot, welcome.owner = account.bot, account.owner
        welcome.frame_limit = FRAME_LIMIT
        self._hall.welcome(connection)
        return connection

    def _not_too_often(self, bot: str) -> None:
        opened, now = self._opened[bot], time.monotonic()
        while opened and opened[0] < now - CONNECTS_S:
            opened.popleft()
        if len(opened) >= CONNECTS:
            raise Refused(Reason.TOO_SOON, seconds=CONNECTS_S)
        opened.append(now)


def check_build(build: str) -> None:
    """Raises Refused where a fingerprint is longer than 128 characters."""
    if len(build) > 128:
        raise Refused(Reason.BAD_NAME, text="build: write at most 128 characters")
