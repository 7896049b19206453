"""``carico season``: seasons by file, from the first line of it to the export."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from clients.cli import season_audit, season_organise, season_schedule, season_watch
from clients.cli.desk import Desk, at_desk
from clients.cli.failure import BadUsage
from clients.cli.help_text import examples
from clients.cli.organiser_name import ByOption, organiser
from clients.cli.parameters import FormatOption, SeasonArgument
from clients.cli.tables import Format, Table, Value, columns, print_table
from clients.cli.where import RefereeOption

if TYPE_CHECKING:
    from worker.store.values import Progress, Season

LIST: Final = columns("season", "status", "entry", "created")
STATUS: Final = columns(
    "season",
    "status",
    "entrants",
    "fixtures",
    "walkovers",
    "chunks",
    "chunks_done",
    "deals",
    "voids",
    "withdrawn",
    numbers=("entrants", "fixtures", "walkovers", "chunks", "chunks_done", "deals", "voids", "withdrawn"),
)

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Make seasons from a file, run them, read them.")


@app.command(epilog=examples("carico season init", "carico season init cup.toml --name cup --game briscola-4"))
def init(
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help="The file to write.")] = Path("season.toml"),
    name: Annotated[str, typer.Option("--name", metavar="ID", help="The season's id.")] = "my-season",
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Variant and players.")] = "briscola-2",
) -> None:
    """Write a season's file in which every field is explained. A file that is there already stays as it is."""
    from clients.cli.files import write_new
    from clients.cli.parameters import chosen_game
    from worker.tournament.entrants import NAME_RULE, is_name
    from worker.tournament.season_file import template

    if not is_name(name):
        raise BadUsage(f"--name {name}: a season's id is {NAME_RULE}")
    write_new(file, template(name, chosen_game(game, {}).name))
    print(f"{file} written: put your entrants in, then run  carico season create {file}")


@app.command(epilog=examples("carico season create season.toml"))
@at_desk
def create(
    desk: Desk,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The season's file.")],
    by: ByOption = None,
    referee: RefereeOption = None,
) -> None:
    """Read a season's file, plan the season and put it into the store. It does not begin yet.

    Each bot in the file must be registered at the referee. A mistake is told with its line, the field and the mend, and
    nothing is created then.
    """
    from clients.cli.season_text import read_file

    text, spec = read_file(file)
    with desk.seasons(referee) as seasons:
        season, progress = seasons.create(text, str(file), organiser(by))
    print(
        f"season {season} created: {progress.entrants} entrants, {progress.fixtures} fixtures of {spec.deal_sets} "
        f"deal sets; begin with  carico season start {season}"
    )


@app.command(epilog=examples("carico season start my-season"))
@at_desk
def start(desk: Desk, season: SeasonArgument, by: ByOption = None) -> None:
    """Begin a season: from now on its fixtures are due, and an entrant that stays away loses them."""
    with desk.seasons() as seasons:
        seasons.start(season, organiser(by))
    print(f"season {season} is running: look at it with  carico season standings {season}")


@app.command("list", epilog=examples("carico season list --format csv"))
@at_desk
def list_seasons(desk: Desk, style: FormatOption = Format.TABLE) -> None:
    """Show all seasons, oldest first."""
    with desk.seasons() as seasons:
        found = seasons.seasons()
    print_table(Table(LIST, [_listed(season) for season in found]), style)


@app.command(epilog=examples("carico season status", "carico season status my-season --format json"))
@at_desk
def status(
    desk: Desk,
    season: Annotated[str | None, typer.Argument(metavar="[ID]", help="Only this season.")] = None,
    style: FormatOption = Format.TABLE,
) -> None:
    """Show how far seasons are."""
    with desk.seasons() as seasons:
        found = seasons.progress(() if season is None else (season,))
    print_table(Table(STATUS, [_progress(*one) for one in found]), style)


@app.command(epilog=examples("carico season standings my-season"))
@at_desk
def standings(desk: Desk, season: SeasonArgument, style: FormatOption = Format.TABLE) -> None:
    """Show the table of a season, as it stands now.

    JSON and CSV have more columns, named as in standings.json.
    """
    with desk.seasons() as seasons:
        standing = seasons.standing(season)
    from clients.cli.standings import standings_table

    title = f"{season}, {standing.game}: {standing.status}"
    print_table(standings_table(standing.rows, standing.sides, title, by_deals=standing.places > 2), style)


@app.command(epilog=examples("carico season export my-season --out out"))
@at_desk
def export(
    desk: Desk,
    season: SeasonArgument,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder; it is made where it is missing.")],
) -> None:
    """Write records.jsonl, standings.json and, where something was void, voids.jsonl.

    Each file appears whole or not at all. While the season runs, a deck that has not been played from all places yet is
    held back.
    """
    from clients.cli.output import Output

    output = Output(out)
    with desk.seasons() as seasons:
        done = seasons.export(season, output)
    print(f"{done.deals} deals of season {season} ({done.status}) are in {out}")


for more in (season_organise, season_audit, season_schedule, season_watch):
    more.add_to(app)


def _listed(season: "Season") -> dict[str, Value]:
    created = datetime.fromtimestamp(season.created_ms / 1000, UTC).isoformat(timespec="seconds")
    return {
        "season": season.id,
        "status": season.status.value,
        "entry": "open" if season.open_entry else "closed",
        "created": created,
    }


def _progress(season: str, progress: "Progress") -> dict[str, Value]:
    return {
        "season": season,
        "status": progress.status.value,
        "entrants": progress.entrants,
        "fixtures": progress.fixtures,
        "walkovers": progress.closed,
        "chunks": progress.open + progress.leased + progress.done,
        "chunks_done": progress.done,
        "deals": progress.deals,
        "voids": progress.voids,
        "withdrawn": progress.withdrawn,
    }
