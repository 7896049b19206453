"""Every table in three formats, whatever stands in it."""

import csv
import io
import json

import pytest

from clients.cli.tables import Column, Format, Table, columns, print_table

HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "[bold]x[/bold] [link=http://x]",
    "two\nlines\r\n",
    "\u202eright to left",
    "=HYPERLINK()",
    'quo"ted, and comma',
    "\ud800 alone",
    "\x9b31m",
    ":smile:",
    "José 東",
    "",
]
COLUMNS = (Column("name", "name"), Column("deals", "deals", number=True), Column("more", "more", wide=True))


def hostile_table() -> Table:
    return Table(COLUMNS, [{"name": name, "deals": i, "more": "m"} for i, name in enumerate(HOSTILE)])


def readable(text: str) -> bool:
    return all(character.isprintable() or character in "\r\n" for character in text)


def test_people_get_aligned_columns_with_numbers_on_the_right() -> None:
    table = Table(COLUMNS, [{"name": "a", "deals": 7, "more": "x"}, {"name": "longer", "deals": 1234, "more": None}])
    lines = table.to_text().splitlines()
    header, a, longer = (next(line for line in lines if word in line) for word in ("name", "a ", "longer"))
    assert a.index("7") == longer.index("4") == header.rindex("s")
    assert header.index("name") == longer.index("longer")
    assert "more" not in header


def test_nothing_is_cut_off() -> None:
    table = Table(COLUMNS, [{"name": "x" * 300, "deals": 1}])
    assert "x" * 300 in table.to_text()


def test_people_see_hostile_names_as_text_on_one_line_each() -> None:
    text = hostile_table().to_text()
    assert readable(text)
    assert len(text.splitlines()) == len(HOSTILE) + 2
    for shown in (r"\x1b[31mred\x1b[0m", "[bold]x[/bold]", r"two\nlines\r\n", r"\u202eright", r"\x9b31m", ":smile:"):
        assert shown in text
    assert "José 東" in text


def test_json_is_a_list_of_objects_with_the_exact_values() -> None:
    text = hostile_table().to_json()
    assert readable(text)
    assert json.loads(text) == [{"name": name, "deals": i, "more": "m"} for i, name in enumerate(HOSTILE)]


def test_csv_is_rfc_4180_with_every_text_in_quotes() -> None:
    text = hostile_table().to_csv()
    assert readable(text)
    assert text.count("\r\n") == len(HOSTILE) + 1 == text.count("\n")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0] == ["name", "deals", "more"]
    assert rows[5] == ["=HYPERLINK()", "4", "m"]
    assert '"=HYPERLINK()",4,"m"\r\n' in text
    assert rows[6][0] == 'quo"ted, and comma'
    assert rows[1][0] == r"\x1b[31mred\x1b[0m"


def test_values_of_every_kind() -> None:
    table = Table(columns("a", "b", "c", "d"), [{"a": None, "b": True, "c": ["x", "y"], "d": 1.5}])
    assert table.to_text().splitlines()[-1].split() == ["-", "yes", "x", "y", "1.5"]
    assert json.loads(table.to_json()) == [{"a": None, "b": True, "c": ["x", "y"], "d": 1.5}]
    assert table.to_csv().splitlines()[1] == '"","true","x y",1.5'


def test_no_rows() -> None:
    table = Table(COLUMNS, [])
    assert table.to_json() == "[]\n"
    assert table.to_csv() == '"name","deals","more"\r\n'
    assert "name" in table.to_text()


@pytest.mark.parametrize("style", list(Format))
def test_printing(style: Format, capsys: pytest.CaptureFixture[str]) -> None:
    table = hostile_table()
    print_table(table, style)
    printed = capsys.readouterr().out
    assert printed == {"table": table.to_text, "json": table.to_json, "csv": table.to_csv}[style.value]()
