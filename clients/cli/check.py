"""``carico check``: whether a bot does what a league expects of it."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from clients.cli.bot_names import command_of, find_bot, find_program, program_name
from clients.cli.failure import BadUsage, ExitCode
from clients.cli.help_text import examples
from clients.cli.last_words import EndsInProgram
from clients.cli.parameters import FormatOption, OptionsOption, chosen_game, game_options
from clients.cli.plain_text import plain
from clients.cli.tables import Format, Table, columns, print_table

if TYPE_CHECKING:
    from carico.rules.game import Game
    from carico.testing import Finding
    from carico.time_control import TimeControl

COLUMNS: Final = columns("check", "game", "result", "seen", "mend", wide=("mend",))

JSON_LINES: Final = "read proto/JSONLINES.md: a program says hello first, and writes nothing but messages to stdout"


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "check",
        cls=EndsInProgram,
        epilog=examples(
            "carico check mybot.py:MyBot",
            "carico check mybot.py:MyBot --game briscola-4 --game briscola-3 --states 1000",
            "carico check --format json -- ./mybot --level 3",
        ),
    )(check)


def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A house bot's name, FILE.py:Class, or -- PROGRAM ARG...")],
    game: Annotated[
        list[str], typer.Option("--game", metavar="GAME", help="Variant and players; may be given again.")
    ] = ["briscola-2"],  # noqa: B006  # it is only read
    option: OptionsOption = None,
    states: Annotated[
        int, typer.Option("--states", metavar="N", min=1, help="In how many states to ask, in each game.")
    ] = 200,
    seed: Annotated[int, typer.Option("--seed", metavar="S", min=0, help="The same seed gives the same states.")] = 0,
    action_limit_ms: Annotated[
        int | None, typer.Option("--action-limit-ms", metavar="MS", min=1, help="Time for one act. [default: 5000]")
    ] = None,
    bank_ms: Annotated[
        int | None, typer.Option("--bank-ms", metavar="MS", min=1, help="Time for a deal. [default: 60000]")
    ] = None,
    style: FormatOption = Format.TABLE,
) -> None:
    """Try whether a bot does what a league expects of it.

    It is asked in many states of each game, in every seat: are its answers legal, and the same for the same seed and
    view, in whatever order deals come; how long does it think; what happens after a break of its line or a restart.
    Exit code 0 if all is well, 1 if something FAILED. Nothing is sent anywhere.
    """
    games = [chosen_game(name, game_options(option)) for name in game]
    terms = _terms(action_limit_ms, bank_ms)
    command = command_of(bot)
    found = _check_program(command, games, states, seed, terms) if command else _check(bot, games, states, seed, terms)
    findings = list(found)
    print_table(Table(COLUMNS, [_row(finding) for finding in findings]), style)
    failed = [finding for finding in findings if not finding.ok]
    if style is Format.TABLE:
        _print_mends(failed)
    for finding in failed:
        for line in finding.detail.rstrip().splitlines():
            print(plain(line), file=sys.stderr)
    if failed:
        raise typer.Exit(ExitCode.FAILED)


def _check(bot: str, games: "Sequence[Game]", states: int, seed: int, terms: "TimeControl") -> "Iterator[Finding]":
    """A class: what loads it, then what it does."""
    from carico.testing import Finding, check_bot

    try:
        made = find_bot(bot)
    except BadUsage as error:
        # A name that is no bot's is a mistake in the command; a file that can't be loaded is what is to be found out.
        if not Path(bot.rpartition(":")[0] or bot).is_file():
            raise
        yield Finding("loads", "", False, str(error), "mend the file, until Python can import it by itself")
        return
    yield Finding("loads", "", True, f"{made.__name__} is made without arguments")
    yield from check_bot(made, games, states=states, seed=seed, terms=terms)


def _check_program(
    command: Sequence[str], games: "Sequence[Game]", states: int, seed: int, terms: "TimeControl"
) -> "Iterator[Finding]":
    """A program: does it speak, what does it do, does it end."""
    from carico.bridge import GivenUp
    from carico.testing import SPARE_MS, Finding, check_bot

    program = find_program(command, program_name(command))
    bridge = program.bridge
    bridge.allow((terms.action_limit_ms + 2 * SPARE_MS) / 1000)
    try:
        try:
            program.begin()
        except GivenUp as error:
            yield Finding("speaks", "", False, str(error), JSON_LINES)
            return
        yield Finding("speaks", "", True, "it said hello")
        yield from check_bot(program, games, states=states, seed=seed, terms=terms, begin_again=bridge.restart)
        bad = bridge.bad_lines
        if bad:
            yield Finding("lines", "", False, f"{len(bad)} or more lines are no messages: {bad[0]}", JSON_LINES)
        else:
            yield Finding("lines", "", True, "nothing but messages on its stdout")
        if bridge.stops:
            seen = f"it ended or was ended {len(bridge.stops)} times: {bridge.stops[0]}"
            yield Finding("stays up", "", False, seen, "see its stderr; it has to run until its input ends")
        else:
            yield Finding("stays up", "", True, "it ran until it was told to end")
        ended = program.close()
        seen = (
            "it ended when its input ended" if ended else "it ran on for 2 s after its input had ended, and was killed"
        )
        yield Finding(
            "ends", "", ended, seen, "" if ended else "leave the loop when reading a line from stdin gives none"
        )
    finally:
        program.close()


def _terms(action_limit_ms: int | None, bank_ms: int | None) -> "TimeControl":
    from carico.time_control import TimeControl

    plain_terms = TimeControl()
    try:
        return TimeControl(
            bank_ms=plain_terms.bank_ms if bank_ms is None else bank_ms,
            action_limit_ms=plain_terms.action_limit_ms if action_limit_ms is None else action_limit_ms,
        )
    except ValueError as error:
        raise BadUsage(str(error)) from error


def _row(finding: "Finding") -> dict[str, str | None]:
    return {
        "check": finding.check,
        "game": finding.game or None,
        "result": "ok" if finding.ok else "FAILED",
        "seen": finding.seen,
        "mend": finding.mend or None,
    }


def _print_mends(failed: "Sequence[Finding]") -> None:
    if not failed:
        print("all ok")
        return
    print(f"{len(failed)} FAILED:")
    for finding in failed:
        where = f"{finding.check}, {finding.game}" if finding.game else finding.check
        print(f"  {where}: {plain(finding.mend)}")
