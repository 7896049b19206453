"""The referee's loop lag, read from its metrics where these are served."""

import asyncio
import logging
import urllib.request
from typing import Final

from prometheus_client.parser import text_string_to_metric_families

EVERY_S: Final = 5.0
NAME: Final = "carico_referee_loop_lag_seconds"
QUANTILE: Final = 0.99
MOST_BYTES: Final = 1_000_000

logger = logging.getLogger("carico.dashboard")

Buckets = dict[float, float]


class LoopLag:
    """Asks until it is cancelled; ``ms`` is below what 99 of 100 beats were late since the look before, or None."""

    def __init__(self, metrics: str | None) -> None:
        """``metrics``: HOST:PORT of the referee's metrics, None where there are none."""
        self.ms: float | None = None
        self._metrics = metrics
        self._before: Buckets = {}

    async def run(self) -> None:
        """Asks now and then."""
        while self._metrics is not None:
            try:
                self.ms = self._take(await asyncio.to_thread(self._read))
            except (OSError, ValueError) as error:
                if self.ms is not None:
                    logger.warning("the referee's metrics can't be read: %s", error)
                self.ms = None
            await asyncio.sleep(EVERY_S)

    def _read(self) -> str:
        with urllib.request.urlopen(f"http://{self._metrics}/metrics", timeout=2) as answer:
            found: bytes = answer.read(MOST_BYTES)
        return found.decode("utf-8", "replace")

    def _take(self, text: str) -> float | None:
        now = buckets_in(text)
        fresh = {bound: number - self._before.get(bound, 0.0) for bound, number in now.items()}
        self._before = now
        return quantile_ms(fresh)


def buckets_in(text: str) -> Buckets:
    """The buckets of the loop lag in an exposition: upper bound in seconds, number of beats up to it."""
    return {
        float(sample.labels["le"]): sample.value
        for family in text_string_to_metric_families(text)
        if family.name == NAME
        for sample in family.samples
        if sample.name == f"{NAME}_bucket"
    }


def quantile_ms(buckets: Buckets) -> float | None:
    """The least bound that 99 of 100 stay below, in ms; None where there is nothing, or no finite one."""
    rising = sorted(buckets.items())
    if not rising or rising[-1][1] <= 0:
        return None
    bound = next(bound for bound, number in rising if number >= QUANTILE * rising[-1][1])
    return None if bound == float("inf") else bound * 1000
