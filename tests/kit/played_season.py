"""Seasons that are planned, played by the stand-in's rule and committed as workers do it, with no process running."""

from carico.rules.game import game
from tests.kit.instant_referee import InstantReferee
from tests.kit.paces import AllAtOnce
from tests.kit.stores import new_season
from worker.office.season_plan import create_season
from worker.play import Came, Terms, play_chunk
from worker.store.port import Store
from worker.store.values import ChunkState, Status
from worker.tournament.season import Entry, SeasonSpec

OWNERS = {"a": "ann", "b": "bob", "c": "cid"}
TERMS = Terms(lease_ms=60_000, beat_ms=0)


class PlayedSeason:
    """A season of three, running: three fixtures of two deal sets, each in a chunk of its own unless told otherwise."""

    def __init__(self, store: Store, chunk: int = 1) -> None:
        self.store, self.id = store, new_season()
        self.referee = InstantReferee(tuple(OWNERS))
        entries = tuple(Entry(bot, "1") for bot in OWNERS)
        spec = SeasonSpec(self.id, game("briscola-2"), entries, entry="open", deal_sets=2, chunk=chunk, seed=7)
        self.document = create_season(store, spec, OWNERS, "ann@host")
        store.set_status(self.id, Status.RUNNING, "ann@host")

    def play(self, *chunks: int) -> None:
        """Plays these chunks, or all that are left."""
        left = [s.chunk.number for s in self.store.chunks(self.id) if s.state is not ChunkState.DONE]
        for chunk in chunks or left:
            came = play_chunk(self.store, self.referee, self.id, chunk, TERMS, AllAtOnce())  # type: ignore[arg-type]
            assert came is Came.COMMITTED, came
