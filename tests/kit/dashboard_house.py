"""A dashboard for tests: the whole of it on a free port, in a thread of its own, on whatever store a test has."""

import asyncio
import contextlib
import http.client
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import uvicorn

from clients.dashboard.app import Feed, dashboard
from tests.kit.league import wait_until
from worker.store.port import Store


@dataclass(frozen=True)
class Answer:
    """An answer to a GET."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        """Its JSON."""
        return json.loads(self.text)


@dataclass(frozen=True)
class SentEvent:
    """A server-sent event."""

    kind: str
    id: str | None
    data: Any


class _Server(uvicorn.Server):
    loop: asyncio.AbstractEventLoop

    async def main_loop(self) -> None:
        self.loop = asyncio.get_running_loop()
        await super().main_loop()


class DashboardHouse:
    """Runs from ``with`` on; ``stop`` and ``start`` are a restart at the same address."""

    def __init__(self, store: Store, **feed: Any) -> None:
        self._feed = Feed(store, **feed)
        self._port = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.stop()

    @property
    def base(self) -> str:
        """The address."""
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Starts it; returns when it answers."""
        door = socket.socket()
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(("127.0.0.1", self._port))
        self._port = door.getsockname()[1]
        self.app = dashboard(self._feed)
        config = uvicorn.Config(self.app, log_config=None, ws="none", lifespan="on", timeout_graceful_shutdown=1)
        self._server = _Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [door]}, daemon=True)
        self._thread.start()
        wait_until(lambda: self._server.started, "the dashboard has started")
        wait_until(lambda: self.app.state.house.hub.league.store_up, "the dashboard has read the store")

    def stop(self) -> None:
        """Ends it."""
        self._server.should_exit = True
        self._server.loop.call_soon_threadsafe(self.app.state.house.hub.close)
        self._thread.join(20)
        assert not self._thread.is_alive()

    def get(self, path: str, **headers: str) -> Answer:
        """The answer to a GET; ``if_none_match`` is the header If-None-Match."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        with contextlib.closing(line):
            line.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = line.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read().decode())

    @contextlib.contextmanager
    def stream(self, path: str, **headers: str) -> Iterator[Iterator[SentEvent]]:
        """The events of a stream as they come."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        with contextlib.closing(line):
            line.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = line.getresponse()
            assert answer.status == 200, answer.read()
            yield _events(answer)


def _events(answer: http.client.HTTPResponse) -> Iterator[SentEvent]:
    fields: dict[str, str] = {}
    for raw in answer:
        line = raw.decode().rstrip("\n")
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        else:
            if "data" in fields:
                yield SentEvent(fields.get("event", "message"), fields.get("id"), json.loads(fields["data"]))
            fields = {}
