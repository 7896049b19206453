"""Where the seasons are that a command is about: in the store at hand, or behind the office of a league elsewhere."""

import functools
import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from clients.cli.failure import BadUsage
from clients.cli.where import (
    DataOption,
    OrganiserTokenOption,
    RedisOption,
    TlsAuthoritiesOption,
    TlsOption,
    Where,
    checked_address,
)

if TYPE_CHECKING:
    from worker.office.port import Seasons

OfficeOption = Annotated[
    str | None,
    typer.Option(
        "--office", metavar="HOST:PORT", help="The office of a league on another machine (else CARICO_OFFICE)."
    ),
]

_OPTIONS: Final[Mapping[str, tuple[Any, Any]]] = {
    "office": (OfficeOption, None),
    "redis": (RedisOption, None),
    "data": (DataOption, None),
    "organiser_token_file": (OrganiserTokenOption, None),
    "tls": (TlsOption, False),
    "tls_ca": (TlsAuthoritiesOption, None),
}


@dataclass(frozen=True, slots=True)
class Desk:
    """What the flags of a command say about where the seasons are."""

    office: str | None = None
    redis: str | None = None
    data: Path | None = None
    organiser_token_file: Path | None = None
    tls: bool = False
    tls_ca: Path | None = None

    @contextmanager
    def seasons(self, referee: str | None = None) -> "Iterator[Seasons]":
        """The seasons. ``referee`` is what a flag says about the one to ask who registered a bot.

        Raises BadUsage, Unreachable, Refused or Failure, also for what is done within.
        """
        address = self._office_address()
        if address is None:
            with self._at_hand(referee) as at_hand:
                yield at_hand
            return
        from clients.cli.far_seasons import FarSeasons
        from clients.cli.tls import credentials

        token = Where(data=self.data, organiser_token_file=self.organiser_token_file).organiser_token()
        far = FarSeasons(address, token, credentials(self.tls, self.tls_ca))
        try:
            yield far
        finally:
            far.close()

    def _office_address(self) -> str | None:
        """None where the store is at hand: a flag that names a store or a data directory outdoes CARICO_OFFICE."""
        if self.office is not None and self.redis is not None:
            raise BadUsage("--office and --redis exclude each other: take one of the two out")
        if self.office is None and (self.redis is not None or self.data is not None):
            return None
        found = self.office or os.environ.get("CARICO_OFFICE")
        return checked_address(found) if found else None

    @contextmanager
    def _at_hand(self, referee: str | None) -> "Iterator[Seasons]":
        from clients.cli.season_store import opened

        where = Where(referee, self.redis, self.data, self.organiser_token_file)

        def owners() -> Mapping[str, str]:
            from clients.cli.organisers import Organisers
            from clients.cli.tls import credentials

            line = credentials(self.tls, self.tls_ca)
            with Organisers(where.referee_address(), where.organiser_token(), line) as organisers:
                return {bot.bot: bot.owner for bot in organisers.bots()}

        with opened(where.redis_url()) as store:
            from worker.office.at_hand import SeasonsAtHand

            yield SeasonsAtHand(store, owners)


def at_desk(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options that say where the seasons are, in place of its first parameter, the desk."""

    @functools.wraps(command)
    def with_options(**given: Any) -> None:
        desk = Desk(**{name: given.pop(name) for name in _OPTIONS})
        command(desk, **given)

    signature = inspect.signature(command)
    own = list(signature.parameters.values())[1:]
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in _OPTIONS.items()
    ]
    kept = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    with_options.__signature__ = signature.replace(parameters=[*kept, *more])  # type: ignore[attr-defined]
    with_options.__annotations__ = {parameter.name: parameter.annotation for parameter in (*kept, *more)}
    return with_options
