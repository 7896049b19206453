"""``carico verify`` from end to end; what it finds is tested with the proof itself."""

import os
import tracemalloc
from pathlib import Path

import pytest

from clients.cli.failure import ExitCode
from tests.clients.cli.command import Here, one_line
from tests.kit.exports import Export, export, lines


def written(folder: Path, files: Export) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "records.jsonl").write_bytes(b"".join(files.lines))
    (folder / "standings.json").write_bytes(files.table_bytes)
    if files.voids:
        (folder / "voids.jsonl").write_bytes(b"".join(lines(files.voids)))
    return folder


@pytest.mark.parametrize(
    ("game", "bots"), [("briscola-2", 2), ("briscola-4", 2), ("brisca-3", 3), ("chiamata-5", 5), ("briscolone-2", 2)]
)
def test_what_an_arena_writes_agrees(game: str, bots: int, tmp_path: Path, carico: Here) -> None:
    words = ["arena", *["random"] * bots, "--game", game, "--deal-sets", 3, "--seed", 7, "--out", tmp_path]
    assert carico(*words).code == 0
    for more in ([], ["--seed", 7]):
        done = carico("verify", tmp_path, *more)
        assert (done.code, done.err) == (0, "")
        assert done.out == (
            f"{tmp_path}: {3 * bots} deals of 3 deal sets played again, the table made anew: all agrees\n"
        )
    done = carico("verify", tmp_path, "--seed", 8)
    assert done.code == ExitCode.FAILED
    assert f"{tmp_path}/records.jsonl, line 1: shuffle.key: the record says" in done.out


def test_voids_are_told_with_who_was_ahead(tmp_path: Path, carico: Here) -> None:
    done = carico("verify", written(tmp_path / "x", export("briscola-2", attempt=1)))
    assert done.code == 0
    first, second, last = done.out.splitlines()
    assert first.startswith(f"{tmp_path}/x: void: deal set 1, attempt 0: LOG_LOST; ahead was ")
    assert second == f"{tmp_path}/x: 1 void, 33.3 % of the attempts"
    assert last.endswith("4 deals of 2 deal sets played again, the table made anew: all agrees")


def test_a_difference_is_told_with_file_line_field_found_and_expected(tmp_path: Path, carico: Here) -> None:
    files = export("briscola-2", attempt=1)
    folder = written(tmp_path / "x", files)
    files.records[2]["outcome"]["card_points"] = [1, 119]
    (folder / "records.jsonl").write_bytes(b"".join(files.lines))
    done = carico("verify", folder)
    right = export("briscola-2", attempt=1).records[2]["outcome"]["card_points"]
    assert (done.code, done.err) == (ExitCode.FAILED, "")
    assert done.out == (
        f"{folder}/records.jsonl, line 3: outcome.card_points: the record says [1, 119], playing it gives {right}\n"
    )
    written(folder, export("briscola-2", attempt=1))
    table = folder / "standings.json"
    at = next(n for n, line in enumerate(table.read_text("utf-8").splitlines(), 1) if '"score"' in line)
    table.write_text(table.read_text("utf-8").replace('"score": ', '"score": 1', 1), "utf-8")
    done = carico("verify", folder)
    assert done.code == ExitCode.FAILED
    assert f"{table}, line {at}: rows[0].score: the record says 1" in done.out
    written(folder, export("briscola-2", attempt=1))
    (folder / "voids.jsonl").unlink()
    done = carico("verify", folder)
    assert done.code == ExitCode.FAILED
    assert "attempt: 0 of deal set 1 is missing" in done.out
    assert carico("verify", folder / "records.jsonl").code == 0


def test_what_can_not_be_read_has_a_code_of_its_own(tmp_path: Path, carico: Here) -> None:
    files = export("briscola-2")
    good = b"".join(files.lines)
    for content, said in (
        (b"", "there is no record in it"),
        (good[:-300], "line 4: no JSON"),
        (good.replace(b"owner", b"own\xffer"), "line 1: byte "),
        (b"\n" + good, "line 1: no JSON"),
        (b"{" * 2_000_000, "line 1: a line of more than 1048576 bytes"),
    ):
        file = tmp_path / "records.jsonl"
        file.write_bytes(content)
        done = carico("verify", file)
        assert done.code == ExitCode.USAGE, said
        assert said in done.out
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "nothing", tmp_path / "empty"):
        done = carico("verify", path)
        assert (done.code, done.out) == (ExitCode.USAGE, "")
        assert one_line(done.err)
    folder = written(tmp_path / "x", files)
    (folder / "standings.json").write_bytes(b"[")
    done = carico("verify", folder)
    assert done.code == ExitCode.USAGE
    assert f"{folder}/standings.json, line 1: this is no JSON" in done.out


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path, carico: Here) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes(b"")
    file.chmod(0)
    assert carico("verify", file).code == ExitCode.USAGE


def test_several_paths_have_a_line_each_and_the_worst_code(tmp_path: Path, carico: Here) -> None:
    good = written(tmp_path / "good", export("briscola-2"))
    files = export("briscola-2")
    files.records[0]["hash"] = "0" * 64
    bad = written(tmp_path / "bad", files)
    done = carico("verify", good, bad, good)
    assert done.code == ExitCode.FAILED
    assert [line.partition(":")[0] for line in done.out.splitlines()] == [
        str(good),
        f"{bad}/records.jsonl, line 1",
        str(good),
    ]
    assert carico("verify", tmp_path / "nothing", bad).code == ExitCode.USAGE


def test_names_from_anywhere_do_nothing_to_a_terminal(tmp_path: Path, carico: Here) -> None:
    files = export("briscola-2")
    files.records[0]["hash"] = "\x1b[2J\u202e"
    done = carico("verify", written(tmp_path / "x", files))
    assert done.code == ExitCode.FAILED
    assert done.out.count("\n") == 1
    assert "\x1b" not in done.out


def test_records_are_not_kept(tmp_path: Path, carico: Here) -> None:
    """Of a season of many deal sets no more than a set is in memory at once."""
    files = export("briscola-2", sets=25, faults=0)
    folder = written(tmp_path / "x", files)
    alone = export("briscola-2", sets=1, faults=0)
    carico("verify", folder)
    sizes = []
    for path in (written(tmp_path / "y", alone), folder):
        tracemalloc.start()
        assert carico("verify", path).code == 0
        sizes.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert sizes[1] - sizes[0] < len(b"".join(files.lines)) / 2
