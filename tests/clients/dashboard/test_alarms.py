"""When the platform's page raises an alarm, and when it does not."""

from dataclasses import replace

import pytest

from clients.dashboard.alarms import alarms
from clients.dashboard.reader import LeagueView
from clients.dashboard.referee_watch import RefereeView
from worker.store.values import Progress, Server, Status, Vitals

PROGRESS = Progress(Status.RUNNING, 2, 1, 1, 0, 1, 0, 0, 0, 0)
WELL = Vitals(PROGRESS, backlog=0, overdue=0, idle_ms=1_000, counters={})
UP = RefereeView(up=True)
SERVER = Server(100, 1_000, 10, True, 1_000, 500)


def told(
    vitals: Vitals = WELL, referee: RefereeView = UP, server: Server = SERVER, lag: float | None = 1.0
) -> list[str]:
    return list(alarms(LeagueView({}, True, server, {"s": vitals}), referee, lag, watches_referee=True))


def test_all_is_well() -> None:
    assert told() == []
    assert list(alarms(LeagueView(), RefereeView(), None, watches_referee=False)) == []
    paused = replace(WELL, progress=replace(PROGRESS, status=Status.PAUSED), idle_ms=10**9)
    assert told(paused) == []


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (told(replace(WELL, idle_ms=61_000)), "stands still"),
        (told(replace(WELL, overdue=2)), "2 leases"),
        (told(replace(WELL, counters={"divergent": 1})), "another result"),
        (told(referee=RefereeView()), "referee can't be reached"),
        (told(lag=100.0), "lags by 100 ms"),
        (told(server=replace(SERVER, writes=False)), "can't write"),
        (told(server=replace(SERVER, memory_bytes=950)), "memory"),
        (told(server=replace(SERVER, disk_free_bytes=10)), "disk is almost full"),
    ],
)
def test_each_ill_is_told_once(found: list[str], words: str) -> None:
    assert len(found) == 1
    assert words in found[0]


def test_a_store_that_is_away() -> None:
    (one,) = alarms(LeagueView(store_up=False), UP, None, watches_referee=True)
    assert "store can't be read" in one
