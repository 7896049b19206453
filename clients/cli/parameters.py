"""Parameters that several commands share, and what they mean."""

import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from carico.log_lines import LogFormat
from clients.cli.failure import BadUsage
from clients.cli.tables import Format
from clients.cli.where import checked_address

LARGEST_SEED: Final = 2**63 - 1

FormatOption = Annotated[Format, typer.Option("--format", help="How to print it.")]
GameOption = Annotated[str, typer.Option("--game", metavar="GAME", help="Variant and players.")]
OptionsOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="K=V", help="An option of the game, such as hand=5; may be given again."),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="S",
        min=0,
        max=LARGEST_SEED,
        help="The same seed gives the same decks. [default: a random one]",
    ),
]
MetricsOption = Annotated[
    str | None,
    typer.Option("--metrics", metavar="[HOST:]PORT", help="Serve metrics for Prometheus there; port 0 for a free one."),
]
LogFormatOption = Annotated[
    LogFormat, typer.Option("--log-format", help="How log lines are written: for people, or one JSON object a line.")
]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Write records.jsonl and standings.json there.")
]


SeasonArgument = Annotated[str, typer.Argument(metavar="ID", help="The season's id: `name` in its file.")]


def game_options(given: Sequence[str] | None) -> dict[str, Any]:
    """The options of ``--option K=V``: V as JSON where it is that, else a text. Raises BadUsage."""
    found: dict[str, Any] = {}
    for text in given or ():
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise BadUsage(f"--option {text}: write --option NAME=VALUE, such as --option hand=5")
        if key in found:
            raise BadUsage(f"--option {key} is given twice: take one of the two out")
        try:
            found[key] = json.loads(value)
        except (ValueError, RecursionError):
            found[key] = value
    return found


def chosen_game(name: str, options: Mapping[str, Any]) -> Any:
    """The game of this name with these options, a ``carico.rules.game.Game``. Raises BadUsage."""
    from carico.rules.errors import RulesError
    from carico.rules.game import game

    try:
        return game(name, options)
    except RulesError as error:
        raise BadUsage(str(error)) from error


def metrics_address(given: str | None) -> str | None:
    """HOST:PORT of ``--metrics [HOST:]PORT``; without a host this machine alone gets at it. Raises BadUsage."""
    if given is None:
        return None
    text = f"127.0.0.1:{given}" if given.isdecimal() else given
    if text.startswith("unix:"):
        raise BadUsage(f"--metrics {given}: write PORT or HOST:PORT, such as 127.0.0.1:9140")
    return checked_address(text)


def random_seed() -> int:
    """A practice seed that is short enough to be typed again."""
    return secrets.randbelow(1_000_000_000)
