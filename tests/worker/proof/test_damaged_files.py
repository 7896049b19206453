"""Whatever is changed in an export is found, at its line; and nothing is found where nothing was."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.deals import EVERY
from tests.kit.exports import Export, export, lines
from tests.kit.naive.files import judge_file
from worker.proof.folder import RECORDS, TABLE, Proof, prove
from worker.proof.table_file import line_of_field

EXPORTS = {name: export(name) for name in EVERY}
SMALL = {name: export(name, sets=1) for name in ("briscola-2", "briscola-6", "brisca-4", "chiamata-5")}

FREE = {"match"}
"""What nothing else hangs on, in a match of one deal."""

OF_THE_FILE = {"season", "deal_set", "fixture", "seating", "deal", "attempt", "seats", "time_control", "variant",
               "players", "options"}  # fmt: skip
"""What is proved beside other records: it may show only a line later, or where the deal set ends."""


def proof_of(files: Export, **more: Any) -> Proof:
    return prove(files.lines, files.table_bytes, lines(files.voids), **more)


@pytest.mark.parametrize("name", EVERY)
def test_a_sound_export_agrees_with_itself_and_with_the_judge(name: str) -> None:
    files = EXPORTS[name]
    proof = proof_of(files)
    assert (proof.found, proof.deals, proof.deal_sets, proof.notes) == (None, len(files.records), 2, ())
    assert judge_file(b"".join(files.lines), 1, files.table_bytes)[0] == []


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values that hold no others, and of all lists."""
    if isinstance(value, dict):
        return [leaf for key, part in value.items() for leaf in leaves(part, (*path, key))]
    if isinstance(value, list):
        return [path, *(leaf for i, part in enumerate(value) for leaf in leaves(part, (*path, i)))]
    return [path]


OTHERS = [None, True, 0, 1, 2, -1, 1.0, 10**30, "", "AC", "KD", "0", "\ud800", [], [1], {}, {"a": [None]}]


def change(value: Any, data: st.DataObject) -> Any:
    """Something else than this value."""
    choices = [other for other in OTHERS if json.dumps(other) != json.dumps(value)]
    if isinstance(value, list) and value:
        choices += [value[:-1], [*value, value[-1]]]
    if type(value) is int:
        choices += [value + 1, float(value)]
    if isinstance(value, str):
        choices += [value + "0", value[1:] if len(value) > 1 else "x"]
    return data.draw(st.sampled_from(choices))


@settings(max_examples=200)
@given(st.data())
def test_each_field_that_is_changed_is_found_at_its_line(data: st.DataObject) -> None:
    files = SMALL[data.draw(st.sampled_from(sorted(SMALL)))]
    records = list(files.records)
    at = data.draw(st.integers(0, len(records) - 1))
    records[at] = copy.deepcopy(records[at])
    field = data.draw(st.sampled_from([key for key in records[at] if key not in FREE]))
    path = data.draw(st.sampled_from(leaves(records[at][field], (field,)) or [(field,)]))
    if field == "clock" and len(path) == 3 and path[2] < 2:
        path = (*path[:2], 2)  # what was used only the referee saw
    *way, last = path
    part = records[at]
    for step in way:
        part = part[step]
    part[last] = change(part[last], data)
    text = [json.dumps(record, separators=(",", ":"), ensure_ascii=False) for record in records]
    changed = [line.encode("utf-8", "surrogatepass") + b"\n" for line in text]
    found = prove(changed, files.table_bytes).found
    assert found is not None, path
    near = range(at, at + 2 + len(files.what.places)) if field in OF_THE_FILE else (at + 1,)
    assert found.line in near, (path, found)
    assert found.text


@settings(max_examples=60)
@given(st.sampled_from(EVERY), st.data())
def test_bytes_that_are_spoilt_are_found_and_never_a_traceback(name: str, data: st.DataObject) -> None:
    files = EXPORTS[name]
    at = data.draw(st.integers(0, len(files.lines) - 1))
    spoilt = files.lines
    line = spoilt[at]
    where = data.draw(st.integers(0, len(line) - 2))
    what = data.draw(st.sampled_from([b"\xff", b"", b" ", b"\xc3", b"{", b'"', b"\\", b"\x00"]))
    spoilt[at] = line[:where] + what + line[where + 1 :]
    if spoilt[at] == line:
        return
    found = prove(spoilt, files.table_bytes).found
    handle = line.index(b'"match":"') + 9, line.index(b'","variant"')
    used = line.index(b'"clock":[') + 9, line.index(b'],"stand_in"')
    if found is None:
        assert handle[0] <= where < handle[1] or used[0] <= where < used[1]
    else:
        assert found.line in range(at, at + 3)


def test_keys_in_another_order_a_missing_key_and_one_more() -> None:
    files = EXPORTS["briscola-2"]
    first, *rest = files.records
    turned = {"hash": first["hash"], **{key: value for key, value in first.items() if key != "hash"}}
    found = prove(lines([turned, *rest])).found
    assert found is not None
    assert "record, order of keys" in found.text
    for key in first:
        lacking = {name: value for name, value in first.items() if name != key}
        found = prove(lines([lacking, *rest])).found
        assert found is not None
        assert (found.line, found.text.split(":")[0]) == (1, key)
    more = [{**first, "remark": {"of": "ours"}}, *rest]
    assert prove(lines(more), files.table_bytes).found is None


