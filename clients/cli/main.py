"""The command ``carico``: what the user typed, to the right command; what went wrong, to one line and an exit code."""

import os
import signal
import sys
from collections.abc import Sequence
from typing import Annotated, Final

import typer

from clients.cli import (
    arena,
    bot,
    check,
    dashboard,
    demo,
    office,
    referee,
    replay,
    rules,
    season,
    serve,
    verify,
    worker,
)
from clients.cli.failure import EXIT_CODES, ExitCode, Failure
from clients.cli.plain_text import plain

HELP: Final = """A league platform for bots that play Briscola and its family.

\b
A whole league on this machine:  carico demo
Bots against each other here:    carico arena greedy mybot.py:MyBot
Is my bot fit for a league:      carico check mybot.py:MyBot
A bot into a running league:     carico bot register, carico bot run
A league that stays:             carico serve, carico season
The league in the browser:       carico dashboard
"""

_CODES: Final = "\n".join(f"  {code:>3}  {meaning}" for code, meaning in EXIT_CODES.items())

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"\b\nExit codes, the same for all commands:\n{_CODES}",
)
for command in (demo, arena, check, rules, replay, verify, serve, referee, worker, office, dashboard):
    command.add_to(app)
app.add_typer(bot.app, name="bot")
app.add_typer(season.app, name="season")


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"carico {version('carico')}")
        raise typer.Exit


@app.callback(help=HELP)
def _carico(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """The command without a verb."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code. Mistakes of the user are one line on stderr, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            # Whoever read the output has gone, as `head` does; nothing more can be said there.
            code = 128 + signal.SIGPIPE
        elif error.filename is None:
            code = _fail(f"cannot write the output: {error.strerror or error}", ExitCode.FAILED)
        else:
            raise
        # What is still to be written would fail once more at the end of the interpreter.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _run(arguments: list[str]) -> int:
    try:
        done = typer.main.get_command(app).main(arguments, prog_name="carico", standalone_mode=False)
    except Failure as failure:
        return _fail(str(failure), failure.code)
    except typer.TyperException as mistake:
        return _fail(_usage_line(mistake), ExitCode.USAGE)
    # Ctrl-C comes here as 130, too.
    return done if isinstance(done, int) else ExitCode.FINE


def _usage_line(mistake: typer.TyperException) -> str:
    context = getattr(mistake, "ctx", None)
    path = context.command_path if context is not None else "carico"
    message = mistake.format_message()
    if message.startswith("Usage:"):
        return message
    return f"{path}: {' '.join(plain(message).split())} (see `{path} --help`)"


def _fail(text: str, code: int) -> int:
    if text.startswith(("Usage:", "carico")):
        print(text, file=sys.stderr)
    else:
        print(f"carico: {text}", file=sys.stderr)
    return code
