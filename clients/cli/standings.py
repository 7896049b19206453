"""The table of a season or an arena, as people and programs read it."""

from collections.abc import Iterable
from typing import Final

from clients.cli.tables import Column, Table, Value
from worker.tournament.rows import Row

_ENTRANT: Final = (
    Column("position", "#", number=True),
    Column("bot", "bot"),
    Column("version", "ver"),
    Column("owner", "owner", wide=True),
)
_FIXTURES: Final = ("fixtures", "won", "drawn", "lost", "match_points")
_DEALS: Final = ("deals", "deals_won", "deals_tied", "deals_lost", "score")
_REST: Final = (
    Column("card_points_for", "for", number=True, wide=True),
    Column("card_points_against", "against", number=True, wide=True),
    Column("margin", "margin", number=True),
    Column("forfeits", "forfeits", number=True),
    Column("walkovers", "walkovers", number=True, wide=True),
)
_TITLES: Final = {
    "fixtures": "played",
    "won": "W",
    "drawn": "D",
    "lost": "L",
    "match_points": "points",
    "deals_won": "won",
    "deals_tied": "tied",
    "deals_lost": "lost",
}


def standings_table(rows: Iterable[Row], sides: int, title: str = "", *, by_deals: bool = False) -> Table:
    """The rows as a table. ``margin`` is what an entrant has over the others, in card points a deal.

    ``sides`` is the number of the game's sides. For people only what tells something is shown: fixtures won at tables
    of two, or with ``by_deals`` deals won: for a single fixture, and where no fixtures are won. Programs get all of it.
    """
    by_fixtures = sides == 2 and not by_deals
    middle = [
        Column(key, _TITLES.get(key, key), number=True, wide=key in (_DEALS[1:4] if by_fixtures else _FIXTURES))
        for key in (*_FIXTURES, *_DEALS)
    ]
    rows = list(rows)
    penalties = Column("penalties", "penalties", number=True, wide=not any(row.penalties for row in rows))
    return Table((*_ENTRANT, *middle, penalties, *_REST), [_shown(row, sides) for row in rows], title)


def _shown(row: Row, sides: int) -> dict[str, Value]:
    over_others = row.card_points_for - row.card_points_against / (sides - 1)
    margin = round(over_others / row.deals, 2) if row.deals else None
    return {**row.to_json(), "margin": margin}
