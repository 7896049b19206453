"""Tidying up after workers that died between a commit and its release."""

from worker.referee_client import RefereeClient
from worker.store.port import Store
from worker.store.values import ChunkState


def release_what_is_done(store: Store, referee: RefereeClient) -> int:
    """Releases matches whose chunk is done, at the referee. Returns how many."""
    done: dict[str, set[int]] = {}
    counted: list[str] = []
    not_counted: list[str] = []
    for id_ in referee.ended():
        season, _, rest = id_.partition("/")
        parts = rest.split("/")
        if len(parts) != 4 or not all(part.isdecimal() for part in parts):
            continue  # another organiser's
        deal_set, attempt = int(parts[0]), int(parts[3])
        if season not in done:
            done[season] = _done_sets(store, season)
        if deal_set in done[season]:
            counts = attempt == store.attempts(season).get(deal_set, 0) and int(parts[1]) not in store.closures(season)
            (counted if counts else not_counted).append(id_)
    referee.release(counted, counted=True)
    referee.release(not_counted, counted=False)
    return len(counted) + len(not_counted)


def _done_sets(store: Store, season: str) -> set[int]:
    if all(known.id != season for known in store.seasons()):
        return set()
    return {
        deal_set
        for standing in store.chunks(season)
        if standing.state is ChunkState.DONE
        for deal_set in standing.chunk.deal_sets
    }
