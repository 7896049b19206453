"""What an operator should look at now, in sentences."""

from collections.abc import Iterator
from typing import Final

from clients.dashboard.reader import LeagueView
from clients.dashboard.referee_watch import RefereeView
from worker.store.values import Server, Status

IDLE_MS: Final = 60_000
"""A season that runs and in which no deal was started for so long stands still."""
LAG_MS: Final = 60.0
"""Above it the referee counts its loop as stalled."""
MEMORY: Final = 0.9
"""This part of the store's memory may be used."""
DISK: Final = 0.05
"""This part of its disk should be free."""


def alarms(league: LeagueView, referee: RefereeView, lag_ms: float | None, *, watches_referee: bool) -> Iterator[str]:
    """A sentence for each thing that is not as it should be."""
    if not league.store_up:
        yield "The store can't be read: what is shown is as it was."
    if watches_referee and not referee.up:
        yield "The referee can't be reached."
    if lag_ms is not None and lag_ms > LAG_MS:
        yield f"The referee's event loop lags by {lag_ms:.0f} ms: it has too much to do."
    if league.server is not None:
        yield from _of_server(league.server)
    for season, vitals in league.vitals.items():
        running = vitals.progress.status is Status.RUNNING
        if running and vitals.idle_ms is not None and vitals.idle_ms > IDLE_MS:
            yield f"Season {season} stands still: no deal was started for {vitals.idle_ms // 1000} s."
        if vitals.overdue:
            yield f"Season {season}: {vitals.overdue} leases have run out, and no worker has taken them up."
        if vitals.counters.get("divergent"):
            yield f"Season {season}: a deal came again with another result."


def _of_server(server: Server) -> Iterator[str]:
    if server.writes is False:
        yield "The store can't write to its disk."
    if server.memory_limit_bytes and (server.memory_bytes or 0) > MEMORY * server.memory_limit_bytes:
        yield "The store has used almost all the memory that it may use."
    free = server.disk_free_bytes
    if server.disk_bytes and free is not None and free < DISK * server.disk_bytes:
        yield "The store's disk is almost full."
