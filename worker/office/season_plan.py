"""A season's file into the store: entrants with their owners, the schedule, the chunks, the secret of the decks."""

import secrets
from collections.abc import Mapping, Sequence

from carico.rules.shuffle import practice_secret
from worker.office.port import BadRequest
from worker.store.port import Store
from worker.tournament.chunks import chunks
from worker.tournament.document import SeasonDocument
from worker.tournament.entrants import Entrant
from worker.tournament.fixtures import Fixture
from worker.tournament.schedule import ScheduleError, scheduled
from worker.tournament.season import SeasonSpec


def plan(spec: SeasonSpec, owners: Sequence[str]) -> tuple[Fixture, ...]:
    """The season's schedule, entrant i being of ``owners[i]``.

    An open season may begin empty, or with some who wait for others. Raises BadRequest where no schedule can be made.
    """
    places = len(spec.places)
    if spec.entry == "open" and len(owners if places == 2 else set(owners)) < places:
        return ()
    try:
        return scheduled(owners, places, spec.legs, spec.deal_sets, rotating=spec.rotating)
    except ScheduleError as error:
        raise BadRequest(f"{spec.game.name}: {error}; enter bots of {places} owners or more") from error


def create_season(store: Store, spec: SeasonSpec, owners: Mapping[str, str], by: str | None = None) -> SeasonDocument:
    """Plans the season and puts it into the store, scheduled.

    ``owners`` tells who registered each bot, ``by`` who asks for the season.

    Raises BadRequest for an entrant that nobody registered, or where there are too few owners for a table of the game;
    SeasonExists for an id that is taken.
    """
    unknown = [entry.bot for entry in spec.entries if entry.bot not in owners]
    if unknown:
        names = ", ".join(dict.fromkeys(unknown))
        raise BadRequest(
            f"not registered at the referee: {names}; run `carico bot register NAME --owner OWNER` for each"
        )
    entrants = [Entrant(entry.bot, entry.version, owners[entry.bot]) for entry in spec.entries]
    secret = secrets.token_bytes(32) if spec.seed is None else practice_secret(spec.seed)
    document = SeasonDocument(spec, secret)
    fixtures = plan(spec, [entrant.owner for entrant in entrants])
    store.create(
        spec.name,
        document.to_json(),
        entrants,
        fixtures,
        list(chunks(fixtures, spec.chunk)),
        open_entry=spec.entry == "open",
        by=by,
    )
    return document
