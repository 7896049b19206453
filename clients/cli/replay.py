"""``carico replay``: a deal of a file of records, trick by trick."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from clients.cli.failure import BadUsage
from clients.cli.help_text import examples
from clients.cli.parameters import FormatOption
from clients.cli.plain_text import plain
from clients.cli.tables import Column, Format, Table, Value, print_table

if TYPE_CHECKING:
    from carico.rules.retelling import Eyes
    from clients.cli.chosen_deal import Chosen

COLUMNS: Final = (
    Column("line", "line", number=True),
    Column("season", "season", wide=True),
    Column("fixture", "fixture", number=True),
    Column("deal_set", "set", number=True),
    Column("seating", "seating", number=True),
    Column("deal", "deal", number=True),
    Column("attempt", "attempt", number=True, wide=True),
    Column("game", "game"),
    Column("bots", "bots"),
    Column("card_points", "card points"),
    Column("winners", "won"),
    Column("faults", "faults"),
    Column("actions", "actions", number=True, wide=True),
    Column("reason", "reason", wide=True),
)


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "replay",
        epilog=examples(
            "carico arena greedy random --seed 7 --out out",
            "carico replay out",
            "carico replay out --list",
            "carico replay out --deal 17 --seat 0",
            "carico replay season/voids.jsonl --deal-set 3 --seating 1",
            "carico replay out --deal 17 --notation > mistake.txt",
            "carico replay mistake.txt",
        ),
    )(replay)


def replay(
    path: Annotated[
        Path,
        typer.Argument(metavar="RECORDS", help="A file of records or voids, an export's folder, or a deal as text."),
    ],
    deal: Annotated[
        int | None,
        typer.Option("--deal", metavar="N", min=1, help="The deal on line N. [default: the first]"),
    ] = None,
    deal_set: Annotated[int | None, typer.Option("--deal-set", metavar="S", min=0, help="Of this deal set.")] = None,
    fixture: Annotated[int | None, typer.Option("--fixture", metavar="F", min=0, help="Of this fixture.")] = None,
    seating: Annotated[int | None, typer.Option("--seating", metavar="R", min=0, help="Of this seating.")] = None,
    attempt: Annotated[int | None, typer.Option("--attempt", metavar="A", min=0, help="Of this attempt.")] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="S", min=0, help="Show what this seat knew, and no more.")
    ] = None,
    open_: Annotated[
        bool, typer.Option("--open/--closed", help="Show all hands, or none, as a spectator sees it.")
    ] = True,
    notation: Annotated[
        bool, typer.Option("--notation", help="Print the deal as text that `carico replay` reads again.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the records that fit, and show none.")] = False,
    style: FormatOption = Format.TABLE,
) -> None:
    """Show a deal trick by trick: hands, plays, draws, points and times.

    Lines are counted from 1, as `carico verify` counts them. The deal is played by the rules of this version; where the
    record tells something else, that is said on stderr. --format is that of --list.
    """
    from clients.cli import chosen_deal
    from clients.cli.record_files import RECORDS

    file = path / RECORDS if path.is_dir() else path
    wanted = chosen_deal.Wanted(deal, deal_set, fixture, seating, attempt)
    if not listed and style is not Format.TABLE:
        raise BadUsage(f"--format {style} is for --list: a deal is shown as text")
    if chosen_deal.is_notation(file):
        if listed or not wanted.anything:
            raise BadUsage(f"{file}: this is one deal as text: leave {'--list' if listed else wanted} out")
        chosen = chosen_deal.deal_in_text(file)
    elif listed:
        print_table(Table(COLUMNS, list(_rows(file, wanted)), str(file)), style)
        return
    else:
        chosen = chosen_deal.find_deal(file, wanted)
    if chosen.doubt:
        print(plain(f"carico: {file}, line {chosen.line}: this record is not right: {chosen.doubt}"), file=sys.stderr)
    if notation:
        if seat is not None or not open_:
            raise BadUsage("--notation holds the whole deal: leave --seat and --closed out")
        sys.stdout.write(_notation(chosen))
    else:
        _show(chosen, _eyes(chosen, seat, open_), seat)


def _eyes(chosen: "Chosen", seat: int | None, open_: bool) -> "Eyes":
    from carico.rules import retelling

    if seat is None:
        return retelling.all_hands if open_ else retelling.no_hands
    players = chosen.deal.game.players
    if not open_:
        raise BadUsage("--seat and --closed: choose one of the two")
    if seat >= players:
        raise BadUsage(f"--seat {seat}: the seats of {chosen.deal.game.name} are 0 to {players - 1}")
    return retelling.hands_of(seat)


def _show(chosen: "Chosen", eyes: "Eyes", seat: int | None) -> None:
    from rich.console import Console

    from clients.cli.replay_text import replay_lines

    console = Console(highlight=False, markup=False, emoji=False)
    for line in replay_lines(chosen, eyes, seat):
        line.rstrip()
        if console.is_terminal:
            console.print(line, soft_wrap=True)
        else:
            sys.stdout.write(f"{line.plain}\n")


def _notation(chosen: "Chosen") -> str:
    """The deal as text, and what a text has no place for in its comments."""
    from carico.rules.notation import deal_text

    record = chosen.record
    told = []
    if record:
        names = ("season", "fixture", "deal_set", "seating", "deal", "attempt", "match")
        told.append(", ".join(f"{name} {record[name]}" for name in names if record[name] is not None))
        told += [f"seat {i}: {one['bot']} {one['version']} of {one['owner']}" for i, one in enumerate(record["seats"])]
        told += [
            f"seat {fault.seat} is at fault after {fault.after} actions: {fault.reason}" for fault in chosen.faults
        ]
        if chosen.faults:
            told.append("winners and scores below are as played, without the fault")
        told += [f"void: {record['reason']}"] if "reason" in record else []
    return "".join(f"# {plain(line)}\n" for line in told) + deal_text(chosen.deal)


def _rows(file: Path, wanted: Any) -> Iterator[dict[str, Value]]:
    from clients.cli.chosen_deal import records_in

    for number, record in records_in(file):
        if wanted.fits(number, record):
            try:
                yield _row(number, record)
            except (KeyError, TypeError, AttributeError, ValueError):
                raise BadUsage(f"{file}, line {number}: this is no deal record") from None


def _row(number: int, record: Mapping[str, Any]) -> dict[str, Value]:
    end = record["outcome"] or {"card_points": [], "winners": [], "faults": []}
    return {
        **{name: record[name] for name in ("season", "fixture", "deal_set", "seating", "deal", "attempt")},
        "line": number,
        "game": f"{record['variant']}-{record['players']}",
        "bots": [str(seat["bot"]) for seat in record["seats"]],
        "card_points": [str(points) for points in end["card_points"]],
        "winners": [str(seat) for seat in end["winners"]],
        "faults": [f"{seat}:{reason}" for seat, reason, _ in end["faults"]],
        "actions": len(record["actions"]),
        "reason": record.get("reason"),
    }
