"""A private Valkey or Redis server for a league on one machine, on a socket of its own, as long as its owner lives."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from concurrent.futures import Future
from pathlib import Path
from typing import Final, Self

import redis
from redis.backoff import NoBackoff
from redis.exceptions import BusyLoadingError, RedisError
from redis.retry import Retry

from carico import die_with_parent
from worker.store.directory_lock import DirectoryLock
from worker.store.errors import StoreUnavailable
from worker.store.server_binary import server_binary

LONGEST_SOCKET_PATH: Final = 103
"""Bytes, on the strictest system."""

_START_S: Final = 10.0
_STOP_S: Final = 10.0
_SOCKET: Final = "v.sock"
_SETTINGS: Final = {
    "port": "0",
    "unixsocketperm": "700",
    "appendonly": "yes",
    "appendfsync": "always",
    "aof-load-truncated": "yes",
    "save": "",
    "maxmemory-policy": "noeviction",
    "daemonize": "no",
}


class EmbeddedValkey:
    """A server that keeps its data in one directory and listens on one private socket; a context manager.

    It is ended when the process that started it ends, however that comes (on Linux), and no two owners ever have one
    directory. What it has acknowledged is on the disk, so neither a kill nor a loss of power costs any of it.
    """

    def __init__(self, directory: Path, binary: Path | None = None) -> None:
        """``binary`` is the server's program, by default that of ``server_binary``."""
        self.directory = directory.absolute()
        self._binary = binary
        self._tail: deque[str] = deque(maxlen=20)
        self._lock: DirectoryLock | None = None
        self._home: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._keeper: threading.Thread | None = None

    def start(self) -> None:
        """Starts the server and waits until it has read its data and answers.

        Raises StoreError where there is no server to start or the directory has another owner, StoreUnavailable with
        the server's last words where it does not come up or the directory cannot be written to.
        """
        binary = self._binary or server_binary()
        try:
            self._lock = DirectoryLock(self.directory)
            self._home = _socket_home()
        except OSError as error:
            self.stop()
            raise StoreUnavailable(f"the store cannot be kept in {self.directory}: {error}") from error
        self._binary = binary
        try:
            self._launch()
        except BaseException:
            self.stop()
            raise

    def restart(self) -> None:
        """Ends the server, if it still runs, and starts it anew with the same directory, socket and ``url``.

        Raises StoreUnavailable like start; the directory is still its own then, and it may be tried again.
        """
        self._end()
        self._launch()

    def stop(self) -> None:
        """Ends the server in good order, by force if it takes more than ten seconds; harmless where it has ended."""
        self._end()
        if self._home is not None:
            shutil.rmtree(self._home, ignore_errors=True)
        if self._lock is not None:
            self._lock.release()
        self._home = self._lock = None

    @property
    def url(self) -> str:
        """Its address, ``unix:///...``, the same after a restart; there is one from start to stop."""
        return f"unix://{self._socket}"

    @property
    def pid(self) -> int:
        """The process of the server."""
        return self._started.pid

    @property
    def alive(self) -> bool:
        """Whether the server runs."""
        return self._process is not None and self._process.poll() is None

    def last_words(self) -> list[str]:
        """The last lines that the server wrote."""
        return list(self._tail)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def _socket(self) -> Path:
        if self._home is None:
            raise RuntimeError("the embedded server was not started")
        return self._home / _SOCKET

    @property
    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise RuntimeError("the embedded server was not started")
        return self._process

    def _launch(self) -> None:
        self._tail.clear()
        self._socket.unlink(missing_ok=True)
        started: Future[subprocess.Popen[bytes]] = Future()
        self._keeper = threading.Thread(target=self._keep, args=(started,), name="embedded-valkey", daemon=True)
        self._keeper.start()
        self._process = started.result()
        try:
            self._wait_until_it_answers()
        except BaseException:
            self._end()
            raise

    def _keep(self, started: Future[subprocess.Popen[bytes]]) -> None:
        """Starts the server, listens to it and waits for its end.

        In a thread that lasts as long as the server: the kernel takes the end of the thread that started it for the
        parent's.
        """
        assert self._lock is not None
        last_signal = f"{os.getpid()}:{int(signal.SIGTERM)}"  # which it takes as an order to write everything down
        shim = [sys.executable, "-I", "-S", die_with_parent.__file__, last_signal]
        settings = _SETTINGS | {"dir": str(self.directory), "unixsocket": str(self._socket)}
        try:
            process = subprocess.Popen(
                [
                    *shim,
                    str(self._binary),
                    *(word for name, value in settings.items() for word in (f"--{name}", value)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=[self._lock.descriptor],
                start_new_session=True,  # Ctrl-C is for the owner, who ends it in good order
            )
        except OSError as error:
            started.set_exception(StoreUnavailable(f"{self._binary} cannot be started: {error}"))
            return
        started.set_result(process)
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                self._tail.append(line.decode("utf-8", "replace").rstrip())
        process.wait()

    def _wait_until_it_answers(self) -> None:
        client = redis.Redis(unix_socket_path=str(self._socket), protocol=2, socket_timeout=1, retry=_ONCE)
        deadline = time.monotonic() + _START_S
        with client:
            while self.alive:
                try:
                    client.ping()
                except BusyLoadingError:
                    deadline = time.monotonic() + _START_S  # however much there is to read
                except RedisError as error:
                    if time.monotonic() > deadline:
                        raise StoreUnavailable(self._failure(f"does not answer ({error})")) from error
                else:
                    return
                time.sleep(0.01)
        raise StoreUnavailable(self._failure(f"ended with {self._started.returncode}"))

    def _failure(self, what: str) -> str:
        if not self.alive and self._keeper is not None:
            self._keeper.join(_STOP_S)
        words = "\n  ".join(self._tail) or "(nothing)"
        return f"{self._binary} {what} instead of serving {self.directory}; its last words:\n  {words}"

    def _end(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


_ONCE: Final = Retry(NoBackoff(), 0)


def _socket_home() -> Path:
    """A new directory for nobody else, with a path short enough for a socket in it. Raises OSError."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    room = LONGEST_SOCKET_PATH - len(f"/carico-12345678/{_SOCKET}")
    usable = runtime.startswith("/") and len(os.fsencode(runtime)) <= room and os.access(runtime, os.W_OK | os.X_OK)
    return Path(tempfile.mkdtemp(prefix="carico-", dir=runtime if usable else "/tmp"))
