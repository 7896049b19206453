"""The bench of a start from nothing: ``carico demo`` to the first card played, a bare Celery worker to its first task.

Each is started once a round, however long the others of the bench take.
"""

import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from celery import Celery

from benches.names import PIPE, STORE
from benches.processes import ROOT, TERM_S, Failed
from benches.rounds import Bench, Comparison, Values
from worker.store.address import broker_url
from worker.store.embedded import EmbeddedValkey

FIRST: Final = "s to the first"

PATIENCE_S: Final = 60
HINT_S: Final = 0.2

WITNESSES: Final = ",".join(f"{ROOT}/benches/witness.py:{name}" for name in ("Witness", "Other"))

DEMO: Final = ("clients.cli", "demo", "--no-wait", "--deal-sets", "1", "--seed", "1", "--bots", WITNESSES)

WORKER: Final = ("celery", "--quiet", "-A", "benches.bare_worker", "worker", "--pool", "prefork", "--concurrency", "2")
BARE: Final = ("--without-gossip", "--without-mingle", "--loglevel", "ERROR")


def demo(_: float) -> Values:
    """All of a league in a directory of its own, which goes afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        return {FIRST: _until_told(DEMO, {}, Path(folder))}


def celery(_: float) -> Values:
    """A worker alone: its broker runs and its task lies in the queue when it starts."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedValkey(Path(folder, "store")) as server:
        Celery(broker=broker_url(server.url)).send_task("bare.tell")
        return {FIRST: _until_told((*WORKER, *BARE), {STORE: server.url}, Path(folder))}


def _until_told(arguments: tuple[str, ...], extra: Mapping[str, str], folder: Path) -> float:
    """Seconds from the start of ``python -m ARGUMENTS`` until it, or what it starts, writes into the pipe."""
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    handle = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    environment = {**os.environ, "GRPC_VERBOSITY": "ERROR", "TMPDIR": str(folder), PIPE: str(pipe), **extra}
    try:
        start = time.perf_counter()
        with _started(arguments, environment) as errors:
            told, _, _ = select.select([handle], [], [], PATIENCE_S)
            took = time.perf_counter() - start
            if not told:
                errors.seek(0)
                raise Failed(f"{' '.join(arguments)} told nothing within {PATIENCE_S} s:\n{errors.read()}")
        return took
    finally:
        os.close(handle)


@contextmanager
def _started(arguments: tuple[str, ...], environment: Mapping[str, str]) -> Iterator[IO[str]]:
    """A process, with all that it writes; ended by SIGTERM, and by another: then at once."""
    with (
        tempfile.TemporaryFile("w+") as written,
        subprocess.Popen(
            [sys.executable, "-m", *arguments], cwd=ROOT, env=environment, stdout=written, stderr=subprocess.STDOUT
        ) as process,
    ):
        try:
            yield written
        finally:
            for patience in (HINT_S, TERM_S):
                process.send_signal(signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(patience)
                    break
            else:
                process.kill()


FIRST_CARD: Final = Bench(
    "first-card",
    {"celery": celery, "demo": demo},
    (Comparison("demo", "celery", FIRST, "at most 3, and 2 s"),),
)
