"""The log ends anywhere, as after a loss of power: the server starts, and every commit is there or not at all."""

import shutil
from pathlib import Path
from random import Random

import pytest

from tests.kit.seasons import create, entries, leased, plan
from tests.kit.stores import kill
from worker.store.embedded import EmbeddedValkey
from worker.store.open import open_store
from worker.store.port import Store
from worker.store.values import ChunkState, Commit, Status


def played(directory: Path) -> int:
    """A finished season of twelve chunks with a void attempt each, then a kill; how many bytes of log that left."""
    with EmbeddedValkey(directory) as server:
        store, p = open_store(server.url), plan(entrants=3, sets=4, size=1)
        create(store, "s", p)
        for chunk in p.chunks:
            lease = leased(store, "s", chunk.number)
            store.mark_started("s", chunk.number, lease.fence, "a")
            store.void("s", chunk.number, lease.fence, chunk.first_set, 0, "NO_START", ["line"])
            store.commit("s", chunk.number, lease.fence, entries(chunk))
        kill(server)
        return log_of(directory).stat().st_size


def log_of(directory: Path) -> Path:
    (log,) = (directory / "appendonlydir").glob("*.incr.aof")
    return log


def audit(store: Store) -> int:
    """How many chunks are done; all that is kept must agree on it."""
    if "s" not in [season.id for season in store.seasons()]:
        return 0
    standings = store.chunks("s")
    done = [standing for standing in standings if standing.state is ChunkState.DONE]
    ledger = [key for key, _ in store.ledger("s")]
    assert len(standings) == 12
    assert ledger == [entry.key for standing in done for entry in entries(standing.chunk)]
    assert list(store.records("s")) == [entry.record for standing in done for entry in entries(standing.chunk)]
    assert store.progress("s").deals == 2 * len(done)
    assert store.counters("s").get("commits", 0) == len(done)
    assert [event.kind for event in store.events("s", count=1000)].count("commit") == len(done)
    voids = [void.deal_set for void in store.voids("s")]
    assert len(done) <= len(voids) <= len(done) + 1
    assert store.attempts("s") == dict.fromkeys(voids, 1)
    assert (store.status("s") is Status.FINISHED) == (len(done) == 12)
    return len(done)


def play_on(store: Store) -> None:
    """The workers live on, and commit under the leases that they have or get."""
    for number, chunk, state, fence in [(c.chunk.number, c.chunk, c.state, c.fence) for c in store.chunks("s")]:
        if state is not ChunkState.DONE:
            mine = fence if state is ChunkState.LEASED else leased(store, "s", number).fence
            store.void("s", number, mine, chunk.first_set, 0, "NO_START", ["line"])
            assert store.commit("s", number, mine, entries(chunk)) is Commit.RECORDED


@pytest.mark.parametrize("cuts", [20, pytest.param(500, marks=[pytest.mark.soak, pytest.mark.timeout(3600)])])
def test_the_log_cut_anywhere(tmp_path: Path, cuts: int) -> None:
    size = played(tmp_path / "played")
    chance = Random(7)
    done_at = []
    for cut in sorted(chance.randrange(size) for _ in range(cuts)):
        copy = tmp_path / "copy"
        shutil.copytree(tmp_path / "played", copy)
        with log_of(copy).open("rb+") as log:
            log.truncate(cut)
        with EmbeddedValkey(copy) as server:
            store = open_store(server.url)
            done_at.append(audit(store))
            if done_at[-1] and store.status("s") is Status.RUNNING:
                play_on(store)
                assert audit(store) == 12
            kill(server)
        shutil.rmtree(copy)
    assert done_at == sorted(done_at), "the longer the log, the more is there"
    assert len(set(done_at)) > 5
