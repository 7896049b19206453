"""The Celery tasks: each loads, lets others decide, saves, wakes what is next. They may run twice, late or never."""

import logging
import os
from typing import Any, Final

from celery import Celery
from celery.utils.log import get_task_logger
from kombu.exceptions import OperationalError

from worker.admission import admit_newcomers
from worker.pace import Pace
from worker.play import Came, play_chunk
from worker.referee_client import RefereeClient, RefereeRefused, RefereeUnavailable
from worker.settings import Settings
from worker.store.errors import StoreError
from worker.store.open import open_store
from worker.store.port import Store
from worker.store.values import Status
from worker.tidy import release_what_is_done

PLAY: Final = "carico.play"
ADMIT: Final = "carico.admit"
TIDY: Final = "carico.tidy"

REQUEUE_MS: Final = 5_000
"""A chunk whose message was lost is enqueued again after this."""

logger = get_task_logger("carico.worker")


class Office:
    """What the tasks of one process work with; it is opened at the first use and never crosses a fork."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pace = Pace()
        self._pid = 0
        self._store: Store | None = None
        self._referee: RefereeClient | None = None

    @property
    def store(self) -> Store:
        """The store."""
        self._after_fork()
        if self._store is None:
            self._store = open_store(self.settings.redis)
        return self._store

    @property
    def referee(self) -> RefereeClient:
        """The referee."""
        self._after_fork()
        if self._referee is None:
            settings = self.settings
            self._referee = RefereeClient(settings.referee, settings.organiser_token, settings.tls_ca)
        return self._referee

    def _after_fork(self) -> None:
        if self._pid != os.getpid():
            self._pid, self._store, self._referee = os.getpid(), None, None


def wake(app: Celery, store: Store, season: str, backlog: int) -> None:
    """Enqueues what is due of a season."""
    for chunk in store.sweep(season, backlog, REQUEUE_MS):
        try:
            app.send_task(PLAY, (season, chunk))
        except AttributeError as error:  # of kombu, whose channel was closed beneath it
            raise OperationalError("the line to the store was closed") from error


def wake_all(app: Celery, store: Store, backlog: int) -> None:
    """Enqueues what is due of all running seasons."""
    for season in store.seasons():
        if season.status is Status.RUNNING:
            wake(app, store, season.id, backlog)


def register(app: Celery, office: Office) -> None:
    """Gives the app its tasks."""
    known: tuple[type[Exception], ...] = (StoreError, RefereeUnavailable, RefereeRefused, OperationalError)

    def guarded(name: str, work: Any) -> None:
        def task(*arguments: Any) -> None:
            try:
                work(*arguments)
            except known as error:
                about = dict(zip(("season", "chunk"), arguments, strict=False))
                logger.warning("%s%r comes round again: %s", name, arguments, error, extra=about)

        app.task(name=name)(task)

    def play(season: str, chunk: int) -> None:
        came = play_chunk(office.store, office.referee, season, chunk, office.settings.terms, office.pace)
        about = {"season": season, "chunk": chunk, "came": came.value}
        level = logging.DEBUG if came in (Came.REFUSED, Came.AWAITED) else logging.INFO
        logger.log(level, "season %s chunk %d: %s", season, chunk, came.value, extra=about)
        if came in (Came.COMMITTED, Came.WALKOVER):
            wake(app, office.store, season, office.settings.backlog)

    guarded(PLAY, play)
    guarded(ADMIT, lambda: admit_newcomers(office.store, office.referee))
    guarded(TIDY, lambda: release_what_is_done(office.store, office.referee))
