"""Plays the chunks of a season at a referee and keeps nothing: what is left of a worker without store and lease."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from carico.rules.shuffle import practice_secret
from worker.play import Terms, match_id
from worker.referee_client import MatchOrder, RefereeClient, Status
from worker.tournament.chunks import Chunk, chunks
from worker.tournament.document import SeasonDocument
from worker.tournament.fixtures import Fixture, dealer, seating
from worker.tournament.schedule import round_robin
from worker.tournament.season import SeasonSpec

BEAT_MS: Final = Terms().beat_ms
"""One wait at the referee, as long as a worker's."""


def play_chunks(referee: RefereeClient, season: SeasonSpec, at_once: int) -> None:
    """Plays all of a season that has a seed, so many chunks at once, each in one go."""
    assert season.seed is not None
    document = SeasonDocument(season, practice_secret(season.seed))
    fixtures = round_robin(len(season.entries), len(season.game.places), season.legs, season.deal_sets)

    def play(chunk: Chunk) -> None:
        orders = list(_orders(document, fixtures[chunk.fixture], chunk))
        ids = [order.id for order in orders]
        referee.start(orders)
        while Status.RUNNING in (found := {state.status for state in referee.wait(ids, BEAT_MS).values()}):
            pass
        assert found == {Status.ENDED}
        referee.release(ids, counted=True)

    with ThreadPoolExecutor(at_once) as threads:
        list(threads.map(play, chunks(fixtures, season.chunk)))


def _orders(document: SeasonDocument, fixture: Fixture, chunk: Chunk) -> Iterator[MatchOrder]:
    season = document.spec
    for plan in fixture.matches(chunk.deal_sets):
        entries = [season.entries[i] for i in seating(fixture, plan.seating, season.game.places)]
        yield MatchOrder(
            id=match_id(season.name, plan, 0),
            game=season.game,
            dealer=dealer(plan.deal_set, 0, season.game.players),
            sources=(document.deck(plan.deal_set, 0, 0).source,),
            seats=tuple((entry.bot, entry.version) for entry in entries),
            time_control=season.time_control,
        )
