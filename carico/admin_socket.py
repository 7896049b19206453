"""The admin socket: reflection, channelz and health, for whoever runs the process and for nobody else.

It needs the extra ``league``.
"""

import errno
import os
import socket
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import grpc.aio

from carico.serving import CannotServe, server_options

MESSAGE_LIMIT: Final = 64 * 1024

LONGEST_PATH: Final = 100
"""Bytes that the path of a unix socket may have on every system."""

_CHANNELZ: Final = "grpc.channelz.v1.Channelz"
_OTHERS: Final = 0o177


class AdminSocket:
    """Serves at a unix socket of mode 0600 what strangers should not see: the services' descriptions and the channels.

    The descriptions are of ``services``, by their full names, which are served elsewhere.
    """

    def __init__(self, path: Path, services: Sequence[str], health: Any) -> None:
        """``health`` is the health servicer of the process."""
        self._path = path
        self._services = services
        self._health = health
        self._server: grpc.aio.Server | None = None
        self._made: tuple[int, int] | None = None

    async def start(self) -> None:
        """Listens; a socket that a dead process left there is replaced. Raises CannotServe."""
        from grpc_channelz.v1 import channelz
        from grpc_health.v1 import health, health_pb2_grpc
        from grpc_reflection.v1alpha import reflection

        _make_room(self._path)
        server = grpc.aio.server(options=server_options(MESSAGE_LIMIT))
        names = (*self._services, health.SERVICE_NAME, _CHANNELZ, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, server)
        channelz.add_channelz_servicer(server)
        add: Any = health_pb2_grpc.add_HealthServicer_to_server
        add(self._health, server)
        before = os.umask(_OTHERS)  # so that at no moment anybody else may connect
        try:
            server.add_insecure_port(f"unix:{self._path}")
        except (RuntimeError, ValueError) as error:
            raise CannotServe(f"--admin {self._path}: can't listen there: is the folder there, and yours?") from error
        finally:
            os.umask(before)
        await server.start()
        found = self._path.stat()
        self._made = found.st_dev, found.st_ino
        self._server = server

    async def close(self) -> None:
        """Listens no more; its socket goes, unless it is another's by now."""
        if self._server is None:
            return
        await self._server.stop(None)
        self._server = None
        try:
            found = self._path.stat()
            if (found.st_dev, found.st_ino) == self._made:
                self._path.unlink()
        except FileNotFoundError:
            return


def _make_room(path: Path) -> None:
    """Takes away a socket that nobody listens at. Raises CannotServe where somebody does, or it is something else."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise CannotServe(f"--admin {path}: a socket's path has at most {LONGEST_PATH} bytes: name a shorter one")
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise CannotServe(f"--admin {path}: can't look there: {error.strerror}") from error
    if not stat.S_ISSOCK(mode):
        raise CannotServe(f"--admin {path}: something that is no socket is there: name another path")
    with socket.socket(socket.AF_UNIX) as probe:
        found = probe.connect_ex(os.fspath(path))
    if found not in (errno.ECONNREFUSED, errno.ENOENT):
        raise CannotServe(f"--admin {path}: another process listens there: end it, or name another path")
    path.unlink(missing_ok=True)
