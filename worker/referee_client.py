"""The referee, as a worker sees it: the organisers' service, called in the plain synchronous way.

A channel belongs to the process that made it: it is opened at the first call and never crosses a fork.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeVar

os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

import grpc

from carico.codec import (
    BadMessage,
    duration,
    game_message,
    milliseconds,
    read_action,
    read_faults,
    time_control_message,
)
from carico.record import DealLog
from carico.rules.game import Game
from carico.time_control import TimeControl
from carico.v1 import organisers_pb2 as pb
from carico.v1 import organisers_pb2_grpc

CALL_S: Final = 10.0
"""How long a call may take, beside the time it is asked to wait."""

MATCHES_A_CALL: Final = 64

BYTES_A_CALL: Final = 40_000
"""Of packs. No message is larger than a referee takes."""

OPTIONS: Final = (("grpc.max_receive_message_length", -1),)
"""A referee is trusted, and the results of matches of many deals are long."""

_T = TypeVar("_T")


class RefereeUnavailable(Exception):
    """The referee can't be reached, or can't work now; trying again later is right."""


class RefereeRefused(Exception):
    """The referee will not do it; the text says why."""


class MatchReleased(RefereeRefused):
    """A match was played and its result taken over before: it can't be started again."""


class Status(Enum):
    """Where a match stands at the referee."""

    UNKNOWN = pb.MATCH_STATUS_UNKNOWN
    RUNNING = pb.MATCH_STATUS_RUNNING
    ENDED = pb.MATCH_STATUS_ENDED
    VOID = pb.MATCH_STATUS_VOID
    RELEASED = pb.MATCH_STATUS_RELEASED


