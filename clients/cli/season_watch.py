"""``carico season watch``: a season's table while it grows."""

import time
from typing import Final

import typer

from clients.cli.failure import Unreachable
from clients.cli.help_text import examples
from clients.cli.parameters import SeasonArgument
from clients.cli.where import DataOption, RedisOption, Where

TICK_SECONDS: Final = 0.25
STORE_PATIENCE: Final = 30.0
"""How long the store may be away before this ends."""


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(epilog=examples("carico season watch my-season"))(watch)


def watch(season: SeasonArgument, redis: RedisOption = None, data: DataOption = None) -> None:
    """Show the table of a season live until the season is over, or until Ctrl-C.

    Without a terminal: a line for each fixture that is finished, one about the progress now and then, and the table at
    the end.
    """
    from clients.cli.demo_screen import screen
    from clients.cli.season_store import opened
    from clients.cli.signals import Ended, heard

    with heard(), screen() as shown, opened(Where(None, redis, data).redis_url()) as store:
        from clients.cli.live_table import LiveTable
        from worker.store.errors import StoreUnavailable
        from worker.store.values import Status

        table = LiveTable(store, season)
        reached, status = time.monotonic(), None
        try:
            while True:
                if table.progress.status is not status:
                    status = table.progress.status
                    shown.say(f"season {season} is {status}")
                if status in (Status.FINISHED, Status.CANCELLED):
                    break
                shown.show(table)
                time.sleep(TICK_SECONDS)
                try:
                    table.refresh()
                except StoreUnavailable as error:
                    if time.monotonic() - reached > STORE_PATIENCE:
                        raise Unreachable(str(error)) from error
                else:
                    reached = time.monotonic()
        except Ended as ended:
            shown.final(table)
            raise typer.Exit(ended.exit_code) from None
        shown.final(table)
