"""A row of the table, and the table as it is written (standings.md)."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

FORMAT: Final = "carico.table/1"

Status = Literal["scheduled", "running", "paused", "finished", "cancelled"]


@dataclass(frozen=True, slots=True)
class Row:
    """An entrant's row, its fields in the order of the format.

    The five columns about fixtures are None in tables of single players.
    """

    position: int
    bot: str
    version: str
    owner: str
    fixtures: int | None
    """Finished fixtures, walkovers included."""
    won: int | None
    drawn: int | None
    lost: int | None
    match_points: int | None
    deals: int
    """Counted deals, also those of a fixture that is still running."""
    deals_won: int
    deals_tied: int
    deals_lost: int
    score: int
    """Before penalties."""
    penalties: int
    card_points_for: int
    card_points_against: int
    """Everybody else's at its tables."""
    forfeits: int
    """Deals in which it had a faulty seat."""
    walkovers: int
    """Fixtures lost unplayed."""

    def to_json(self) -> dict[str, Any]:
        """The row as a dict, keys in the order of the format."""
        return asdict(self)


def standings_json(season: str | None, game: str, status: Status, rows: Iterable[Row]) -> dict[str, Any]:
    """The table as ``standings.json`` holds it; an arena's has season None and status ``finished``."""
    return {
        "format": FORMAT,
        "season": season,
        "game": game,
        "status": status,
        "rows": [row.to_json() for row in rows],
    }
