"""Gives bots work without end: as soon as two have played their deal they get the next, as from a worker."""

import asyncio
from itertools import count
from typing import Any, Final

import grpc

from benches.stream import OWN_CONNECTION, VERSION
from carico.codec import duration, game_message, time_control_message
from carico.rules import shuffle
from carico.rules.game import game
from carico.time_control import TimeControl
from carico.v1 import organisers_pb2 as pb
from carico.v1 import organisers_pb2_grpc

BRISCOLA: Final = game("briscola-2")

DECKS: Final = 500
"""Decks made beforehand and dealt in turn, so that making them costs nobody time while it is measured."""

TAKEN_AT_ONCE: Final = 50
"""Results that are awaited and released by one call, as a worker does for a chunk."""


class Organiser:
    """Keeps pairs of bots at play, one deal at a time each: it starts, awaits and releases matches."""

    def __init__(self, address: str, token: str, bots: list[str]) -> None:
        self._channel = grpc.aio.insecure_channel(address, options=OWN_CONNECTION)
        self._stub: Any = organisers_pb2_grpc.OrganisersServiceStub(self._channel)
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._bots = bots
        self._pairs = list(zip(bots[::2], bots[1::2], strict=True))
        self._playing = [0] * len(self._pairs)
        """How many bots of each pair have not read the end of their match."""
        self._place = {name: number // 2 for number, name in enumerate(bots)}
        self._ids = [""] * len(self._pairs)
        self._free = list(range(len(self._pairs)))
        self._over: list[str] = []
        self._numbers = count()
        self._wake = asyncio.Event()
        self.taken = asyncio.Event()
        """Set when the first results were taken over."""
        master = shuffle.master(shuffle.practice_secret(1))
        keys = (shuffle.deck_key(master, BRISCOLA.name, number, 0, 0) for number in range(DECKS))
        self._decks = [shuffle.source(key, BRISCOLA.pack) for key in keys]
        self._game = game_message(BRISCOLA)
        self._terms = time_control_message(TimeControl())

    async def register(self) -> list[str]:
        """Registers the bots; returns their tokens."""
        requests = [pb.RegisterBotRequest(bot=name, owner=name) for name in self._bots]
        return [(await self._call("RegisterBot", request)).token for request in requests]

    def ended(self, bot: str, match: str) -> None:
        """A bot has read the end of its match; when both have, they are free."""
        pair = self._place[bot]
        self._playing[pair] -= 1
        if not self._playing[pair]:
            self._over.append(self._ids[pair])
            self._free.append(pair)
            self._wake.set()

    async def run(self) -> None:
        """Organises until it is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            while True:
                free, self._free = self._free, []
                await self._call("StartMatches", pb.StartMatchesRequest(matches=map(self._order, free)))
                if len(self._over) >= TAKEN_AT_ONCE:
                    over, self._over = self._over, []
                    tasks.create_task(self._take(over))
                while not self._free:
                    await self._wake.wait()
                    self._wake.clear()

    async def close(self) -> None:
        """Closes the connection."""
        await self._channel.close()

    async def _take(self, ids: list[str]) -> None:
        """Takes results over, and lets the referee forget them."""
        states = await self._call("AwaitMatches", pb.AwaitMatchesRequest(ids=ids, wait=duration(20_000)))
        bad = [state.id for state in states.matches if state.status != pb.MATCH_STATUS_ENDED or _faults(state)]
        if bad:
            raise AssertionError(f"matches {bad} were not played as they should be")
        await self._call("ReleaseMatches", pb.ReleaseMatchesRequest(ids=ids, counted=True))
        self.taken.set()

    def _order(self, pair: int) -> pb.MatchSpec:
        number = next(self._numbers)
        self._ids[pair] = f"bench/{number}"
        self._playing[pair] = 2
        return pb.MatchSpec(
            id=self._ids[pair],
            game=self._game,
            dealer=number % BRISCOLA.players,
            source=self._decks[number % DECKS],
            seats=[pb.SeatSpec(bot=name, version=VERSION) for name in self._pairs[pair]],
            time_control=self._terms,
        )

    async def _call(self, method: str, request: Any) -> Any:
        return await getattr(self._stub, method)(request, metadata=self._metadata)


def _faults(state: pb.MatchState) -> bool:
    return any(deal.faults for deal in state.result.deals)
