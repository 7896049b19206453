"""Puts a referee together: store, hall, doors, server."""

import asyncio
import logging
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2_grpc

from carico.admin_socket import AdminSocket
from carico.exposition import CannotExpose, Exposition
from carico.log_lines import LogFormat, begin_logging
from carico.serving import CannotServe, bind, check_place, server_options
from carico.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    organisers_pb2,
    organisers_pb2_grpc,
    spectators_pb2,
    spectators_pb2_grpc,
)
from referee.service.bots import BotsServicer
from referee.service.door import Door
from referee.service.first_message import FirstMessage
from referee.service.hall import Hall
from referee.service.health import Health
from referee.service.lobby import Lobby
from referee.service.organisers import OrganisersServicer
from referee.service.spectators import SpectatorsServicer
from referee.store.accounts import Accounts, hashed
from referee.store.log import LogUnavailable, MatchLog
from referee.store.memory import MemoryAccounts, MemoryLog

MESSAGE_LIMIT: Final = 64 * 1024
"""Most bytes that one message to the referee may have."""

STREAMS: Final = 4_000
"""Most calls and streams at once."""

OPTIONS: Final = server_options(MESSAGE_LIMIT)

SERVICES: Final = tuple(
    file.DESCRIPTOR.services_by_name[name].full_name
    for file, name in (
        (bots_pb2, "BotsService"),
        (organisers_pb2, "OrganisersService"),
        (spectators_pb2, "SpectatorsService"),
    )
)
"""The services of the contract that a referee serves."""

logger = logging.getLogger("carico.referee")


class StoreAway(CannotServe):
    """The store can't be reached or written to; trying again later is right."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a referee needs to know."""

    listen: str
    """host:port, port 0 for a free one; or unix:/path."""
    organiser_token: str
    redis: str | None = None
    """URL of the store; None keeps everything in memory."""
    name: str = "main"
    """Names the match log in the store: one referee a name."""
    tls: tuple[bytes, bytes] | None = None
    """Private key and certificate chain, both PEM; None serves plain text, on this machine only."""
    metrics: str | None = None
    """host:port where metrics are served, port 0 for a free one; None serves none."""
    log_format: LogFormat = LogFormat.TEXT
    admin: Path | None = None
    """Where the admin socket is made; None makes none."""


class Referee:
    """A running referee: ``address`` is where it listens, ``metrics`` where its metrics are served."""

    def __init__(self, settings: Settings) -> None:
        check_place(settings.listen, settings.tls)
        self._settings = settings
        log, accounts = _store(settings)
        self.hall = Hall(log)
        self.accounts = accounts
        self.address = ""
        self.metrics: str | None = None
        self._exposition: Exposition | None = None
        self._admin: AdminSocket | None = None
        self._log = log
        self._health = Health()
        self._lobby = Lobby()
        self._server = grpc.aio.server(
            interceptors=[FirstMessage(self._lobby)], options=OPTIONS, maximum_concurrent_rpcs=STREAMS
        )

    async def start(self) -> None:
        """Opens the doors and the log; a referee that has no door takes no log over. Raises CannotServe."""
        door = Door(self.accounts, hashed(self._settings.organiser_token))
        server: Any = self._server
        bots_pb2_grpc.add_BotsServiceServicer_to_server(BotsServicer(self.hall, door, self._lobby), server)
        organisers_pb2_grpc.add_OrganisersServiceServicer_to_server(OrganisersServicer(self.hall, door), server)
        spectators_pb2_grpc.add_SpectatorsServiceServicer_to_server(SpectatorsServicer(self.hall), server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        address = bind(self._server, self._settings.listen, self._settings.tls)
        try:
            await self._open_admin()
            self._expose()
            await self.hall.open()
        except (CannotServe, CannotExpose) as error:
            await self._server.stop(None)
            await self._close_admin()
            raise CannotServe(str(error)) from error
        except LogUnavailable as error:
            await self._server.stop(None)
            await self._close_admin()
            await self._unexpose()
            raise StoreAway(f"{error}: start the store, or name another with --redis") from error
        self.address = address
        await self._server.start()

    async def _open_admin(self) -> None:
        if self._settings.admin is not None:
            self._admin = AdminSocket(self._settings.admin, SERVICES, self._health)
            await self._admin.start()

    async def _close_admin(self) -> None:
        if self._admin is not None:
            await self._admin.close()

    def _expose(self) -> None:
        if self._settings.metrics is not None:
            from referee.service.metrics import referee_registry

            self._exposition = Exposition(self._settings.metrics, referee_registry(self.hall))
            self.metrics = self._exposition.address

    async def _unexpose(self) -> None:
        if self._exposition is not None:
            await asyncio.to_thread(self._exposition.close)
            self._exposition = None

    async def stop(self) -> None:
        """Closes gracefully: what is on its way is written, bots are told, matches stay in the log."""
        await self._health.enter_graceful_shutdown()
        await self.hall.close()
        await self._server.stop(grace=1)
        await self._log.close()
        await self.accounts.close()
        await self._unexpose()
        await self._close_admin()

    async def until_taken(self) -> None:
        """Returns when another referee has taken over this one's log."""
        await self.hall.journal.taken.wait()


def run(settings: Settings) -> int:
    """Serves until SIGTERM or SIGINT; prints its address, and below it that of its metrics. Returns the exit code.

    Raises CannotServe.
    """
    begin_logging(settings.log_format)
    return asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> int:
    referee = Referee(settings)
    await referee.start()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    sys.stdout.write(f"referee listening on {referee.address}\n")
    if referee.metrics is not None:
        sys.stdout.write(f"metrics on http://{referee.metrics}/metrics\n")
    sys.stdout.flush()
    logger.info("listening on %s, pid %d", referee.address, os.getpid())
    taken = asyncio.ensure_future(referee.until_taken())
    asked = asyncio.ensure_future(stop.wait())
    await asyncio.wait((taken, asked), return_when=asyncio.FIRST_COMPLETED)
    code = 1 if taken.done() else 0
    await referee.stop()
    return code


def _store(settings: Settings) -> tuple[MatchLog, Accounts]:
    if settings.redis is None:
        return MemoryLog(), MemoryAccounts()
    from referee.store.redis import RedisAccounts, RedisLog, connect

    try:
        # Each has its own client, so that no crowd at the door keeps the log waiting.
        clients = connect(settings.redis), connect(settings.redis)
    except ValueError as error:
        raise CannotServe(f"the address of the store is none: {error}") from error
    where = settings.redis.partition("?")[0].rpartition("@")[2]
    return RedisLog(clients[0], where, settings.name), RedisAccounts(clients[1], where)
