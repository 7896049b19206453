"""A referee that serves in this process, and the organiser who gives it work."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self, TypeVar

import grpc

from carico.codec import duration, game_message, read_action, read_faults, time_control_message
from carico.rules import shuffle
from carico.rules.deal import Deal
from carico.rules.game import Game, game
from carico.rules.outcome import Outcome, outcome
from carico.time_control import TimeControl
from carico.v1 import organisers_pb2 as pb
from carico.v1 import organisers_pb2_grpc
from referee.serve import Referee, Settings
from tests.kit.raw_bots import PATIENCE_S, RawBot

ORGANISER = "carico_the-organiser-of-these-tests"
BRISCOLA = game("briscola-2")
CALM = TimeControl()
"""Terms under which nothing falls while a test lasts."""
OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 100),
)
SECRET = shuffle.master(shuffle.practice_secret(11))
MARK = "SEASON-MARK"
"""Stands in the id of every match; no bot may ever see it."""

_B = TypeVar("_B", bound=RawBot)


def order(number: int, *bots: str, of: Game = BRISCOLA, terms: TimeControl = CALM, dealer: int = 0) -> pb.MatchSpec:
    """A match on the deck of that number; a bot is written ``name`` or ``name@version``."""
    seats = []
    for bot in bots:
        name, _, version = bot.partition("@")
        seats.append(pb.SeatSpec(bot=name, version=version or "1"))
    return pb.MatchSpec(
        id=f"{MARK}/{number}",
        game=game_message(of),
        dealer=dealer,
        source=shuffle.source(shuffle.deck_key(SECRET, of.name, number, 0, 0), of.pack),
        seats=seats,
        time_control=time_control_message(terms),
    )


def replayed(spec: pb.MatchSpec, result: pb.MatchResult) -> tuple[Deal, Outcome]:
    """The deal that a result tells of, played again by the rules, and its outcome. Fails where it is not whole."""
    name, options = spec.game.name, spec.game.options_json
    assert not options
    deal = Deal(game(name), spec.dealer, spec.source)
    (told,) = result.deals
    for taken in told.actions:
        assert taken.seat == deal.to_act
        deal.apply(read_action(taken.action))
    assert deal.over
    return deal, outcome(deal, read_faults(told.faults))


def faults(state: pb.MatchState) -> list[tuple[int, str]]:
    """(seat, reason) of each fault."""
    return [(fault.seat, fault.reason.name) for fault in read_faults(state.result.deals[0].faults)]


class Organiser:
    """Calls to the organisers' door of a referee, and the bots that come with them."""

    def __init__(self, address: str) -> None:
        self.tokens: dict[str, str] = {}
        self._bots: list[RawBot] = []
        self.call_at(address)

    def call_at(self, address: str) -> None:
        """Where the referee is."""
        self.address = address
        self.channel = grpc.aio.insecure_channel(address, options=OPTIONS)
        self.stub = organisers_pb2_grpc.OrganisersServiceStub(self.channel)

    async def leave(self) -> None:
        """Ends all bots and closes the line."""
        for bot in self._bots:
            await bot.drop()
        await self.channel.close()

    # --- bots ---

    async def register(self, *names: str) -> None:
        """Registers bots, each under an owner of its name."""
        for name in names:
            self.tokens[name] = (await self.call("RegisterBot", pb.RegisterBotRequest(bot=name, owner=name))).token

    async def bot(
        self, name: str, kind: type[_B] | Callable[..., _B] = RawBot, version: str = "1", build: str = ""
    ) -> _B:
        """A bot that is registered where it was not, and not connected yet."""
        if name not in self.tokens:
            await self.register(name)
        bot = kind(self.address, self.tokens[name], name, version, build)
        self._bots.append(bot)
        return bot

    async def seat(self, *names: str) -> list[RawBot]:
        """Honest bots, connected."""
        return [await (await self.bot(name)).connect() for name in names]

    # --- what the organiser does ---

    async def call(self, method: str, request: Any, token: str = ORGANISER) -> Any:
        """One call with a token."""
        return await getattr(self.stub, method)(request, metadata=(("authorization", f"Bearer {token}"),))

    async def start(self, *orders: pb.MatchSpec) -> list[str]:
        """Starts matches; returns the ids that were new."""
        return list((await self.call("StartMatches", pb.StartMatchesRequest(matches=orders))).started)

    async def states(self, ids: Iterable[str], wait_ms: int = 0) -> dict[str, pb.MatchState]:
        """The states of matches after at most that time."""
        request = pb.AwaitMatchesRequest(ids=ids, wait=duration(wait_ms))
        return {state.id: state for state in (await self.call("AwaitMatches", request)).matches}

    async def ends(self, *orders: pb.MatchSpec) -> list[pb.MatchState]:
        """Waits until all have ended, and looks whether each result is whole."""
        ids = [spec.id for spec in orders]
        states: dict[str, pb.MatchState] = {}
        for at in range(0, len(ids), 500):
            states |= await self.states(ids[at : at + 500], 20_000)
        for spec in orders:
            assert states[spec.id].status in (pb.MATCH_STATUS_ENDED, pb.MATCH_STATUS_VOID), states[spec.id]
            if states[spec.id].status == pb.MATCH_STATUS_ENDED:
                replayed(spec, states[spec.id].result)
        return [states[id_] for id_ in ids]

    async def play(self, *orders: pb.MatchSpec) -> list[pb.MatchState]:
        """Starts matches and waits for their ends."""
        await self.start(*orders)
        return await self.ends(*orders)

    async def release(self, ids: Sequence[str], counted: bool = True) -> None:
        """Says that results are safe elsewhere."""
        await self.call("ReleaseMatches", pb.ReleaseMatchesRequest(ids=ids, counted=counted))


class Served(Organiser):
    """A referee on a free port of this machine, in this process, and its organiser. A context manager."""

    def __init__(self, redis: str | None = None, name: str = "main", listen: str = "127.0.0.1:0") -> None:
        super().__init__(listen)
        self.referee = Referee(Settings(listen, ORGANISER, redis, name))

    async def __aenter__(self) -> Self:
        await self.referee.start()
        await self.channel.close()
        self.call_at(self.referee.address)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.leave()
        await self.referee.stop()


async def told(bot: RawBot, state: pb.MatchState) -> Any:
    """The end of a match as the bot was told."""
    await bot.until(lambda: state.result.match in bot.ends)
    return bot.ends[state.result.match]


async def eventually(true: Callable[[], Any]) -> None:
    """Returns when something is true; fails after a time that is far above what it takes."""
    async with asyncio.timeout(PATIENCE_S):
        while not true():  # noqa: ASYNC110  # nobody says when
            await asyncio.sleep(0.005)


def serving_tasks() -> int:
    """Tasks in this process that serve calls or write to streams."""
    names = [getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()]
    return sum(("_handle" in name and "_AioCall" not in name) or "Connection" in name for name in names)


async def settle() -> None:
    """Lets the event loop come round until what was on its way has arrived."""
    for _ in range(20):
        await asyncio.sleep(0.005)
