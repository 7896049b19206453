"""A TCP proxy in front of a Redis socket that cuts connections around a script, and may alter what the server says."""

import socket
import threading
from typing import Literal, Self

Where = Literal["request", "answer"]


class CuttingProxy:
    """Cuts the connection of the next script, before the server has it or before its answer is passed on."""

    def __init__(self, upstream: str) -> None:
        self.cuts = 0
        self.altered: tuple[bytes, bytes] = (b"", b"")
        """What the server says, and what is passed on instead; of one length."""
        self._upstream = upstream
        self._armed: Where | None = None
        self._listener = socket.create_server(("127.0.0.1", 0))

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._listener.getsockname()[1]}/0"

    def cut_next(self, where: Where) -> None:
        self._armed = where

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
            server.connect(self._upstream)
            doomed = threading.Event()
            threading.Thread(target=self._pass_requests, args=(client, server, doomed), daemon=True).start()
            threading.Thread(target=self._pass_answers, args=(client, server, doomed), daemon=True).start()

    def _pass_requests(self, client: socket.socket, server: socket.socket, doomed: threading.Event) -> None:
        while data := _receive(client):
            if self._armed and b"EVALSHA" in data:
                where, self._armed = self._armed, None
                if where == "request":
                    self.cuts += 1
                    break
                doomed.set()
            _send(server, data)
        _end(client, server)

    def _pass_answers(self, client: socket.socket, server: socket.socket, doomed: threading.Event) -> None:
        while data := _receive(server):
            if doomed.is_set():
                self.cuts += 1
                break
            _send(client, data.replace(*self.altered) if self.altered[0] else data)
        _end(client, server)


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
