"""What can happen to a match. An event and the time it happened make one line of the match log."""

from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Begun:
    """The match starts."""


@dataclass(slots=True)
class Answered:
    """An answer was read. ``lag_ms`` is what the referee itself was late by while the ask was open.

    Not frozen like the others, since one is made for every action and freezing makes that four times as dear.
    """

    seat: int
    number: int
    action: int
    lag_ms: int = 0


@dataclass(frozen=True, slots=True)
class Left:
    """A bot has no stream from now on."""

    bot: str


@dataclass(frozen=True, slots=True)
class Joined:
    """A bot has a stream again."""

    bot: str


@dataclass(frozen=True, slots=True)
class WentAbsent:
    """A bot has been without a stream for longer than its grace, counted from before this match."""

    bot: str


@dataclass(frozen=True, slots=True)
class Broke:
    """A bot broke the protocol in a way that concerns this match."""

    bot: str
    detail: str


@dataclass(frozen=True, slots=True)
class Ticked:
    """Nothing happened but that time passed."""


@dataclass(frozen=True, slots=True)
class Aborted:
    """The organiser or the platform ends the match; it is void."""

    reason: str


Event = Begun | Answered | Left | Joined | WentAbsent | Broke | Ticked | Aborted

_BY_NAME: Final[dict[str, type[Event]]] = {
    kind.__name__: kind for kind in (Begun, Answered, Left, Joined, WentAbsent, Broke, Ticked, Aborted)
}


def to_json(at: int, event: Event) -> list[Any]:
    """A line of the log: time in ms since the match began, the event's name, its fields."""
    return [at, type(event).__name__, *(getattr(event, name) for name in event.__slots__)]


def from_json(line: list[Any]) -> tuple[int, Event]:
    """The reverse of ``to_json``."""
    at, name, *fields = line
    return at, _BY_NAME[name](*fields)
