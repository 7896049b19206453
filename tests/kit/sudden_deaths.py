"""What a worker of the chaos tests does worse than others: it dies in the middle of calls and sends all thrice."""

import os
import random
import signal
from collections.abc import Callable
from functools import wraps
from typing import Any, Final
from uuid import uuid4

DEADLY: Final = {
    "worker.store.redis:RedisStore": ("claim", "mark_started", "heartbeat", "commit", "release"),
    "worker.referee_client:RefereeClient": ("start", "wait", "release"),
}
"""A pool child may die right before and right after each of these."""


def die_suddenly(seed: int, share: float) -> None:
    """From now on every process that works on chunks dies by SIGKILL before or after this share of its calls."""
    from importlib import import_module

    main = os.getpid()
    chances: dict[int, random.Random] = {}

    def may_die() -> None:
        pid = os.getpid()
        chance = chances.setdefault(pid, random.Random(f"{seed} {pid}"))
        if pid != main and chance.random() < share:
            os.kill(pid, signal.SIGKILL)

    def deadly(call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def called(*arguments: Any, **named: Any) -> Any:
            may_die()
            answer = call(*arguments, **named)
            may_die()
            return answer

        return called

    for place, names in DEADLY.items():
        module, _, kind = place.partition(":")
        for name in names:
            owner = getattr(import_module(module), kind)
            setattr(owner, name, deadly(getattr(owner, name)))


def send_thrice() -> None:
    """From now on every Celery message of this process lies in the queue three times."""
    from kombu.transport.redis import Channel

    put = Channel._put

    def put_thrice(self: Any, queue: str, message: dict[str, Any], **more: Any) -> None:
        for _ in range(3):
            properties = {**message["properties"], "delivery_tag": str(uuid4())}
            put(self, queue, {**message, "properties": properties}, **more)

    Channel._put = put_thrice
