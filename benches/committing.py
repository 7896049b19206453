"""Commits chunks of a season into a private store: ``python -m benches.committing KIND SECONDS``.

KIND ``store`` is ``RedisStore.commit``, ``bare`` a plain EVALSHA of the same script with the same keys and arguments,
``pipelined`` fifty of those in one pipeline. Seasons, leases and arguments are made outside the measured time.
Prints one JSON object.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

import redis

from benches.organiser import BRISCOLA
from carico.arena import Entrant as Player
from carico.arena import play_fixture
from carico.record import SeatName, dumps
from clients.bots.greedy import Greedy
from worker.store.embedded import EmbeddedValkey
from worker.store.keys import keys
from worker.store.open import open_store
from worker.store.port import Store
from worker.store.scripts import script
from worker.store.text import entry_arguments
from worker.store.values import FAULTS_KEPT, Commit, Entry, Lease, Status
from worker.tournament.chunks import chunks
from worker.tournament.entrants import Entrant
from worker.tournament.ledger import DealKey, DealResult
from worker.tournament.schedule import single_fixture

AT_ONCE: Final = 50
"""Chunks of one season, and scripts of one pipeline."""

SETS: Final = 5
"""Deal sets of a chunk, as by default: ten deals are committed at once."""

LEASE_MS: Final = 600_000


@dataclass(frozen=True, slots=True)
class Due:
    """A chunk that was played and is to be committed."""

    season: str
    chunk: int
    fence: int
    entries: Sequence[Entry]


Way = Callable[[Sequence[Due]], Callable[[], None]]
"""Gives what commits all of these, each by a call of its own or in one go."""


def a_set_each(number: int) -> Mapping[int, list[tuple[Mapping[str, Any], str]]]:
    """Result and record of the deals of so many deal sets."""
    players = [Player(SeatName(name, "1", name), Greedy) for name in ("one", "two")]
    played: dict[int, list[tuple[Mapping[str, Any], str]]] = {}
    for record in play_fixture(BRISCOLA, players, range(number), seed=1):
        result = DealResult.from_record(record)
        played.setdefault(result.deal_set, []).append((result.to_json(), dumps(record)))
    return played


def due(store: Store, season: str, deals: Mapping[int, list[tuple[Mapping[str, Any], str]]]) -> list[Due]:
    """A season of which every chunk is leased and played."""
    fixture = single_fixture(len(BRISCOLA.places), AT_ONCE * SETS)
    planned = list(chunks([fixture], SETS))
    entrants = [Entrant(name, "1", name) for name in ("one", "two")]
    store.create(season, {}, entrants, [fixture], planned, open_entry=False)
    store.set_status(season, Status.RUNNING)
    found = []
    for chunk in planned:
        lease = store.claim(season, chunk.number, LEASE_MS)
        assert isinstance(lease, Lease)
        store.mark_started(season, chunk.number, lease.fence, "here")
        entries = [
            Entry(DealKey(deal_set, fixture.number, seating, 0), result, record)
            for deal_set in chunk.deal_sets
            for seating, (result, record) in enumerate(deals[deal_set % SETS])
        ]
        found.append(Due(season, chunk.number, lease.fence, entries))
    return found


def by_store(store: Store) -> Way:
    """As a worker commits."""

    def prepared(all_due: Sequence[Due]) -> Callable[[], None]:
        def run() -> None:
            for one in all_due:
                done = store.commit(one.season, one.chunk, one.fence, one.entries)
                assert done is Commit.RECORDED

        return run

    return prepared


def bare(client: Any, pipelined: bool) -> Way:
    """The script alone: what its arguments are is worked out first."""
    sha = client.script_load(script("commit"))

    def prepared(all_due: Sequence[Due]) -> Callable[[], None]:
        calls = []
        for one in all_due:
            arguments = (one.chunk, one.fence, 0, FAULTS_KEPT, *entry_arguments(one.entries))
            names = keys(one.season)
            calls.append((sha, len(names), *names, *arguments))

        def run() -> None:
            if pipelined:
                with client.pipeline(transaction=False) as pipe:
                    for call in calls:
                        pipe.evalsha(*call)
                    answers = pipe.execute()
            else:
                answers = [client.evalsha(*call) for call in calls]
            assert answers == [["recorded"]] * len(calls)

        return run

    return prepared


def main(kind: str, seconds: float) -> dict[str, float]:
    """Commits for about so many seconds."""
    deals = a_set_each(SETS)
    with tempfile.TemporaryDirectory() as folder, EmbeddedValkey(Path(folder)) as server:
        store = open_store(server.url)
        client: Any = redis.Redis.from_url(server.url, decode_responses=True, protocol=2)
        prepared = by_store(store) if kind == "store" else bare(client, kind == "pipelined")
        commits, wall, used = 0, 0.0, 0.0
        for number in count():
            run = prepared(due(store, f"bench-{number}", deals))
            start, used_before = time.perf_counter(), time.process_time()
            run()
            if number:  # the first season warms everything up
                wall += time.perf_counter() - start
                used += time.process_time() - used_before
                commits += AT_ONCE
            if wall >= seconds:
                break
        store.close()
        client.close()
        return {"commits/s": commits / wall, "client CPU µs/commit": used / commits * 1e6}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], float(sys.argv[2]))))
