"""The command as a whole: help, mistakes, exit codes."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from clients.cli.failure import EXIT_CODES, ExitCode, Failure
from clients.cli.main import app, main
from tests.clients.cli.command import CARICO, Here, one_line

HEAVY = ("grpc", "redis", "celery", "kombu", "google", "rich.console", "carico.rules", "worker", "referee", "asyncio")


def commands(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in getattr(node, "commands", {}).items():
        yield (*path, name), command
        yield from commands(command, (*path, name))


LEAVES = [path for path, command in commands(typer.main.get_command(app)) if not hasattr(command, "commands")]


def test_every_command_is_there() -> None:
    assert {" ".join(path) for path in LEAVES} == {
        "dashboard",
        "demo",
        "arena",
        "check",
        "rules",
        "replay",
        "verify",
        "serve",
        "referee",
        "worker",
        "office",
        "bot register",
        "bot renew",
        "bot list",
        "bot run",
        "bot faults",
        "season init",
        "season plan",
        "season create",
        "season start",
        "season status",
        "season standings",
        "season export",
        "season list",
        "season watch",
        "season pause",
        "season resume",
        "season audit",
        "season rebuild",
        "season withdraw",
        "season void",
        "season log",
    }


@pytest.mark.parametrize(
    "arguments", ["--help", "arena --help", "demo --help", "bot run --help", "season --help", "--version"]
)
def test_help_loads_nothing_heavy(arguments: str) -> None:
    code = (
        "import sys\nfrom clients.cli.main import main\n"
        f"code = main({arguments.split()!r})\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[] 0"


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_every_help_teaches_by_example(path: tuple[str, ...], carico: Here) -> None:
    done = carico(*path, "--help")
    assert done.code == 0
    assert f"carico {' '.join(path)}" in done.out.partition("Example")[2]
    assert "\b" not in done.out


def test_the_exit_codes_stand_in_the_help(carico: Here) -> None:
    text = carico("--help").out
    for code, meaning in EXIT_CODES.items():
        assert f"{code.value:>3}  {meaning}" in text


def test_version(carico: Here) -> None:
    done = carico("--version")
    assert (done.code, done.out) == (0, "carico 0.1.0\n")


@pytest.mark.parametrize(
    "arguments",
    [
        "nonsense",
        "bot lost",
        "--nonsense",
        "arena",
        "arena greedy greedy --deal-sets x",
        "arena greedy greedy --deal-sets 0",
        "arena greedy greedy --seed -1",
        "arena greedy greedy --format xml",
        "arena greedy greedy --game poker-2",
        "arena greedy greedy --option hand=77",
        "arena greedy greedy --option hand",
        "arena greedy",
        "arena greedy nobody",
        "demo --bots greedy",
        "demo --bots greedy,nobody",
        "demo --game briscola-3 --bots greedy,random",
        "demo --deal-sets 0",
        "bot register x",
        "bot run greedy --name x",
        "bot run greedy --name x --version 1 --referee nowhere --token-file t",
        "bot run greedy --name x --version 1 --referee 127.0.0.1:1 --seed xyz",
        "bot list --referee nowhere",
        "season init --name /",
        "season create missing.toml",
        "season status --redis http://x",
        "referee --in-memory --redis redis://x",
        "referee --in-memory --listen nowhere",
        "referee --in-memory --tls-cert x",
        "serve --listen x",
        "serve --listen 0.0.0.0:0",
    ],
)
def test_a_mistake_is_one_line_on_stderr(arguments: str, carico: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARICO_ORGANISER_TOKEN", "x")
    monkeypatch.setenv("CARICO_TOKEN", "x")
    done = carico(*arguments.split())
    assert done.code == ExitCode.USAGE
    assert done.out == ""
    assert one_line(done.err), done.err
    assert done.err.startswith("carico")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("bot list --referee 127.0.0.1:1", ExitCode.REFUSED),
        ("bot run greedy --name x --version 1 --referee 127.0.0.1:1", ExitCode.REFUSED),
        ("bot run greedy --name x --version 1", ExitCode.UNREACHABLE),
        ("season list", ExitCode.UNREACHABLE),
        ("season list --redis redis://127.0.0.1:1/0", ExitCode.UNREACHABLE),
        ("worker --redis redis://127.0.0.1:1/0", ExitCode.UNREACHABLE),
        ("referee --in-memory", ExitCode.REFUSED),
    ],
)
def test_what_is_missing_is_one_line_and_a_code(arguments: str, code: ExitCode, carico: Here) -> None:
    done = carico(*arguments.split())
    assert (done.code, done.out) == (code, "")
    assert one_line(done.err), done.err


def test_hostile_words_do_not_reach_the_terminal(carico: Here) -> None:
    for words in (
        ["\x1b[31m"],
        ["arena", "\x1b]0;x\x07", "greedy"],
        ["arena", "greedy", "greedy", "--game", "a\nb\x9b"],
    ):
        done = carico(*words)
        assert done.code == ExitCode.USAGE
        assert one_line(done.err)
        assert done.err.rstrip("\n").isprintable()


def test_a_failure_is_made_harmless() -> None:
    assert str(Failure("a\x1b[31m\nb\u202e")) == "a\\x1b[31m\nb\\u202e"


def test_no_verb_shows_the_help_and_is_bad_usage(carico: Here) -> None:
    for words in ([], ["bot"], ["season"]):
        done = carico(*words)
        assert done.code == ExitCode.USAGE
        assert "Usage: carico" in done.err


def test_ctrl_c(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("clients.cli.arena.chosen_game", interrupted)
    assert main(["arena", "greedy", "greedy"]) == ExitCode.INTERRUPTED
    assert capsys.readouterr().err == ""


def test_an_output_that_is_full(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*CARICO, "arena", "greedy", "random", "--deal-sets", "1", "--seed", "1", "--format", "json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == ExitCode.FAILED
    assert one_line(done.stderr), done.stderr


def test_a_reader_that_has_gone() -> None:
    done = subprocess.run(["sh", "-c", f"{' '.join(CARICO)} --help | true"], stderr=subprocess.PIPE, text=True)
    assert done.stderr == ""
