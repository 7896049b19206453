"""A referee as a program of its own, to be killed."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Self

from tests.kit.served import ORGANISER

ROOT = Path(__file__).parents[2]
_PROGRAM = """
import sys
from carico.serving import CannotServe
from referee.serve import Settings, run
listen, token, redis = sys.argv[1:]
try:
    sys.exit(run(Settings(listen, token, redis or None)))
except CannotServe as error:
    sys.exit(f"cannot serve: {error}")
"""


class RefereeProcess:
    """Starts a referee, the next time at the same address; its stderr goes to a log.

    A context manager that starts it, and leaves none behind.
    """

    def __init__(self, redis: str | None, directory: Path, listen: str = "127.0.0.1:0") -> None:
        self.redis = redis
        self.address = listen
        self.line = ""
        """What it said when it was ready; empty where it ended before."""
        self.log = directory / "referee.log"
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None and self._process.returncode is None:
            await self.kill()

    async def start(self) -> None:
        """Waits until it is ready or has ended."""
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                _PROGRAM,
                self.address,
                ORGANISER,
                self.redis or "",
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT), "GRPC_VERBOSITY": "ERROR"},
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(30):
            self.line = (await self._process.stdout.readline()).decode()
        if self.line:
            self.address = self.line.split()[-1]

    async def kill(self) -> None:
        """kill -9."""
        self.signal(signal.SIGKILL)
        await self.ended()

    def signal(self, number: int) -> None:
        """Sends a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    async def stop(self) -> int:
        """SIGTERM; returns the exit code."""
        self.signal(signal.SIGTERM)
        return await self.ended()

    async def ended(self) -> int:
        """Waits for its end; returns the exit code."""
        assert self._process is not None
        async with asyncio.timeout(30):
            return await self._process.wait()
