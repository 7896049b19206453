"""``carico season pause | resume | withdraw | void | log``: what an organiser decides, and who decided what."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from clients.cli.failure import BadUsage, Failure
from clients.cli.help_text import examples
from clients.cli.organiser_name import ByOption, organiser
from clients.cli.parameters import FormatOption, SeasonArgument
from clients.cli.plain_text import counted
from clients.cli.tables import Format, Table, columns, print_table
from clients.cli.where import DataOption, RedisOption, Where

if TYPE_CHECKING:
    from worker.store.values import Deed
    from worker.tournament.ledger import Withdrawal

LOG: Final = columns("when", "by", "did", "details")
LONGEST_REASON: Final = 400

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


def pause(season: SeasonArgument, by: ByOption = None, redis: RedisOption = None, data: DataOption = None) -> None:
    """Let a season stand still. What is being played is played to its end and counts; nothing new begins."""
    from clients.cli.season_store import opened

    with opened(Where(None, redis, data).redis_url()) as store:
        from worker.store.values import Status

        store.set_status(season, Status.PAUSED, organiser(by))
        playing = store.progress(season).leased
    rest = f"; what is being played ({counted(playing, 'chunk')}) is played to its end" if playing else ""
    print(f"season {season} is paused{rest}: go on with  carico season resume {season}")


def resume(season: SeasonArgument, by: ByOption = None, redis: RedisOption = None, data: DataOption = None) -> None:
    """Let a paused season go on. No-show times begin anew."""
    from clients.cli.season_store import opened

    with opened(Where(None, redis, data).redis_url()) as store:
        from worker.store.values import Status

        if store.status(season) is Status.SCHEDULED:
            raise Failure(f"season {season} has not begun: begin with  carico season start {season}")
        store.set_status(season, Status.RUNNING, organiser(by))
    print(f"season {season} is running")


def withdraw(
    season: SeasonArgument,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot.")],
    version: Annotated[str, typer.Argument(metavar="VERSION", help="Which of its versions.")],
    by: ByOption = None,
    redis: RedisOption = None,
    data: DataOption = None,
) -> None:
    """Take an entrant out of a season, for good.

    Before half of its fixtures were played they leave the table; their deals stay in the ledger. From half on what was
    played stays, and the others win the rest by walkover.
    """
    from clients.cli.season_store import opened

    with opened(Where(None, redis, data).redis_url()) as store:
        entrants = store.entrants(season)
        found = [i for i, entrant in enumerate(entrants) if (entrant.bot, entrant.version) == (bot, version)]
        if not found:
            raise Failure(f"{bot} {version} is not entered in season {season}: `carico season standings` names who is")
        before = {one.entrant for one in store.withdrawals(season)}
        withdrew = store.withdraw(season, found[0], organiser(by))
    if found[0] in before:
        print(f"{bot} {version} had withdrawn from season {season} before: nothing has changed")
        return
    print(f"{bot} {version} is withdrawn from season {season}: {_consequence(withdrew.withdrawal, withdrew.closed)}")


def _consequence(withdrawal: "Withdrawal", closed: int) -> str:
    played = f"{withdrawal.played} of its {withdrawal.fixtures} fixtures were played"
    if withdrawal.annuls:
        return f"{played}, less than half, so all of them leave the table; what was played stays in the ledger"
    return f"{played}, half or more, so these stay and the rest are walkovers ({closed})"


def void(
    season: SeasonArgument,
    deal_set: Annotated[int, typer.Option("--deal-set", metavar="N", min=0, help="The number of the deal set.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it stands in voids.jsonl.")],
    by: ByOption = None,
    redis: RedisOption = None,
    data: DataOption = None,
) -> None:
    """Decide that a deal set does not count. It is played again with another deck, also in a finished season.

    Its results leave the count and stand among the voids. What is being played of it is broken off. Its entrants should
    be connected: who is not there is played for by the stand-in.
    """
    from clients.cli.season_store import opened

    if not (1 <= len(reason) <= LONGEST_REASON and reason.isprintable()):
        raise BadUsage(f"--reason: write one line of 1 to {LONGEST_REASON} printable characters")
    with opened(Where(None, redis, data).redis_url()) as store:
        attempt = store.attempts(season).get(deal_set, 0)
        voided = store.void_set(season, deal_set, attempt, f"ORGANISER: {reason}", organiser(by))
        status = store.status(season)
    left = f"{counted(voided.deals, 'deal')} left the count" if voided.deals else "nothing of it had counted yet"
    print(
        f"attempt {attempt} of deal set {deal_set} of season {season} is void: {left}; "
        f"it is played again as attempt {voided.attempt} with another deck (the season is {status})"
    )


def log(
    season: SeasonArgument, style: FormatOption = Format.TABLE, redis: RedisOption = None, data: DataOption = None
) -> None:
    """Show who did what to a season, and when."""
    from clients.cli.season_store import opened

    with opened(Where(None, redis, data).redis_url()) as store:
        deeds = store.log(season)
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
