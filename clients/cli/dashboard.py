"""``carico dashboard``: the league in the browser."""

import sys
from typing import Annotated

import typer

from carico.log_lines import LogFormat
from clients.cli.extras import league_extra
from clients.cli.failure import Failure
from clients.cli.help_text import examples
from clients.cli.parameters import LogFormatOption
from clients.cli.served import ListenOption, RefereeAuthoritiesOption, authorities
from clients.cli.where import DEFAULT_DASHBOARD, DataOption, RedisOption, RefereeOption, Where, checked_web_address

NameOption = Annotated[
    list[str] | None,
    typer.Option(
        "--name", metavar="HOST", help="A name that it is reached by from elsewhere, through a proxy or a tunnel."
    ),
]


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "dashboard",
        epilog=examples(
            "carico dashboard",
            "carico dashboard --data league --listen 127.0.0.1:8080",
            "carico dashboard --redis rediss://store/0 --referee referee:12040 --tls-ca ca.pem --name league.example",
        ),
    )(dashboard)


def dashboard(
    listen: ListenOption = DEFAULT_DASHBOARD,
    redis: RedisOption = None,
    referee: RefereeOption = None,
    tls_ca: RefereeAuthoritiesOption = None,
    referee_metrics: Annotated[
        str | None,
        typer.Option("--referee-metrics", metavar="[HOST:]PORT", help="Where the referee serves its metrics."),
    ] = None,
    name: NameOption = None,
    viewers: Annotated[
        int, typer.Option("--viewers", metavar="N", min=1, max=100_000, help="Most pages that are live at once.")
    ] = 2_000,
    viewers_an_address: Annotated[
        int, typer.Option("--viewers-an-address", metavar="N", min=1, max=100_000, help="The same for one address.")
    ] = 32,
    log_format: LogFormatOption = LogFormat.TEXT,
    data: DataOption = None,
) -> None:
    """Show the league in the browser until Ctrl-C or SIGTERM: tables, matches, replays, and an API.

    It only reads, and everybody who reaches it may look: nothing is told of decks that are still in play. It prints its
    address. By default only this machine reaches it.
    """
    from carico.address import is_local
    from clients.cli.parameters import metrics_address

    where = Where(referee, redis, data)
    address = checked_web_address(listen)
    url, judge = where.redis_url(), where.referee_or_none()
    with league_extra():
        from carico.serving import CannotServe
        from clients.dashboard.limits import Limits
        from clients.dashboard.serve import Settings, run
    if not is_local(address):
        print(f"carico: {address} can be reached from other machines; everybody there may look", file=sys.stderr)
    try:
        code = run(
            Settings(
                address,
                url,
                judge,
                authorities(tls_ca),
                metrics_address(referee_metrics),
                tuple(name or ()),
                Limits(streams=viewers_an_address),
                viewers,
                log_format,
            )
        )
    except CannotServe as error:
        raise Failure(str(error)) from error
    raise typer.Exit(code)
