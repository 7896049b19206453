"""``carico season watch``: a season's table while it grows."""

from typing import TYPE_CHECKING

import typer

from clients.cli.desk import Desk, at_desk
from clients.cli.help_text import examples
from clients.cli.parameters import SeasonArgument

if TYPE_CHECKING:
    from worker.office.standing import Standing


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(epilog=examples("carico season watch my-season"))(watch)


@at_desk
def watch(desk: Desk, season: SeasonArgument) -> None:
    """Show the table of a season live until the season is over, or until Ctrl-C.

    Without a terminal: a line for each fixture that is finished, one about the progress now and then, and the table at
    the end.
    """
    from clients.cli.demo_screen import screen
    from clients.cli.signals import Ended, heard
    from worker.store.values import Status

    with heard() as signals, screen() as shown, desk.seasons() as seasons:
        standing: Standing | None = None
        try:
            for table in seasons.watch(season):
                before, standing = standing, table
                if before is None or table.status is not before.status:
                    shown.say(f"season {season} is {table.status}")
                if table.status not in (Status.FINISHED, Status.CANCELLED):
                    shown.show(table)
                signals.check()
        except Ended as ended:
            if standing is not None:
                shown.final(standing)
            raise typer.Exit(ended.exit_code) from None
        if standing is not None:
            shown.final(standing)
