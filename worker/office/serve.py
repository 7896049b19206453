"""Puts an office together: store, tokens, service, server."""

import asyncio
import logging
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc.aio
from grpc_health.v1 import health, health_pb2_grpc

from carico.address import is_local
from carico.admin_socket import AdminSocket
from carico.exposition import CannotExpose, Exposition
from carico.log_lines import LogFormat, begin_logging
from carico.serving import CannotServe, bind, check_place, server_options
from carico.v1 import seasons_pb2, seasons_pb2_grpc
from worker.office.service import SeasonsServicer
from worker.office.tokens import Tokens
from worker.store.errors import StoreError
from worker.store.open import open_store

MESSAGE_LIMIT: Final = 256 * 1024
"""Most bytes that one message to the office may have: the file of a season, above all."""

CALLS: Final = 128
"""Most calls at once."""

SERVICES: Final = (seasons_pb2.DESCRIPTOR.services_by_name["SeasonsService"].full_name,)

STORE_TRIES: Final = 1
STORE_ANSWER_S: Final = 5.0
"""A caller is told soon that the store is away."""

logger = logging.getLogger("carico.office")


@dataclass(frozen=True, slots=True)
class Settings:
    """What an office needs to know."""

    listen: str
    """host:port, port 0 for a free one; or unix:/path."""
    redis: str
    """URL of the store."""
    referee: str
    """host:port of the referee, who knows the tokens."""
    referee_ca: bytes | None = None
    """PEM of the authority that signed the referee's certificate; None speaks plain text, on this machine only."""
    tls: tuple[bytes, bytes] | None = None
    """Private key and certificate chain, both PEM; None serves plain text, on this machine only."""
    metrics: str | None = None
    """host:port where metrics are served, port 0 for a free one; None serves none."""
    log_format: LogFormat = LogFormat.TEXT
    admin: Path | None = None
    """Where the admin socket is made; None makes none."""


class Office:
    """A running office: ``address`` is where it listens, ``metrics`` where its metrics are served."""

    def __init__(self, settings: Settings) -> None:
        """Raises CannotServe where a token would travel in plain text between machines."""
        check_place(settings.listen, settings.tls)
        if settings.referee_ca is None and not is_local(settings.referee):
            raise CannotServe(f"{settings.referee} is another machine: speak TLS to it (--tls-ca)")
        self._settings = settings
        self.address = ""
        self.metrics: str | None = None
        self._exposition: Exposition | None = None

    async def start(self) -> None:
        """Opens store and doors. Raises CannotServe."""
        settings = self._settings
        try:
            self._store = await asyncio.to_thread(
                open_store, settings.redis, tries=STORE_TRIES, answer_s=STORE_ANSWER_S
            )
        except (StoreError, ValueError) as error:
            raise CannotServe(str(error)) from error
        if settings.referee_ca is None:
            self._referee = grpc.aio.insecure_channel(settings.referee)
        else:
            self._referee = grpc.aio.secure_channel(settings.referee, grpc.ssl_channel_credentials(settings.referee_ca))
        self._server = grpc.aio.server(options=server_options(MESSAGE_LIMIT), maximum_concurrent_rpcs=CALLS)
        self._servicer = SeasonsServicer(self._store, Tokens(self._referee))
        self._health = health.aio.HealthServicer()
        server: Any = self._server
        seasons_pb2_grpc.add_SeasonsServiceServicer_to_server(self._servicer, server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        self._admin = None if settings.admin is None else AdminSocket(settings.admin, SERVICES, self._health)
        try:
            self.address = bind(self._server, settings.listen, settings.tls)
            if self._admin is not None:
                await self._admin.start()
            self._expose()
            await self._server.start()
        except (CannotServe, CannotExpose) as error:
            await self.stop()
            raise CannotServe(str(error)) from error

    def _expose(self) -> None:
        if self._settings.metrics is not None:
            from worker.office.metrics import office_registry

            self._exposition = Exposition(self._settings.metrics, office_registry(self._servicer))
            self.metrics = self._exposition.address

    async def stop(self) -> None:
        """Closes gracefully: calls that are under way have a second to end."""
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace=1)
        self._servicer.close()
        if self._admin is not None:
            await self._admin.close()
        if self._exposition is not None:
            await asyncio.to_thread(self._exposition.close)
            self._exposition = None
        await self._referee.close()
        self._store.close()


def run(settings: Settings) -> int:
    """Serves until SIGTERM or SIGINT; prints its address, and below it that of its metrics. Returns the exit code.

    Raises CannotServe.
    """
    begin_logging(settings.log_format)
    return asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> int:
    office = Office(settings)
    await office.start()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    sys.stdout.write(f"office listening on {office.address}\n")
    if office.metrics is not None:
        sys.stdout.write(f"metrics on http://{office.metrics}/metrics\n")
    sys.stdout.flush()
    logger.info("listening on %s, pid %d", office.address, os.getpid())
    await stop.wait()
    await office.stop()
    return 0
