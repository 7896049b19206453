"""A worker keeps taking messages after the store went away at the worst moment."""

from pathlib import Path
from typing import Any

import pytest
from kombu import Queue

from tests.kit.stores import kill
from worker.app import QUEUE, make_app
from worker.settings import Settings
from worker.store.embedded import EmbeddedValkey


@pytest.mark.parametrize("answer", ["ack", "reject", "requeue"])
def test_a_message_whose_acknowledgement_was_lost_takes_no_place(tmp_path: Path, answer: str) -> None:
    with EmbeddedValkey(tmp_path) as server:
        app = make_app(Settings(server.url, "127.0.0.1:1", "not needed to receive"))
        app.send_task("nothing")
        taken: list[Any] = []
        with app.connection_for_read() as connection:
            channel = connection.channel()
            channel.basic_qos(0, 1, False)
            consumer = connection.Consumer(
                Queue(QUEUE, channel=channel), channel=channel, on_message=taken.append, accept=["json"]
            )
            consumer.consume()
            connection.drain_events(timeout=10)
            assert not channel.qos.can_consume()
            kill(server)
            with pytest.raises(connection.connection_errors):
                getattr(taken[0], answer)()
            assert channel.qos.can_consume()
            server.restart()
