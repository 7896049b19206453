"""Plays a bot at a referee: ``play(MyBot, name="mybot", version="1")``."""

import asyncio
import inspect
import os
from collections.abc import Awaitable
from pathlib import Path
from typing import Final

import grpc

from carico.bot import Bot
from carico.bot_token import find_token
from carico.cannot_play import CannotPlay
from carico.codec import NO_ACTION
from carico.connection import Connection
from carico.load import LoadError, checked, fingerprint
from carico.problem import Problem, illegal, is_legal, raised
from carico.reporter import Reporter, Tally
from carico.rules.actions import Action
from carico.rules.cards import Card
from carico.session import Asked, Event, MatchEnded, MatchStarted, Noticed, Session, Welcomed
from carico.v1 import bots_pb2

CLIENT: Final = "carico-python/0.1.0"

SLICE_S: Final = 0.005
"""After so much thinking in one go the answers that are ready are sent, before the next bot is asked."""


def play(
    made: type[Bot],
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
    """Plays until Ctrl-C (KeyboardInterrupt); comes back by itself after a lost connection.

    ``name`` and ``token`` are those of ``carico bot register``; without a token or a file of mode 0600 with it, the
    environment's CARICO_TOKEN is taken. ``referee`` is HOST:PORT or unix:PATH, by default CARICO_REFEREE. ``version``
    is the author's own count of releases; ``build`` tells two builds of one version apart, by default the hash of the
    class's source file. ``seed`` is what ``Bot.chance`` starts from. Whatever happens is told to ``reporter``, by
    default to the log ``carico``.

    A sync ``act`` is called in turn, an async one runs beside the others. Where it raises, or answers what is not
    legal, that deal is lost: the referee is told at once, so that the other side need not wait for the flag, and the
    bot plays on in its other matches. Raises CannotPlay where the referee will not have the bot, or nothing can be
    tried without a mend.
    """
    asyncio.run(
        play_async(
            made,
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


async def play_async(
    made: type[Bot],
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
    """The same as ``play`` for a program that has an event loop; it ends when it is cancelled."""
    address = referee or os.environ.get("CARICO_REFEREE", "")
    if not address:
        raise CannotPlay("where is the referee? Put HOST:PORT into CARICO_REFEREE")
    try:
        checked(made)
    except LoadError as error:
        raise CannotPlay(str(error)) from error
    print_of_build = fingerprint(made) if build is None else build
    session = Session(lambda: _seeded(made, seed), bot=name, version=version, build=print_of_build, client=CLIENT)
    runner = _Runner(name, session, reporter or Reporter())
    runner.connection = Connection(
        address,
        find_token(token, token_file),
        session,
        read=runner.read,
        lost=runner.reporter.lost,
        credentials=credentials,
    )
    await runner.run()


def _seeded(made: type[Bot], seed: bytes) -> Bot:
    bot = made()
    bot.seed = seed
    return bot


class _Runner:
    """Brings session, connection and bots together."""

    connection: Connection

    def __init__(self, name: str, session: Session[Bot], reporter: Reporter) -> None:
        self.name = name
        self.session = session
        self.reporter = reporter
        self.tally = Tally()
        self._thinking: dict[str, set[asyncio.Task[None]]] = {}
        """Per match the asks that an async bot is thinking about."""
        self._told: set[object] = set()

    async def run(self) -> None:
        """Plays until it is cancelled or something final happens."""
        try:
            await self.connection.run()
        finally:
            for tasks in self._thinking.values():
                for task in tasks:
                    task.cancel()

    async def read(self, frame: bots_pb2.PlayResponse) -> None:
        """Takes a frame; what is decided is sent at the latest when a slice of thinking is over."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        for event in self.session.receive(frame):
            self._take(event)
            if clock() - begun > SLICE_S:
                await asyncio.sleep(0)
                begun = clock()
        self.connection.send_soon()

    def _take(self, event: Event[Bot]) -> None:
        match event:
            case Asked():
                self._ask(event)
            case MatchEnded():
                for task in self._thinking.pop(event.match, ()):
                    task.cancel()
                self.tally.count(event)
                self.reporter.ended(event, self.tally)
            case MatchStarted():
                self.reporter.started(event)
            case Noticed():
                self.reporter.noticed(event)
            case Welcomed():
                self.reporter.connected(event)

    def _ask(self, ask: Asked[Bot]) -> None:
        try:
            answer = ask.bot.act(ask.view)
        except (Exception, SystemExit) as error:
            self._fail(ask, error)
            return
        if type(answer) is not Card and inspect.isawaitable(answer):
            task = asyncio.ensure_future(self._think(ask, answer))
            tasks = self._thinking.setdefault(ask.match, set())
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        else:
            self._decide(ask, answer)

    async def _think(self, ask: Asked[Bot], thought: Awaitable[Card | Action]) -> None:
        try:
            answer = await thought
        except (Exception, SystemExit) as error:
            self._fail(ask, error)
        else:
            self._decide(ask, answer)

    def _decide(self, ask: Asked[Bot], answer: object) -> None:
        if not is_legal(ask.view, answer):
            self._tell(illegal(self.name, ask.match, ask.view, answer))
        action = answer if isinstance(answer, int) else NO_ACTION
        self.session.answer(ask.match, ask.seat, ask.number, action)
        self.connection.send_soon()

    def _fail(self, ask: Asked[Bot], error: Exception | SystemExit) -> None:
        self._tell(raised(self.name, ask.match, ask.view, error))
        self.session.answer(ask.match, ask.seat, ask.number, NO_ACTION)
        self.connection.send_soon()

    def _tell(self, problem: Problem) -> None:
        if problem.kind not in self._told:
            self._told.add(problem.kind)
            self.reporter.problem(problem)
