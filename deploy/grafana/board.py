"""The Grafana board of a league, as code: ``python deploy/grafana/board.py`` writes carico.json beside it.

A test holds the committed file to this, and every query to the metrics that a running referee and worker serve.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("carico.json")

WIDTH: Final = 8
HEIGHT: Final = 7
COLUMNS: Final = 24 // WIDTH

RATE: Final = "[$__rate_interval]"


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel: its queries with the names of their lines."""

    title: str
    text: str
    queries: tuple[tuple[str, str], ...]
    """(PromQL, legend)."""
    unit: str = "short"
    kind: str = "timeseries"


def quantiles(metric: str) -> tuple[tuple[str, str], ...]:
    """Median and 99th percentile of a histogram of seconds."""
    rate = f"sum by (le) (rate({metric}_bucket{RATE}))"
    return tuple((f"histogram_quantile({q}, {rate})", f"{q:.0%}") for q in (0.5, 0.99))


def per_season(metric: str) -> str:
    """A gauge of the store, which all workers tell alike."""
    return f"max by (season) ({metric})"


def per_second(metric: str, by: str) -> str:
    """How often a second; of the referees."""
    return f"sum by ({by}) (rate({metric}{RATE}))"


ROWS: Final[tuple[tuple[str, tuple[Panel, ...]], ...]] = (
    (
        "Is it well?",
        (
            Panel(
                "Parts that answer",
                "Referees and workers that Prometheus reaches, and whether the store can be read.",
                (
                    ('sum(up{job="carico-referee"})', "referees"),
                    ('sum(up{job="carico-worker"})', "workers"),
                    ("max(carico_store_up)", "store"),
                    ("min(carico_referee_log_available)", "match log"),
                ),
                kind="stat",
            ),
            Panel(
                "Since a deal was started",
                "By running season. An alert rings at ten minutes.",
                ((per_season("carico_season_since_deal_started_seconds"), "{{season}}"),),
                "s",
            ),
            Panel(
                "Seasons",
                "By status.",
                (("max by (status) (carico_seasons)", "{{status}}"),),
                kind="stat",
            ),
        ),
    ),
    (
        "Play",
        (
            Panel(
                "Deals a second",
                "Started: a seat has answered. Ended: played to the last card.",
                (
                    (f"sum(rate(carico_referee_deals_started_total{RATE}))", "started"),
                    (f"sum(rate(carico_referee_deals_ended_total{RATE}))", "ended"),
                ),
            ),
            Panel(
                "Matches",
                "Running now; ordered and over a second.",
                (
                    ("sum(carico_referee_matches_running)", "running"),
                    (f"sum(rate(carico_referee_matches_started_total{RATE}))", "started/s"),
                    (per_second("carico_referee_matches_ended_total", "outcome"), "{{outcome}}/s"),
                ),
            ),
            Panel(
                "Bots that are here",
                "Connections by referee.",
                (("sum by (instance) (carico_referee_connections)", "{{instance}}"),),
            ),
            Panel(
                "Faults a second",
                "Seats that lost their deal, by reason.",
                ((per_second("carico_referee_faults_total", "reason"), "{{reason}}"),),
            ),
            Panel(
                "Voids a second",
                "Matches that do not count, by reason.",
                ((per_second("carico_referee_voids_total", "reason"), "{{reason}}"),),
            ),
            Panel(
                "Refusals a second",
                "Calls and streams that were refused.",
                ((per_second("carico_referee_refusals_total", "door, reason"), "{{door}} {{reason}}"),),
            ),
        ),
    ),
    (
        "Time",
        (
            Panel(
                "Time for an action",
                "What seats take, by their own clocks.",
                quantiles("carico_referee_action_seconds"),
                "s",
            ),
            Panel(
                "Overhead of an action",
                "What the referee takes between an answer and the next ask, writing the log included.",
                quantiles("carico_referee_action_overhead_seconds"),
                "s",
            ),
            Panel(
                "Lag of the event loop", "How late its beats are.", quantiles("carico_referee_loop_lag_seconds"), "s"
            ),
            Panel(
                "Actions a second",
                "By referee.",
                ((per_second("carico_referee_actions_total", "instance"), "{{instance}}"),),
            ),
            Panel(
                "Writing the match log",
                "For the lines of one turn to stand in the log.",
                quantiles("carico_referee_log_append_seconds"),
                "s",
            ),
            Panel(
                "Stalls",
                "Share of time in which the event loop stood still; no clock was charged with it.",
                ((per_second("carico_referee_stalled_seconds_total", "instance"), "{{instance}}"),),
                "percentunit",
            ),
        ),
    ),
    (
        "Work",
        (
            Panel(
                "Chunks",
                "By season and state.",
                (("max by (season, state) (carico_season_chunks)", "{{season}} {{state}}"),),
            ),
            Panel(
                "Queue",
                "Chunks that lie in the queue.",
                ((per_season("carico_season_backlog_chunks"), "{{season}}"),),
            ),
            Panel(
                "What came of turns",
                "Turns at chunks a second, by outcome, all seasons.",
                (
                    (
                        f"sum by (outcome) (max by (season, outcome) (rate(carico_season_turns_total{RATE})))",
                        "{{outcome}}",
                    ),
                ),
            ),
            Panel(
                "Leases",
                "That expired a second, and that have run out unseen.",
                (
                    (f"max by (season) (rate(carico_season_leases_expired_total{RATE}))", "{{season}} expired/s"),
                    (per_season("carico_season_overdue_leases"), "{{season}} unseen"),
                ),
            ),
            Panel(
                "Deals that count",
                "By season.",
                ((per_season("carico_season_deals_total"), "{{season}}"),),
            ),
            Panel(
                "Sweeps",
                "Times a second that workers looked for what is due, and could not.",
                (
                    (f"sum(rate(carico_worker_sweeps_total{RATE}))", "done"),
                    (f"sum(rate(carico_worker_sweeps_failed_total{RATE}))", "failed"),
                ),
            ),
        ),
    ),
    (
        "Machines",
        (
            Panel(
                "CPU",
                "Cores that each main process uses.",
                (
                    (
                        'sum by (job, instance) (rate(process_cpu_seconds_total{job=~"carico-.*"}[$__rate_interval]))',
                        "{{job}} {{instance}}",
                    ),
                ),
            ),
            Panel(
                "Memory",
                "Of each main process, and of the store.",
                (
                    (
                        'sum by (job, instance) (process_resident_memory_bytes{job=~"carico-.*"})',
                        "{{job}} {{instance}}",
                    ),
                    ("max(carico_store_memory_bytes)", "store"),
                ),
                "bytes",
            ),
            Panel(
                "Disk of the store",
                "Its append-only file, and what is free where a worker sees that disk.",
                (
                    ("max(carico_store_log_bytes)", "append-only file"),
                    ("min(carico_store_disk_free_bytes)", "free"),
                ),
                "bytes",
            ),
        ),
    ),
)


