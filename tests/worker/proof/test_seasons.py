"""Exports of seasons as the office writes them, at every moment of a season's life, and their voids."""

import copy
from pathlib import Path
from typing import Any

from clients.cli.output import Output
from tests.kit.exports import export, lines
from tests.kit.naive.files import judge_file
from tests.kit.played_season import PlayedSeason
from worker.office.export import export_season
from worker.proof.folder import RECORDS, TABLE, VOIDS, Proof, prove
from worker.store.memory import MemoryStore
from worker.store.values import Lease, Status
from worker.tournament.ledger import no_start


def proof_of(season: PlayedSeason, folder: Path) -> Proof:
    """What the export of this season proves now."""
    export_season(season.store, season.id, Output(folder))
    records, table, voids = (folder / name for name in ("records.jsonl", "standings.json", "voids.jsonl"))
    lines_of_voids = voids.read_bytes().splitlines(keepends=True) if voids.exists() else None
    with records.open("rb") as file:
        return prove(file, table.read_bytes(), lines_of_voids)


def a_season(chunk: int = 1) -> PlayedSeason:
    return PlayedSeason(MemoryStore(lambda: 1_800_000_000_000), chunk)


def test_a_season_proves_itself_at_every_moment_of_its_life(tmp_path: Path) -> None:
    season = a_season(chunk=2)
    assert proof_of(season, tmp_path).found is None
    season.play(0)
    told = proof_of(season, tmp_path)
    assert (told.found, told.deals, told.voids) == (None, 4, ())
    season.referee.void[f"{season.id}/2/1/0/0"] = "NO_START"
    season.play(1)
    assert proof_of(season, tmp_path).found is None
    season.store.void_set(season.id, 0, 0, "ORGANISER: shown")
    told = proof_of(season, tmp_path)
    assert told.found is None
    assert [(void.deal_set, void.attempt) for void in told.voids] == [(0, 0), (2, 0)]
    assert told.voids[0].led
    season.play()
    told = proof_of(season, tmp_path)
    assert (told.found, told.deals, told.deal_sets, told.notes) == (None, 12, 6, ())
    assert told.void_rate == 2 / 8
    assert judge_file((tmp_path / "records.jsonl").read_bytes(), 7, (tmp_path / "standings.json").read_bytes())[0] == []


def test_walkovers_and_withdrawals_are_said_to_be_beyond_proof(tmp_path: Path) -> None:
    season = a_season()
    season.play(0)
    store = season.store
    lease = store.claim(season.id, 2, 60_000)
    assert isinstance(lease, Lease)
    store.close_fixture(season.id, 2, lease.fence, no_start(lease.fixture).to_json(), even_if_begun=True)
    told = proof_of(season, tmp_path)
    assert told.found is None
    assert any("walkovers" in note for note in told.notes)
    store.withdraw(season.id, store.fixtures(season.id)[0].entrants[0])
    told = proof_of(season, tmp_path)
    assert told.found is None
    assert any("withdrawal" in note for note in told.notes)


def test_a_cancelled_season_may_have_half_a_set(tmp_path: Path) -> None:
    season = a_season()
    season.play(0, 1, 2)
    season.store.set_status(season.id, Status.CANCELLED)
    assert proof_of(season, tmp_path).found is None


def test_attempts_without_a_gap() -> None:
    files = export("briscola-2", attempt=2)
    table = files.table_bytes

    def proof(voids: list[dict[str, Any]]) -> Proof:
        return prove(files.lines, table, lines(voids))

    def at(attempt: int) -> list[dict[str, Any]]:
        return [void for void in files.voids if void["attempt"] == attempt]

    told = proof(files.voids)
    assert told.found is None
    assert [(void.deal_set, void.attempt, void.reason) for void in told.voids] == [
        (1, 0, "LOG_LOST"),
        (1, 1, "LOG_LOST"),
    ]
    assert told.void_rate == 0.5
    for missing in (0, 1):
        told = proof(at(1 - missing))
        assert told.part == VOIDS
        assert told.found is not None
        assert told.found.text.startswith(f"attempt: {missing} of deal set 1 is missing")
    assert prove(files.lines, table, None).part == VOIDS
    assert prove(files.lines, table, alone=True).found is None
    assert "not looked at" in prove(files.lines, alone=True).notes[0]
    other = copy.deepcopy(files.records)
    other[-1]["attempt"] = 1
    told = prove(lines(other), table)
    assert told.part == RECORDS


def test_what_is_changed_in_a_void_is_found_at_its_line() -> None:
    files = export("brisca-4", attempt=1)
    voids = files.voids

    def changed(key: str, value: object) -> Proof:
        return prove(files.lines, files.table_bytes, lines([voids[0], {**voids[1], key: value}]))

    assert prove(files.lines, files.table_bytes, lines(voids)).found is None
    for key, value in (
        ("deck", voids[1]["deck"][::-1]),
        ("actions", voids[1]["actions"][:-1]),
        ("stand_in", [3, 2]),
        ("attempt", 1),
        ("seats", [*voids[1]["seats"][::-1][:3], {"bot": "x", "version": "1", "owner": "y"}]),
        ("reason", None),
        ("hash", "0" * 64),
        ("outcome", {}),
        ("season", "autumn"),
        ("seating", 0),
        ("clock", []),
    ):
        told = changed(key, value)
        assert told.part == VOIDS
        assert told.found is not None, key
        assert told.found.line == 2
    assert prove(files.lines, files.table_bytes, [b"{\n"]).found is not None


def test_a_walkover_that_the_table_gives_away_must_be_possible() -> None:
    files = export("briscola-2", faults=0)
    for row, change in ((0, {"walkovers": 1}), (1, {"won": 3, "fixtures": 3, "match_points": 6, "walkovers": 1})):
        table = copy.deepcopy(files.table)
        table["rows"][row].update(change)
        files_with = copy.copy(files)
        files_with.table = table
        told = prove(files.lines, files_with.table_bytes)
        assert told.part == TABLE
        assert told.found is not None


def test_a_finished_season_has_no_fixture_that_is_half_played(tmp_path: Path) -> None:
    season = a_season()
    season.play(0, 1, 2)
    assert proof_of(season, tmp_path).found is None
    table = (tmp_path / "standings.json").read_bytes().replace(b'"running"', b'"finished"')
    told = prove((tmp_path / "records.jsonl").read_bytes().splitlines(keepends=True), table)
    assert told.part == TABLE
    assert told.found is not None
    assert told.found.text.startswith("status: the season is finished with 0 walkovers, and 1 of its fixtures lack")
