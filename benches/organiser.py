"""Gives bots work without end: as soon as two have played a deal they get the next, as from a worker."""

import asyncio
from collections import deque
from collections.abc import Sequence
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

Pair = tuple[str, str]
"""Two bots who play each other."""

DECKS: Final = 500
"""Decks made beforehand and dealt in turn, so that making them costs nobody time while it is measured."""

TAKEN_AT_ONCE: Final = 50
"""Results that are awaited and released by one call, as a worker does for a chunk."""


class Organiser:
    """Keeps pairs of bots at play: it starts, awaits and releases matches.

    Each pair plays one deal at a time; one that stands in the list n times plays n at once.
    """

    def __init__(self, address: str, token: str, pairs: Sequence[Pair]) -> None:
        self._channel = grpc.aio.insecure_channel(address, options=OWN_CONNECTION)
        self._stub: Any = organisers_pb2_grpc.OrganisersServiceStub(self._channel)
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._pair_of = {bot: pair for pair in pairs for bot in pair}
        self._free = list(pairs)
        self._read_by_one: set[str] = set()
        """Handles of matches whose end one of the two has read."""
        self._ids: deque[str] = deque()
        """What was started and is not taken over yet, the oldest first."""
        self._over = 0
        """How many of these are over."""
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
        requests = [pb.RegisterBotRequest(bot=name, owner=name) for name in self._pair_of]
        return [(await self._call("RegisterBot", request)).token for request in requests]

    def ended(self, bot: str, match: str) -> None:
        """A bot has read the end of a match; when both have, they are free for another."""
        if match not in self._read_by_one:
            self._read_by_one.add(match)
            return
        self._read_by_one.remove(match)
        self._over += 1
        self._free.append(self._pair_of[bot])
        self._wake.set()

    async def run(self) -> None:
        """Organises until it is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            while True:
                free, self._free = self._free, []
                await self._call("StartMatches", pb.StartMatchesRequest(matches=map(self._order, free)))
                if self._over >= TAKEN_AT_ONCE:
                    self._over -= TAKEN_AT_ONCE
                    tasks.create_task(self._take([self._ids.popleft() for _ in range(TAKEN_AT_ONCE)]))
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

    def _order(self, pair: Pair) -> pb.MatchSpec:
        number = next(self._numbers)
        self._ids.append(f"bench/{number}")
        return pb.MatchSpec(
            id=self._ids[-1],
            game=self._game,
            dealer=number % BRISCOLA.players,
            source=self._decks[number % DECKS],
            seats=[pb.SeatSpec(bot=name, version=VERSION) for name in pair],
            time_control=self._terms,
        )

    async def _call(self, method: str, request: Any) -> Any:
        return await getattr(self._stub, method)(request, metadata=self._metadata)


def _faults(state: pb.MatchState) -> bool:
    return any(deal.faults for deal in state.result.deals)
