"""What the office refuses: reason -> status and public sentence. What is not here is never told to a caller."""

from enum import Enum
from typing import Final

import grpc

from carico.refusal import Refusal
from worker.office.port import BadRequest
from worker.store.errors import SeasonExists, StoreError, StoreUnavailable, UnknownSeason

_Code = grpc.StatusCode


class Reason(Enum):
    """Why a call is refused."""

    NO_TOKEN = "NO_TOKEN"
    NOT_ORGANISER = "NOT_ORGANISER"
    TOO_SOON = "TOO_SOON"
    TOO_MANY = "TOO_MANY"
    REFEREE_DOWN = "REFEREE_DOWN"
    STORE_DOWN = "STORE_DOWN"
    BAD_REQUEST = "BAD_REQUEST"
    UNKNOWN_SEASON = "UNKNOWN_SEASON"
    SEASON_EXISTS = "SEASON_EXISTS"
    NOT_NOW = "NOT_NOW"
    TOO_LONG = "TOO_LONG"
    INTERNAL = "INTERNAL"


CATALOGUE: Final[dict[Reason, tuple[grpc.StatusCode, str]]] = {
    Reason.NO_TOKEN: (_Code.UNAUTHENTICATED, "no token: send the metadata 'authorization: Bearer <token>'"),
    Reason.NOT_ORGANISER: (_Code.PERMISSION_DENIED, "this needs the organiser's token"),
    Reason.TOO_SOON: (
        _Code.RESOURCE_EXHAUSTED,
        "too many wrong tokens from this address: come back in {seconds} s",
    ),
    Reason.TOO_MANY: (_Code.RESOURCE_EXHAUSTED, "the office is busy with {many} such calls: try again soon"),
    Reason.REFEREE_DOWN: (_Code.UNAVAILABLE, "the referee, who knows the tokens, does not answer: try again soon"),
    Reason.STORE_DOWN: (_Code.UNAVAILABLE, "the office can't reach its store: try again soon"),
    Reason.BAD_REQUEST: (_Code.INVALID_ARGUMENT, "{text}"),
    Reason.UNKNOWN_SEASON: (_Code.NOT_FOUND, "{text}"),
    Reason.SEASON_EXISTS: (_Code.ALREADY_EXISTS, "{text}"),
    Reason.NOT_NOW: (_Code.FAILED_PRECONDITION, "{text}"),
    Reason.TOO_LONG: (_Code.DEADLINE_EXCEEDED, "this took longer than {seconds} s; whether it was done its log tells"),
    Reason.INTERNAL: (_Code.INTERNAL, "the office failed at this; its own log tells how"),
}
"""Every reason, its gRPC status and its sentence."""


class Refused(Refusal[Reason]):
    """A call that is refused; its facts fill the sentence of its reason."""

    def __init__(self, reason: Reason, **facts: object) -> None:
        super().__init__(CATALOGUE, reason, facts)


def refusal(error: BadRequest | StoreError) -> Refused:
    """What an error is to a caller. The store's words about seasons are theirs; about itself they stay inside."""
    if isinstance(error, BadRequest):
        return Refused(Reason.BAD_REQUEST, text=error)
    if isinstance(error, StoreUnavailable):
        return Refused(Reason.STORE_DOWN)
    if isinstance(error, UnknownSeason):
        return Refused(Reason.UNKNOWN_SEASON, text=error)
    if isinstance(error, SeasonExists):
        return Refused(Reason.SEASON_EXISTS, text=error)
    return Refused(Reason.NOT_NOW, text=error)
