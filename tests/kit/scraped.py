"""Metrics as Prometheus reads them: scraped, parsed, and looked up."""

import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families


@dataclass(frozen=True)
class Scraped:
    """All samples of one scrape."""

    text: str
    samples: Mapping[tuple[str, frozenset[tuple[str, str]]], float]

    def __call__(self, name: str, **labels: str) -> float:
        """The value of a sample; fails where there is none."""
        return self.samples[name, frozenset(labels.items())]

    @property
    def names(self) -> set[str]:
        """The names of all samples."""
        return {name for name, _ in self.samples}

    def labels(self, name: str, label: str) -> set[str]:
        """All values of a label of a metric."""
        return {dict(labels)[label] for found, labels in self.samples if found == name}


def read(text: str) -> Scraped:
    """The samples of an exposition."""
    samples = {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    return Scraped(text, samples)


def collected(registry: CollectorRegistry) -> Scraped:
    """What a registry would serve."""
    return read(generate_latest(registry).decode())


def scrape(url: str) -> Scraped:
    """What is served there."""
    with urllib.request.urlopen(url, timeout=20) as answer:
        return read(answer.read().decode())
