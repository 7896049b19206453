import json
import tomllib
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from worker.tournament.season_file.lines import Path, key_lines, line_of

DOCUMENT = '''\
# name = "no"
name = "a # b"   # legs = 3
"quoted.key" = 'x = 1'
text = """
legs = 1
\\""" \\
entry = 2"""""
raw = \'\'\'
c = 1\'\'
[x]
\'\'\'\'\'
legs = 4
list = [ # first
  1,
  [2, "]", { deep = 3, "deep er" = [4,
     5] }],
]
dotted . inner = 1
dotted.other = 2000-01-01 10:00:00
[table]  # [no]
a = {b = {c = 1}, d = 2}
[[entrant]]
bot = "x"
[[entrant]]

  bot = "y"
[entrant.more]
z = 1
[[entrant.many]]
q = 1
[[entrant.many]]
q = 2
'''


def test_every_kind_of_key_is_found_in_its_line() -> None:
    assert key_lines(DOCUMENT) == {
        ("name",): 2,
        ("quoted.key",): 3,
        ("text",): 4,
        ("raw",): 8,
        ("legs",): 12,
        ("list",): 13,
        ("list", 0): 14,
        ("list", 1): 15,
        ("list", 1, 0): 15,
        ("list", 1, 1): 15,
        ("list", 1, 2): 15,
        ("list", 1, 2, "deep"): 15,
        ("list", 1, 2, "deep er"): 15,
        ("list", 1, 2, "deep er", 0): 15,
        ("list", 1, 2, "deep er", 1): 16,
        ("dotted",): 18,
        ("dotted", "inner"): 18,
        ("dotted", "other"): 19,
        ("table",): 20,
        ("table", "a"): 21,
        ("table", "a", "b"): 21,
        ("table", "a", "b", "c"): 21,
        ("table", "a", "d"): 21,
        ("entrant",): 22,
        ("entrant", 0): 22,
        ("entrant", 0, "bot"): 23,
        ("entrant", 1): 24,
        ("entrant", 1, "bot"): 26,
        ("entrant", 1, "more"): 27,
        ("entrant", 1, "more", "z"): 28,
        ("entrant", 1, "many"): 29,
        ("entrant", 1, "many", 0): 29,
        ("entrant", 1, "many", 0, "q"): 30,
        ("entrant", 1, "many", 1): 31,
        ("entrant", 1, "many", 1, "q"): 32,
    }
    assert set(key_lines(DOCUMENT)) == set(paths(tomllib.loads(DOCUMENT)))


def test_line_ends_of_another_system_count_once() -> None:
    assert key_lines('a = """\r\nb = 1\r\n"""\r\nc = 1\r\n') == {("a",): 1, ("c",): 4}


def test_what_has_no_line_has_that_of_what_is_around_it() -> None:
    lines = key_lines(DOCUMENT)
    assert line_of(lines, ("entrant", 1, "version")) == 24
    assert line_of(lines, ("time_control", "bank")) == 1
    assert line_of({}, ()) == 1


def paths(value: Any, at: Path = ()) -> Iterator[Path]:
    """The path of everything in a document but the document itself."""
    if at:
        yield at
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*at, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from paths(inner, (*at, number))


KEYS = st.text(st.sampled_from("ab_-. #=[]{},'\"\\\né"), max_size=4)
TEXTS = st.text(st.sampled_from("ab #=[]{},'\"\\\n"), max_size=8)
VALUES = st.recursive(
    st.one_of(st.integers(-99, 99), st.booleans(), TEXTS, st.just(1.5)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


def written(value: Any, spread: bool) -> str:
    """A value as TOML; with ``spread`` lists take a line for each element, and texts are of several lines."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {written(inner, False)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        gap = ",\n  # ]\n" if spread else ", "
        return "[" + gap.join(written(inner, spread) for inner in value) + "]"
    if isinstance(value, str) and spread:
        return '"""' + value.replace("\\", "\\\\").replace('"', '\\"') + '"""'
    return json.dumps(value)


@given(
    st.dictionaries(KEYS, VALUES, max_size=4),
    st.lists(st.dictionaries(KEYS, VALUES, max_size=3), max_size=3),
    st.booleans(),
)
def test_the_paths_are_those_of_tomllib_and_the_lines_those_of_the_keys(
    top: dict[str, Any], tables: list[dict[str, Any]], spread: bool
) -> None:
    top = {key: value for key, value in top.items() if key != "a"}
    rows: list[str] = []
    starts: dict[Path, int] = {}

    def add(path: Path, row: str) -> None:
        starts[path] = len(rows) + 1
        rows.extend(row.split("\n"))

    for key, value in top.items():
        add((key,), f"{json.dumps(key)} = {written(value, spread)} # x = 1")
    for number, table in enumerate(tables):
        add(("a", number), "[[ a ]]")
        for key, value in table.items():
            add(("a", number, key), f"  {json.dumps(key)}={written(value, spread)}")
    document = "\n".join(rows)
    lines = key_lines(document)
    assert set(lines) == set(paths(tomllib.loads(document)))
    assert {path: lines[path] for path in starts} == starts
