"""``carico season`` on a real store, with results as a worker would commit them."""

import csv
import io
import json
from pathlib import Path

import pytest

from carico.record import Place, deal_record, dumps, verify, void_record
from carico.rules.game import game
from carico.rules.shuffle import practice_secret
from clients.cli.failure import ExitCode
from tests.clients.cli.command import Here, one_line
from tests.kit.records import played
from tests.kit.seasons import leased
from tests.kit.stores import new_season
from worker.office.season_plan import create_season
from worker.store.open import open_store
from worker.store.port import Store
from worker.store.values import Commit, Entry, Status
from worker.tournament.document import SeasonDocument
from worker.tournament.ledger import DealResult
from worker.tournament.season import Entry as Entered
from worker.tournament.season import SeasonSpec

OWNERS = {"a": "ann", "b": "bob", "c": "cid"}


@pytest.fixture
def store(valkey: str, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("CARICO_REDIS", valkey)
    return open_store(valkey)


@pytest.fixture
def season(store: Store) -> str:
    """A running season of three, each fixture of two deal sets in two chunks."""
    id_ = new_season()
    entries = tuple(Entered(bot, "1") for bot in OWNERS)
    create_season(
        store, SeasonSpec(id_, game("briscola-2"), entries, entry="open", deal_sets=2, chunk=1, seed=7), OWNERS
    )
    store.set_status(id_, Status.RUNNING)
    return id_


def deal(season: str, deal_set: int, fixture: int, seating: int, attempt: int = 0) -> Entry:
    record = deal_record(played(game("briscola-2"), 7, Place(season, deal_set, fixture, seating, 0, attempt)))
    result = DealResult.from_record(record)
    return Entry(result.key, result.to_json(), dumps(record))


def play(store: Store, season: str, chunk: int, seatings: tuple[int, ...] = (0, 1)) -> None:
    lease = leased(store, season, chunk)
    entries = [
        deal(season, number, lease.fixture.number, r, lease.attempts.get(number, 0))
        for number in lease.chunk.deal_sets
        for r in seatings
    ]
    assert store.commit(season, chunk, lease.fence, entries) is Commit.RECORDED


def play_all(store: Store, season: str) -> None:
    for standing in store.chunks(season):
        play(store, season, standing.chunk.number)


# --- the file ---


def test_init_writes_a_file_that_create_takes_and_replaces_none(carico: Here) -> None:
    done = carico("season", "init")
    assert (done.code, done.err) == (0, "")
    assert "season create season.toml" in done.out
    text = Path("season.toml").read_text()
    assert 'name = "my-season"' in text
    again = carico("season", "init")
    assert again.code == ExitCode.USAGE
    assert one_line(again.err)
    assert Path("season.toml").read_text() == text
    assert carico("season", "init", "cup.toml", "--name", "cup", "--game", "briscola-4").code == 0
    assert 'game = "briscola-4"' in Path("cup.toml").read_text()


def test_mistakes_in_the_file_are_told_with_line_and_mend(carico: Here, store: Store) -> None:
    Path("s.toml").write_text('name = "s"\ngame = "poker"\ndeal_sets = 0\nlegz = 2\n')
    done = carico("season", "create", "s.toml")
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    for line in ("s.toml:2: game", "s.toml:3: deal_sets", "s.toml:4: legz"):
        assert line in done.err
    assert "did you mean legs?" in done.err


def test_an_open_season_may_begin_empty(carico: Here, store: Store) -> None:
    id_ = new_season()
    Path("s.toml").write_text(f'name = "{id_}"\ngame = "briscola-2"\nentry = "open"\nseed = 7\n')
    done = carico("season", "create", "s.toml")
    assert done.code == 0, done.err
    assert store.status(id_) is Status.SCHEDULED
    document = SeasonDocument.from_json(store.document(id_))
    assert document.secret == practice_secret(7)
    assert carico("season", "create", "s.toml").code == ExitCode.FAILED
    assert carico("season", "start", id_).code == 0
    assert store.status(id_) is Status.RUNNING


def test_secrets_of_unseeded_seasons_differ(store: Store) -> None:
    secrets = set()
    for _ in range(2):
        spec = SeasonSpec(new_season(), game("briscola-2"), entry="open")
        create_season(store, spec, {})
        secrets.add(SeasonDocument.from_json(store.document(spec.name)).secret)
    assert len(secrets) == 2
    assert all(len(secret) == 32 for secret in secrets)


def test_a_plan_has_the_owners_of_the_bots(store: Store, season: str) -> None:
    assert [(e.bot, e.version, e.owner) for e in store.entrants(season)] == [
        ("a", "1", "ann"),
        ("b", "1", "bob"),
        ("c", "1", "cid"),
    ]
    assert len(store.fixtures(season)) == 3
    assert len(store.chunks(season)) == 6


# --- looking at it ---


def test_an_unknown_season(store: Store, carico: Here, tmp_path: Path) -> None:
    for words in (["start"], ["status"], ["standings"], ["export", "--out", str(tmp_path / "x")]):
        done = carico("season", words[0], "nothing", *words[1:])
        assert (done.code, done.out) == (ExitCode.FAILED, "")
        assert one_line(done.err)
        assert "nothing" in done.err


def test_list_status_and_standings_in_three_formats(store: Store, season: str, carico: Here) -> None:
    play(store, season, 0)
    for command in (["list"], ["status", season], ["standings", season]):
        shown = carico("season", *command)
        found = json.loads(carico("season", *command, "--format", "json").out)
        lines = list(csv.DictReader(io.StringIO(carico("season", *command, "--format", "csv").out)))
        assert shown.code == 0
        assert list(found[0]) == list(lines[0])
        assert len(found) == len(lines)
    listed = {row["season"]: row for row in json.loads(carico("season", "list", "--format", "json").out)}
    assert (listed[season]["status"], listed[season]["entry"]) == ("running", "open")
    status = json.loads(carico("season", "status", season, "--format", "json").out)[0]
    assert {key: status[key] for key in ("entrants", "fixtures", "chunks", "chunks_done", "deals")} == {
        "entrants": 3,
        "fixtures": 3,
        "chunks": 6,
        "chunks_done": 1,
        "deals": 2,
    }
    rows = json.loads(carico("season", "standings", season, "--format", "json").out)
    assert sorted(row["deals"] for row in rows) == [0, 2, 2]
    assert season in carico("season", "standings", season).out


# --- export ---


def lines_of(folder: Path, name: str = "records.jsonl") -> list[str]:
    return (folder / name).read_text("utf-8").splitlines()


def test_export_of_a_finished_season(store: Store, season: str, carico: Here, tmp_path: Path) -> None:
    play_all(store, season)
    out = tmp_path / "out"
    done = carico("season", "export", season, "--out", out)
    assert done.code == 0, done.err
    assert sorted(path.name for path in out.iterdir()) == ["records.jsonl", "standings.json"]
    found = [json.loads(line) for line in lines_of(out)]
    order = [(r["deal_set"], r["fixture"], r["seating"], r["deal"]) for r in found]
    assert order == sorted(order)
    assert len(order) == 12
    for record, line in zip(found, lines_of(out), strict=True):
        verify(record)
        assert dumps(record) == line
    table = json.loads((out / "standings.json").read_text())
    assert list(table) == ["format", "season", "game", "status", "rows"]
    assert (table["season"], table["game"], table["status"]) == (season, "briscola-2", "finished")
    assert sum(row["deals"] for row in table["rows"]) == 24
    assert list(table["rows"][0])[-2:] == ["forfeits", "walkovers"]


def test_a_running_season_holds_back_decks_that_are_not_played_everywhere(
    store: Store, season: str, carico: Here, tmp_path: Path
) -> None:
    play(store, season, 0)
    play(store, season, 1, seatings=(1,))
    out = tmp_path / "out"
    assert carico("season", "export", season, "--out", out).code == 0
    assert [json.loads(line)["deal_set"] for line in lines_of(out)] == [0, 0]
    assert json.loads((out / "standings.json").read_text())["status"] == "running"
    store.set_status(season, Status.CANCELLED)
    assert carico("season", "export", season, "--out", out).code == 0
    assert [json.loads(line)["deal_set"] for line in lines_of(out)] == [0, 0, 1]


def test_a_closed_fixture_holds_nothing_back(store: Store, season: str, carico: Here, tmp_path: Path) -> None:
    lease = leased(store, season, 0)
    play(store, season, 1, seatings=(0,))
    closure = {"fixture": lease.fixture.number, "reason": "NO_START", "lost_by": sorted(lease.fixture.entrants)}
    store.close_fixture(season, 0, lease.fence, closure, even_if_begun=True)
    out = tmp_path / "out"
    assert carico("season", "export", season, "--out", out).code == 0
    assert [json.loads(line)["deal_set"] for line in lines_of(out)] == [1]
    assert json.loads((out / "standings.json").read_text())["rows"][0]["walkovers"] in (0, 1)


def test_voids_have_a_file_of_their_own_only_where_there_are_any(
    store: Store, season: str, carico: Here, tmp_path: Path
) -> None:
    lease = leased(store, season, 0)
    what = [played(game("briscola-2"), 7, Place(season, 0, 0, r, 0, 0)) for r in (1, 0)]
    records = [dumps(void_record(one, "ABORTED")) for one in what]
    assert store.void(season, 0, lease.fence, 0, 0, "ABORTED", records) == 1
    assert store.release(season, 0, lease.fence, 0)
    play_all(store, season)
    out = tmp_path / "out"
    out.mkdir()
    assert carico("season", "export", season, "--out", out).code == 0
    voids = [json.loads(line) for line in lines_of(out, "voids.jsonl")]
    assert [(v["seating"], v["attempt"], v["reason"]) for v in voids] == [(0, 0, "ABORTED"), (1, 0, "ABORTED")]
    assert {json.loads(line)["attempt"] for line in lines_of(out)[:2]} == {1}
    other = new_season()
    create_season(store, SeasonSpec(other, game("briscola-2"), entry="open"), {})
    assert carico("season", "export", other, "--out", out).code == 0
    assert sorted(path.name for path in out.iterdir()) == ["records.jsonl", "standings.json"]
    assert lines_of(out) == []


def test_a_folder_that_cannot_be_written_to(store: Store, season: str, carico: Here, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for out in (tmp_path / "file", "/proc/x"):
        done = carico("season", "export", season, "--out", out)
        assert done.code in (ExitCode.USAGE, ExitCode.FAILED)
        assert one_line(done.err)


# --- the live table ---


def test_a_live_table_goes_on_from_where_it_was(store: Store, season: str) -> None:
    from tests.kit.seasons import Plan, late
    from worker.office.live_table import LiveTable

    live = LiveTable(store, season)
    assert [row.deals for row in live.rows()] == [0, 0, 0]
    play_all(store, season)
    live.refresh()
    assert live.progress.status.value == "finished"
    before = Plan(store.entrants(season), store.fixtures(season), [s.chunk for s in store.chunks(season)])
    newcomer, fixtures, chunks = late(before, sets=2, size=1)
    assert store.admit(season, 3, newcomer, fixtures, chunks)
    live.refresh()
    assert live.progress.status.value == "running"
    assert len(live.rows()) == 4
    assert live.deals_planned == 24
    for chunk in chunks:
        play(store, season, chunk.number)
    live.refresh()
    assert live.rows() == LiveTable(store, season).rows()
    assert len(live.counted) == 24
