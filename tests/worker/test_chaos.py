"""Chaos: nothing is lost and nothing counted twice, whoever is killed or cut off; the table is that of a calm season.

CARICO_CHAOS_SEED repeats a run (which strikes, against whom, at which chunk), CARICO_CHAOS_ROUNDS plays so many rounds
of the long form: ``./dev soak tests/worker/test_chaos.py``.
"""

import json
import os
import secrets
from pathlib import Path
from typing import Any

import pytest

from tests.kit.chaos import Chaos
from tests.kit.cutting_proxy import CuttingProxy
from tests.kit.league import League, wait_until
from worker.audit.run import audit
from worker.store.values import ChunkState
from worker.tidy import release_what_is_done

BOTS = ("random", "greedy", "careful")
BOT_SEED = bytes(range(32))
SETS = 100
CHUNKS = 3 * SETS
SEED = int(os.environ.get("CARICO_CHAOS_SEED", "20261129"))
ROUNDS = int(os.environ.get("CARICO_CHAOS_ROUNDS", "5"))


def begin(league: League) -> None:
    for bot in BOTS:
        league.start_bot(bot, seed=BOT_SEED)
    wait_until(lambda: sum(bot.version is not None for bot in league.referee.bots()) == len(BOTS), "all bots are here")


def counted(league: League) -> dict[str, Any]:
    """What must not depend on what happened: the ledger, the records without match and clock, the table."""
    records = [json.loads(line) for line in league.store.records("s")]
    for record in records:
        del record["match"], record["clock"]
    ledger = [(str(key), result) for key, result in league.store.ledger("s")]
    assert len(ledger) == len({key for key, _ in ledger}) == len(records) == 2 * CHUNKS
    return {"ledger": sorted(ledger, key=str), "records": records, "table": repr(league.table("s")).encode()}


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with League(tmp_path_factory.mktemp("calm")) as league:
        begin(league)
        for number in range(2):
            league.start_worker(f"worker-{number}")
        league.create("s", BOTS, deal_sets=SETS, chunk=1)
        league.wait_finished("s")
        return counted(league)


def play(directory: Path, calm: dict[str, Any], seed: int, *, strikes: int, workers: int, deaths: float) -> None:
    """One season of 300 chunks under strikes, and all that must be true then."""
    with (
        League(directory) as league,
        CuttingProxy(league.valkey.url.removeprefix("unix://")) as proxy,
    ):
        begin(league)
        chaos = Chaos(league, proxy, seed, workers, deaths, cuts=0.2)
        try:
            league.create("s", BOTS, deal_sets=SETS, chunk=1)
            chaos.strike_until_finished("s", CHUNKS, strikes)
            assert proxy.cuts > CHUNKS / 20
            store = league.store
            found, counters = counted(league), store.counters("s")
            assert audit(store, "s").findings == []
            assert all(chunk.state is ChunkState.DONE for chunk in store.chunks("s"))
            assert store.voids("s") == []
            assert counters["commits"] == CHUNKS
            assert counters.get("divergent", 0) == 0
            assert counters["refused"] > CHUNKS, "every message came three times"
            for what, is_ in found.items():
                assert is_ == calm[what], f"{what} is not that of the calm season"
            # Whoever died between commit and release left its matches with the referee: tidying up frees them.
            release_what_is_done(store, league.referee)
            assert league.referee.ended() == []
        except BaseException:
            print(f"CARICO_CHAOS_SEED={seed} repeats this; strikes, by chunks done:", *chaos.told, sep="\n  ")
            raise


@pytest.mark.timeout(400)
def test_a_season_of_300_chunks(tmp_path: Path, calm: dict[str, Any]) -> None:
    play(tmp_path, calm, SEED, strikes=16, workers=2, deaths=0.003)


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", range(ROUNDS))
def test_many_seasons_of_300_chunks(tmp_path: Path, calm: dict[str, Any], number: int) -> None:
    seed = SEED + number if "CARICO_CHAOS_SEED" in os.environ else secrets.randbelow(10**9)
    play(tmp_path, calm, seed, strikes=50, workers=3, deaths=0.01)