def board() -> dict[str, Any]:
    """The board as Grafana imports it."""
    panels: list[dict[str, Any]] = []
    y = 0
    for title, row in ROWS:
        panels.append(
            {
                "id": len(panels) + 1,
                "type": "row",
                "title": title,
                "collapsed": False,
                "gridPos": {"h": 1, "w": 24, "x": 0, "y": y},
                "panels": [],
            }
        )
        y += 1
        for place, panel in enumerate(row):
            at = {"h": HEIGHT, "w": WIDTH, "x": place % COLUMNS * WIDTH, "y": y + place // COLUMNS * HEIGHT}
            panels.append({"id": len(panels) + 1, **_panel(panel), "gridPos": at})
        y += -(-len(row) // COLUMNS) * HEIGHT
    return {
        "uid": "carico",
        "title": "carico",
        "tags": ["carico"],
        "schemaVersion": 39,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {
            "list": [{"name": "datasource", "label": "Prometheus", "type": "datasource", "query": "prometheus"}]
        },
        "panels": panels,
    }


def _panel(panel: Panel) -> dict[str, Any]:
    source = {"type": "prometheus", "uid": "${datasource}"}
    return {
        "type": panel.kind,
        "title": panel.title,
        "description": panel.text,
        "datasource": source,
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "targets": [
            {"refId": chr(65 + place), "datasource": source, "expr": query, "legendFormat": legend, "range": True}
            for place, (query, legend) in enumerate(panel.queries)
        ],
    }


def text() -> str:
    """What the committed file holds."""
    return json.dumps(board(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
