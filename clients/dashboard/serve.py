"""Runs a dashboard until it is told to end: opens the store, binds the address, says where it is."""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import uvicorn

from carico.address import is_local
from carico.log_lines import LogFormat, begin_logging
from carico.serving import CannotServe
from clients.dashboard.app import Feed, dashboard
from clients.dashboard.limits import Limits
from worker.store.errors import StoreError
from worker.store.open import open_store

STORE_TRIES: Final = 1
STORE_ANSWER_S: Final = 5.0

HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})

logger = logging.getLogger("carico.dashboard")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a dashboard needs to know."""

    listen: str
    """HOST:PORT, port 0 for a free one."""
    redis: str
    """URL of the store, which is only read."""
    referee: str | None
    """HOST:PORT, None where there is none to watch."""
    referee_ca: bytes | None = None
    referee_metrics: str | None = None
    """HOST:PORT."""
    names: tuple[str, ...] = ()
    """Names that it answers to besides those of this machine; of no account where others may reach it anyway."""
    limits: Limits = field(default_factory=Limits)
    most_viewers: int = 2_000
    log_format: LogFormat = LogFormat.TEXT


class _Server(uvicorn.Server):
    """Lets its streams go when it is told to end, so that no viewer holds it up."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ends at SIGTERM or SIGINT, and ends well."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end, number)
        yield

    def _end(self, number: int) -> None:
        self.config.app.state.house.hub.close()  # type: ignore[union-attr]
        self.handle_exit(number, None)


def run(settings: Settings) -> int:
    """Serves until SIGTERM or SIGINT; prints its address first. Returns the exit code. Raises CannotServe."""
    begin_logging(settings.log_format)
    door = _bound(settings.listen)
    address = f"{settings.listen.rpartition(':')[0]}:{door.getsockname()[1]}"
    try:
        store = open_store(settings.redis, tries=STORE_TRIES, answer_s=STORE_ANSWER_S)
    except (StoreError, ValueError) as error:
        raise CannotServe(str(error)) from error
    app = dashboard(
        Feed(
            store,
            settings.referee,
            settings.referee_ca,
            settings.referee_metrics,
            settings.limits,
            settings.most_viewers,
            HERE | set(settings.names) if is_local(settings.listen) else None,
        )
    )
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="on",
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=16 * 1024,
    )
    sys.stdout.write(f"dashboard on http://{address}/\n")
    sys.stdout.flush()
    logger.info("listening on %s, pid %d", address, os.getpid())
    server = _Server(config)
    try:
        asyncio.run(server.serve([door]))
    finally:
        store.close()
    return 0 if server.started else 1


def _bound(listen: str) -> socket.socket:
    """A socket that listens there. Raises CannotServe."""
    host, _, port = listen.rpartition(":")
    try:
        family, *_, place = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)[0]
        door = socket.socket(family)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(place)
        door.listen(512)  # who comes before it is ready waits
    except OSError as error:
        raise CannotServe(f"can't listen on {listen}: {error.strerror}; name another place with --listen") from error
    return door
