"""``carico replay``: golden pages of every kind of deal, and how one is chosen."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from carico.record import Place, deal_record, dumps, void_record
from carico.rules.game import game
from carico.rules.notation import deal_text, parse_deal
from carico.time_control import TimeControl
from clients.cli.failure import ExitCode
from tests.clients.cli.command import Here, one_line
from tests.kit.deals import EVERY
from tests.kit.exports import export
from tests.kit.records import played

PAGES = Path(__file__).parents[2] / "golden" / "replays"
TERMS = TimeControl(lag_credit_ms=20)

KINDS: dict[str, tuple[str, dict[str, Any], int, list[str]]] = {
    **{name: (name, {}, 0, []) for name in EVERY},
    "fault": ("briscola-2", {"hand": 5}, 1, []),
    "fault-at-chiamata": ("chiamata-5", {"auction": "points"}, 2, []),
    "one-seat": ("brisca-3", {"exchange_margin": 0}, 0, ["--seat", "1"]),
    "one-seat-at-chiamata": ("chiamata-5", {}, 0, ["--seat", "2"]),
    "one-seat-and-a-fault-of-another": ("briscola-2", {"hand": 5}, 1, ["--seat", "1"]),
    "partners-at-the-end": ("briscola-4", {"partners": "last3"}, 0, ["--seat", "0"]),
    "closed": ("brisca-2", {}, 0, ["--closed"]),
    "closed-at-scoperta": ("briscola-3", {"open": True}, 0, ["--closed"]),
    "no-upcard": ("briscolone-2", {}, 0, ["--closed"]),
}


def written(folder: Path, *records: dict[str, Any]) -> Path:
    file = folder / "records.jsonl"
    file.write_text("".join(f"{dumps(record)}\n" for record in records), "utf-8")
    return file


def one(name: str, options: dict[str, Any], faults: int) -> dict[str, Any]:
    deal = played(game(name, options), 5, Place("spring", 4, 2, 1, 0, 0), TERMS, faults)
    return json.loads(dumps(deal_record(deal)))  # type: ignore[no-any-return]


@pytest.mark.parametrize("kind", KINDS)
def test_golden_pages(kind: str, tmp_path: Path, carico: Here, renew: bool) -> None:
    name, options, faults, words = KINDS[kind]
    done = carico("replay", written(tmp_path, one(name, options, faults)), *words)
    assert (done.code, done.err) == (0, "")
    page = PAGES / f"{kind}.txt"
    if renew:
        page.write_text(done.out, "utf-8")
    assert done.out == page.read_text("utf-8")


def test_a_deal_that_was_passed_out_and_one_that_was_broken_off(tmp_path: Path, carico: Here) -> None:
    rows = [[(1 + i) % 5, "pass"] for i in range(5)]
    text = deal_text(parse_deal(_chiamata(rows)))
    file = tmp_path / "passed.txt"
    file.write_text(text, "utf-8")
    assert "passed out: nobody bid" in carico("replay", file).out
    deal = played(game("brisca-4"), 5, Place("spring", 4, 2, 1, 0, 0), TERMS)
    log = type(deal.log)(deal.log.actions[:9], deal.log.clock[:9], (), ())
    record = void_record(type(deal)(**{**_fields(deal), "log": log}), "LOG_LOST")
    voids = written(tmp_path, record)
    done = carico("replay", voids)
    assert (done.code, done.err) == (0, "")
    assert "void, does not count: LOG_LOST" in done.out
    assert "the deal is not over: 9 actions so far" in done.out
    assert json.loads(carico("replay", voids, "--list", "--format", "json").out)[0]["reason"] == "LOG_LOST"


def _chiamata(rows: list[list[Any]]) -> str:
    pack = " ".join(str(card) for card in parse_pack("chiamata-5"))
    said = "; ".join(f"{seat} {what}" for seat, what in rows)
    return f"game: chiamata-5\noptions: {{}}\ndealer: 0\nsource: {pack}\n\nauction: {said}\n"


def parse_pack(name: str) -> list[str]:
    from carico.rules.cards import card_name

    return [card_name(card) for card in game(name).pack]


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}


def test_a_deal_is_chosen_by_its_line_or_its_place(tmp_path: Path, carico: Here) -> None:
    files = export("briscola-3", sets=3)
    written(tmp_path, *files.records)
    pages = [carico("replay", tmp_path, "--deal", number).out for number in range(1, 10)]
    assert len(set(pages)) == 9
    assert carico("replay", tmp_path).out == pages[0]
    assert carico("replay", tmp_path, "--deal-set", 1).out == pages[3]
    assert carico("replay", tmp_path, "--deal-set", 2, "--seating", 1, "--fixture", 0, "--attempt", 0).out == pages[7]
    for words in (["--deal", 10], ["--deal-set", 3], ["--deal", 1, "--seating", 1]):
        done = carico("replay", tmp_path, *words)
        assert (done.code, done.out) == (ExitCode.USAGE, "")
        assert one_line(done.err)
        assert "there is no record --" in done.err


def test_the_list_in_three_formats(tmp_path: Path, carico: Here) -> None:
    files = export("briscola-3", sets=3)
    written(tmp_path, *files.records)
    found = json.loads(carico("replay", tmp_path, "--list", "--seating", 2, "--format", "json").out)
    rows = list(csv.DictReader(io.StringIO(carico("replay", tmp_path, "--list", "--format", "csv").out)))
    assert [row["line"] for row in found] == [3, 6, 9]
    assert [(row["line"], row["deal_set"]) for row in rows][3] == ("4", "1")
    assert found[0]["card_points"] == [str(points) for points in files.records[2]["outcome"]["card_points"]]
    assert "bot-1 bot-2 bot-0" in carico("replay", tmp_path, "--list").out


@pytest.mark.parametrize("name", EVERY)
def test_a_deal_goes_out_as_text_and_comes_in_again(name: str, tmp_path: Path, carico: Here) -> None:
    file = written(tmp_path, one(name, {}, 1))
    text = carico("replay", file, "--notation").out
    assert text.startswith("# season spring, fixture 2, deal_set 4, seating 1, deal 0, attempt 0, match m")
    again = tmp_path / "deal.txt"
    again.write_text(text, "utf-8")
    assert carico("replay", again, "--notation").out == "".join(
        line for line in text.splitlines(keepends=True) if not line.startswith("#")
    )
    assert "trick 1" in carico("replay", again).out


def test_what_a_seat_must_not_see_is_not_on_its_page(tmp_path: Path, carico: Here) -> None:
    record = one("briscola-2", {}, 0)
    file = written(tmp_path, record)
    whole, own = carico("replay", file).out, carico("replay", file, "--seat", 0).out
    assert ": ?" in own
    assert ": ?" not in whole


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        (b"", [], "there is no record in it"),
        (b"\xff\xfe", [], "no text in UTF-8"),
        (b'{"a":\xff}\n', [], "line 1: byte 6 is no UTF-8"),
        (b'{"a":1\n', [], "line 1: no JSON"),
        (b"[]\n", [], "line 1: this is no object but a list"),
        (b"{}\n", [], "line 1: this record can't be played: format: it is missing"),
        (b"{}\n", ["--list"], "line 1: this is no deal record"),
        (b"{}\n", ["--format", "json"], "--format json is for --list"),
        (b"hello\n", [], "neither records nor a deal as text: no line begins with source"),
        (b"hello\n", ["--list"], "this is one deal as text: leave --list out"),
        (b"hello\n", ["--deal", "3"], "this is one deal as text: leave --deal 3 out"),
    ],
)
def test_what_can_not_be_read_is_one_line(
    text: bytes, words: list[str], said: str, tmp_path: Path, carico: Here
) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(text)
    done = carico("replay", file, *words)
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert one_line(done.err)
    assert said in done.err


def test_more_mistakes(tmp_path: Path, carico: Here) -> None:
    file = written(tmp_path, one("briscola-2", {}, 0))
    for words, said in (
        (["--seat", 2], "the seats of briscola-2 are 0 to 1"),
        (["--seat", 1, "--closed"], "choose one of the two"),
        (["--seat", 1, "--notation"], "--notation holds the whole deal"),
    ):
        done = carico("replay", file, *words)
        assert (done.code, done.out) == (ExitCode.USAGE, "")
        assert said in done.err
    assert carico("replay", tmp_path / "nothing").code == ExitCode.USAGE


def test_a_record_that_lies_is_shown_as_it_was_played_and_told(tmp_path: Path, carico: Here) -> None:
    record = one("briscola-2", {}, 0)
    honest = carico("replay", written(tmp_path, record)).out
    record["outcome"]["scores"] = [7, 7]
    done = carico("replay", written(tmp_path, record))
    assert (done.code, done.out) == (0, honest)
    assert "line 1: this record is not right: outcome.scores: the record says [7, 7]" in done.err


def test_names_from_anywhere_do_nothing_to_a_terminal(tmp_path: Path, carico: Here) -> None:
    record = one("briscola-2", {}, 0)
    record["seats"][0] = {"bot": "\x1b[2J" + "x" * 60, "version": "\u202e", "owner": "[bold]\n"}
    for words in ([], ["--list"], ["--notation"]):
        done = carico("replay", written(tmp_path, record), *words)
        assert done.code == 0
        assert "\x1b" not in done.out
        assert "\u202e" not in done.out


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("clock", None),
        ("clock", 5),
        ("clock", [[]]),
        ("clock", [["x", 0, 0]]),
        ("stand_in", None),
        ("stand_in", ["0"]),
        ("faults", "x"),
        ("faults", [[0]]),
    ],
)
def test_what_is_only_shown_has_to_have_its_shape(field: str, value: Any, tmp_path: Path, carico: Here) -> None:
    record = json.loads(dumps(deal_record(played(game("briscola-2"), 3, Place(None, 0, None, 0, 0, 0), TERMS))))
    (record["outcome"] if field == "faults" else record)[field] = value
    done = carico("replay", written(tmp_path, record))
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert field in done.err
    assert done.err.count("\n") == 1
