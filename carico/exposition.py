"""Metrics for Prometheus, served by a thread of their own. It needs the extra ``league``."""

import socket
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry


class CannotExpose(Exception):
    """The metrics can't be served there; the text says why and what to do."""


class Exposition:
    """Serves a registry at ``http://HOST:PORT/metrics`` until ``close``; each scrape has a thread of its own.

    ``listen`` is HOST:PORT, an IPv6 host in brackets, port 0 for a free one; ``address`` tells which. What is served
    is plain text for everybody who reaches it. Raises CannotExpose.
    """

    def __init__(self, listen: str, registry: "CollectorRegistry") -> None:
        from prometheus_client import start_http_server  # takes time that only those who ask should spend

        host, _, port = listen.rpartition(":")
        self._server: Any
        try:
            self._server, self._thread = start_http_server(int(port), host.strip("[]"), registry)
        except (OSError, ValueError) as error:
            raise CannotExpose(
                f"can't serve metrics on {listen}: {error}; name another place with --metrics"
            ) from error
        self.address = f"{host}:{self._server.server_port}"

    def close(self) -> None:
        """Serves no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def close_in_child(self) -> None:
        """To be called in a process that was forked from this one: it has the socket, but not the thread."""
        held: socket.socket = self._server.socket
        held.close()
