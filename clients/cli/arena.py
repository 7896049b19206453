"""``carico arena``: bots against each other in this process, without a network."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from clients.cli.failure import BadUsage, Failure
from clients.cli.help_text import examples
from clients.cli.last_words import EndsInProgram
from clients.cli.parameters import (
    FormatOption,
    GameOption,
    OptionsOption,
    OutOption,
    SeedOption,
    chosen_game,
    game_options,
    random_seed,
)
from clients.cli.tables import Format, print_table

if TYPE_CHECKING:
    from rich.progress import Progress

    from carico.arena import Entrant
    from carico.problem import Problem
    from carico.rules.game import Game
    from clients.cli.bot_names import Named
    from worker.tournament.ledger import DealResult

LOCAL_VERSION: Final = "1"


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "arena",
        cls=EndsInProgram,
        epilog=examples(
            "carico arena greedy mybot.py:MyBot",
            "carico arena mybot.py:Old mybot.py:New --deal-sets 500 --seed 7 --out out",
            "carico arena random greedy greedy --game briscola-3",
            "carico arena greedy -- ./mybot --level 3",
        ),
    )(arena)


def arena(
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT...", help="A house bot's name, FILE.py:Class, or 'cmd:PROGRAM ARG...'.")
    ],
    game: GameOption = "briscola-2",
    option: OptionsOption = None,
    deal_sets: Annotated[int, typer.Option("--deal-sets", metavar="N", min=1, help="How many.")] = 100,
    seed: SeedOption = None,
    out: OutOption = None,
    style: FormatOption = Format.TABLE,
) -> None:
    """Play bots against each other, here and now.

    One plays for each place of the game. A place is a seat, or a whole side where there are two sides: briscola-2 and
    briscola-4 take two bots, briscola-3 three. On every deal set each bot plays the same deck from every place, so
    luck counts for little. The same bot may stand twice. Nothing is sent anywhere and no clock runs.

    A program speaks JSON lines on stdin and stdout (proto/JSONLINES.md); the last bot may be one after --.
    """
    from clients.cli.output import Output
    from clients.cli.standings import standings_table
    from worker.tournament.rows import standings_json

    played = chosen_game(game, game_options(option))
    named = _named(bots, played)
    output = Output(out) if out is not None else None
    if seed is None:
        seed = random_seed()
        print(f"seed {seed}: to repeat this run add --seed {seed}", file=sys.stderr)
    results: list[DealResult] = []
    entrants = _entrants(named)
    with _progress() as progress, _closing(named):
        lines = _lines(played, entrants, deal_sets, seed, results, progress, _Mistakes(named))
        if output is not None:
            output.write_records(lines)
        else:
            for _ in lines:
                pass
    rows = _rows(played, entrants, deal_sets, results)
    if output is not None:
        output.write_standings(standings_json(None, played.name, "finished", rows))
    title = f"{played.name}, {deal_sets} deal sets, seed {seed}"
    print_table(standings_table(rows, len(played.places), title, by_deals=True), style)


def _named(bots: Sequence[str], game: "Game") -> "list[Named]":
    from clients.cli.bot_names import find_bots

    if len(bots) != len(game.places):
        raise BadUsage(f"{game.name} takes {len(game.places)} bots, one for each place: {len(bots)} were given")
    return find_bots(bots)


def _entrants(named: "Sequence[Named]") -> "list[Entrant]":
    from carico.arena import Entrant
    from carico.record import SeatName

    return [Entrant(SeatName(bot.name, LOCAL_VERSION, bot.name), bot.made) for bot in named]


@contextmanager
def _closing(named: "Sequence[Named]") -> Iterator[None]:
    """Programs end with it."""
    try:
        yield
    finally:
        for bot in named:
            if bot.program is not None:
                bot.program.close()


def _lines(
    game: "Game",
    entrants: "Sequence[Entrant]",
    deal_sets: int,
    seed: int,
    results: "list[DealResult]",
    progress: "Progress",
    mistakes: "_Mistakes",
) -> Iterator[str]:
    """Plays; gives the records as lines and puts what they count for into ``results``."""
    from carico.arena import play_fixture
    from carico.record import dumps
    from worker.tournament.ledger import DealResult

    task = progress.add_task("deals", total=deal_sets * len(game.places))
    record: Mapping[str, Any]
    for record in play_fixture(game, entrants, range(deal_sets), seed, mistakes):
        results.append(DealResult.from_record(record))
        progress.advance(task)
        yield dumps(record)


def _rows(game: "Game", entrants: "Sequence[Entrant]", deal_sets: int, results: "Sequence[DealResult]") -> Any:
    from worker.tournament import entrants as tournament
    from worker.tournament.schedule import single_fixture
    from worker.tournament.standings import standings

    named = [tournament.Entrant(e.name.bot, e.name.version, e.name.owner) for e in entrants]
    return standings(named, [single_fixture(len(game.places), deal_sets)], game.places, results, form=game.match)


class _Mistakes:
    """Tells each kind of a bot's mistake once. Raises Failure where a program does not stay up."""

    def __init__(self, named: "Sequence[Named]") -> None:
        self._programs = [bot.program for bot in named if bot.program is not None]
        self._told: set[object] = set()

    def __call__(self, problem: "Problem") -> None:
        for program in self._programs:
            if program.given_up:
                raise Failure(program.given_up)
        if (problem.bot, problem.kind) in self._told:
            return
        self._told.add((problem.bot, problem.kind))
        text = f"{problem.bot}: {problem.text} (the deal is lost; told once)"
        print(f"{text}\n{problem.traceback}".rstrip(), file=sys.stderr)


@contextmanager
def _progress() -> "Iterator[Progress]":
    """A bar on stderr, which is silent where that is no terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        yield progress
