"""Metrics are served by a thread of their own, where they were asked for."""

import re
import socket
import urllib.error

import pytest
from prometheus_client import CollectorRegistry, Gauge

from carico.exposition import CannotExpose, Exposition
from tests.kit.scraped import scrape


@pytest.fixture
def registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    Gauge("carico_test_truth", "Forty-two.", registry=registry).set(42)
    return registry


def test_a_free_port_is_found_and_told(registry: CollectorRegistry) -> None:
    exposition = Exposition("127.0.0.1:0", registry)
    assert re.fullmatch(r"127\.0\.0\.1:[1-9]\d*", exposition.address)
    assert scrape(f"http://{exposition.address}/metrics")("carico_test_truth") == 42
    exposition.close()
    with pytest.raises(urllib.error.URLError):
        scrape(f"http://{exposition.address}/metrics")


def test_a_taken_port_is_named(registry: CollectorRegistry) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = f"127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(CannotExpose, match=rf"{taken}.*--metrics"):
            Exposition(taken, registry)


def test_a_host_that_is_not_here_is_named(registry: CollectorRegistry) -> None:
    with pytest.raises(CannotExpose, match=r"192\.0\.2\.1:0"):
        Exposition("192.0.2.1:0", registry)
