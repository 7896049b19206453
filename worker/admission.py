"""Late entrants: whoever is connected while a season's entry is open is let in."""

import logging
from collections.abc import Sequence
from typing import Final

from worker.referee_client import RefereeClient
from worker.store.errors import AlreadyEntered, EntryClosed, WrongStatus
from worker.store.port import Store
from worker.store.values import Season, Status
from worker.tournament.chunks import chunks
from worker.tournament.document import SeasonDocument
from worker.tournament.entrants import Entrant
from worker.tournament.schedule import MOST_AT_TABLES, appended, appended_tables

MOST_ENTRANTS: Final = 256
"""An open season that has so many lets no more in by itself."""

MOST_VERSIONS: Final = 4
"""Most versions of one bot that an open season lets in."""

MOST_BOTS_OF_AN_OWNER: Final = 8
"""Most bots of one owner that an open season lets in."""

logger = logging.getLogger("carico.worker")


def open_seasons(store: Store) -> list[Season]:
    """The seasons that let newcomers in now."""
    return [s for s in store.seasons() if s.open_entry and s.status in (Status.RUNNING, Status.FINISHED)]


def admit_newcomers(store: Store, referee: RefereeClient) -> int:
    """Enters every connected bot that is not in a running or finished season with open entry. Returns how many."""
    seasons = open_seasons(store)
    if not seasons:
        return 0
    here = [Entrant(bot.bot, bot.version, bot.owner) for bot in referee.bots() if bot.version is not None]
    return sum(admit(store, season, newcomer) for season in seasons for newcomer in here)


def admit(store: Store, season: Season, newcomer: Entrant) -> bool:
    """Enters a newcomer with fixtures in which it meets each other entrant; False where it is in or can't be let in.

    At tables of more than two it never meets another bot of its owner. While there are too few owners for a table, it
    enters without any fixture, and those who come later make up for it.
    """
    spec = SeasonDocument.from_json(store.document(season.id)).spec
    places = len(spec.places)
    most = MOST_ENTRANTS if places == 2 else MOST_AT_TABLES
    while True:
        entrants = store.entrants(season.id)
        if len(entrants) >= most or not welcome(newcomer, entrants):
            return False
        fixtures = store.fixtures(season.id)
        first_chunk = len(store.chunks(season.id))
        gone = {withdrawal.entrant for withdrawal in store.withdrawals(season.id)}
        # A bot has one connection, so an older version of it is gone, and two of its versions never meet.
        newest = {entrant.bot: i for i, entrant in enumerate(entrants)}
        others = [
            i for bot, i in sorted(newest.items(), key=lambda item: item[1]) if bot != newcomer.bot and i not in gone
        ]
        if places == 2:
            new = appended(len(entrants), others, fixtures, spec.deal_sets)
        else:
            owners = [entrant.owner for entrant in (*entrants, newcomer)]
            among = [*others, len(entrants)]
            new = appended_tables(owners, among, places, fixtures, spec.deal_sets, rotating=spec.rotating)
        parts = list(chunks(new, spec.chunk, first_chunk))
        try:
            if store.admit(season.id, len(entrants), newcomer, new, parts):
                logger.info(
                    "season %s: %s %s of %s entered",
                    *(season.id, newcomer.bot, newcomer.version, newcomer.owner),
                    extra={"season": season.id, "bot": newcomer.bot},
                )
                return True
        except (AlreadyEntered, EntryClosed, WrongStatus):
            return False


def welcome(newcomer: Entrant, entrants: Sequence[Entrant]) -> bool:
    """Whether there is room for a newcomer: it is not in yet, and neither bot nor owner has taken too much."""
    versions = [entrant.version for entrant in entrants if entrant.bot == newcomer.bot]
    bots = {newcomer.bot, *(entrant.bot for entrant in entrants if entrant.owner == newcomer.owner)}
    return (
        newcomer.version not in versions
        and len(versions) < MOST_VERSIONS
        and len(bots) <= MOST_BOTS_OF_AN_OWNER
        and len(entrants) < MOST_ENTRANTS
    )
