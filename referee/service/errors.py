"""What can be refused: reason -> status and public sentence. What is not here is never told to a caller."""

from enum import Enum
from typing import Final

import grpc

from carico.refusal import Refusal
from referee.store.accounts import AccountError, BadName, BotExists, FrozenVersion, NoSuchBot
from referee.store.log import LogUnavailable

_Code = grpc.StatusCode


class Reason(Enum):
    """Why a call or a stream is refused."""

    NO_TOKEN = "NO_TOKEN"
    BAD_TOKEN = "BAD_TOKEN"
    NOT_ORGANISER = "NOT_ORGANISER"
    NOT_A_BOT = "NOT_A_BOT"
    WRONG_BOT = "WRONG_BOT"
    NO_HELLO = "NO_HELLO"
    NO_REQUEST = "NO_REQUEST"
    SECOND_HELLO = "SECOND_HELLO"
    GARBAGE = "GARBAGE"
    OLD_PROTOCOL = "OLD_PROTOCOL"
    VIEW_MODE = "VIEW_MODE"
    BAD_NAME = "BAD_NAME"
    BOT_EXISTS = "BOT_EXISTS"
    NO_SUCH_BOT = "NO_SUCH_BOT"
    FROZEN_VERSION = "FROZEN_VERSION"
    BAD_MATCH = "BAD_MATCH"
    RELEASED = "RELEASED"
    REPLACED = "REPLACED"
    FLOOD = "FLOOD"
    TOO_MANY = "TOO_MANY"
    TOO_SOON = "TOO_SOON"
    CLOSING = "CLOSING"
    STORE_DOWN = "STORE_DOWN"
    INTERNAL = "INTERNAL"


CATALOGUE: Final[dict[Reason, tuple[grpc.StatusCode, str]]] = {
    Reason.NO_TOKEN: (_Code.UNAUTHENTICATED, "no token: send the metadata 'authorization: Bearer <token>'"),
    Reason.BAD_TOKEN: (_Code.UNAUTHENTICATED, "this token is not known here: it may have been renewed since"),
    Reason.NOT_ORGANISER: (_Code.PERMISSION_DENIED, "this call needs the organiser's token"),
    Reason.NOT_A_BOT: (_Code.PERMISSION_DENIED, "the organiser's token seats no bot: use the bot's own token"),
    Reason.WRONG_BOT: (_Code.PERMISSION_DENIED, "this token belongs to the bot {bot}, not to {hello}"),
    Reason.NO_HELLO: (_Code.FAILED_PRECONDITION, "the first frame must hold a hello, within {seconds} s"),
    Reason.NO_REQUEST: (_Code.FAILED_PRECONDITION, "the call brought no request, or brought it too late"),
    Reason.SECOND_HELLO: (_Code.FAILED_PRECONDITION, "a second hello: the first frame holds one, and no other"),
    Reason.GARBAGE: (_Code.INVALID_ARGUMENT, "these bytes are no frame of the contract"),
    Reason.OLD_PROTOCOL: (
        _Code.FAILED_PRECONDITION,
        "this referee speaks protocol {ours}, the bot {oldest} to {newest}: update the older one",
    ),
    Reason.VIEW_MODE: (_Code.FAILED_PRECONDITION, "this referee knows VIEW_MODE_SNAPSHOT and VIEW_MODE_DELTAS"),
    Reason.BAD_NAME: (_Code.INVALID_ARGUMENT, "{text}"),
    Reason.BOT_EXISTS: (_Code.ALREADY_EXISTS, "{text}"),
    Reason.NO_SUCH_BOT: (_Code.NOT_FOUND, "{text}"),
    Reason.FROZEN_VERSION: (_Code.FAILED_PRECONDITION, "{text}"),
    Reason.BAD_MATCH: (_Code.INVALID_ARGUMENT, "match {id}: {text}"),
    Reason.RELEASED: (_Code.FAILED_PRECONDITION, "match {id} was played and released: it can't be started again"),
    Reason.REPLACED: (_Code.ABORTED, "replaced by a newer connection with the same token"),
    Reason.FLOOD: (_Code.RESOURCE_EXHAUSTED, "too many messages that answer nothing: come back in {seconds} s"),
    Reason.TOO_MANY: (_Code.RESOURCE_EXHAUSTED, "{text}"),
    Reason.TOO_SOON: (_Code.RESOURCE_EXHAUSTED, "too many connections in a short time: come back in {seconds} s"),
    Reason.CLOSING: (_Code.UNAVAILABLE, "the referee is closing: try again soon"),
    Reason.STORE_DOWN: (_Code.UNAVAILABLE, "the referee can't reach its store: try again soon"),
    Reason.INTERNAL: (_Code.INTERNAL, "the referee failed at this; its own log tells how"),
}
"""Every reason, its gRPC status and its sentence."""


class Refused(Refusal[Reason]):
    """A call that is refused; its facts fill the sentence of its reason."""

    def __init__(self, reason: Reason, **facts: object) -> None:
        super().__init__(CATALOGUE, reason, facts)


_ACCOUNT_REASONS: Final[dict[type[AccountError], Reason]] = {
    BadName: Reason.BAD_NAME,
    BotExists: Reason.BOT_EXISTS,
    NoSuchBot: Reason.NO_SUCH_BOT,
    FrozenVersion: Reason.FROZEN_VERSION,
}


def refusal(error: AccountError | LogUnavailable) -> Refused:
    """What an error of the store is to a caller: the store's own words about itself stay inside."""
    if isinstance(error, LogUnavailable):
        return Refused(Reason.STORE_DOWN)
    return Refused(_ACCOUNT_REASONS[type(error)], text=str(error))
