"""The one reader of the store: a thread that looks at it some times a second, whatever the number of viewers."""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from clients.dashboard.season_reader import SeasonReader
from clients.dashboard.snapshot import SeasonView
from worker.office.export import OVER
from worker.store.errors import StoreError, UnknownSeason
from worker.store.port import Store
from worker.store.values import Event, Season, Server, Status, Vitals

TICK_S: Final = 0.05
"""How often it looks."""
LEAST_S: Final = 0.1
"""The least time between two views of a season."""
VITALS_S: Final = 1.0
WITH_PAST: Final = 10
"""Of so many of the newest seasons, and of all that are not over, viewers are told what they missed in a restart."""
AGAIN_S: Final = 1.0
"""How soon a store that could not be read is tried again."""

logger = logging.getLogger("carico.dashboard")


@dataclass(frozen=True, slots=True)
class LeagueView:
    """All seasons at a moment, and the health of the store."""

    seasons: Mapping[str, SeasonView] = field(default_factory=dict)
    """By id, the newest first."""
    store_up: bool = True
    server: Server | None = None
    vitals: Mapping[str, Vitals] = field(default_factory=dict)
    """Of the seasons that run or are paused."""


News = Mapping[str, Sequence[Event]]
"""By season what happened since the publication before."""

Publish = Callable[[LeagueView, News], None]


class Reader:
    """Reads the store until ``close``, and hands out a new view of the league whenever something changed.

    ``publish`` is called on the reader's thread.
    """

    def __init__(self, store: Store, publish: Publish) -> None:
        self._store = store
        self._publish = publish
        self._seasons: dict[str, SeasonReader] = {}
        self._view = LeagueView()
        self._vitals_at = float("-inf")
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="dashboard-reader", daemon=True)

    def start(self) -> None:
        """Reads all there is, publishes it, and goes on in the background. Raises what the store raises."""
        self._look()
        self._thread.start()

    def close(self) -> None:
        """Ends the thread."""
        self._end.set()
        self._thread.join(5)

    def _run(self) -> None:
        pause = TICK_S
        while not self._end.wait(pause):
            pause = TICK_S
            try:
                self._look()
            except StoreError as error:
                pause = AGAIN_S
                if self._view.store_up:
                    logger.warning("the store can't be read: %s", error)
                    self._tell(LeagueView(self._view.seasons, False, None, {}), {})
            except Exception:
                pause = AGAIN_S
                logger.exception("reading the store failed")

    def _look(self) -> None:
        seasons = self._store.seasons()
        news: dict[str, Sequence[Event]] = {}
        newest = {season.id for season in seasons[-WITH_PAST:]}
        for season in seasons:
            found = self._read(season, with_past=season.id in newest or season.status not in OVER)
            if found is not None:
                news[season.id] = found
        now = time.monotonic()
        if now - self._vitals_at >= VITALS_S or not self._view.store_up:
            self._vitals_at = now
            vitals = {
                season.id: self._store.vitals(season.id)
                for season in seasons
                if season.status not in OVER and season.status is not Status.SCHEDULED
            }
            server: Server | None = self._store.server()
        else:
            vitals, server = dict(self._view.vitals), self._view.server
        views = {
            season.id: self._seasons[season.id].view
            for season in sorted(seasons, key=lambda one: (one.created_ms, one.id), reverse=True)
            if season.id in self._seasons
        }
        view = LeagueView(views, True, server, vitals)
        if news or view != self._view:
            self._tell(view, news)

    def _read(self, season: Season, *, with_past: bool) -> list[Event] | None:
        known = self._seasons.get(season.id)
        try:
            if known is not None:
                return known.read(season, LEAST_S)
            self._seasons[season.id] = SeasonReader(self._store, season, with_past=with_past)
            return self._seasons[season.id].past
        except UnknownSeason:
            return None
        except ValueError as error:
            # Made by another version: the others are shown all the same.
            logger.warning("season %s can't be read: %s", season.id, error)
            return None

    def _tell(self, view: LeagueView, news: News) -> None:
        self._view = view
        self._publish(view, news)