def test_spaces_escapes_and_a_last_line_without_end() -> None:
    files = EXPORTS["briscola-3"]
    for old, new, text in (
        (b'"players":', b'"players": ', "as JSON without spaces and escapes"),
        ("è".encode(), b"\\u00e8", "as JSON without spaces and escapes"),
    ):
        changed = files.lines
        changed[2] = changed[2].replace(old, new, 1)
        found = prove(changed, files.table_bytes).found
        assert found is not None
        assert found.line == 3
        assert text in found.text
        assert found.readable
    cut = files.lines
    cut[-1] = cut[-1][:-1]
    found = prove(cut, files.table_bytes).found
    assert found is not None
    assert (found.line, found.readable) == (len(cut), True)
    cut[-1] = cut[-1][:-700]
    found = prove(cut, files.table_bytes).found
    assert found is not None
    assert (found.line, found.readable) == (len(cut), False)


def others(value: Any, everything: bool) -> tuple[Any, ...]:
    one_more = 7777 if value is None else value + 1 if isinstance(value, int) else f"{value}x"
    return (one_more, None, [1]) if everything else (one_more,)


@pytest.mark.parametrize("name", ["briscola-2", "briscola-4", "briscola-3", "chiamata-5"])
def test_each_cell_of_the_table_is_proved_at_its_line(name: str) -> None:
    files = EXPORTS[name]
    for i, row in enumerate(files.table["rows"]):
        for column, value in row.items():
            for other in others(value, everything=not i):
                if other == value:
                    continue
                spoilt = copy.deepcopy(files.table)
                spoilt["rows"][i][column] = other
                text = json.dumps(spoilt, indent=2, ensure_ascii=False)
                proof = prove(files.lines, text.encode())
                if column == "walkovers" and proof.found is None:
                    # The one fixture may have been closed after it began, and lost by whoever lost it by play.
                    assert other == 1
                    assert "taken as told" in proof.notes[0]
                    continue
                assert proof.found is not None, (i, column, other)
                if column in ("bot", "version", "owner"):
                    continue
                if column == "walkovers" and isinstance(other, int):
                    assert proof.part == TABLE
                    continue
                assert proof.part == TABLE
                assert f"rows[{i}]." in proof.found.text or column == "position"
                assert f'"{column}"' in text.splitlines()[proof.found.line - 1] or "fixtures" in proof.found.text


def test_a_row_too_many_one_too_few_and_another_order() -> None:
    files = EXPORTS["briscola-3"]
    rows = files.table["rows"]
    for wrong, part in ((rows[:-1], RECORDS), ([*rows, rows[0]], TABLE), (rows[::-1], TABLE)):
        proof = prove(files.lines, json.dumps({**files.table, "rows": wrong}).encode())
        assert proof.found is not None
        assert proof.part == part
    assert line_of_field('{\n"rows": [{\n"score": 1}, {\n"score": 2}]}', "rows[1].score: x") == 4


@pytest.mark.parametrize("table", [b"", b"[]", b"\xff", b"null", b"{}", b'{"format":1}', b"[" * 100_000])
def test_a_table_that_is_none(table: bytes) -> None:
    proof = prove(EXPORTS["briscola-2"].lines, table)
    assert proof.part == TABLE
    assert proof.found is not None


def test_records_that_are_missing_or_come_twice() -> None:
    files = EXPORTS["briscola-3"]
    for at in range(len(files.records)):
        for changed in (files.lines[:at] + files.lines[at + 1 :], [*files.lines[: at + 1], *files.lines[at:]]):
            found = prove(changed, files.table_bytes).found
            assert found is not None, at
            assert judge_file(b"".join(changed), 1, files.table_bytes)[0], at
    found = prove(files.lines[3:], files.table_bytes)
    assert found.part == TABLE
    assert prove(files.lines[3:]).found is None  # a whole deal set less is for the table to tell


def test_a_match_has_its_deals() -> None:
    files = export("brisca-2", {"match": {"best_of": 3}}, faults=0)
    assert prove(files.lines).found is None
    last = max(i for i, record in enumerate(files.records) if record["deal"] == 1)
    changed = files.records[:last] + files.records[last + 1 :]
    found = prove(lines(changed)).found
    assert found is not None
    assert found.text.startswith("deal:")
    other = copy.deepcopy(files.records)
    other[1]["match"] = "another"
    found = prove(lines(other)).found
    assert found is not None
    assert (found.line, found.text.split(":")[0]) == (2, "match")


def test_the_seed_of_a_practice_season() -> None:
    from carico.rules.shuffle import master, practice_secret

    files = EXPORTS["briscola-2"]
    assert proof_of(files, master=master(practice_secret(1))).found is None
    found = proof_of(files, master=master(practice_secret(2))).found
    assert found is not None
    assert found.text.startswith("shuffle.key:")


def found_in(records: list[dict[str, Any]]) -> tuple[int, str]:
    """Line and text of the first difference, with no table beside the records."""
    found = prove(lines(records)).found
    assert found is not None
    return found.line, found.text


def test_what_only_other_records_can_tell() -> None:
    records = EXPORTS["briscola-2"].records
    moved = [*records[:2], *({**record, "deal_set": 2} for record in records[2:])]
    assert found_in(moved) == (3, "dealer: the record says 1, by deal set and deal it is 0")
    twice = [{**records[0], "seats": [records[0]["seats"][0]] * 2}, *records[1:]]
    assert found_in(twice)[1].startswith("seats: bot-0 1.0, bot-0 1.0 are not all different")
    assert found_in(records[:3]) == (3, "seating: deal set 1 has no record of seating 1")
    other = export("briscola-2", seed=2).records
    assert found_in([records[0], other[1]])[1].startswith("shuffle.key: ")
