"""``carico referee``: a referee by itself, for a league on several hosts."""

from typing import Annotated

import typer

from carico.log_lines import LogFormat
from clients.cli.data_directory import organiser_token_in
from clients.cli.extras import league_extra
from clients.cli.failure import BadUsage, Failure, Unreachable
from clients.cli.help_text import examples
from clients.cli.parameters import LogFormatOption, MetricsOption, metrics_address
from clients.cli.served import AdminOption, ListenOption, TlsCertificateOption, TlsKeyOption, key_and_chain
from clients.cli.where import DEFAULT_LISTEN, DataOption, OrganiserTokenOption, RedisOption, Where, checked_address


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "referee",
        epilog=examples(
            "carico referee --redis redis://10.0.0.5/0 --organiser-token-file organiser.token",
            "carico referee --listen 0.0.0.0:12040 --tls-cert chain.pem --tls-key key.pem --redis rediss://store/0",
        ),
    )(referee)


def referee(
    listen: ListenOption = DEFAULT_LISTEN,
    redis: RedisOption = None,
    in_memory: Annotated[
        bool, typer.Option("--in-memory", help="Keep everything in memory: bots and matches end with the referee.")
    ] = False,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Names its match log: one referee a name and store.")
    ] = "main",
    organiser_token_file: OrganiserTokenOption = None,
    tls_cert: TlsCertificateOption = None,
    tls_key: TlsKeyOption = None,
    metrics: MetricsOption = None,
    admin: AdminOption = None,
    log_format: LogFormatOption = LogFormat.TEXT,
    data: DataOption = None,
) -> None:
    """Run a referee until Ctrl-C or SIGTERM.

    It prints the address that it listens on. A file for the organiser's token that is not there yet is made, with a new
    token; give the workers the same one.
    """
    from clients.cli.season_store import checked_store

    where = Where(None, redis, data, organiser_token_file)
    if organiser_token_file is not None:
        organiser_token_in(organiser_token_file)
    if in_memory and redis is not None:
        raise BadUsage("--in-memory and --redis exclude each other: take one of the two out")
    address, tls, token = checked_address(listen), key_and_chain(tls_cert, tls_key), where.organiser_token()
    exposed = metrics_address(metrics)
    url = None if in_memory else checked_store(where.redis_url())
    with league_extra():
        from carico.serving import CannotServe
        from referee.serve import Settings, StoreAway, run

    try:
        code = run(Settings(address, token, url, name, tls, exposed, log_format, admin))
    except StoreAway as error:
        raise Unreachable(str(error)) from error
    except CannotServe as error:
        raise Failure(str(error)) from error
    raise typer.Exit(code)
