"""``carico demo``: a whole league on this machine, from nothing to its final table, with the house bots."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from clients.cli.failure import BadUsage
from clients.cli.help_text import examples
from clients.cli.parameters import (
    GameOption,
    OptionsOption,
    OutOption,
    SeedOption,
    chosen_game,
    game_options,
    random_seed,
)
from clients.cli.where import DataOption

if TYPE_CHECKING:
    from carico.rules.game import Game


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "demo",
        epilog=examples(
            "carico demo",
            "carico demo --no-wait --deal-sets 25 --seed 7 --out out",
            "carico demo --game briscola-4 --bots greedy,random --option hand=5",
        ),
    )(demo)


def demo(
    bots: Annotated[
        str | None, typer.Option("--bots", metavar="A,B,C", help="Who plays: house bots, or FILE.py:Class.")
    ] = None,
    game: GameOption = "briscola-2",
    option: OptionsOption = None,
    deal_sets: Annotated[
        int, typer.Option("--deal-sets", metavar="N", min=1, max=100_000, help="How many in each fixture.")
    ] = 25,
    seed: SeedOption = None,
    out: OutOption = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="End with the season, also on a terminal.")] = False,
    data: DataOption = None,
) -> None:
    """Play a whole league on this machine.

    It starts a private store, a referee, workers, and each bot as a process of its own that connects with its own
    token; plays a double round robin; shows the table while it grows; and says where the records are and how to seat a
    bot of your own. On a terminal it then goes on until Ctrl-C, and lets in who comes; else it ends by itself.
    """
    from clients.cli.demo_league import Demo, Plan
    from clients.cli.demo_screen import screen
    from clients.cli.signals import Ended, heard

    played = chosen_game(game, game_options(option))
    plan = Plan(played, _bots(bots, played), deal_sets, random_seed() if seed is None else seed)
    stays = sys.stdout.isatty() and not no_wait
    with heard() as signals, screen() as shown:
        show = Demo(plan, shown, signals, data, out, stays)
        try:
            show.run()
        except Ended as ended:
            if not show.finished:
                raise typer.Exit(ended.exit_code) from None


def _bots(given: str | None, game: "Game") -> dict[str, str]:
    """Who plays: by name what BOT means. Raises BadUsage where they are too few or too many for the game."""
    from clients.bots import HOUSE_BOTS
    from clients.cli.bot_names import find_bots, numbered

    places = len(game.places)
    if given is not None:
        texts = [text.strip() for text in given.split(",") if text.strip()]
        named = [bot.name for bot in find_bots(texts)]
    else:
        house = list(HOUSE_BOTS)
        # At larger tables as many as there are places, the strongest first; where the house has fewer they come again.
        texts = house if places == 2 else [house[-1 - i % len(house)] for i in range(places)]
        named = numbered(texts)
    if len(texts) < places:
        raise BadUsage(f"--bots: {len(texts)} given, and {game.name} needs {places} or more")
    return dict(zip(named, texts, strict=True))
