"""A referee and an office in this process, on a thread of their own, so that plain calls and commands reach them."""

import asyncio
import threading
from concurrent.futures import Future
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

import grpc

from carico.v1 import seasons_pb2_grpc
from referee.serve import Referee
from referee.serve import Settings as RefereeSettings
from tests.kit.served import ORGANISER
from worker.office.serve import Office, Settings


class OfficeHouse:
    """A context manager. ``store`` is the URL of the store; the referee keeps all in memory."""

    def __init__(self, store: str, **settings: Any) -> None:
        """``settings`` are those of the office that are not as usual."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._settings = Settings("127.0.0.1:0", store, "")
        self._more = settings
        self.bot_token = ""
        """The token of a bot ``ann``."""
        self.address = ""

    def do(self, work: Any) -> Any:
        """Waits for a coroutine, in the loop of the house."""
        future: Future[Any] = asyncio.run_coroutine_threadsafe(work, self._loop)
        return future.result(30)

    def __enter__(self) -> Self:
        self._thread.start()
        self.do(self._start())
        self.channel = grpc.insecure_channel(self.address)
        return self

    async def _start(self) -> None:
        """In the loop, since a server belongs to the loop that it was made in."""
        self.referee = Referee(RefereeSettings("127.0.0.1:0", ORGANISER))
        await self.referee.start()
        self.bot_token = await self.referee.accounts.register("ann", "ann")
        self.office = Office(replace(self._settings, referee=self.referee.address, **self._more))
        await self.office.start()
        self.address = self.office.address

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.channel.close()
        self.do(self.office.stop())
        self.do(self.referee.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def call(self, method: str, request: Any, token: str | None = ORGANISER) -> Any:
        """One call; of a stream all that it tells."""
        metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        stub = seasons_pb2_grpc.SeasonsServiceStub(self.channel)
        answer = getattr(stub, method)(request, metadata=metadata, timeout=30)
        return list(answer) if hasattr(answer, "__next__") else answer
