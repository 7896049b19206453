"""``carico verify``: an export proved from itself alone."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clients.cli.failure import BadUsage, ExitCode
from clients.cli.help_text import examples
from clients.cli.parameters import LARGEST_SEED
from clients.cli.plain_text import counted, plain

if TYPE_CHECKING:
    from rich.progress import Progress

    from worker.proof.folder import Proof


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "verify",
        epilog=examples(
            "carico arena greedy random --seed 7 --out out",
            "carico verify out",
            "carico verify out --seed 7",
            "carico verify one/records.jsonl other/records.jsonl",
        ),
    )(verify)


def verify(
    paths: Annotated[
        list[Path], typer.Argument(metavar="DIR|FILE...", help="An export's folder, or a file of records.")
    ],
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="S",
            min=0,
            max=LARGEST_SEED,
            help="Every deck has to come from the practice season, or arena, of this seed.",
        ),
    ] = None,
) -> None:
    """Play every record again and tell the first thing that does not agree.

    Of each record: its form, the deck from its key, every action, card points, scores, outcome, clock and hash. Of a
    file: order, one pack for a deal set, all its seatings and deals. Of a folder also the table, made anew from the
    records, and the voids: no attempt may be missing. What can't be known from these files is said.

    The first difference of each path is told with file, line and field. The exit code is 1 then, and 2 where something
    can't be read.
    """
    codes = [_verified(path, seed) for path in paths]
    if any(codes):
        raise typer.Exit(max(codes))


def _verified(path: Path, seed: int | None) -> ExitCode:
    """Proves one path and prints what came of it."""
    from carico.rules import shuffle
    from worker.proof import folder

    try:
        files = _files(path)
        master = None if seed is None else shuffle.master(shuffle.practice_secret(seed))
        proof = _prove(files, alone=not path.is_dir(), master=master)
    except BadUsage as error:
        print(f"carico: {error}", file=sys.stderr, flush=True)
        return ExitCode.USAGE
    for void in proof.voids:
        text = f"deal set {void.deal_set}, attempt {void.attempt}: {void.reason}; ahead was {void.led}"
        print(plain(f"{path}: void: {text}"))
    if proof.voids:
        print(plain(f"{path}: {counted(len(proof.voids), 'void')}, {100 * proof.void_rate:.1f} % of the attempts"))
    if proof.found is not None:
        file = {folder.RECORDS: files[0], folder.TABLE: files[1], folder.VOIDS: files[2]}[proof.part]
        where = f"{file}, line {proof.found.line}" if proof.found.line else f"{file}"
        print(plain(f"{where}: {proof.found.text}"))
        return ExitCode.FAILED if proof.found.readable else ExitCode.USAGE
    for note in proof.notes:
        print(plain(f"{path}: not provable: {note}"))
    what = f"{counted(proof.deals, 'deal')} of {counted(proof.deal_sets, 'deal set')}"
    print(plain(f"{path}: {what} played again{', the table made anew' if files[1] else ''}: all agrees"))
    return ExitCode.FINE


def _files(path: Path) -> "tuple[Path, Path | None, Path | None]":
    """The files of records, table and voids. Raises BadUsage."""
    from clients.cli.record_files import RECORDS, STANDINGS, VOIDS

    if not path.exists():
        raise BadUsage(f"{path}: there is no such file or folder")
    if not path.is_dir():
        return path, None, None
    records, table, voids = path / RECORDS, path / STANDINGS, path / VOIDS
    if not records.exists():
        raise BadUsage(f"{path}: there is no {RECORDS} in it: name the folder of `--out`, or a file of records")
    return records, table if table.exists() else None, voids if voids.exists() else None


def _prove(files: "Sequence[Path | None]", *, alone: bool, master: bytes | None) -> "Proof":
    from clients.cli.record_files import lines_of, read_bytes
    from worker.proof.folder import prove

    records, table, voids = files
    assert records is not None
    with _progress() as progress:
        task: Any = progress.add_task(
            "played again", total=sum(file.stat().st_size for file in (records, voids) if file)
        )

        def advance(done: int) -> None:
            progress.advance(task, done)

        return prove(
            lines_of(records, advance),
            None if table is None else read_bytes(table),
            None if voids is None else lines_of(voids, advance),
            alone=alone,
            master=master,
        )


@contextmanager
def _progress() -> "Iterator[Progress]":
    """A bar on stderr, which is silent where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield progress
