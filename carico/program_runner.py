"""Plays a program at a referee: it speaks JSON lines, this speaks the bots' contract for it."""

import asyncio
import hashlib
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import grpc

from carico import json_lines
from carico.bot_token import find_token
from carico.bridge import Bridge, Decision
from carico.cannot_play import CannotPlay
from carico.connection import Connection
from carico.problem import failed
from carico.reporter import Reporter, Tally
from carico.session import Asked, Event, MatchEnded, MatchStarted, Noticed, Session, Welcomed
from carico.v1 import bots_pb2

CLIENT: Final = "carico-json-lines/0.1.0"


def play_program(
    command: Sequence[str],
    *,
    name: str,
    version: str,
    referee: str | None = None,
    token: str | None = None,
    token_file: Path | None = None,
    seed: bytes = b"",
    build: str | None = None,
    credentials: grpc.ChannelCredentials | None = None,
    reporter: Reporter | None = None,
) -> None:
    """Plays until Ctrl-C (KeyboardInterrupt), as ``carico.play`` does, with a program instead of a class.

    One process plays all matches. By default ``build`` is the hash of the files that the command names. A program that
    ends or hangs is started again (``carico.bridge``). Raises CannotPlay as ``carico.play`` does, and GivenUp, which is
    one, where the program does not stay up.
    """
    asyncio.run(
        play_program_async(
            command,
            name=name,
            version=version,
            referee=referee,
            token=token,
            token_file=token_file,
            seed=seed,
            build=build,
            credentials=credentials,
            reporter=reporter,
        )
    )


async def play_program_async(
    command: Sequence[str],
    *,
    name: str,
    version: str,
    referee: str | None = None,
    token: str | None = None,
    token_file: Path | None = None,
    seed: bytes = b"",
    build: str | None = None,
    credentials: grpc.ChannelCredentials | None = None,
    reporter: Reporter | None = None,
) -> None:
    """The same for a program that has an event loop; it ends when it is cancelled."""
    address = referee or os.environ.get("CARICO_REFEREE", "")
    if not address:
        raise CannotPlay("where is the referee? Put HOST:PORT into CARICO_REFEREE")
    found_token = find_token(token, token_file)
    told = reporter or Reporter()
    bridge = Bridge(command, bot=name, version=version, tell=lambda text: _notice(told, text))
    print_of_build = fingerprint(command) if build is None else build
    session: Session[None] = Session(lambda: None, bot=name, version=version, build=print_of_build, client=CLIENT)
    runner = _ProgramRunner(name, session, told, bridge, seed)
    runner.connection = Connection(
        address, found_token, session, read=runner.read, lost=told.lost, credentials=credentials
    )
    await runner.run()


def fingerprint(command: Sequence[str]) -> str:
    """SHA-256, in hex, of a command: of the files that its words name, and of the words that name none.

    The interpreter that the first word finds on the PATH counts by its name alone.
    """
    digest = hashlib.sha256()
    for word in command:
        data = Path(word).read_bytes() if Path(word).is_file() else word.encode(errors="surrogateescape")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def _notice(reporter: Reporter, text: str) -> None:
    reporter.noticed(Noticed("PROGRAM", text, ""))


class _ProgramRunner:
    """Brings session, connection and bridge together."""

    connection: Connection

    def __init__(self, name: str, session: Session[None], reporter: Reporter, bridge: Bridge, seed: bytes) -> None:
        self.name = name
        self.session = session
        self.reporter = reporter
        self.bridge = bridge
        self.tally = Tally()
        self._seed = seed
        self._told: set[object] = set()
        self._awake = asyncio.Event()
        """There is something for the bridge to do."""

    async def run(self) -> None:
        """Plays until it is cancelled or something final happens."""
        tasks: list[asyncio.Task[None]] = []
        try:
            while not self.bridge.ready:
                self.bridge.pump()
                if not self.bridge.ready:
                    await self._until_due()
            tasks = [asyncio.create_task(self._drive()), asyncio.create_task(self.connection.run())]
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.bridge.close()

    async def read(self, frame: bots_pb2.PlayResponse) -> None:
        """Takes a frame: what it tells goes to the program."""
        for event in self.session.receive(frame):
            self._take(event)
        self.connection.send_soon()
        self._awake.set()

    def _take(self, event: Event[None]) -> None:
        match event:
            case Asked():
                self.bridge.ask(event.match, event.seat, event.number, event.deal, event.view, event.bank_ms)
            case MatchEnded():
                self.bridge.end(event.match, json_lines.end(event), at_fault=bool(event.own_faults))
                self.tally.count(event)
                self.reporter.ended(event, self.tally)
            case MatchStarted():
                start = json_lines.start(event.match, event.seats, event.game, event.time_control, self._seed)
                terms = event.time_control
                self.bridge.start(event.match, start, terms.action_limit_ms / 1000 if terms is not None else None)
                self.reporter.started(event)
            case Noticed():
                self.reporter.noticed(event)
            case Welcomed():
                self.reporter.connected(event)

    async def _drive(self) -> None:
        """Moves lines for ever. Raises GivenUp."""
        while True:
            decisions = self.bridge.pump()
            for decision in decisions:
                self._decide(decision)
            if decisions:
                self.connection.send_soon()
            await self._until_due()

    async def _until_due(self) -> None:
        """Waits until the bridge has something to do."""
        loop = asyncio.get_running_loop()
        readable, writable = self.bridge.readable, self.bridge.writable
        if readable is not None:
            loop.add_reader(readable, self._awake.set)
        if writable is not None:
            loop.add_writer(writable, self._awake.set)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(min(max(self.bridge.due - time.monotonic(), 0.0), 3600.0)):
                    await self._awake.wait()
        finally:
            self._awake.clear()
            if readable is not None:
                loop.remove_reader(readable)
            if writable is not None:
                loop.remove_writer(writable)

    def _decide(self, decision: Decision) -> None:
        if decision.problem:
            problem = failed(self.name, decision.match, decision.view, decision.problem)
            if problem.kind not in self._told:
                self._told.add(problem.kind)
                self.reporter.problem(problem)
        self.session.answer(decision.match, decision.seat, decision.number, decision.action)
