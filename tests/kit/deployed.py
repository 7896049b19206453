"""The files of deploy/, read; and what their queries name."""

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
METRIC = re.compile(r"\b((?:carico|process)_[a-z0-9_]+|up)\b(?:\{([^}]*)\})?")
STRING = re.compile(r"\"[^\"]*\"")


class Query(NamedTuple):
    """A PromQL expression, and where it stands."""

    where: str
    text: str

    @property
    def metrics(self) -> set[tuple[str, frozenset[str]]]:
        """(metric, the labels that are asked of it), each by its name."""
        return {
            (name, frozenset(re.findall(r"([a-z_]+)\s*(?:=|!)", STRING.sub('""', selector))))
            for name, selector in METRIC.findall(self.text)
        }


def load(name: str) -> Any:
    """A YAML file of deploy/."""
    return yaml.safe_load((DEPLOY / name).read_text())


def alerts() -> list[dict[str, Any]]:
    """All alerts."""
    return [rule for group in load("prometheus/alerts.yml")["groups"] for rule in group["rules"]]


def board_module() -> Any:
    """The program that makes the board."""
    spec = importlib.util.spec_from_file_location("board", DEPLOY / "grafana" / "board.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["board"] = module
    spec.loader.exec_module(module)
    return module


def queries() -> list[Query]:
    """Every query of the alerts and of the board."""
    found = [Query(rule["alert"], rule["expr"]) for rule in alerts()]
    return found + [
        Query(panel.title, query) for _, row in board_module().ROWS for panel in row for query, _ in panel.queries
    ]
