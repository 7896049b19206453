"""``carico season pause | resume | withdraw | void | log``: what an organiser decides, and who decided what."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from clients.cli.desk import Desk, at_desk
from clients.cli.failure import BadUsage
from clients.cli.help_text import examples
from clients.cli.organiser_name import ByOption, organiser
from clients.cli.parameters import FormatOption, SeasonArgument
from clients.cli.plain_text import counted
from clients.cli.tables import Format, Table, columns, print_table

if TYPE_CHECKING:
    from worker.store.values import Deed
    from worker.tournament.ledger import Withdrawal

LOG: Final = columns("when", "by", "did", "details")
LONGEST_REASON: Final = 400
"""As the port says."""

_STATUS_WORDS: Final = {"running": "start or resume", "paused": "pause", "cancelled": "cancel"}


def add_to(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command(epilog=examples("carico season pause my-season"))(pause)
    app.command(epilog=examples("carico season resume my-season"))(resume)
    app.command(epilog=examples("carico season withdraw my-season mybot 1"))(withdraw)
    app.command(epilog=examples('carico season void my-season --deal-set 17 --reason "the deck was shown on stream"'))(
        void
    )
    app.command(epilog=examples("carico season log my-season", "carico season log my-season --format json"))(log)


@at_desk
def pause(desk: Desk, season: SeasonArgument, by: ByOption = None) -> None:
    """Let a season stand still. What is being played is played to its end and counts; nothing new begins."""
    with desk.seasons() as seasons:
        playing = seasons.pause(season, organiser(by))
    rest = f"; what is being played ({counted(playing, 'chunk')}) is played to its end" if playing else ""
    print(f"season {season} is paused{rest}: go on with  carico season resume {season}")


@at_desk
def resume(desk: Desk, season: SeasonArgument, by: ByOption = None) -> None:
    """Let a paused season go on. No-show times begin anew."""
    with desk.seasons() as seasons:
        seasons.resume(season, organiser(by))
    print(f"season {season} is running")


@at_desk
def withdraw(
    desk: Desk,
    season: SeasonArgument,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot.")],
    version: Annotated[str, typer.Argument(metavar="VERSION", help="Which of its versions.")],
    by: ByOption = None,
) -> None:
    """Take an entrant out of a season, for good.

    Before half of its fixtures were played they leave the table; their deals stay in the ledger. From half on what was
    played stays, and the others win the rest by walkover.
    """
    with desk.seasons() as seasons:
        done = seasons.withdraw(season, bot, version, organiser(by))
    if done.before:
        print(f"{bot} {version} had withdrawn from season {season} before: nothing has changed")
        return
    print(f"{bot} {version} is withdrawn from season {season}: {_consequence(done.withdrawal, done.closed)}")


def _consequence(withdrawal: "Withdrawal", closed: int) -> str:
    played = f"{withdrawal.played} of its {withdrawal.fixtures} fixtures were played"
    if withdrawal.annuls:
        return f"{played}, less than half, so all of them leave the table; what was played stays in the ledger"
    return f"{played}, half or more, so these stay and the rest are walkovers ({closed})"


@at_desk
def void(
    desk: Desk,
    season: SeasonArgument,
    deal_set: Annotated[int, typer.Option("--deal-set", metavar="N", min=0, help="The number of the deal set.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it stands in voids.jsonl.")],
    by: ByOption = None,
) -> None:
    """Decide that a deal set does not count. It is played again with another deck, also in a finished season.

    Its results leave the count and stand among the voids. What is being played of it is broken off. Its entrants should
    be connected: who is not there is played for by the stand-in.
    """
    if not (1 <= len(reason) <= LONGEST_REASON and reason.isprintable()):
        raise BadUsage(f"--reason: write one line of 1 to {LONGEST_REASON} printable characters")
    with desk.seasons() as seasons:
        made = seasons.void(season, deal_set, reason, organiser(by))
    left = f"{counted(made.deals, 'deal')} left the count" if made.deals else "nothing of it had counted yet"
    print(
        f"attempt {made.attempt} of deal set {deal_set} of season {season} is void: {left}; "
        f"it is played again as attempt {made.next_attempt} with another deck (the season is {made.status})"
    )


@at_desk
def log(desk: Desk, season: SeasonArgument, style: FormatOption = Format.TABLE) -> None:
    """Show who did what to a season, and when. What came over the network names the address that it came from."""
    with desk.seasons() as seasons:
        deeds = seasons.log(season)
    print_table(Table(LOG, [_row(deed) for deed in deeds]), style)


def _row(deed: "Deed") -> dict[str, str]:
    return {
        "when": datetime.fromtimestamp(deed.at_ms / 1000, UTC).isoformat(timespec="seconds"),
        "by": deed.by,
        "did": _STATUS_WORDS.get(deed.did, deed.did),
        "details": _told(deed.details),
    }


def _told(details: Mapping[str, Any]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in details.items())
