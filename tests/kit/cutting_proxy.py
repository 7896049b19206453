"""A TCP proxy in front of a Redis socket that cuts connections around a script, and may alter what the server says."""

import hashlib
import socket
import threading
from collections.abc import Callable
from typing import Literal, Self

from worker.store.scripts import script

Where = Literal["request", "answer"]


class CuttingProxy:
    """Cuts the connection of a script, before the server has it or before its answer is passed on."""

    def __init__(self, upstream: str) -> None:
        self.cuts = 0
        self.altered: tuple[bytes, bytes] = (b"", b"")
        """What the server says, and what is passed on instead; of one length."""
        self.choose: Callable[[bytes], Where | None] = self._choose_armed
        """Where the connection that carries this request is cut, if it is."""
        self._upstream = upstream
        self._armed: Where | None = None
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._listener.getsockname()[1]}/0"

    def cut_next(self, where: Where) -> None:
        """Cuts at the next script."""
        self._armed = where

    def cut_all(self) -> None:
        """Ends all connections that are open now."""
        self.cuts += len(self._open)
        _end(*self._open.copy())

    def _choose_armed(self, request: bytes) -> Where | None:
        if not self._armed or b"EVALSHA" not in request:
            return None
        where, self._armed = self._armed, None
        return where

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self._upstream)
            except OSError:  # a server that is away refuses through the proxy, too
                client.close()
                server.close()
                continue
            self._open.add(client)
            doomed = threading.Event()
            threading.Thread(target=self._pass_requests, args=(client, server, doomed), daemon=True).start()
            threading.Thread(target=self._pass_answers, args=(client, server, doomed), daemon=True).start()

    def _pass_requests(self, client: socket.socket, server: socket.socket, doomed: threading.Event) -> None:
        while data := _receive(client):
            where = self.choose(data)
            if where == "request":
                self.cuts += 1
                break
            if where == "answer":
                doomed.set()
            _send(server, data)
        _end(client, server)
        self._open.discard(client)

    def _pass_answers(self, client: socket.socket, server: socket.socket, doomed: threading.Event) -> None:
        while data := _receive(server):
            if doomed.is_set():
                self.cuts += 1
                break
            _send(client, data.replace(*self.altered) if self.altered[0] else data)
        _end(client, server)


def is_commit(request: bytes) -> bool:
    """Whether a request to the server begins with a commit of a chunk."""
    return hashlib.sha1(script("commit").encode()).hexdigest().encode() in request[:200]


def _receive(of: socket.socket) -> bytes:
    try:
        return of.recv(1 << 16)
    except OSError:
        return b""


def _send(to: socket.socket, data: bytes) -> None:
    try:
        to.sendall(data)
    except OSError:
        return


def _end(*both: socket.socket) -> None:
    for one in both:
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            continue
