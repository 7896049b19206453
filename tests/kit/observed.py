"""A league whose referee and workers are the commands themselves, with metrics and with logs in JSON."""

import json
import os
import re
import subprocess
import sys
from typing import Any

from tests.kit.league import League, wait_until
from tests.kit.roles import ORGANISER_TOKEN
from tests.kit.scraped import Scraped, scrape

CARICO = (sys.executable, "-P", "-m", "clients.cli")


class Observed(League):
    """As League; what a part serves and what it logs is looked up by the name of the part."""

    def command(self, name: str, *arguments: str, metrics: str = "0") -> None:
        """Starts a referee or a worker; its output goes to a log."""
        environment = {"CARICO_REDIS": self.valkey.url, "CARICO_ORGANISER_TOKEN": ORGANISER_TOKEN}
        self._begin(name, environment, *arguments, "--metrics", metrics, "--log-format", "json")

    def bot_command(self, name: str, token: str, *arguments: str) -> None:
        """Starts a bot by the command."""
        self._begin(name, {"CARICO_TOKEN": token}, *arguments)

    def _begin(self, name: str, environment: dict[str, str], *arguments: str) -> None:
        no_league = {"CARICO_DATA": str(self.directory / "no-league")}
        with (self.directory / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [*CARICO, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **no_league, **environment},
                start_new_session=True,
            )

    def start_referee(self, listen: str) -> None:
        self.command("referee", "referee", "--listen", listen)
        self.address = self._printed("referee", r"referee listening on (\S+)")

    def start_worker(self, name: str = "worker", concurrency: int = 2) -> None:
        self.command(name, "worker", "--referee", self.address, "--concurrency", str(concurrency))
        self._printed(name, r"(worker ready)")

    def start_office(self) -> None:
        self.command("office", "office", "--listen", "127.0.0.1:0", "--referee", self.address)
        self._printed("office", r"(listening on)")

    def log(self, name: str) -> str:
        """All that a part has written."""
        return (self.directory / f"{name}.log").read_text()

    def lines(self, name: str) -> list[dict[str, Any]]:
        """Its log, without what it printed for those who started it. Fails where a line is no JSON object."""
        printed = ("referee listening on ", "office listening on ", "metrics on ", "worker ready")
        return [json.loads(line) for line in self.log(name).splitlines() if not line.startswith(printed)]

    def scrape(self, name: str) -> Scraped:
        """The metrics of a part."""
        return scrape(f"http://{self.metrics_address(name)}/metrics")

    def metrics_address(self, name: str) -> str:
        """Where a part serves its metrics, HOST:PORT."""
        return self._printed(name, r"metrics on http://(\S+)/metrics")

    def _printed(self, name: str, pattern: str) -> str:
        wait_until(lambda: re.search(pattern, self.log(name)) is not None, f"{name} prints {pattern}")
        return re.findall(pattern, self.log(name))[-1]
