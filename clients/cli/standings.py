"""The table of a season or an arena, as people and programs read it."""

from collections.abc import Iterable, Sequence
from typing import Final

from clients.cli.tables import Column, Table, Value
from worker.tournament.rows import Row

_SINGLES: Final = (
    Column("position", "#", number=True),
    Column("bot", "bot"),
    Column("version", "version"),
    Column("owner", "owner"),
)
_FIXTURES: Final = (
    Column("fixtures", "played", number=True),
    Column("won", "W", number=True),
    Column("drawn", "D", number=True),
    Column("lost", "L", number=True),
    Column("match_points", "points", number=True),
)
_DEALS: Final = (
    Column("deals", "deals", number=True),
    Column("deals_won", "won", number=True),
    Column("deals_tied", "tied", number=True),
    Column("deals_lost", "lost", number=True),
    Column("score", "score", number=True),
    Column("penalties", "penalties", number=True, wide=True),
    Column("card_points_for", "for", number=True, wide=True),
    Column("card_points_against", "against", number=True, wide=True),
    Column("margin", "margin", number=True),
    Column("forfeits", "forfeits", number=True),
    Column("walkovers", "walkovers", number=True, wide=True),
)


def standings_table(rows: Iterable[Row], players_a_table: int, title: str = "", *, fixtures: bool = True) -> Table:
    """The rows as a table. ``margin`` is what an entrant has over the others, in card points a deal.

    ``players_a_table`` is the number of the game's places; ``fixtures`` leaves the columns about fixtures in, which people
    need no where there is one fixture only.
    """
    shown = [_shown(row, players_a_table) for row in rows]
    about_fixtures: Sequence[Column] = ()
    if players_a_table == 2:
        about_fixtures = _FIXTURES if fixtures else [Column(c.key, c.title, True, wide=True) for c in _FIXTURES]
    return Table((*_SINGLES, *about_fixtures, *_DEALS), shown, title)


def _shown(row: Row, places: int) -> dict[str, Value]:
    over_others = row.card_points_for - row.card_points_against / (places - 1)
    margin = round(over_others / row.deals, 2) if row.deals else None
    return {**row.to_json(), "margin": margin}
