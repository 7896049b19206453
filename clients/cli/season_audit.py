"""``carico season audit | rebuild``: whether all that is kept of a season agrees, and what can be made anew."""

import sys
from typing import TYPE_CHECKING, Final

import typer

from clients.cli.desk import Desk, at_desk
from clients.cli.failure import ExitCode
from clients.cli.help_text import examples
from clients.cli.organiser_name import ByOption, organiser
from clients.cli.parameters import FormatOption, SeasonArgument
from clients.cli.plain_text import counted, plain
from clients.cli.tables import Format, Table, columns, print_table

if TYPE_CHECKING:
    from worker.audit.report import Report

FINDINGS: Final = columns("area", "what")
REPLACED: Final = columns("replaced")


def add_to(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command(epilog=examples("carico season audit my-season", "carico season audit my-season --format json"))(audit)
    app.command(epilog=examples("carico season rebuild my-season"))(rebuild)


@at_desk
def audit(desk: Desk, season: SeasonArgument, style: FormatOption = Format.TABLE) -> None:
    """Check that ledger, records, table, voids, chunks, closures and store agree. Nothing is changed.

    Every record is played again, each deck is derived again from the season's secret, and the table is made from the
    records alone. What does not agree is told, a row each, and the exit code is 1 then. The season may run meanwhile.
    """
    with desk.seasons() as seasons:
        report = seasons.audit(season)
    if report.findings or style is not Format.TABLE:
        rows = [{"area": finding.area, "what": finding.text} for finding in report.findings]
        print_table(Table(FINDINGS, rows), style)
    for line in _summary(report):
        print(line, file=sys.stdout if style is Format.TABLE else sys.stderr)
    if not report.clean:
        raise typer.Exit(ExitCode.FAILED)


def _summary(report: "Report") -> list[str]:
    lines = [
        plain(
            f"void: deal set {void.deal_set}, attempt {void.attempt}: {void.reason}"
            + (f"; ahead was {void.led}" if void.led else "")
        )
        for void in report.voids
    ]
    found = len(report.findings)
    end = "all agrees" if report.clean else f"{counted(found, 'thing')} {'does' if found == 1 else 'do'} not agree"
    rate = (
        f", {counted(len(report.voids), 'void')} ({100 * report.void_rate:.1f} % of the attempts)"
        if report.voids
        else ""
    )
    counts = f"{counted(report.deals, 'deal')}, {counted(report.verified, 'record')} played again{rate}"
    return [*lines, f"season {report.season} ({report.status}): {counts}: {end}"]


@at_desk
def rebuild(desk: Desk, season: SeasonArgument, style: FormatOption = Format.TABLE, by: ByOption = None) -> None:
    """Make anew what the store keeps beside the ledger, and say what was not as it should be.

    The table itself is made from the ledger each time it is shown, so nothing of it is kept and nothing can be wrong
    with it. Kept are: which attempt of a deal set is current, which deals count, which chunks are done, open or leased,
    the order of arrival, indices of the plan, two counters and whether the season is finished. These follow from plan,
    ledger, voids and closures, which are never touched.
    """
    with desk.seasons() as seasons:
        replaced = seasons.rebuild(season, organiser(by))
    if replaced or style is not Format.TABLE:
        print_table(Table(REPLACED, [{"replaced": text} for text in replaced]), style)
    told = (
        f"{counted(len(replaced), 'thing')} made anew" if replaced else "all was as it should be, nothing was changed"
    )
    print(f"season {season}: {told}", file=sys.stdout if style is Format.TABLE else sys.stderr)
