"""``carico office``: the door for organisers on other machines."""

import typer

from carico.log_lines import LogFormat
from clients.cli.extras import league_extra
from clients.cli.failure import Failure
from clients.cli.help_text import examples
from clients.cli.parameters import LogFormatOption, MetricsOption, metrics_address
from clients.cli.served import (
    AdminOption,
    ListenOption,
    RefereeAuthoritiesOption,
    TlsCertificateOption,
    TlsKeyOption,
    authorities,
    key_and_chain,
)
from clients.cli.where import DEFAULT_OFFICE, DataOption, RedisOption, RefereeOption, Where, checked_address


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "office",
        epilog=examples(
            "carico office --data league",
            "carico office --listen 0.0.0.0:12041 --tls-cert chain.pem --tls-key key.pem --redis rediss://store/0 "
            "--referee referee:12040 --tls-ca ca.pem",
        ),
    )(office)


def office(
    listen: ListenOption = DEFAULT_OFFICE,
    redis: RedisOption = None,
    referee: RefereeOption = None,
    tls_ca: RefereeAuthoritiesOption = None,
    tls_cert: TlsCertificateOption = None,
    tls_key: TlsKeyOption = None,
    metrics: MetricsOption = None,
    admin: AdminOption = None,
    log_format: LogFormatOption = LogFormat.TEXT,
    data: DataOption = None,
) -> None:
    """Run an office until Ctrl-C or SIGTERM: organisers elsewhere reach the seasons of the store through it.

    It prints the address that it listens on. Season commands go there with --office and the organiser's token, which
    the referee is asked about: the office itself has none.
    """
    from clients.cli.season_store import checked_store

    where = Where(referee, redis, data)
    address, tls = checked_address(listen), key_and_chain(tls_cert, tls_key)
    exposed = metrics_address(metrics)
    url = checked_store(where.redis_url())
    with league_extra():
        from carico.serving import CannotServe
        from worker.office.serve import Settings, run

    try:
        code = run(
            Settings(address, url, where.referee_address(), authorities(tls_ca), tls, exposed, log_format, admin)
        )
    except CannotServe as error:
        raise Failure(str(error)) from error
    raise typer.Exit(code)
