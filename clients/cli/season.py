"""``carico season``: seasons by file, from the first line of it to the export."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from clients.cli import season_audit, season_organise, season_schedule, season_watch
from clients.cli.failure import BadUsage
from clients.cli.help_text import examples
from clients.cli.organiser_name import ByOption, organiser
from clients.cli.parameters import FormatOption, SeasonArgument
from clients.cli.tables import Format, Table, Value, columns, print_table
from clients.cli.where import (
    DataOption,
    OrganiserTokenOption,
    RedisOption,
    RefereeOption,
    TlsAuthoritiesOption,
    TlsOption,
    Where,
)

if TYPE_CHECKING:
    from worker.store.port import Store
    from worker.store.values import Season

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
def create(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The season's file.")],
    by: ByOption = None,
    redis: RedisOption = None,
    referee: RefereeOption = None,
    data: DataOption = None,
    organiser_token_file: OrganiserTokenOption = None,
    tls: TlsOption = False,
    tls_ca: TlsAuthoritiesOption = None,
) -> None:
    """Read a season's file, plan the season and put it into the store. It does not begin yet.

    Each bot in the file must be registered at the referee. A mistake is told with its line, the field and the mend, and
    nothing is created then.
    """
    from clients.cli.organisers import Organisers
    from clients.cli.season_plan import create_season, read_file
    from clients.cli.season_store import opened
    from clients.cli.tls import credentials

    spec = read_file(file)
    where = Where(referee, redis, data, organiser_token_file)
    owners: dict[str, str] = {}
    if spec.entries:
        with Organisers(where.referee_address(), where.organiser_token(), credentials(tls, tls_ca)) as organisers:
            owners = {bot.bot: bot.owner for bot in organisers.bots()}
    with opened(where.redis_url()) as store:
        create_season(store, spec, owners, organiser(by))
        progress = store.progress(spec.name)
    print(
        f"season {spec.name} created: {progress.entrants} entrants, {progress.fixtures} fixtures of {spec.deal_sets} "
        f"deal sets; begin with  carico season start {spec.name}"
    )


@app.command(epilog=examples("carico season start my-season"))
def start(season: SeasonArgument, by: ByOption = None, redis: RedisOption = None, data: DataOption = None) -> None:
    """Begin a season: from now on its fixtures are due, and an entrant that stays away loses them."""
    from clients.cli.season_store import opened

    with opened(Where(None, redis, data).redis_url()) as store:
        from worker.store.values import Status

        store.set_status(season, Status.RUNNING, organiser(by))
    print(f"season {season} is running: look at it with  carico season standings {season}")


@app.command("list", epilog=examples("carico season list --format csv"))
def list_seasons(style: FormatOption = Format.TABLE, redis: RedisOption = None, data: DataOption = None) -> None:
    """Show all seasons, oldest first."""
    from clients.cli.season_store import opened

    with opened(Where(None, redis, data).redis_url()) as store:
        found = store.seasons()
    print_table(Table(LIST, [_listed(season) for season in found]), style)


@app.command(epilog=examples("carico season status", "carico season status my-season --format json"))
def status(
    season: Annotated[str | None, typer.Argument(metavar="[ID]", help="Only this season.")] = None,
    style: FormatOption = Format.TABLE,
    redis: RedisOption = None,
    data: DataOption = None,
) -> None:
    """Show how far seasons are."""
    from clients.cli.season_store import opened

    with opened(Where(None, redis, data).redis_url()) as store:
        ids = [season] if season is not None else [found.id for found in store.seasons()]
        rows = [_progress(store, one) for one in ids]
    print_table(Table(STATUS, rows), style)


@app.command(epilog=examples("carico season standings my-season"))
def standings(
    season: SeasonArgument, style: FormatOption = Format.TABLE, redis: RedisOption = None, data: DataOption = None
) -> None:
    """Show the table of a season, as it stands now.

    JSON and CSV have more columns, named as in standings.json.
    """
    from clients.cli.season_store import opened
    from clients.cli.standings import standings_table

    with opened(Where(None, redis, data).redis_url()) as store:
        from clients.cli.live_table import LiveTable

        table = LiveTable(store, season)
    title = f"{season}, {table.spec.game.name}: {table.progress.status}"
    print_table(
        standings_table(table.rows(), len(table.spec.game.sides), title, by_deals=len(table.spec.places) > 2), style
    )


@app.command(epilog=examples("carico season export my-season --out out"))
def export(
    season: SeasonArgument,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder; it is made where it is missing.")],
    redis: RedisOption = None,
    data: DataOption = None,
) -> None:
    """Write records.jsonl, standings.json and, where something was void, voids.jsonl.

    Each file appears whole or not at all. While the season runs, a deck that has not been played from all places yet is
    held back.
    """
    from clients.cli.output import Output
    from clients.cli.season_store import opened

    output = Output(out)
    with opened(Where(None, redis, data).redis_url()) as store:
        from clients.cli.export import export_season

        table = export_season(store, season, output)
    print(f"{len(table.counted)} deals of season {season} ({table.progress.status}) are in {out}")


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


def _progress(store: "Store", season: str) -> dict[str, Value]:
    progress = store.progress(season)
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
