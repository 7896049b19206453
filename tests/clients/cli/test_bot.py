"""``carico bot`` against a real referee, which is ``carico referee``."""

import csv
import io
import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from clients.cli.data_directory import DataDirectory
from clients.cli.failure import ExitCode
from clients.cli.tokens import token_file
from tests.clients.cli.command import Here, Marked, one_line
from tests.kit.league import wait_until

FIRST = "from carico import Bot\n\nclass First(Bot):\n    def act(self, view):\n        return view.legal[0]\n"


@pytest.fixture
def referee(marked: Marked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A referee that the commands find through CARICO_DATA."""
    directory = DataDirectory(tmp_path / "data")
    directory.path.mkdir()
    process = marked.start(
        "referee",
        "--in-memory",
        "--listen",
        "127.0.0.1:0",
        "--organiser-token-file",
        directory.organiser_token_file,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    with process.stdout:
        address = process.stdout.readline().split()[-1]
    directory.announce(address, "")
    monkeypatch.setenv("CARICO_DATA", str(directory.path))
    yield address
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0


def test_register_prints_the_token_alone(referee: str, carico: Here) -> None:
    done = carico("bot", "register", "mybot", "--owner", "me")
    assert done.code == 0
    assert one_line(done.out)
    assert done.out.startswith("carico_")
    assert done.out.strip() not in done.err
    assert one_line(done.err)


def test_a_name_that_is_taken_or_none(referee: str, carico: Here) -> None:
    carico("bot", "register", "mybot", "--owner", "me")
    again = carico("bot", "register", "mybot", "--owner", "you")
    assert (again.code, again.out) == (ExitCode.FAILED, "")
    assert "mybot" in again.err
    assert one_line(again.err)
    for name, owner in (("no name", "me"), ("x", "\x1b[31m")):
        bad = carico("bot", "register", name, "--owner", owner)
        assert (bad.code, bad.out) == (ExitCode.USAGE, "")
        assert one_line(bad.err)
        assert bad.err.rstrip("\n").isprintable()


def test_save_puts_the_token_where_run_finds_it(referee: str, carico: Here, tmp_path: Path) -> None:
    done = carico("bot", "register", "mybot", "--owner", "me", "--save")
    saved = token_file("mybot", str(tmp_path / "data"))
    assert saved.is_relative_to(tmp_path / "config" / "carico" / "tokens")
    assert (done.code, done.out) == (0, "")
    assert str(saved) in done.err
    assert saved.stat().st_mode & 0o777 == 0o600
    token = saved.read_text()
    assert token not in done.err
    assert carico("bot", "renew", "mybot", "--save").code == 0
    assert saved.read_text() != token
    assert token_file("mybot", referee).read_text() == saved.read_text(), "by its address it is found, too"


def test_a_token_that_could_not_be_saved_is_never_asked_for(referee: str, carico: Here, tmp_path: Path) -> None:
    (tmp_path / "config").touch()
    done = carico("bot", "register", "mybot", "--owner", "me", "--save")
    assert done.code in (ExitCode.FAILED, ExitCode.USAGE)
    assert carico("bot", "register", "mybot", "--owner", "me").code == 0


def test_renew(referee: str, carico: Here) -> None:
    first = carico("bot", "register", "mybot", "--owner", "me").out
    second = carico("bot", "renew", "mybot").out
    assert second.startswith("carico_")
    assert second != first
    nobody = carico("bot", "renew", "nobody")
    assert (nobody.code, nobody.out) == (ExitCode.FAILED, "")
    assert one_line(nobody.err)


def test_list_in_three_formats(referee: str, carico: Here) -> None:
    for name in ("b", "a"):
        carico("bot", "register", name, "--owner", "me")
    found = json.loads(carico("bot", "list", "--format", "json").out)
    assert [(row["bot"], row["owner"], row["connected"]) for row in found] == [("a", "me", False), ("b", "me", False)]
    rows = list(csv.DictReader(io.StringIO(carico("bot", "list", "a", "--format", "csv").out)))
    assert [row["bot"] for row in rows] == ["a"]
    assert carico("bot", "list").out.count("me") == 2


def test_a_wrong_token_is_refused(referee: str, carico: Here, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("carico_wrong")
    wrong.chmod(0o600)
    done = carico("bot", "list", "--organiser-token-file", wrong)
    assert (done.code, done.out) == (ExitCode.REFUSED, "")
    assert one_line(done.err)
    done = carico("bot", "run", "greedy", "--name", "greedy", "--version", "1", "--token-file", wrong)
    assert done.code == ExitCode.REFUSED
    assert one_line(done.err)


def test_no_referee_there(carico: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARICO_ORGANISER_TOKEN", "x")
    done = carico("bot", "list", "--referee", "127.0.0.1:1")
    assert done.code == ExitCode.UNREACHABLE
    assert one_line(done.err)
    assert "127.0.0.1:1" in done.err


def test_the_organisers_token_never_travels_in_plain_text(carico: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARICO_ORGANISER_TOKEN", "x")
    done = carico("bot", "list", "--referee", "192.0.2.1:7000")
    assert done.code == ExitCode.REFUSED
    assert "--tls" in done.err


def test_a_bot_s_token_never_travels_in_plain_text(carico: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARICO_TOKEN", "x")
    done = carico("bot", "run", "greedy", "--name", "a", "--version", "1", "--referee", "192.0.2.1:12040")
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert one_line(done.err)
    assert "give --tls, or --tls-ca FILE" in done.err
    assert "tls_credentials" not in done.err


def test_a_bot_from_a_file_joins_and_goes(referee: str, carico: Here, marked: Marked, tmp_path: Path) -> None:
    Path("mybot.py").write_text(FIRST)
    carico("bot", "register", "mybot", "--owner", "me", "--save")
    words = ["bot", "run", "mybot.py:First", "--name", "mybot", "--version", "1"]
    process = marked.start(*words, stderr=subprocess.PIPE)
    assert process.stderr is not None
    with process.stderr as said:
        assert "connected" in said.readline()
        shown = json.loads(carico("bot", "list", "mybot", "--format", "json").out)[0]
        assert (shown["connected"], shown["version"]) == (True, "1")
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == ExitCode.INTERRUPTED
        assert "Traceback" not in said.read()
    wait_until(
        lambda: json.loads(carico("bot", "list", "mybot", "--format", "json").out)[0]["away_seconds"] is not None,
        "the referee knows that it has gone",
    )


def test_another_bots_token_is_refused(referee: str, carico: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARICO_TOKEN", carico("bot", "register", "mine", "--owner", "me").out.strip())
    done = carico("bot", "run", "greedy", "--name", "greedy", "--version", "1")
    assert done.code == ExitCode.REFUSED
    assert one_line(done.err)


def test_a_referee_on_a_port_that_is_taken(referee: str, carico: Here) -> None:
    done = carico("referee", "--in-memory", "--listen", referee)
    assert done.code == ExitCode.FAILED
    assert referee in done.err.splitlines()[-1]
