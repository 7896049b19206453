"""``carico rules``: the rules of a game in words, as the engine plays them."""

import sys
import textwrap
from typing import Annotated, Final

import typer

from clients.cli.help_text import examples
from clients.cli.parameters import OptionsOption, chosen_game, game_options

WIDEST: Final = 100
"""Columns of a terminal that text is spread over; longer lines are hard to read."""


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "rules",
        epilog=examples("carico rules brisca-2", "carico rules brisca-6 --option pack=48 --option exchange_margin=0"),
    )(rules)


def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Variant and players, such as briscola-2.")],
    option: OptionsOption = None,
) -> None:
    """Print the rules of a game, its options included.

    The text is made from the tables that the referee itself plays by.
    """
    from carico.rules.words import rules_text

    text = rules_text(chosen_game(game, game_options(option)))
    if sys.stdout.isatty():
        _show(text)
    else:
        typer.echo(text, nl=False)


def _show(text: str) -> None:
    """Titles bold, sentences as wide as the terminal is."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, markup=False, emoji=False)
    width = min(console.width, WIDEST)
    sentence: list[str] = []
    for line in text.splitlines():
        if not line.startswith(" "):
            console.print(Text(line, "bold"), soft_wrap=True)
            continue
        sentence.append(line.strip())
        if line.endswith((".", ":")):
            told = textwrap.fill(" ".join(sentence), width, initial_indent="  ", subsequent_indent="  ")
            console.print(told, soft_wrap=True)
            sentence = []
