"""Puts a worker together: Celery, its tasks, and the sweeper that wakes what is due."""

import ctypes
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any, Final

from celery import Celery, bootsteps, signals
from celery.utils.log import get_logger
from kombu.exceptions import OperationalError

from carico.exposition import Exposition
from carico.log_lines import LogFormat, begin_logging
from worker.admission import open_seasons
from worker.consumer import TELL_EVERY, let_go_of_the_unacknowledged, patient
from worker.plain_words import spare_tracebacks
from worker.settings import Settings
from worker.store.address import broker_url
from worker.store.errors import StoreError
from worker.store.open import open_store
from worker.store.port import Store
from worker.sweeps import Sweeps
from worker.tasks import ADMIT, TIDY, Office, register, wake_all

QUEUE: Final = "carico"

SOFT_LIMIT_S: Final = 900
HARD_LIMIT_S: Final = 960
VISIBILITY_S: Final = 1_200

SWEEP_S: Final = 0.25
ADMIT_EVERY: Final = 4
"""Every fourth sweep looks for newcomers, where a season lets them in."""
TIDY_EVERY: Final = 120

OF_EVERY_TASK: Final = ("celery.worker.strategy", "celery.app.trace")
"""Loggers that tell at INFO of each task that it came and that it went well; the tasks tell what came of them."""

NO_TRIES: Final = 0
SHORT_ANSWER_S: Final = 2.0
"""A scrape, the sweeper, and who asks whether the store is back: they do not wait for one that is away."""

logger = get_logger("carico.sweeper")


def make_app(settings: Settings, sweeps: Sweeps | None = None) -> Celery:
    """The Celery app of a worker. Celery only wakes: what is lost on its way comes round again by the sweeper.

    ``sweeps`` is where the sweeper counts what it does.
    """
    if not settings.terms.longest_ms / 1000 < SOFT_LIMIT_S < HARD_LIMIT_S < VISIBILITY_S:
        raise ValueError("a chunk's longest turn, the soft limit, the hard limit, the visibility: each below the next")
    let_go_of_the_unacknowledged()
    app = Celery("carico", broker=broker_url(settings.redis))
    app.conf.update(
        task_default_queue=QUEUE,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_ignore_result=True,
        task_soft_time_limit=SOFT_LIMIT_S,
        task_time_limit=HARD_LIMIT_S,
        task_serializer="json",
        result_serializer="json",
        accept_content=["json"],
        worker_prefetch_multiplier=1,
        worker_concurrency=settings.concurrency,
        worker_send_task_events=False,
        worker_enable_remote_control=False,
        worker_hijack_root_logger=False,
        worker_soft_shutdown_timeout=2.0,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_channel_error_retry=True,  # a store that refuses to write is waited for, like one that is away
        worker_consumer=patient(lambda: _check_writable(settings)),
        broker_transport_options={
            "visibility_timeout": VISIBILITY_S,
            "unacked_restore_interval": 1,
            "unacked_restore_throttle": 1,
            "socket_timeout": 10,
            "socket_connect_timeout": 2,
            "health_check_interval": 5,
            "global_keyprefix": "carico:celery:",
        },
    )
    office = Office(settings)
    register(app, office)
    app.steps["consumer"].add(_sweeper(app, office, sweeps or Sweeps()))
    return app


def _check_writable(settings: Settings) -> None:
    store = open_store(settings.redis, tries=NO_TRIES, answer_s=SHORT_ANSWER_S)
    try:
        store.check_writable()
    finally:
        store.close()


