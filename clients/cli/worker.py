"""``carico worker``: a worker by itself; any number of them, on any hosts, share the seasons of one store."""

from typing import Annotated

import typer

from carico.log_lines import LogFormat
from clients.cli.failure import BadUsage, Failure
from clients.cli.help_text import examples
from clients.cli.parameters import LogFormatOption, MetricsOption, metrics_address
from clients.cli.served import RefereeAuthoritiesOption, authorities
from clients.cli.where import DataOption, OrganiserTokenOption, RedisOption, RefereeOption, Where

ConcurrencyOption = Annotated[
    int, typer.Option("--concurrency", metavar="N", min=1, max=64, help="How many chunks a worker plays at once.")
]


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "worker",
        epilog=examples(
            "carico worker --data league",
            "carico worker --redis rediss://store/0 --referee referee:12040 --tls-ca ca.pem "
            "--organiser-token-file organiser.token",
        ),
    )(worker)


def worker(
    redis: RedisOption = None,
    referee: RefereeOption = None,
    organiser_token_file: OrganiserTokenOption = None,
    concurrency: ConcurrencyOption = 2,
    tls_ca: RefereeAuthoritiesOption = None,
    metrics: MetricsOption = None,
    log_format: LogFormatOption = LogFormat.TEXT,
    data: DataOption = None,
) -> None:
    """Run a worker until Ctrl-C or SIGTERM.

    It has the fixtures of running seasons played at the referee, and counts them. Start as many as you like, on as
    many hosts. One that is killed loses nothing: another goes on where it was.
    """
    from clients.cli.extras import league_extra
    from clients.cli.season_store import checked_store

    where = Where(referee, redis, data, organiser_token_file)
    url = checked_store(where.redis_url())
    exposed = metrics_address(metrics)
    with league_extra():
        from carico.exposition import CannotExpose
        from worker.app import run
        from worker.settings import Settings

    try:
        settings = Settings(
            redis=url,
            referee=where.referee_address(),
            organiser_token=where.organiser_token(),
            tls_ca=authorities(tls_ca),
            concurrency=concurrency,
            metrics=exposed,
            log_format=log_format,
        )
    except ValueError as error:
        raise BadUsage(str(error)) from error
    try:
        code = run(settings)
    except CannotExpose as error:
        raise Failure(str(error)) from error
    raise typer.Exit(code)
