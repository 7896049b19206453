"""A league as ``carico demo`` runs it, measured in its stride: ``python -m benches.league KIND SECONDS``.

With KIND ``season`` workers play a season, from its start until the store calls it finished. With ``alone`` there are
no workers: this process starts, awaits and releases the very same matches of the same bots at the same referee, as many
chunks at once, and keeps nothing. ``tasks`` is for profiles: this process does what a worker's tasks do, one chunk
after the other, without Celery. Prints one JSON object.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from benches.chunk_player import play_chunks
from benches.family import family_cpu_seconds
from benches.organiser import BRISCOLA
from clients.bots import HOUSE_BOTS
from clients.cli.bot_names import HOUSE_VERSION
from clients.cli.data_directory import DataDirectory
from clients.cli.demo_league import ANYWHERE, CHUNK, CONCURRENCY, LEGS, WORKERS
from clients.cli.league import League, running
from worker.office.season_plan import create_season
from worker.pace import Pace
from worker.play import Came, Terms, play_chunk
from worker.referee_client import RefereeClient
from worker.store.open import open_store
from worker.store.port import Store
from worker.store.values import Status
from worker.tournament.season import Entry, SeasonSpec

FIXTURES: Final = LEGS * len(HOUSE_BOTS) * (len(HOUSE_BOTS) - 1) // 2

DEALS_A_SECOND: Final = 75
"""About as fast as it goes: what the length of the season is worked out from."""

WARM_SETS: Final = 2
"""Deal sets a fixture of the season that is played first, so that all is open and all know how fast the bots are."""

LOOK_S: Final = 0.01
TICK_S: Final = 0.3

Play = Callable[[SeasonSpec], float]
"""Plays a season; returns how long it took, in s."""


def spec(name: str, deal_sets: int) -> SeasonSpec:
    """The season of the demo, closed."""
    entries = tuple(Entry(bot, HOUSE_VERSION) for bot in HOUSE_BOTS)
    return SeasonSpec(name, BRISCOLA, entries, legs=LEGS, deal_sets=deal_sets, chunk=min(CHUNK, deal_sets), seed=1)


def by_workers(league: League, store: Store) -> Play:
    """The workers of the league play it."""

    def play(season: SeasonSpec) -> float:
        create_season(store, season, {bot: bot for bot in HOUSE_BOTS})
        start = ticked = time.perf_counter()
        store.set_status(season.name, Status.RUNNING)
        while store.status(season.name) is not Status.FINISHED:
            if time.perf_counter() - ticked > TICK_S:
                league.tick()
                ticked = time.perf_counter()
            time.sleep(LOOK_S)
        return time.perf_counter() - start

    return play


def alone(league: League, _: Store) -> Play:
    """This process has it played."""
    referee = RefereeClient(league.referee, league.organiser_token)

    def play(season: SeasonSpec) -> float:
        start = time.perf_counter()
        play_chunks(referee, season, at_once=WORKERS * CONCURRENCY)
        return time.perf_counter() - start

    return play


def by_tasks(league: League, store: Store) -> Play:
    """This process plays it as workers do."""
    referee, pace = RefereeClient(league.referee, league.organiser_token), Pace()

    def play(season: SeasonSpec) -> float:
        create_season(store, season, {bot: bot for bot in HOUSE_BOTS})
        start = time.perf_counter()
        store.set_status(season.name, Status.RUNNING)
        for standing in store.chunks(season.name):
            came = play_chunk(store, referee, season.name, standing.chunk.number, Terms(), pace)
            assert came is Came.COMMITTED
        return time.perf_counter() - start

    return play


WAYS: Final[Mapping[str, Callable[[League, Store], Play]]] = {"season": by_workers, "alone": alone, "tasks": by_tasks}


def bring_bots(league: League) -> None:
    """Registers and starts the house bots, and waits until all are connected."""
    with league.organisers() as organisers:
        for bot in HOUSE_BOTS:
            league.start_bot(bot, bot, HOUSE_VERSION, organisers.register(bot, bot), b"bench")
        while not all(status.connected for status in organisers.bots()):
            league.tick()
            time.sleep(LOOK_S)


def cpu_by_part(league: League) -> Mapping[str, float]:
    """CPU time that the parts have used, in s; this process's own is that of whoever organises."""
    parts = {"referee": 0.0, "bots'": 0.0, "organiser's": time.process_time(), "store's": 0.0}
    for name, pid in league.supervisor.processes().items():
        kind = {"referee": "referee", "worker": "organiser's", "bot": "bots'"}[name.partition("-")[0]]
        parts[kind] += family_cpu_seconds(pid)
    assert league.keeper is not None
    parts["store's"] = family_cpu_seconds(league.keeper.pid)
    return parts


def main(kind: str, seconds: float) -> dict[str, float]:
    """Plays a season that takes about so many seconds."""
    deal_sets = max(1, round(seconds * DEALS_A_SECOND / FIXTURES / len(BRISCOLA.places)))
    deals = FIXTURES * deal_sets * len(BRISCOLA.places)
    with (
        tempfile.TemporaryDirectory() as folder,
        running(
            DataDirectory(Path(folder)),
            listen=ANYWHERE,
            redis=None,
            workers=WORKERS if kind == "season" else 0,
            concurrency=CONCURRENCY,
            told=lambda line: print(line, file=sys.stderr),
            urgent=lambda: False,
        ) as league,
    ):
        store = open_store(league.redis)
        league.wait_for_referee()
        bring_bots(league)
        play = WAYS[kind](league, store)
        play(spec("warm", WARM_SETS))
        before = cpu_by_part(league)
        took = play(spec("measured", deal_sets))
        used = {part: after - before[part] for part, after in cpu_by_part(league).items()}
        actions = deals * len(BRISCOLA.pack)
        store.close()
        return {
            "deals/s": deals / took,
            "CPU µs/action": sum(used.values()) / actions * 1e6,
            **{f"{part} CPU µs/action": value / actions * 1e6 for part, value in used.items()},
        }


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], float(sys.argv[2]))))
