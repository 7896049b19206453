"""``carico season plan``: who will meet whom, how evenly, and how long it will take. No league is needed."""

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from clients.cli.extras import league_extra
from clients.cli.failure import BadUsage
from clients.cli.help_text import examples
from clients.cli.parameters import FormatOption
from clients.cli.plain_text import counted, plain
from clients.cli.tables import Format, Table, Value, columns, print_table, readable_json

if TYPE_CHECKING:
    from worker.tournament.balance import Balance
    from worker.tournament.fixtures import Fixture
    from worker.tournament.season import SeasonSpec

SCHEDULE: Final = columns(
    *("round", "table", "fixture", "leg", "entrants", "first_deal_set", "last_deal_set"),
    numbers=("round", "table", "fixture", "leg", "first_deal_set", "last_deal_set"),
    wide=("leg",),
)

ACTIONS_PER_SECOND: Final = 1_400
"""Of a whole league on two busy cores with bots that do not think: 1,200 deals of ``carico demo`` in 34 s (2026-11)."""

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The season's file.")]


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        epilog=examples(
            "carico season plan season.toml",
            "carico season plan season.toml --owner mybot=me --owner myother=me --rate 20",
        )
    )(plan)


def plan(
    file: FileArgument,
    owner: Annotated[
        list[str] | None,
        typer.Option("--owner", metavar="BOT=OWNER", help="Who owns a bot; else each is an owner's only one."),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option("--rate", metavar="DEALS_PER_S", min=0.001, help="Deals a second, to tell the time by."),
    ] = None,
    style: FormatOption = Format.TABLE,
) -> None:
    """Show the schedule of a season's file, its balance, the number of deals and the expected time.

    Nothing is created, and no league is needed. Numbers are those of the records, from 0. Bots of one owner never sit
    at one table of single players: name their owners with --owner, since the file does not. Late entrants of an open
    season are not in it.
    """
    with league_extra():
        from clients.cli.season_text import read_file
        from worker.office.port import BadRequest
        from worker.office.season_plan import plan as planned
        from worker.tournament.balance import balance

    _, spec = read_file(file)
    owners = _owners(spec, owner or [])
    try:
        fixtures = planned(spec, owners)
    except BadRequest as error:
        raise BadUsage(str(error)) from error
    found = balance(fixtures, owners, spec.places, rotating=spec.rotating)
    amount = _amount(spec, fixtures, rate)
    rows = list(_rows(spec, fixtures))
    if style is Format.JSON:
        sys.stdout.write(_json(spec, rows, found, amount))
        return
    print_table(Table(SCHEDULE, rows, f"{spec.name}: {spec.game.name}"), style)
    for line in [*_told(spec, found), _told_amount(amount, rate)]:
        print(plain(line), file=sys.stdout if style is Format.TABLE else sys.stderr)


def _owners(spec: "SeasonSpec", given: Sequence[str]) -> list[str]:
    """Per entrant its owner; one that is not named is its own. Raises BadUsage."""
    owners = {entry.bot: f"owner of {entry.bot}" for entry in spec.entries}
    for text in given:
        bot, equals, name = text.partition("=")
        if not equals or not name:
            raise BadUsage(f"--owner {text}: write BOT=OWNER")
        if bot not in owners:
            raise BadUsage(f"--owner {text}: {bot} is not entered in the file")
        owners[bot] = name
    return [owners[entry.bot] for entry in spec.entries]


def _rows(spec: "SeasonSpec", fixtures: Iterable["Fixture"]) -> Iterable[dict[str, Value]]:
    round_, table = -1, 0
    for fixture in fixtures:
        round_, table = (round_, table + 1) if fixture.round == round_ else (fixture.round, 0)
        yield {
            "round": fixture.round,
            "table": table,
            "fixture": fixture.number,
            "leg": fixture.leg,
            "entrants": [spec.entries[i].bot for i in fixture.entrants],
            "first_deal_set": fixture.deal_sets[0],
            "last_deal_set": fixture.deal_sets[-1],
        }


def _amount(spec: "SeasonSpec", fixtures: Iterable["Fixture"], rate: float | None) -> dict[str, Any]:
    """How much is to be played: a match is one deal; actions are the cards played."""
    matches = sum(fixture.sets * fixture.seatings for fixture in fixtures)
    cards = spec.game.tricks * spec.game.players
    deals_per_second = rate or round(ACTIONS_PER_SECOND / cards, 1)
    return {
        "matches": matches,
        "deals": matches,
        "actions": matches * cards,
        "deals_per_second": deals_per_second,
        "expected_seconds": round(matches / deals_per_second),
    }


def _json(spec: "SeasonSpec", rows: Sequence[dict[str, Value]], found: "Balance", amount: dict[str, Any]) -> str:
    whole = {
        "season": spec.name,
        "game": spec.game.name,
        "pairs": spec.pairs,
        "schedule": rows,
        "balance": found.to_json(),
        **amount,
    }
    return readable_json(json.dumps(whole, ensure_ascii=False, indent=2)) + "\n"


def _told(spec: "SeasonSpec", found: "Balance") -> list[str]:
    """The balance in words."""
    lines = [
        f"{counted(len(spec.entries), 'entrant')} in {counted(found.rounds, 'round')}; "
        f"each has {found.fixtures} fixtures and {found.byes} byes",
        f"every two meet {found.meetings} times",
    ]
    if found.meetings.least < found.meetings.most and not spec.rotating and not found.kept_apart:
        from worker.tournament.designs import design, index

        if design(len(spec.entries), len(spec.places)) is not None:
            lines[-1] += f"; equally often where legs is a multiple of {index(len(spec.entries), len(spec.places))}"
    if found.kept_apart:
        lines[-1] = f"every two of different owners meet {found.meetings} times; never: {found.kept_apart} of one owner"
    if found.partners is not None and found.opponents is not None:
        lines.append(f"every two are partners {found.partners} times and opponents {found.opponents} times")
    if found.plays_after is not None:
        lines.append(f"each plays directly after each other in {found.plays_after} fixtures")
    even = "everybody plays equally often in every seat, since each deck is played in all seatings"
    lines.append(even if found.seats == 0 else f"an entrant's matches differ by up to {found.seats} from seat to seat")
    return lines


def _told_amount(amount: dict[str, Any], rate: float | None) -> str:
    seconds = amount["expected_seconds"]
    hours, minutes = seconds // 3600, seconds // 60 % 60
    time = f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds % 60} s" if minutes else f"{seconds} s"
    why = "" if rate else ", as a machine of two cores does with bots that do not think; --rate for yours"
    return (
        f"{amount['deals']} deals, {amount['actions']} actions: about {time} at {amount['deals_per_second']} deals "
        f"a second{why}"
    )
