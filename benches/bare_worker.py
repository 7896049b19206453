"""The app of a bare Celery worker, the slowest part of a league to start: its one task writes a line into a pipe."""

import os
from pathlib import Path

from celery import Celery

from benches.names import PIPE, STORE
from worker.store.address import broker_url

app = Celery("bare", broker=broker_url(os.environ[STORE]))
app.conf.update(task_acks_late=True, task_ignore_result=True, broker_connection_retry_on_startup=True)


@app.task(name="bare.tell")
def tell() -> None:
    """Says that it was done."""
    Path(os.environ[PIPE]).write_text("done\n")
