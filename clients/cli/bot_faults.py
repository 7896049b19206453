"""``carico bot faults``: what a bot lost deals by, for its owner."""

import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import typer

from clients.cli.desk import Desk, at_desk
from clients.cli.help_text import examples
from clients.cli.parameters import FormatOption
from clients.cli.tables import Column, Format, Table, Value, print_table

FAULTS: Final = (
    Column("when", "when"),
    Column("season", "season"),
    Column("version", "ver"),
    Column("deal_set", "set", number=True),
    Column("seating", "seating", number=True),
    Column("reason", "reason"),
    Column("detail", "detail"),
    Column("exchange", "last exchange"),
    Column("fixture", "fixture", number=True, wide=True),
    Column("deal", "deal", number=True, wide=True),
    Column("attempt", "attempt", number=True, wide=True),
    Column("seat", "seat", number=True, wide=True),
    Column("after", "after", number=True, wide=True),
    Column("match", "match", wide=True),
)


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(epilog=examples("carico bot faults mybot", "carico bot faults mybot --format json"))(faults)


@at_desk
def faults(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name.")],
    style: FormatOption = Format.TABLE,
) -> None:
    """Show a bot's faults in deals that count, newest first: reason, detail, and the last exchange in its own view.

    They are read from the league's store, so only an organiser can ask, on behalf of the owner. The last 200 of each
    season are kept.
    """
    with desk.seasons() as seasons:
        found = seasons.faults(name)
    if not found and style is Format.TABLE:
        print(f"no fault of {name} is known", file=sys.stderr)
        return
    print_table(Table(FAULTS, [_row(note) for note in found]), style)


def _row(note: Mapping[str, Any]) -> dict[str, Value]:
    when = datetime.fromtimestamp(note["at_ms"] / 1000, UTC).isoformat(timespec="seconds")
    return {**note, "when": when, "exchange": _told(note["exchange"])}


def _told(exchange: Mapping[str, Any]) -> str:
    asked = "asked with" if exchange["asked"] else "not asked, with"
    text = f"{asked} hand {_cards(exchange['hand'])}, table {_cards(exchange['table'])}, trump {exchange['trump']}"
    if exchange["last"] is None:
        return f"{text}; it had answered nothing before"
    took = f" after {exchange['last_used_ms']} ms" if exchange["last_used_ms"] is not None else ""
    return f"{text}; its last answer: {' '.join(map(str, exchange['last']))}{took}"


def _cards(cards: list[str]) -> str:
    return " ".join(cards) or "-"
