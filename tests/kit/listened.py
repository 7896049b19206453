"""A course of play at a real referee, and all that anybody is told of it, written down step by step."""

import logging
from collections.abc import Iterable, Sequence
from random import Random

import pytest
from google.protobuf.message import Message
from prometheus_client import CollectorRegistry, generate_latest

from carico.codec import action_message, game_message, time_control_message
from carico.log_lines import TEXT_FORM, JsonLines
from carico.time_control import TimeControl
from carico.v1 import bots_pb2 as pb
from carico.v1 import organisers_pb2
from referee.service.metrics import RefereeCollector
from referee.service.spectators import SpectatorsServicer
from tests.kit.raw_bots import RawBot
from tests.kit.served import MARK, Served, eventually, settle
from tests.kit.twins import Twins

HANDLE = "handle-of-a-match"
"""Stands for the one thing that is left to chance: the handle, sixteen characters."""

TERMS = TimeControl(bank_ms=50_000, increment_ms=70, action_limit_ms=5_000, lag_credit_ms=0)

WALL_CLOCK = ("_overhead_", "_lag_", "_append_", "_stall")
"""Parts of the names of metrics that measure this machine."""


class Clock:
    """The referee's time, in the hand of the test: it goes on by as much for the same answer."""

    def __init__(self, served: Served, seed: int) -> None:
        self.ms = 0
        self._rng = Random(seed)
        pulse = served.referee.hall.pulse
        pulse.now = lambda: self.ms  # type: ignore[method-assign]
        pulse.start = lambda: None  # type: ignore[method-assign]

    def think(self) -> None:
        self.ms += self._rng.randrange(1, 400)


class Player(RawBot):
    """Does what comes next in the course, and nothing after it."""

    heard: "Heard"

    def answers(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        action = self.heard.next_action(ask.seat)
        return [] if action is None else [self.say(ask, action_message(action))]


class Heard:
    """Everything that was told of one match."""

    def __init__(self, served: Served, course: Sequence[tuple[int, int]], seed: int, faulty: int | None) -> None:
        self.served = served
        self.public: list[tuple[bytes, str]] = []
        """Before each answer: what spectators see, and what is counted."""
        self.players: list[Player] = []
        self.state = organisers_pb2.MatchState()
        """What the organiser is told when the course is over."""
        self._course = list(course)
        self._faulty = faulty
        self._first = course[0][1]
        self._clock = Clock(served, seed)
        self._spectators = SpectatorsServicer(served.referee.hall)
        self._registry = CollectorRegistry()
        self._registry.register(RefereeCollector(served.referee.hall))

    def next_action(self, seat: int) -> int | None:
        """What the seat, which is asked, does; it takes some time. None where the course is over."""
        self._note()
        if not self._course:
            return None
        who, action = self._course.pop(0)
        assert who == seat, "the referee asks another seat than the course has"
        self._clock.think()
        if seat == self._faulty and all(later != seat for later, _ in self._course):
            return self._first
        return action

    def _note(self) -> None:
        seen = self._spectators._look().SerializeToString(deterministic=True)
        text = generate_latest(self._registry).decode()
        counted = [line for line in text.splitlines() if not any(part in line for part in WALL_CLOCK)]
        self.public.append((seen, "\n".join(counted)))

    def messages(self, seat: int) -> list[bytes]:
        """What the seat's bot was sent, in order, byte by byte but for the handle.

        Messages, since how many of them share a frame is left to how busy this machine is.
        """
        player = self.players[seat]
        (start,) = player.starts
        single: list[Message] = []
        for frame in map(pb.PlayResponse.FromString, player.frames):
            single += [*frame.starts, *frame.asks, *frame.ends, *frame.notices]
        sent = (type(message).__name__.encode() + message.SerializeToString(deterministic=True) for message in single)
        return [message.replace(start.match.encode(), HANDLE[:16].encode()) for message in sent]

    def log(self, records: Iterable[logging.LogRecord]) -> list[str]:
        """Lines of the log in both forms, without their times."""
        handle = self.players[0].starts[0].match
        text = logging.Formatter(TEXT_FORM.replace("%(asctime)s", ""))
        lines = []
        for record in records:
            record.created = record.msecs = 0
            lines += [text.format(record), JsonLines().format(record)]
        return [line.replace(handle, HANDLE) for line in lines]


async def listen(
    twins: Twins, source: bytes, mode: pb.ViewMode, caplog: pytest.LogCaptureFixture, faulty: int | None = None
) -> tuple[Heard, list[str]]:
    """Plays the course on this pack at a referee of its own; returns all that was told, and the log.

    ``faulty`` is a seat that answers the last ask of it with a card that it does not hold.
    """
    caplog.clear()
    async with Served() as served:
        heard = Heard(served, twins.course, seed=len(twins.course), faulty=faulty)
        names = [f"bot{seat}" for seat in range(twins.game.players)]
        for name in names:
            player = await served.bot(name, Player)
            player.heard, player.hello.view_mode = heard, mode
            heard.players.append(player)
            await player.connect()
        spec = organisers_pb2.MatchSpec(
            id=f"{MARK}/1",
            game=game_message(twins.game),
            dealer=twins.dealer,
            source=source,
            seats=[organisers_pb2.SeatSpec(bot=name, version="1") for name in names],
            time_control=time_control_message(TERMS),
        )
        await served.start(spec)
        asks = len(twins.course) + 1
        await eventually(
            lambda: (
                all(player.ends for player in heard.players)
                or sum(len(player.asks) for player in heard.players) == asks
            )
        )
        await settle()
        heard.state = (await served.states([spec.id]))[spec.id]
    return heard, heard.log(caplog.records)
