"""``carico rules``: the rules of a game in words, as the engine plays them."""

from typing import Annotated

import typer

from clients.cli.help_text import examples
from clients.cli.parameters import OptionsOption, chosen_game, game_options


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

    typer.echo(rules_text(chosen_game(game, game_options(option))), nl=False)
