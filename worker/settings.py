"""What a worker needs to know."""

from dataclasses import dataclass, field

from carico.address import is_local
from carico.log_lines import LogFormat
from worker.play import Terms


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things are, and how much is done at once.

    Raises ValueError where the organiser's token would travel in plain text to another machine.
    """

    redis: str
    """URL of the store."""
    referee: str
    """host:port of the referee."""
    organiser_token: str
    tls_ca: bytes | None = None
    """PEM of the authority that signed the referee's certificate; None speaks plain text."""
    concurrency: int = 2
    """How many chunks this worker plays at once."""
    terms: Terms = field(default_factory=Terms)
    metrics: str | None = None
    """host:port where metrics are served, port 0 for a free one; None serves none."""
    log_format: LogFormat = LogFormat.TEXT

    def __post_init__(self) -> None:
        if self.tls_ca is None and not is_local(self.referee):
            raise ValueError(f"{self.referee} is another machine: speak TLS to it (--tls-ca)")

    @property
    def backlog(self) -> int:
        """How many chunks of a season may lie in the queue."""
        return 2 * self.concurrency
