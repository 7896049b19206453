"""The rules of alerts: valid, each tested by promtool, each explained to the operator."""

import re
import subprocess

import pytest

from tests.kit.deployed import DEPLOY, alerts, load

FOLDER = DEPLOY / "prometheus"
OPERATING = (DEPLOY.parent / "docs" / "operating.md").read_text()


def test_the_configuration_and_its_rules_are_valid(promtool: str) -> None:
    ran = subprocess.run([promtool, "check", "config", "prometheus.yml"], cwd=FOLDER, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"{len(alerts())} rules found" in ran.stdout


def test_the_alerts_do_what_their_tests_say(promtool: str) -> None:
    ran = subprocess.run([promtool, "test", "rules", "alerts_test.yml"], cwd=FOLDER, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("alert", alerts(), ids=lambda alert: alert["alert"])
def test_each_alert_is_seen_to_fire_by_its_tests(alert: dict[str, object]) -> None:
    cases = [
        bool(case["exp_alerts"])
        for test in load("prometheus/alerts_test.yml")["tests"]
        for case in test.get("alert_rule_test", ())
        if case["alertname"] == alert["alert"]
    ]
    assert True in cases


@pytest.mark.parametrize("alert", alerts(), ids=lambda alert: alert["alert"])
def test_each_alert_has_a_grade_and_a_place_on_the_operators_page(alert: dict[str, dict[str, str]]) -> None:
    assert alert["labels"]["severity"] in ("page", "ticket")
    assert alert["annotations"]["summary"]
    assert re.search(rf"^\*\*{alert['alert']}\*\*", OPERATING, re.MULTILINE), "docs/operating.md does not explain it"


def test_the_page_explains_no_alert_that_is_not_there() -> None:
    explained = set(re.findall(r"^\*\*(Carico\w+)\*\*", OPERATING, re.MULTILINE))
    assert explained == {alert["alert"] for alert in alerts()}
