"""``carico dashboard`` as a command: it says where it is, answers there, and ends well."""

import re
import signal
import subprocess
import urllib.request
from pathlib import Path

import pytest

from tests.clients.cli.command import CARICO, Here, Marked
from tests.kit.filled_season import FilledSeason
from tests.kit.league import wait_until
from worker.store.embedded import EmbeddedValkey
from worker.store.open import open_store


def test_it_serves_what_is_in_the_store_and_ends_when_asked(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "store") as valkey:
        season = FilledSeason(open_store(valkey.url))
        season.play()
        command = [*CARICO, "dashboard", "--listen", "0", "--redis", valkey.url]
        with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            found = re.fullmatch(r"dashboard on (http://127\.0\.0\.1:\d+/)\n", process.stdout.readline())
            assert found is not None
            with urllib.request.urlopen(f"{found[1]}api/v1/seasons/{season.id}", timeout=30) as answer:
                assert b'"status":"finished"' in answer.read()
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0


@pytest.mark.parametrize("listen", ["unix:/x", "nonsense", "127.0.0.1:99999"])
def test_an_address_that_no_browser_can_reach_is_refused(carico: Here, listen: str) -> None:
    done = carico("dashboard", "--listen", listen, "--redis", "unix:///nowhere")
    assert done.code == 2
    assert done.err.count("\n") == 1


def test_a_store_that_is_not_there_is_told_in_one_line(carico: Here, tmp_path: Path) -> None:
    done = carico("dashboard", "--listen", "0", "--redis", f"unix://{tmp_path}/none.sock")
    assert done.code == 1
    assert "none.sock" in done.err
    assert "Traceback" not in done.err


def test_serve_has_one_and_says_where(marked: Marked) -> None:
    command = [*CARICO, "serve", "--data", "league", "--listen", "127.0.0.1:0"]
    process = subprocess.Popen(command, env=marked.environment(), stderr=subprocess.PIPE, text=True)
    with process:
        assert process.stderr is not None
        line = next(line for line in process.stderr if line.startswith("dashboard at "))
        address = line.removeprefix("dashboard at ").strip()
        wait_until(lambda: answers(f"{address}api/v1/platform"), "the dashboard answers")
        wait_until(lambda: answers(f"{address}api/v1/platform", b'"referee_up":true'), "it has found the referee")
        process.send_signal(signal.SIGINT)
        process.stderr.read()
    assert process.returncode == 0


def answers(url: str, words: bytes = b"") -> bool:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return words in answer.read()
    except OSError:
        return False
