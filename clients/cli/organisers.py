"""The organisers' service for a person at the command line: plain calls, each with a deadline, errors as sentences."""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Final

import grpc

from carico.address import is_local
from carico.connection import tls_hint
from carico.v1 import organisers_pb2 as messages
from carico.v1.organisers_pb2_grpc import OrganisersServiceStub
from clients.cli.failure import BadUsage, ExitCode, Failure, Refused, Unreachable

DEADLINE_SECONDS: Final = 10.0

AGAIN_MS: Final = 50
"""How soon a call after one that reached nobody tries to connect again."""

MESSAGE_LIMIT: Final = 64 * 1024 * 1024
"""Most bytes that an answer may have: what an audit of a broken season finds may be long."""


class Organisers:
    """A connection to the referee at ``address`` with the organiser's token. To be closed, or used in a ``with``.

    Every call raises Unreachable, Refused, BadUsage or Failure with the referee's own sentence where it has one.
    """

    def __init__(
        self,
        address: str,
        token: str,
        credentials: grpc.ChannelCredentials | None = None,
        deadline: float = DEADLINE_SECONDS,
    ) -> None:
        """``credentials`` are those of TLS; without them the referee must be on this machine, or Refused is raised."""
        self._address = address
        self._deadline = deadline
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._channel = organisers_channel(address, credentials)
        self._stub = OrganisersServiceStub(self._channel)

    def register(self, bot: str, owner: str) -> str:
        """Registers a bot; returns its token, which nobody can ask for again."""
        request = messages.RegisterBotRequest(bot=bot, owner=owner)
        return str(self._call(self._stub.RegisterBot, request).token)

    def renew(self, bot: str) -> str:
        """A new token for a bot; the old one stops working."""
        return str(self._call(self._stub.RenewToken, messages.RenewTokenRequest(bot=bot)).token)

    def bots(self, names: Sequence[str] = ()) -> list[messages.BotStatus]:
        """The registered bots, or those of these names."""
        return list(self._call(self._stub.ListBots, messages.ListBotsRequest(bots=names)).bots)

    def close(self) -> None:
        """Lets go of the connection."""
        self._channel.close()

    def __enter__(self) -> "Organisers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _call(self, method: Callable[..., Any], request: Any) -> Any:
        try:
            return method(request, timeout=self._deadline, metadata=self._metadata)
        except grpc.RpcError as error:
            raise told(error, self._address) from error


def organisers_channel(address: str, credentials: grpc.ChannelCredentials | None) -> grpc.Channel:
    """A channel fit for the organiser's token. Raises Refused for plain text to another machine."""
    options = [
        ("grpc.enable_http_proxy", 0),
        ("grpc.max_receive_message_length", MESSAGE_LIMIT),
        # One that is only starting is there soon: each call may try anew after a moment.
        *((f"grpc.{which}_reconnect_backoff_ms", AGAIN_MS) for which in ("initial", "max")),
    ]
    if credentials is not None:
        return grpc.secure_channel(address, credentials, options=options)
    if not is_local(address):
        raise Refused(
            f"{address} is another machine, and without TLS the organiser's token could be read on the way: "
            "give --tls or --tls-ca FILE, or come through a tunnel"
        )
    return grpc.insecure_channel(address, options=options)


def told(error: grpc.RpcError, address: str, who: str = "referee") -> Failure:
    """What a failed call means for the user. The other side's own sentence is used where it wrote one for users."""
    status: grpc.StatusCode = error.code()
    detail = error.details() or status.name
    if status in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
        return Unreachable(f"no {who} answers at {address}{tls_hint(detail) or ': is it running?'} ({detail})")
    if status in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
        return Refused(f"the {who} at {address} refuses the token: {detail}")
    if status is grpc.StatusCode.INVALID_ARGUMENT:
        return BadUsage(detail)
    if status is grpc.StatusCode.UNIMPLEMENTED:
        return Unreachable(f"what answers at {address} is no {who} of this version: {detail}")
    return Failure(detail, ExitCode.FAILED)
