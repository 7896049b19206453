"""A league that runs and is watched, one for all tests of a file."""

import shutil
from collections.abc import Iterator

import pytest

from carico.v1 import organisers_pb2 as pb
from tests.kit.league import wait_until
from tests.kit.observed import Observed
from worker.referee_client import RefereeClient, RefereeRefused
from worker.store.values import Status


@pytest.fixture(scope="package")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Observed]:
    """One season is over, another runs and waits for a bot that does not come; one call was refused."""
    with Observed(tmp_path_factory.mktemp("watched")) as parts:
        parts.register("nobody")
        parts.create("over", ["random", "greedy"], deal_sets=2, chunk=1, start=False)
        parts.create("waits", ["random", "nobody"], deal_sets=2, chunk=1, start=False)
        for bot in ("random", "greedy"):
            parts.start_bot(bot)
        parts.start_worker()
        parts.start_office()
        for season in ("over", "waits"):
            parts.store.set_status(season, Status.RUNNING)
        parts.wait_finished("over")
        with pytest.raises(RefereeRefused):
            RefereeClient(parts.address, "carico_wrong")._call(lambda stub: stub.ListBots, pb.ListBotsRequest())
        wait_until(
            lambda: parts.scrape("worker")("carico_season_chunks", season="over", state="done") == 2, "it is told"
        )
        yield parts


@pytest.fixture(scope="session")
def promtool() -> str:
    """The judge of rules; it comes with Debian's package prometheus."""
    return program("promtool", "prometheus")


def program(name: str, package: str) -> str:
    """The path of a program; skips the test where there is none."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed here: apt-get install {package}")
    return found
