"""The one way of printing a table: aligned for people, JSON or CSV for programs."""

import csv
import io
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from clients.cli.plain_text import plain

if TYPE_CHECKING:
    from rich.table import Table as RichTable

Value = str | int | float | bool | None | Sequence[str]


class Format(StrEnum):
    """How a table is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: where its values stand in a row, and what people read above it."""

    key: str
    title: str
    number: bool = False
    """Numbers stand on the right."""
    wide: bool = False
    """Left out for people, who have 80 columns; JSON and CSV have it."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of named values, in their order. A value that a row lacks is None; a list is of texts."""

    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Value]]
    title: str = ""

    def to_json(self) -> str:
        """A list of objects, a row a line. Characters that are not for reading are escaped."""
        objects = [json.dumps(self._chosen(row), ensure_ascii=False) for row in self.rows]
        lines = [readable_json(line) for line in objects]
        return "[\n" + ",\n".join(f"  {line}" for line in lines) + "\n]\n" if lines else "[]\n"

    def to_csv(self) -> str:
        """RFC 4180 with a header. Texts stand in quotes, numbers do not; None is empty, a list has spaces between."""
        out = io.StringIO(newline="")
        writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
        writer.writerow([column.key for column in self.columns])
        for row in self.rows:
            writer.writerow([_csv_value(row.get(column.key)) for column in self.columns])
        return out.getvalue()

    def to_text(self) -> str:
        """Aligned columns as wide as they need, for a terminal or a file."""
        from rich.console import Console

        out = io.StringIO()
        console = Console(file=out, width=10_000, color_system=None, markup=False, highlight=False, emoji=False)
        console.print(self.to_rich())
        lines = "\n".join(line.rstrip() for line in out.getvalue().splitlines()).strip("\n")
        return f"{lines}\n"

    def to_rich(self) -> "RichTable":
        """The table as rich draws it, for live displays; no text of it is taken for markup."""
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        shown = [column for column in self.columns if not column.wide]
        drawn = RichTable(
            title=Text(self.title) if self.title else None,
            title_justify="left",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            padding=(0, 1, 0, 0),
        )
        for column in shown:
            drawn.add_column(Text(column.title), justify="right" if column.number else "left", no_wrap=True)
        for row in self.rows:
            drawn.add_row(*(Text(_shown(row.get(column.key))) for column in shown))
        return drawn

    def _chosen(self, row: Mapping[str, Value]) -> dict[str, Value]:
        return {column.key: row.get(column.key) for column in self.columns}


def print_table(table: Table, style: Format) -> None:
    """Writes the table to standard output."""
    texts = {Format.TABLE: table.to_text, Format.JSON: table.to_json, Format.CSV: table.to_csv}
    sys.stdout.write(texts[style]())


def readable_json(text: str) -> str:
    """JSON text that says the same, every character that is not for reading as its escape."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def columns(*names: str, numbers: Iterable[str] = (), wide: Iterable[str] = ()) -> tuple[Column, ...]:
    """Columns titled like their keys, with spaces for underscores."""
    right, left_out = set(numbers), set(wide)
    return tuple(Column(name, name.replace("_", " "), name in right, name in left_out) for name in names)


def _shown(value: Value) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return str(value)
    return plain(value if isinstance(value, str) else " ".join(value))


def _csv_value(value: Value) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return value
    return plain(value if isinstance(value, str) else " ".join(value))
