"""``carico bot``: register bots, look at them, and play with them."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from carico.address import is_local
from clients.cli import bot_faults
from clients.cli.failure import BadUsage, Failure
from clients.cli.help_text import examples
from clients.cli.last_words import EndsInProgram
from clients.cli.parameters import FormatOption
from clients.cli.tables import Format, Table, Value, columns, print_table
from clients.cli.where import (
    DataOption,
    OrganiserTokenOption,
    RefereeOption,
    TlsAuthoritiesOption,
    TlsOption,
    Where,
)

if TYPE_CHECKING:
    from carico.bot import Bot
    from carico.v1.organisers_pb2 import BotStatus
    from clients.cli.organisers import Organisers

COLUMNS: Final = columns(
    "bot",
    "owner",
    "connected",
    "version",
    "away_seconds",
    "open_matches",
    "frozen_versions",
    numbers=("away_seconds", "open_matches"),
)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The bot's name.")]
SaveOption = Annotated[
    bool, typer.Option("--save", help="Save the token where `carico bot run` finds it, and do not print it.")
]

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Register bots, look at them, and play with them.")


@app.command(
    epilog=examples(
        "carico bot register mybot --owner me --save",
        "CARICO_TOKEN=$(carico bot register mybot --owner me) carico bot run mybot.py:MyBot --name mybot --version 1",
    )
)
def register(
    name: NameArgument,
    owner: Annotated[str, typer.Option("--owner", metavar="OWNER", help="Who answers for the bot.")],
    save: SaveOption = False,
    referee: RefereeOption = None,
    data: DataOption = None,
    organiser_token_file: OrganiserTokenOption = None,
    tls: TlsOption = False,
    tls_ca: TlsAuthoritiesOption = None,
) -> None:
    """Register a bot at the referee and print its token, once.

    The token alone goes to standard output. Nobody can ask for it again: `carico bot renew` gives a new one.
    """
    where = Where(referee, None, data, organiser_token_file)
    if save:
        _check_room(name, where)
    with _organisers(where, tls, tls_ca) as organisers:
        token = organisers.register(name, owner)
    _hand_over(name, token, where if save else None)


@app.command(epilog=examples("carico bot renew mybot --save"))
def renew(
    name: NameArgument,
    save: SaveOption = False,
    referee: RefereeOption = None,
    data: DataOption = None,
    organiser_token_file: OrganiserTokenOption = None,
    tls: TlsOption = False,
    tls_ca: TlsAuthoritiesOption = None,
) -> None:
    """Give a bot a new token and print it, once. The old one stops working at once."""
    where = Where(referee, None, data, organiser_token_file)
    if save:
        _check_room(name, where)
    with _organisers(where, tls, tls_ca) as organisers:
        token = organisers.renew(name)
    _hand_over(name, token, where if save else None)


@app.command("list", epilog=examples("carico bot list", "carico bot list mybot --format json"))
def list_bots(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Only these.")] = None,
    style: FormatOption = Format.TABLE,
    referee: RefereeOption = None,
    data: DataOption = None,
    organiser_token_file: OrganiserTokenOption = None,
    tls: TlsOption = False,
    tls_ca: TlsAuthoritiesOption = None,
) -> None:
    """Show the registered bots and which of them are connected.

    A version is frozen once it has played a deal that counts: it can't come back as another build.
    """
    with _organisers(Where(referee, None, data, organiser_token_file), tls, tls_ca) as organisers:
        found = organisers.bots(names or ())
    print_table(Table(COLUMNS, [_row(status) for status in found]), style)


@app.command(
    cls=EndsInProgram,
    epilog=examples(
        "carico bot run mybot.py:MyBot --name mybot --version 1",
        "carico bot run --name mybot --version 1 -- ./mybot --level 3",
        "carico bot run greedy --name greedy --version 1 --referee 127.0.0.1:12040 --token-file greedy.token",
    ),
)
def run(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A house bot's name, FILE.py:Class, or -- PROGRAM ARG...")],
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="The name it is registered under.")],
    version: Annotated[str, typer.Option("--version", metavar="V", help="Your own count of its releases.")],
    referee: RefereeOption = None,
    data: DataOption = None,
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", metavar="FILE", help="Its token (else CARICO_TOKEN, else the saved one)."),
    ] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="HEX", help="What its chance starts from, up to 64 bytes.")
    ] = None,
    process_per_seat: Annotated[
        bool, typer.Option("--process-per-seat", help="Play each seat of a side in a process that sees its hand only.")
    ] = False,
    tls: TlsOption = False,
    tls_ca: TlsAuthoritiesOption = None,
) -> None:
    """Join the league with a bot and play until Ctrl-C.

    In games of two sides the bot has all seats of its side, and its process sees all their hands; each seat has a Bot
    object of its own, which is asked with its own view. With --process-per-seat no process sees two hands.

    A program after -- speaks JSON lines on stdin and stdout (proto/JSONLINES.md); one that ends is started again.

    It comes back by itself when the connection breaks. A version is frozen once it has played a deal that counts:
    after a change in the file count the version up.
    """
    from carico.load import fingerprint
    from carico.seat_processes import process_per_seat as seats_apart
    from clients.cli.bot_names import command_of, find_bot
    from clients.cli.play import play_at
    from clients.cli.tls import credentials
    from clients.cli.tokens import find_token

    made: type[Bot] | list[str] = command_of(bot) or find_bot(bot)
    build = None
    if process_per_seat:
        if isinstance(made, list):
            raise BadUsage("--process-per-seat is for classes: a program gets all its views")
        build = fingerprint(made)
        made = seats_apart([sys.executable, "-P", "-m", "clients.cli.seat", bot])
    where = Where(referee, None, data)
    address, line = where.referee_address(), credentials(tls, tls_ca)
    token = find_token(name, token_file, where.leagues())
    if line is None and not is_local(address):
        raise BadUsage(
            f"{address} is another machine, and without TLS the token could be read on the way: give --tls, or "
            "--tls-ca FILE with the league's authority, or reach the referee through a tunnel to this machine "
            "(ssh -L 12040:127.0.0.1:12040 HOST, then --referee 127.0.0.1:12040)"
        )
    play_at(
        made,
        name=name,
        version=version,
        address=address,
        token=token,
        seed=_seed(seed),
        build=build,
        credentials=line,
    )


bot_faults.add_to(app)


def _seed(text: str | None) -> bytes:
    try:
        seed = bytes.fromhex(text or "")
    except ValueError:
        raise BadUsage(f"--seed {text}: write it in hexadecimal, such as 00ff17") from None
    if len(seed) > 64:
        raise BadUsage(f"--seed has {len(seed)} bytes: write up to 64")
    return seed


def _row(status: "BotStatus") -> dict[str, Value]:
    away: Value = None
    if status.HasField("away"):
        away = status.away.seconds
    return {
        "bot": status.bot,
        "owner": status.owner,
        "connected": status.connected,
        "version": status.version or None,
        "away_seconds": away,
        "open_matches": status.open_matches,
        "frozen_versions": _texts(status.frozen_versions),
    }


def _texts(found: Sequence[str]) -> list[str]:
    return list(found)


def _check_room(name: str, where: Where) -> None:
    """A token that can't be saved would be lost, so that is tried before it is asked for."""
    from clients.cli.files import check_writable, make_folder
    from clients.cli.tokens import token_file

    for league in where.leagues():
        folder = token_file(name, league).parent
        make_folder(folder, mode=0o700)
        check_writable(folder)


def _hand_over(name: str, token: str, saved_for: Where | None) -> None:
    if saved_for is not None:
        from clients.cli.tokens import save_token

        try:
            print(f"token of {name} saved in {save_token(name, token, saved_for.leagues())}", file=sys.stderr)
        except Failure:
            print(token)
            raise
        return
    print(token)
    print(
        f"this is the token of {name}, shown once: keep it in a file of mode 0600, or in CARICO_TOKEN", file=sys.stderr
    )


def _organisers(where: Where, tls: bool, tls_ca: Path | None) -> "Organisers":
    from clients.cli.organisers import Organisers
    from clients.cli.tls import credentials

    return Organisers(where.referee_address(), where.organiser_token(), credentials(tls, tls_ca))
