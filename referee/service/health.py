"""The door for those who ask whether the referee serves."""

from typing import Any, Final

from grpc_health.v1 import health, health_pb2

from referee.service.door import Context
from referee.service.errors import Reason, Refused

MOST_WATCHING: Final = 100


class Health(health.aio.HealthServicer):
    """gRPC's own health service; so many may watch at once, since nobody needs a token for it."""

    def __init__(self) -> None:
        super().__init__()
        self._watching = 0

    async def Watch(self, request: health_pb2.HealthCheckRequest, context: Context) -> Any:  # noqa: N802
        """See grpc.health.v1."""
        if self._watching >= MOST_WATCHING:
            await Refused(Reason.TOO_MANY, text=f"at most {MOST_WATCHING} may watch at once").abort(context)
        self._watching += 1
        try:
            await super().Watch(request, context)
        finally:
            self._watching -= 1
