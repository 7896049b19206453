"""The referee's metrics: its counts, as Prometheus reads them. Collected on another thread than the event loop's.

No label ever holds what a stranger may choose: reasons are those of the catalogue and of the rules, doors are two.
"""

from collections.abc import Iterator
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from carico.rules.outcome import FaultReason
from referee import PROTOCOL, VERSION
from referee.service.counts import OTHER, VOID_REASONS, Counts, Durations
from referee.service.hall import Hall

DURATIONS: Final = (
    ("action", "action_time", "From an ask to the answer that was played, by the clock of the seat."),
    ("action_overhead", "overhead", "From an answer that was read to the ask that follows it; writes of the log too."),
    ("loop_lag", "loop_lag", "How late each beat of the event loop was, forty a second."),
    ("log_append", "append_time", "For the lines of one turn to stand in the match log, with all tries."),
)
"""(name, field of Counts, what it is)."""

NUMBERS: Final = (
    ("matches_started", "started", "Matches that were ordered and are new."),
    ("matches_resumed", "resumed", "Matches that were taken up from the log of an earlier run."),
    ("deals_started", "dealt", "Deals in which a seat has answered."),
    ("deals_ended", "deals_ended", "Deals of matches that are over with a result."),
    ("actions", "actions", "Answers of bots that stand in the log."),
    ("stalls", "stalls", "Times that the event loop stood still for more than 60 ms."),
    ("stalled_seconds", "stalled_s", "Time that the event loop stood still and that no clock was charged with."),
    ("log_lines", "lines", "Lines written into the match log."),
    ("log_unavailable", "unwritten", "Tries to write the match log that failed."),
)


class RefereeCollector(Collector):
    """Reads one hall. It only reads plain numbers, so it may run beside the event loop."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def collect(self) -> Iterator[Metric]:
        """All metrics of the referee."""
        counts = self._hall.counts
        info = GaugeMetricFamily("carico_referee_info", "The version and the protocol.", labels=("version", "protocol"))
        info.add_metric((VERSION, str(PROTOCOL)), 1)
        yield info
        for name, field, text in NUMBERS:
            yield CounterMetricFamily(f"carico_referee_{name}", text, value=getattr(counts, field))
        yield _matches_ended(counts)
        yield _by_reason("voids", "Matches that became void.", counts.voids, (*sorted(VOID_REASONS), OTHER))
        yield _by_reason("faults", "Seats that lost their deal by a fault.", counts.faults, tuple(FaultReason))
        refusals = CounterMetricFamily(
            "carico_referee_refusals", "Calls and streams that were refused.", labels=("door", "reason")
        )
        for (door, reason), number in list(counts.refusals.items()):
            refusals.add_metric((door, reason), number)
        yield refusals
        for name, number, text in (
            ("matches_running", self._hall.running(), "Matches that run."),
            ("connections", counts.connections, "Bots that are here."),
            ("log_available", int(not counts.standing_still), "1 unless play waits for the match log."),
        ):
            yield GaugeMetricFamily(f"carico_referee_{name}", text, value=number)
        for name, field, text in DURATIONS:
            yield _histogram(f"carico_referee_{name}_seconds", text, getattr(counts, field))


def referee_registry(hall: Hall) -> CollectorRegistry:
    """The referee's metrics, and those of its process."""
    registry = CollectorRegistry()
    registry.register(RefereeCollector(hall))
    ProcessCollector(registry=registry)
    return registry


def _matches_ended(counts: Counts) -> Metric:
    metric = CounterMetricFamily("carico_referee_matches_ended", "Matches that are over.", labels=("outcome",))
    metric.add_metric(("result",), counts.ended)
    metric.add_metric(("void",), counts.void)
    return metric


def _by_reason(name: str, text: str, numbers: dict[str, int], reasons: tuple[str, ...]) -> Metric:
    metric = CounterMetricFamily(f"carico_referee_{name}", text, labels=("reason",))
    for reason in reasons:
        metric.add_metric((reason,), numbers.get(reason, 0))
    return metric


def _histogram(name: str, text: str, durations: Durations) -> Metric:
    rising, total = durations.seen()
    buckets = [("+Inf" if bound == float("inf") else str(bound), float(number)) for bound, number in rising]
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=total)
