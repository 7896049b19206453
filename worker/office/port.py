"""What an organiser does with seasons, wherever these are kept."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from worker.audit.report import Report
from worker.office.standing import Standing
from worker.store.values import Deed, Progress, Season, Status
from worker.tournament.ledger import Withdrawal

LONGEST_REASON: Final = 400
"""Most characters of the reason of a void."""

LONGEST_BY: Final = 120
"""Most characters of the name of who did it."""


class BadRequest(Exception):
    """What was asked for is no such thing; the text is a sentence that names it and the mend."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The answer to a withdrawal."""

    before: bool
    """Whether it had withdrawn before: then nothing has changed."""
    withdrawal: Withdrawal
    closed: int
    """How many fixtures were closed by it."""


@dataclass(frozen=True, slots=True)
class MadeVoid:
    """The answer to a void."""

    attempt: int
    """The one that is void now."""
    next_attempt: int
    deals: int
    """How many left the count."""
    status: Status
    """Where the season stands now."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What was exported."""

    deals: int
    status: Status


class ExportFolder(Protocol):
    """Where an export goes; each is called once, in this order."""

    def write_records(self, lines: Iterable[str]) -> None:
        """Takes the records of the deals that count."""

    def write_voids(self, lines: Iterable[str]) -> None:
        """Takes what does not count."""

    def write_standings(self, standings: Mapping[str, Any]) -> None:
        """Takes the table."""


class Seasons(ABC):
    """The seasons of one league.

    ``by`` is who asks for it, 1 to LONGEST_BY printable characters; it stands in the organisers' log. Any method may
    raise BadRequest for what is no id, name or text, and what the back end raises: on the store StoreError (with
    StoreUnavailable, UnknownSeason, WrongStatus and the others of ``worker.store.errors``).
    """

    @abstractmethod
    def create(self, text: str, file_name: str, by: str) -> tuple[str, Progress]:
        """Makes the season of a file, scheduled; returns its id. ``file_name`` is what mistakes in it call it."""

    @abstractmethod
    def seasons(self) -> list[Season]:
        """All seasons, oldest first."""

    @abstractmethod
    def progress(self, ids: Sequence[str] = ()) -> list[tuple[str, Progress]]:
        """How far these seasons are, or all."""

    @abstractmethod
    def standing(self, season: str) -> Standing:
        """The table now."""

    @abstractmethod
    def watch(self, season: str) -> Iterator[Standing]:
        """The table now and then, until the season is over. Each tells what is finished since the one before."""

    @abstractmethod
    def start(self, season: str, by: str) -> None:
        """Begins a season."""

    @abstractmethod
    def pause(self, season: str, by: str) -> int:
        """Lets it stand still; returns how many chunks are still played to their end."""

    @abstractmethod
    def resume(self, season: str, by: str) -> None:
        """Lets a paused season go on."""

    @abstractmethod
    def withdraw(self, season: str, bot: str, version: str, by: str) -> Withdrawn:
        """Takes an entrant out of a season."""

    @abstractmethod
    def void(self, season: str, deal_set: int, reason: str, by: str) -> MadeVoid:
        """Decides that the current attempt of a deal set does not count. ``reason``: a line of up to LONGEST_REASON."""

    @abstractmethod
    def audit(self, season: str) -> Report:
        """What does not agree; its ``rows`` may be left out."""

    @abstractmethod
    def rebuild(self, season: str, by: str) -> list[str]:
        """Makes anew what is kept beside the ledger; returns what was not as it should be."""

    @abstractmethod
    def log(self, season: str) -> list[Deed]:
        """Who did what."""

    @abstractmethod
    def export(self, season: str, folder: ExportFolder) -> Exported:
        """Writes records, voids and table into a folder. Raises what the folder raises."""

    @abstractmethod
    def faults(self, bot: str) -> list[dict[str, Any]]:
        """The notes of a bot's faults over all seasons, newest first."""
