"""A bot over all seasons: its versions, its rows, whom it met."""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.exceptions import HTTPException

from clients.dashboard.reader import LeagueView
from clients.dashboard.referee_watch import ConnectedBot, RefereeView
from clients.dashboard.snapshot import FixtureView, SeasonView, Standing

MOST_RECENT = 15


@dataclass(slots=True)
class Opponent:
    """What a bot made against another in one game, over all seasons."""

    bot: str
    game: str
    decks: int = 0
    score: int = 0
    against: int = 0


@dataclass(frozen=True, slots=True)
class Career:
    """A bot, all its versions."""

    bot: str
    owners: Sequence[str]
    versions: Sequence[str]
    connected: Sequence[ConnectedBot]
    seasons: Sequence[tuple[SeasonView, Standing]]
    """The newest first."""
    opponents: Sequence[Opponent]
    recent: Sequence[tuple[SeasonView, FixtureView]]


def bot_names(league: LeagueView, referee: RefereeView) -> list[str]:
    """All bots that have entered a season or are connected."""
    entered = {one.bot for season in league.seasons.values() for one in season.entrants}
    return sorted(entered | {one.bot for one in referee.bots})


def career(league: LeagueView, referee: RefereeView, bot: str) -> Career:
    """Everything about a bot. Raises HTTPException 404 for one that nobody has heard of."""
    connected = [one for one in referee.bots if one.bot == bot]
    seasons = [(s, row) for s in league.seasons.values() for row in s.table if row.row.bot == bot]
    if not connected and not seasons:
        raise HTTPException(404, "No bot of this name has entered a season, and none is connected.")
    opponents: dict[tuple[str, str], Opponent] = {}
    for season, row in seasons:
        for (own, other), cell in season.cells.items():
            if own == row.entrant and season.entrants[other].bot != bot:
                key = season.entrants[other].bot, season.game.name
                one = opponents.setdefault(key, Opponent(*key))
                one.decks += cell.decks
                one.score += cell.score
                one.against += cell.against
    return Career(
        bot,
        sorted({row.row.owner for _, row in seasons} | {one.owner for one in connected}),
        sorted({row.row.version for _, row in seasons} | {one.version for one in connected}),
        connected,
        seasons,
        sorted(opponents.values(), key=lambda one: (one.game, one.bot)),
        _recent(seasons),
    )


def _recent(seasons: Sequence[tuple[SeasonView, Standing]]) -> list[tuple[SeasonView, FixtureView]]:
    found: list[tuple[SeasonView, FixtureView]] = []
    for season, row in seasons:
        over = [f for f in season.fixtures if row.entrant in f.entrants and f.state in ("played", "walkover")]
        over.sort(key=lambda one: (one.last, one.number), reverse=True)
        found += [(season, fixture) for fixture in over[: MOST_RECENT - len(found)]]
    return found[:MOST_RECENT]
