"""``carico serve``: a whole league on one machine, until Ctrl-C."""

import sys
import time
from typing import Annotated

import typer

from carico.log_lines import LogFormat
from clients.cli.help_text import examples
from clients.cli.parameters import LogFormatOption, metrics_address
from clients.cli.plain_text import plain
from clients.cli.served import ListenOption
from clients.cli.where import DEFAULT_LISTEN, DataOption, RedisOption, Where, checked_address, checked_web_address
from clients.cli.worker import ConcurrencyOption

TICK_SECONDS = 0.2

EachMetricsOption = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        metavar="[HOST:]PORT",
        help="Serve metrics: the referee's there, each worker's on the next port, then the office's. With port 0 the "
        "logs tell where.",
    ),
]
WorkersOption = Annotated[int, typer.Option("--workers", metavar="N", min=1, max=64, help="How many workers.")]


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "serve",
        epilog=examples(
            "carico serve",
            "carico serve --data /srv/league --workers 2",
            "carico serve --redis redis://127.0.0.1:6379/0",
        ),
    )(serve)


def serve(
    data: DataOption = None,
    listen: ListenOption = DEFAULT_LISTEN,
    office: Annotated[
        str | None,
        typer.Option(
            "--office",
            metavar="HOST:PORT",
            help="Where organisers elsewhere come in, through a tunnel [default: the port after that of --listen].",
        ),
    ] = None,
    dashboard: Annotated[
        str | None,
        typer.Option(
            "--dashboard",
            metavar="[HOST:]PORT",
            help="Where the dashboard is, for browsers [default: the second port after that of --listen].",
        ),
    ] = None,
    redis: RedisOption = None,
    workers: WorkersOption = 1,
    concurrency: ConcurrencyOption = 2,
    metrics: EachMetricsOption = None,
    log_format: LogFormatOption = LogFormat.TEXT,
) -> None:
    """Run a league on this machine until Ctrl-C.

    Everything it keeps is in the data directory, and a league that is started there again goes on where it was. The
    store is a private one unless --redis (or CARICO_REDIS) names another. A part that dies is started again; the logs
    are in DIR/logs. Ctrl-C ends all of it, a second Ctrl-C at once.
    """
    from clients.cli.league import Watched, carico_command, running
    from clients.cli.signals import Ended, heard

    where = Where(None, redis, data)
    directory = where.directory
    address = checked_address(listen)
    watched = Watched(metrics_address(metrics), log_format)
    with heard() as signals:
        try:
            with running(
                directory,
                listen=address,
                redis=where.redis_given(),
                workers=workers,
                concurrency=concurrency,
                watched=watched,
                office=checked_address(office) if office is not None else _port_after(address, 1),
                dashboard=checked_web_address(dashboard) if dashboard is not None else _port_after(address, 2),
                told=_say,
                urgent=lambda: signals.urgent,
            ) as league:
                league.wait_for_referee()
                if league.office is not None:
                    _say(f"office at {league.office}, for organisers elsewhere: carico season ... --office HOST:PORT")
                if league.dashboard is not None:
                    _say(f"dashboard at http://{league.dashboard}/")
                command, folder = carico_command(), directory.path.absolute()
                _say(f"referee at {league.referee}, data and logs in {folder}")
                _say(f"next: {command} bot register NAME --owner OWNER --save --data {folder}")
                _say(f"then: {command} season init; {command} season create season.toml --data {folder}")
                _say("Ctrl-C ends the league")
                while True:
                    league.tick()
                    signals.check()
                    time.sleep(TICK_SECONDS)
        except Ended:
            _say("the league has ended")


def _port_after(address: str, step: int) -> str | None:
    """The port so many after this one, a free one after port 0; None where there is none."""
    host, _, port = address.rpartition(":")
    if address.startswith("unix:") or int(port) + step > 65_535:
        return None
    return f"{host}:{int(port) and int(port) + step}"


def _say(text: str) -> None:
    print(plain(text), file=sys.stderr, flush=True)
