"""The office's metrics: its calls and what came of them. No label ever holds what a caller may choose."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from worker.office.service import SeasonsServicer


class OfficeCollector(Collector):
    """Reads one service. It only reads plain numbers, so it may run beside the event loop."""

    def __init__(self, servicer: SeasonsServicer) -> None:
        self._servicer = servicer

    def collect(self) -> Iterator[Metric]:
        """All metrics of the office."""
        calls = CounterMetricFamily(
            "carico_office_calls", "Calls by what came of them: OK or why.", labels=("method", "came")
        )
        for (method, came), number in list(self._servicer.calls.items()):
            calls.add_metric((method, came), number)
        yield calls


def office_registry(servicer: SeasonsServicer) -> CollectorRegistry:
    """The office's metrics, and those of its process."""
    registry = CollectorRegistry()
    registry.register(OfficeCollector(servicer))
    ProcessCollector(registry=registry)
    return registry
