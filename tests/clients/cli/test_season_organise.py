"""What organisers do to seasons at the command line, on a real store."""

import csv
import getpass
import io
import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from clients.cli.failure import ExitCode
from tests.clients.cli.command import Here, Marked, one_line
from tests.clients.cli.test_demo import Terminal
from tests.kit.office_house import OfficeHouse
from tests.kit.played_season import PlayedSeason
from tests.kit.served import ORGANISER
from worker.office.live_table import LiveTable
from worker.store.keys import key
from worker.store.open import open_store
from worker.store.port import Store
from worker.store.values import Status

ME = f"{getpass.getuser()}@{socket.gethostname()}"


@pytest.fixture(scope="module")
def house(valkey: str) -> Iterator[OfficeHouse]:
    with OfficeHouse(valkey) as house:
        yield house


@pytest.fixture(params=["at hand", "through the office"])
def store(request: pytest.FixtureRequest, valkey: str, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The store; commands reach it by its address, or know an office and nothing else."""
    if request.param == "at hand":
        monkeypatch.setenv("CARICO_REDIS", valkey)
    else:
        monkeypatch.setenv("CARICO_OFFICE", request.getfixturevalue("house").address)
        monkeypatch.setenv("CARICO_ORGANISER_TOKEN", ORGANISER)
    return open_store(valkey)


@pytest.fixture
def whence(store: Store) -> str:
    """What the log has after the name of who did it."""
    return " from 127.0.0.1" if "CARICO_OFFICE" in os.environ else ""


@pytest.fixture
def season(store: Store) -> PlayedSeason:
    return PlayedSeason(store)


def test_pause_and_resume(season: PlayedSeason, store: Store, carico: Here, whence: str) -> None:
    season.play(0)
    done = carico("season", "pause", season.id, "--by", "bob")
    assert (done.code, done.err) == (0, "")
    assert one_line(done.out)
    assert f"carico season resume {season.id}" in done.out
    assert store.status(season.id) is Status.PAUSED
    done = carico("season", "resume", season.id)
    assert (done.code, store.status(season.id)) == (0, Status.RUNNING)
    assert [(d.by, d.did) for d in store.log(season.id)][-2:] == [
        (f"bob{whence}", "paused"),
        (f"{ME}{whence}", "running"),
    ]
    season.play()
    for word in ("pause", "resume"):
        done = carico("season", word, season.id)
        assert (done.code, done.out) == (ExitCode.FAILED, "")
        assert one_line(done.err)
        assert "is finished" in done.err


def test_resume_is_no_start(store: Store, carico: Here) -> None:
    from carico.rules.game import game
    from tests.kit.stores import new_season
    from worker.office.season_plan import create_season
    from worker.tournament.season import SeasonSpec

    id_ = new_season()
    create_season(store, SeasonSpec(id_, game("briscola-2"), entry="open"), {})
    done = carico("season", "resume", id_)
    assert (done.code, store.status(id_)) == (ExitCode.FAILED, Status.SCHEDULED)
    assert "season start" in done.err


def test_withdraw_before_half_and_after(season: PlayedSeason, store: Store, carico: Here) -> None:
    season.play(0, 1)
    live = LiveTable(store, season.id)
    a, b = store.fixtures(season.id)[0].entrants
    names = [entrant.bot for entrant in store.entrants(season.id)]
    third = next(name for i, name in enumerate(names) if i not in (a, b))
    done = carico("season", "withdraw", season.id, third, "1")
    assert done.code == 0
    assert "0 of its 2 fixtures were played, less than half, so all of them leave the table" in done.out
    assert store.status(season.id) is Status.FINISHED
    again = carico("season", "withdraw", season.id, third, "1")
    assert (again.code, "before" in again.out) == (0, True)
    assert [
        row["fixtures"] for row in json.loads(carico("season", "standings", season.id, "--format", "json").out)
    ] == [1, 1, 0]
    assert carico("season", "audit", season.id).code == 0
    live.refresh()
    assert live.rows() == LiveTable(store, season.id).rows()

    other = PlayedSeason(store)
    other.play(0, 1)
    done = carico("season", "withdraw", other.id, names[a], "1")
    assert "1 of its 2 fixtures were played, half or more, so these stay and the rest are walkovers (1)" in done.out
    assert LiveTable(store, other.id).progress.withdrawn == 1
    status = json.loads(carico("season", "status", other.id, "--format", "json").out)[0]
    assert (status["withdrawn"], status["walkovers"]) == (1, 1)
    for words in (("nobody", "1"), (names[a], "2")):
        done = carico("season", "withdraw", other.id, *words)
        assert (done.code, done.out) == (ExitCode.FAILED, "")
        assert "is not entered" in done.err


def test_void_leaves_the_count_and_stands_in_the_export(
    season: PlayedSeason, store: Store, carico: Here, tmp_path: Path
) -> None:
    season.play()
    live = LiveTable(store, season.id)
    before = live.rows()
    done = carico("season", "void", season.id, "--deal-set", 3, "--reason", 'shown "è"')
    assert (done.code, done.err) == (0, "")
    assert "2 deals left the count" in done.out
    assert "as attempt 1 with another deck" in done.out
    live.refresh()
    assert len(live.counted) == live.progress.deals == 10
    assert live.deals_planned == 12
    assert live.rows() == LiveTable(store, season.id).rows() != before
    assert carico("season", "export", season.id, "--out", tmp_path / "x").code == 0
    voids = [json.loads(line) for line in (tmp_path / "x" / "voids.jsonl").read_text().splitlines()]
    assert [(v["deal_set"], v["seating"], v["attempt"], v["reason"]) for v in voids] == [
        (3, 0, 0, 'ORGANISER: shown "è"'),
        (3, 1, 0, 'ORGANISER: shown "è"'),
    ]
    assert list(voids[0])[-1] == "reason"
    assert 3 not in {
        json.loads(line)["deal_set"] for line in (tmp_path / "x" / "records.jsonl").read_text().splitlines()
    }
    season.play()
    live.refresh()
    assert len(live.counted) == 12
    assert live.rows() == LiveTable(store, season.id).rows()
    shown = carico("season", "audit", season.id)
    assert shown.code == 0
    assert "void: deal set 3, attempt 0: ORGANISER" in shown.out
    assert "1 void (14.3 % of the attempts): all agrees" in shown.out


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("--deal-set", "99", "--reason", "x"), ExitCode.FAILED, "no deal set 99"),
        (("--deal-set", "0", "--reason", ""), ExitCode.USAGE, "--reason"),
        (("--deal-set", "0", "--reason", "a\nb"), ExitCode.USAGE, "--reason"),
        (("--deal-set", "-1", "--reason", "x"), ExitCode.USAGE, "--deal-set"),
        (("--deal-set", "0", "--reason", "x", "--by", ""), ExitCode.USAGE, "--by"),
        (("--deal-set", "0"), ExitCode.USAGE, "--reason"),
    ],
)
def test_what_cannot_be_void(
    season: PlayedSeason, store: Store, carico: Here, words: tuple[str, ...], code: int, why: str
) -> None:
    done = carico("season", "void", season.id, *words)
    assert (done.code, done.out) == (code, "")
    assert one_line(done.err)
    assert why in done.err
    assert store.voids(season.id) == []


def test_the_log_in_three_formats(season: PlayedSeason, carico: Here, whence: str) -> None:
    carico("season", "void", season.id, "--deal-set", 0, "--reason", "\u202eshown", "--by", "bob")
    carico("season", "void", season.id, "--deal-set", 0, "--reason", "shown", "--by", "bob")
    found = json.loads(carico("season", "log", season.id, "--format", "json").out)
    assert [(row["by"], row["did"]) for row in found] == [
        ("ann@host", "create"),
        ("ann@host", "start or resume"),
        (f"bob{whence}", "void"),
    ]
    assert found[2]["details"] == "deal set 0, attempt 0, reason ORGANISER: shown, deals 0"
    assert found[0]["when"].endswith("+00:00")
    lines = list(csv.DictReader(io.StringIO(carico("season", "log", season.id, "--format", "csv").out)))
    assert lines == found
    assert "bob" in carico("season", "log", season.id).out


def test_audit_and_rebuild_say_what_does_not_agree(
    season: PlayedSeason, store: Store, carico: Here, valkey: str
) -> None:
    season.play()
    done = carico("season", "audit", season.id)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"season {season.id} (finished): 12 deals, 12 records played again: all agrees\n"
    done = carico("season", "audit", season.id, "--format", "json")
    assert (done.code, json.loads(done.out)) == (0, [])
    assert "all agrees" in done.err
    client = redis.Redis.from_url(valkey, decode_responses=True)
    client.hdel(key(season.id, "done"), 2)
    record = json.loads(client.hget(key(season.id, "records"), "0:0:0:0:0"))
    client.hset(key(season.id, "records"), "0:0:0:0:0", json.dumps({**record, "dealer": 1}))
    done = carico("season", "audit", season.id, "--format", "csv")
    assert done.code == ExitCode.FAILED
    areas = [row["area"] for row in csv.DictReader(io.StringIO(done.out))]
    assert {"records", "store", "chunks"} <= set(areas)
    assert f"{len(areas)} things do not agree" in done.err
    done = carico("season", "rebuild", season.id, "--by", "bob")
    assert done.code == 0
    assert "chunk 2 has all its deals" in done.out
    assert "1 thing made anew" in done.out
    assert store.log(season.id)[-1].did == "rebuild"
    done = carico("season", "rebuild", season.id, "--format", "json")
    assert (done.code, json.loads(done.out)) == (0, [])
    found = json.loads(carico("season", "audit", season.id, "--format", "json").out)
    assert {row["area"] for row in found} == {"records"}


def test_an_unknown_season(store: Store, carico: Here) -> None:
    for words in (
        ["pause"],
        ["resume"],
        ["audit"],
        ["rebuild"],
        ["log"],
        ["watch"],
        ["withdraw", "a", "1"],
        ["void", "--deal-set", "0", "--reason", "x"],
    ):
        done = carico("season", words[0], "nothing", *words[1:])
        assert (done.code, done.out) == (ExitCode.FAILED, "")
        assert one_line(done.err)
        assert "nothing" in done.err


# --- watch ---


def test_watch_off_a_terminal_ends_with_the_season(season: PlayedSeason, marked: Marked, carico: Here) -> None:
    season.play(0)
    process = marked.start("season", "watch", season.id, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == f"season {season.id} is running\n"
    season.play()
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    lines = out.splitlines()
    assert f"season {season.id} is finished" in lines
    assert sum(line.startswith("fixture ") for line in lines) == 3
    assert f"{season.id}: briscola-2, finished" in out
    assert "\x1b" not in out
    again = carico("season", "watch", season.id)
    assert (again.code, again.out.count("fixture ")) == (0, 3)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_watch_ends_when_told_to_and_leaves_the_table(
    season: PlayedSeason, marked: Marked, number: int, code: int
) -> None:
    process = marked.start("season", "watch", season.id, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (code, "")
    assert f"{season.id}: briscola-2, running" in out


def test_watch_on_a_terminal_draws_the_table_anew(season: PlayedSeason, marked: Marked, store: Store) -> None:
    terminal = Terminal(marked, "season", "watch", season.id)
    terminal.read_until("0 of 12 deals")
    season.play(0)
    terminal.read_until("2 of 12 deals")
    store.set_status(season.id, Status.PAUSED)
    terminal.read_until(f"season {season.id} is paused")
    store.set_status(season.id, Status.RUNNING)
    season.play()
    final = terminal.read_until(f"{season.id}: briscola-2, finished")
    terminal.drain()
    assert terminal.process.wait(60) == 0
    assert f"season {season.id} is finished" in final
    assert "\x1b[" in terminal.text


# --- faults ---


def test_faults_newest_first_over_all_seasons(store: Store, carico: Here) -> None:
    from carico.rules.outcome import Fault, FaultReason

    first, second = PlayedSeason(store), PlayedSeason(store)
    names = [entrant.bot for entrant in store.entrants(first.id)]
    fixture = store.fixtures(first.id)[0]
    bot = names[fixture.entrants[0]]
    before = len(json.loads(carico("bot", "faults", bot, "--format", "json").out))
    for season, detail in ((first, "played AC, which it does not hold"), (second, "\x1b[31mred")):
        season.referee.faults[f"{season.id}/0/0/0/0"] = (Fault(0, FaultReason.ILLEGAL_ACTION, 3), detail)
        season.play(0)
    found = json.loads(carico("bot", "faults", bot, "--format", "json").out)
    assert len(found) == before + 2
    new = [row for row in found if row["season"] in (first.id, second.id)]
    assert [(row["season"], row["deal_set"], row["seating"], row["reason"]) for row in new] == [
        (second.id, 0, 0, "ILLEGAL_ACTION"),
        (first.id, 0, 0, "ILLEGAL_ACTION"),
    ]
    assert new[1]["detail"] == "played AC, which it does not hold"
    assert "hand " in new[1]["exchange"]
    assert "its last answer: play " in new[1]["exchange"]
    shown = carico("bot", "faults", bot)
    assert "\x1b" not in shown.out
    assert r"\x1b[31mred" in shown.out
    lines = list(csv.DictReader(io.StringIO(carico("bot", "faults", bot, "--format", "csv").out)))
    assert len(lines) == len(found)


def test_a_bot_without_faults(store: Store, carico: Here) -> None:
    done = carico("bot", "faults", "spotless")
    assert (done.code, done.out) == (0, "")
    assert "no fault of spotless is known" in done.err
    assert json.loads(carico("bot", "faults", "spotless", "--format", "json").out) == []
    assert carico("bot", "faults", "no:name").code == ExitCode.USAGE