@dataclass(frozen=True, slots=True)
class MatchOrder:
    """A match to be started."""

    id: str
    game: Game
    dealer: int
    """Who deals the first deal."""
    sources: tuple[bytes, ...]
    """The packs of all deals that may be played, in derived order."""
    seats: tuple[tuple[str, str], ...]
    """(bot, version) per seat."""
    time_control: TimeControl


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match at the referee; what is behind the status is there once it has ended or is void."""

    status: Status
    handle: str = ""
    deals: tuple[DealLog, ...] = ()
    void_reason: str = ""
    fault_details: tuple[Mapping[int, str], ...] = ()
    """Per deal and faulty seat what happened, in words; for its owner and the organiser only."""


@dataclass(frozen=True, slots=True)
class BotState:
    """A registered bot: who answers for it, and the version that is connected, if one is."""

    bot: str
    owner: str
    version: str | None


class RefereeClient:
    """Calls one referee. Every method may raise RefereeUnavailable or RefereeRefused."""

    def __init__(self, address: str, token: str, tls_ca: bytes | None = None) -> None:
        self._address = address
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._tls_ca = tls_ca
        self._channel: grpc.Channel | None = None
        self._pid = 0

    def incarnation(self) -> str:
        """Identity of the referee's match log."""
        response: pb.GetRefereeResponse = self._call(lambda stub: stub.GetReferee, pb.GetRefereeRequest())
        return response.incarnation

    def bots(self, names: Iterable[str] = ()) -> list[BotState]:
        """Registered bots: these, or all."""
        response = self._call(lambda stub: stub.ListBots, pb.ListBotsRequest(bots=names))
        return [BotState(bot.bot, bot.owner, bot.version if bot.connected else None) for bot in response.bots]

    def start(self, orders: Sequence[MatchOrder]) -> None:
        """Starts matches that are not there yet. Raises MatchReleased."""
        size = max(1, BYTES_A_CALL // max((sum(map(len, order.sources)) for order in orders), default=1))
        for some in _slices(orders, min(size, MATCHES_A_CALL)):
            self._call(lambda stub: stub.StartMatches, pb.StartMatchesRequest(matches=map(_order_message, some)))

    def wait(self, ids: Sequence[str], wait_ms: int) -> Mapping[str, MatchState]:
        """The state of each match, once all have ended or after that time."""
        states: dict[str, MatchState] = {}
        for some in _slices(ids):
            request = pb.AwaitMatchesRequest(ids=some, wait=duration(wait_ms))
            response = self._call(lambda stub: stub.AwaitMatches, request, wait_ms / 1000)
            states.update((message.id, _read_state(message)) for message in response.matches)
            wait_ms = 0
        return states

    def abort(self, ids: Sequence[str], reason: str) -> None:
        """Ends matches that still run."""
        for some in _slices(ids):
            self._call(lambda stub: stub.AbortMatches, pb.AbortMatchesRequest(ids=some, reason=reason))

    def ended(self) -> list[str]:
        """Ids of matches that have ended and are not released."""
        return list(self._call(lambda stub: stub.ListEndedMatches, pb.ListEndedMatchesRequest()).ids)

    def release(self, ids: Sequence[str], *, counted: bool) -> None:
        """Says that results are safe; where they count, the versions that played are frozen."""
        for some in _slices(ids):
            self._call(lambda stub: stub.ReleaseMatches, pb.ReleaseMatchesRequest(ids=some, counted=counted))

    def close(self) -> None:
        """Closes the channel; the next call opens another."""
        if self._channel is not None and self._pid == os.getpid():
            self._channel.close()
        self._channel = None

    def _call(
        self, method: Callable[[organisers_pb2_grpc.OrganisersServiceStub], Any], request: Any, wait_s: float = 0.0
    ) -> Any:
        try:
            return method(self._stub())(request, metadata=self._metadata, timeout=CALL_S + wait_s)
        except grpc.RpcError as error:
            raise self._told(error) from error

    def _stub(self) -> organisers_pb2_grpc.OrganisersServiceStub:
        if self._channel is None or self._pid != os.getpid():
            self._pid = os.getpid()
            if self._tls_ca is None:
                self._channel = grpc.insecure_channel(self._address, options=OPTIONS)
            else:
                self._channel = grpc.secure_channel(
                    self._address, grpc.ssl_channel_credentials(self._tls_ca), options=OPTIONS
                )
        return organisers_pb2_grpc.OrganisersServiceStub(self._channel)

    def _told(self, error: Any) -> Exception:
        code, details = error.code(), error.details() or ""
        if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED):
            return RefereeUnavailable(f"the referee at {self._address} can't be reached: {details}")
        if details.startswith("RELEASED:"):
            return MatchReleased(details)
        return RefereeRefused(f"the referee at {self._address} refuses: {details}")


def _slices(items: Sequence[_T], size: int = MATCHES_A_CALL) -> Iterable[Sequence[_T]]:
    return (items[at : at + size] for at in range(0, len(items), size))


def _order_message(order: MatchOrder) -> pb.MatchSpec:
    return pb.MatchSpec(
        id=order.id,
        game=game_message(order.game),
        dealer=order.dealer,
        source=order.sources[0],
        more_sources=order.sources[1:],
        seats=[pb.SeatSpec(bot=bot, version=version) for bot, version in order.seats],
        time_control=time_control_message(order.time_control),
    )


def _read_state(message: pb.MatchState) -> MatchState:
    result = message.result
    return MatchState(
        Status(message.status),
        result.match,
        tuple(map(_read_deal, result.deals)),
        result.void_reason,
        tuple({fault.seat: fault.detail for fault in deal.faults} for deal in result.deals),
    )


def _read_deal(message: pb.DealResult) -> DealLog:
    try:
        return DealLog(
            actions=[(taken.seat, read_action(taken.action)) for taken in message.actions],
            clock=[
                (milliseconds(taken.used), milliseconds(taken.credit), milliseconds(taken.bank_left))
                for taken in message.actions
            ],
            stand_in=[place for place, taken in enumerate(message.actions) if taken.stand_in],
            faults=read_faults(message.faults),
        )
    except BadMessage as error:
        raise RefereeRefused(f"the referee's result can't be read: {error}") from error