def run(settings: Settings) -> int:
    """Works until SIGTERM or SIGINT; prints one line when it is ready. Returns the exit code.

    Where metrics are served it prints their address first. Raises CannotExpose.
    """
    if settings.log_format is LogFormat.JSON:
        begin_logging(LogFormat.JSON)
        signals.setup_logging.connect(_leave_logging_alone)
    spare_tracebacks()
    os.environ["REMAP_SIGTERM"] = "SIGQUIT"  # a lease that is let go runs out by itself: no need to wait for long
    sweeps = Sweeps()
    for name in OF_EVERY_TASK:
        logging.getLogger(name).setLevel(logging.WARNING)
    app = make_app(settings, sweeps)
    signals.worker_ready.connect(_say_ready)
    signals.worker_process_init.connect(_die_with(os.getpid()), weak=False)
    if settings.metrics is not None:
        _expose(settings, settings.metrics, sweeps)
    worker = app.Worker(
        hostname=f"carico-{os.getpid()}@{socket.gethostname()}",
        pool="prefork",
        loglevel="INFO",
        queues=[QUEUE],
        without_gossip=True,
        without_mingle=True,
        quiet=True,
    )
    gc.freeze()  # what is here is here to stay: Celery collects before each fork, and the children share it
    worker.start()
    return int(worker.exitcode or 0)


def _say_ready(**_: Any) -> None:
    sys.stdout.write("worker ready\n")
    sys.stdout.flush()


def _leave_logging_alone(**_: Any) -> None:
    """Celery does so where anything is connected to the signal ``setup_logging``."""


def _expose(settings: Settings, listen: str, sweeps: Sweeps) -> None:
    """Serves metrics from a thread of the main process, which reads the store by a line of its own."""
    from worker.metrics import worker_registry

    registry = worker_registry(sweeps, lambda: open_store(settings.redis, tries=NO_TRIES, answer_s=SHORT_ANSWER_S))
    exposition = Exposition(listen, registry)

    def close_in_child(**_: Any) -> None:
        exposition.close_in_child()

    signals.worker_process_init.connect(close_in_child, weak=False)
    sys.stdout.write(f"metrics on http://{exposition.address}/metrics\n")
    sys.stdout.flush()


def _die_with(worker: int) -> Callable[..., None]:
    """For a pool child: one whose worker was killed has nothing left to do, even if that was before it could ask."""

    def ask_kernel(**_: Any) -> None:
        if sys.platform == "linux":
            ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL)
        if os.getppid() != worker:
            os._exit(1)

    return ask_kernel


def _sweeper(app: Celery, office: Office, sweeps: Sweeps) -> type[bootsteps.StartStopStep]:
    """The part of a worker that enqueues what is due. Every worker has one; the store sees to it that they agree.

    It runs in the worker's main process, between its other doings, and never calls the referee: a gRPC channel
    there would be copied into the pool's children.
    """

    class Sweeper(bootsteps.StartStopStep):
        requires = ("celery.worker.consumer.tasks:Tasks",)
        rounds = 0
        failures = 0
        store: Store | None = None
        timer: Any = None

        def start(self, parent: Any) -> None:
            parent.timer.call_after(0, self.sweep)
            self.timer = parent.timer.call_repeatedly(SWEEP_S, self.sweep)

        def stop(self, parent: Any) -> None:
            if self.timer is not None:
                self.timer.cancel()
                self.timer = None

        def sweep(self) -> None:
            self.rounds += 1
            try:
                if self.store is None:  # with a line of its own, which never keeps the worker's main process waiting
                    self.store = open_store(office.settings.redis, tries=NO_TRIES)
                wake_all(app, self.store, office.settings.backlog)
                if self.rounds % ADMIT_EVERY == 0 and open_seasons(self.store):
                    app.send_task(ADMIT, expires=5)
                if self.rounds % TIDY_EVERY == 0:
                    app.send_task(TIDY, expires=30)
                sweeps.done += 1
                if self.failures:
                    logger.warning("the sweeper goes on")
                self.failures = 0
            except (StoreError, OperationalError, OSError) as error:
                sweeps.failed += 1
                if self.failures % TELL_EVERY == 0:
                    logger.warning("the sweeper tries again: %s", error)
                self.failures += 1

    return Sweeper
