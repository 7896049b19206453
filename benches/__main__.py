"""``python -m benches``: plays the rounds and prints the table."""

import argparse
import math
import os
import sys
from collections.abc import Sequence

from benches import profiles
from benches.catalogue import BENCHES
from benches.rounds import Result, play_rounds
from clients.cli.tables import Format, Table, Value, columns, print_table

NUMBERS = ("value", "yardstick_value", "ratio", "least", "greatest")

COLUMNS = columns("bench", "subject", "yardstick", "quantity", *NUMBERS, "aim", numbers=NUMBERS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Does what the arguments ask for; returns the exit code."""
    asked = parser().parse_args(arguments)
    if asked.profile:
        profiles.show(asked.profile, asked.seconds)
        return 0
    rows = [
        row(name, result)
        for name in asked.only or BENCHES
        for result in play_rounds(BENCHES[name], asked.rounds, asked.seconds, tell)
    ]
    print_table(Table(COLUMNS, rows), Format(asked.format))
    return 0


def parser() -> argparse.ArgumentParser:
    """What can be asked."""
    known = argparse.ArgumentParser(prog="./dev bench", description="Measure against yardsticks in the same run.")
    known.add_argument("--only", action="append", choices=list(BENCHES), help="this bench alone; may be repeated")
    known.add_argument("--rounds", type=rounds, default=5, help="how often each subject is measured (5)")
    known.add_argument("--seconds", type=seconds, default=3.0, help="how long each time (3)")
    known.add_argument("--format", choices=[style.value for style in Format], default="table", help="of the table")
    known.add_argument("--profile", choices=profiles.SUBJECTS, help="show where this subject's time goes instead")
    return known


def rounds(text: str) -> int:
    """A number of rounds. Raises ValueError."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def seconds(text: str) -> float:
    """A time. Raises ValueError."""
    number = float(text)
    if not 0 < number < math.inf:
        raise ValueError(text)
    return number


def row(bench: str, result: Result) -> dict[str, Value]:
    """A result as a row of the table."""
    compared = result.comparison
    return {
        "bench": bench,
        "subject": compared.subject,
        "yardstick": compared.yardstick,
        "quantity": compared.quantity,
        "value": rounded(result.value),
        "yardstick_value": rounded(result.yardstick_value),
        "ratio": rounded(result.ratio),
        "least": rounded(result.least),
        "greatest": rounded(result.greatest),
        "aim": result.missing or compared.aim,
    }


def rounded(value: float | None) -> float | None:
    """Three digits that count; more would only be noise."""
    if value is None:
        return None
    return round(value) if value >= 1000 else float(f"{value:.3g}")


def tell(line: str) -> None:
    """Progress, with the load of the machine, where it does not disturb the table."""
    print(f"{line} (load {os.getloadavg()[0]:.1f})", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
