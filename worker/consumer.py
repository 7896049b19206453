"""How a worker outlasts a store that is away, read-only or full: it waits for ever, in plain words, and never hangs."""

import time
from collections.abc import Callable
from typing import Any, Final

from celery.utils.log import get_logger
from celery.worker.consumer import Consumer
from celery.worker.state import maybe_shutdown
from kombu.transport import redis, virtual

from worker.store.errors import StoreError

LOOK_S: Final = 0.5
"""How often it looks whether the store is well again."""

TELL_EVERY: Final = 20
"""So many looks later it says once more why nothing goes on."""

logger = get_logger("carico.consumer")


def patient(check_writable: Callable[[], None]) -> type[Consumer]:
    """A Celery consumer that connects once ``check_writable`` raises no StoreError any more.

    Celery itself would try again at ever longer intervals where the server is away, and as often as it can where it
    answers and refuses.
    """

    class PatientConsumer(Consumer):
        def connect(self) -> Any:
            looks = 0
            while True:
                maybe_shutdown()
                try:
                    check_writable()
                except StoreError as error:
                    if looks % TELL_EVERY == 0:
                        logger.error("this worker stands still until the store can be written: %s", error)
                    looks += 1
                    time.sleep(LOOK_S)
                else:
                    if looks:
                        logger.warning("the store can be written again: this worker goes on")
                    return super().connect()

    return PatientConsumer


def let_go_of_the_unacknowledged() -> None:
    """From now on a message whose acknowledgement never reached the store takes no place of this process any more.

    Celery only logs that, and counts the message as being worked on: a worker all of whose places are so taken asks for
    nothing any more, and never learns that its connection is gone. The store delivers the message once more; that is
    harmless.
    """
    redis.Channel.QoS = _LettingGo


class _LettingGo(redis.QoS):
    def ack(self, delivery_tag: str) -> None:
        try:
            super().ack(delivery_tag)
        except BaseException:
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        try:
            super().reject(delivery_tag, requeue)
        except BaseException:
            virtual.QoS.ack(self, delivery_tag)
            raise
