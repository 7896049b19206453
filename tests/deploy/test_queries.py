"""Every query of the board and of the alerts asks for what a running referee and worker really serve."""

import json
import socket
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.conftest import program
from tests.kit.deployed import DEPLOY, Query, board_module, load, queries
from tests.kit.league import wait_until
from tests.kit.observed import Observed

BY_PROMETHEUS = {"job", "instance"}
"""Labels that a scrape adds."""


def test_the_board_is_what_its_program_makes() -> None:
    assert (DEPLOY / "grafana" / "carico.json").read_text() == board_module().text(), "run deploy/grafana/board.py"


def test_panels_have_places_of_their_own() -> None:
    panels = json.loads((DEPLOY / "grafana" / "carico.json").read_text())["panels"]
    cells = [
        (x, y)
        for panel in panels
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
    assert len({panel["id"] for panel in panels}) == len(panels)


def test_every_metric_and_label_is_served(league: Observed) -> None:
    served: dict[str, set[str]] = {"up": set()}
    for part in ("referee", "worker"):
        for name, labels in league.scrape(part).samples:
            served.setdefault(name, set()).update(dict(labels))
    asked = queries()
    assert len(asked) > 50
    for query in asked:
        assert query.metrics, query
        for metric, labels in query.metrics:
            assert metric in served, f"{query.where}: nobody serves {metric}"
            assert labels <= served[metric] | BY_PROMETHEUS, f"{query.where}: {metric} has no {labels}"


def test_a_metric_that_nobody_serves_would_be_found() -> None:
    query = Query("a test", 'sum by (le) (rate(carico_no_such_total{reason=~"A|B",door!="x"}[5m]))')
    assert query.metrics == {("carico_no_such_total", frozenset({"reason", "door"}))}


def test_every_query_can_be_read(promtool: str, tmp_path: Path) -> None:
    rules = [
        {"record": f"q:{number}", "expr": query.text.replace("$__rate_interval", "5m")}
        for number, query in enumerate(queries())
    ]
    file = tmp_path / "rules.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "all", "rules": rules}]}))
    ran = subprocess.run([promtool, "check", "rules", file], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("part", ["referee", "worker"])
def test_the_metrics_are_well_formed(league: Observed, promtool: str, part: str) -> None:
    ran = subprocess.run([promtool, "check", "metrics"], input=league.scrape(part).text, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


class Prometheus:
    """A real one, that scrapes a league by the committed configuration but for its targets."""

    def __init__(self, path: str, directory: Path, league: Observed) -> None:
        config = load("prometheus/prometheus.yml")
        config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
        config["rule_files"] = [str(DEPLOY / "prometheus" / "alerts.yml")]
        for job in config["scrape_configs"]:
            job.pop("dns_sd_configs", None)
            job["static_configs"] = [{"targets": [league.metrics_address(job["job_name"].removeprefix("carico-"))]}]
        file = directory / "prometheus.yml"
        file.write_text(yaml.safe_dump(config))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        with (directory / "prometheus.log").open("wb") as log:
            self.process = subprocess.Popen(
                [
                    path,
                    f"--config.file={file}",
                    f"--storage.tsdb.path={directory / 'data'}",
                    f"--web.listen-address={self.address}",
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def get(self, path: str, **arguments: str) -> Any:
        """What its API answers."""
        url = f"http://{self.address}/api/v1/{path}?{urllib.parse.urlencode(arguments)}"
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.load(answer)["data"]

    def holds(self, query: str) -> bool:
        """Whether a query finds anything."""
        try:
            return bool(self.get("query", query=query)["result"])
        except OSError:
            return False  # it does not serve yet


@pytest.fixture(scope="module")
def prometheus(league: Observed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    path = program("prometheus", "prometheus")
    running = Prometheus(path, tmp_path_factory.mktemp("prometheus"), league)
    yield running
    running.process.terminate()
    running.process.wait(20)


def test_every_panel_has_data_and_no_alert_rings(prometheus: Prometheus) -> None:
    rates = "count(rate(carico_referee_actions_total[20s])) + count(rate(carico_season_deals_total[20s]))"
    wait_until(lambda: prometheus.holds(rates), "both parts were scraped twice")
    for _, row in board_module().ROWS:
        for panel in row:
            for query, _ in panel.queries:
                found = prometheus.get("query", query=query.replace("$__rate_interval", "20s"))["result"]
                assert found, f"{panel.title}: {query}"
    rules = prometheus.get("rules")["groups"][0]["rules"]
    assert [rule["name"] for rule in rules if rule["health"] == "err"] == []
    assert [alert["labels"] for alert in prometheus.get("alerts")["alerts"] if alert["state"] == "firing"] == []
