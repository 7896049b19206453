"""``carico office``, and season commands that reach it: what is refused, and how it is said."""

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from clients.cli.failure import ExitCode
from tests.clients.cli.command import Here, Marked, one_line
from tests.clients.cli.test_serve import SEASON
from tests.kit.certificates import certificate
from tests.kit.office_house import OfficeHouse
from tests.kit.played_season import PlayedSeason
from tests.kit.served import ORGANISER
from tests.kit.stores import new_season
from worker.store.open import open_store
from worker.store.port import Store


@pytest.fixture(scope="module")
def house(valkey: str) -> Iterator[OfficeHouse]:
    with OfficeHouse(valkey) as house:
        yield house


@pytest.fixture
def store(valkey: str) -> Store:
    return open_store(valkey)


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("CARICO_ORGANISER_TOKEN", ORGANISER)
    return ORGANISER


def test_a_season_from_its_file_to_its_export(
    house: OfficeHouse, store: Store, carico: Here, token: str, tmp_path: Path
) -> None:
    office = ("--office", house.address)
    name = new_season()
    Path("season.toml").write_text(SEASON.format(name=name).replace("random", "ann").replace("greedy", "ghost"))
    done = carico("season", "create", "season.toml", *office)
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert done.err == (
        "carico: not registered at the referee: ghost; run `carico bot register NAME --owner OWNER` for each\n"
    )
    house.do(house.referee.accounts.register("ghost", "me"))
    done = carico("season", "create", "season.toml", *office)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        f"season {name} created: 2 entrants, 1 fixtures of 3 deal sets; begin with  carico season start {name}\n"
    )
    assert [entrant.owner for entrant in store.entrants(name)] == ["ann", "me"]
    again = carico("season", "create", "season.toml", *office)
    assert (again.code, again.err) == (
        ExitCode.FAILED,
        f"carico: there is a season '{name}' already: give the new one another id\n",
    )
    assert carico("season", "start", name, *office, "--by", "bob").code == 0
    assert [deed.by for deed in store.log(name)][-1] == "bob from 127.0.0.1"
    assert name in carico("season", "list", *office).out
    found = json.loads(carico("season", "status", name, "--format", "json", *office).out)
    assert (found[0]["status"], found[0]["chunks"]) == ("running", 3)


def test_what_is_shown_and_exported_is_the_same_to_the_letter(
    house: OfficeHouse, store: Store, carico: Here, token: str, valkey: str, tmp_path: Path
) -> None:
    season = PlayedSeason(store)
    season.play(0, 1)
    carico("season", "void", season.id, "--deal-set", 1, "--reason", "x", "--redis", valkey)
    for words in (
        ("status", season.id, "--format", "json"),
        ("standings", season.id),
        ("standings", season.id, "--format", "json"),
        ("audit", season.id, "--format", "csv"),
        ("audit", season.id),
        ("log", season.id, "--format", "json"),
        ("log", "no-season"),
        ("log", "no:name"),
        ("withdraw", season.id, "nobody", "1"),
        ("void", season.id, "--deal-set", "99", "--reason", "x"),
    ):
        near, far = (carico("season", *words, *where) for where in (("--redis", valkey), ("--office", house.address)))
        assert near == far, words
    for where in (("--redis", valkey), ("--office", house.address)):
        folder = tmp_path / where[0]
        assert carico("season", "export", season.id, "--out", folder, *where).code == 0
    near, far = tmp_path / "--redis", tmp_path / "--office"
    assert sorted(path.name for path in far.iterdir()) == ["records.jsonl", "standings.json", "voids.jsonl"]
    for path in near.iterdir():
        assert path.read_bytes() == (far / path.name).read_bytes()


def test_an_export_of_nothing(house: OfficeHouse, store: Store, carico: Here, token: str, tmp_path: Path) -> None:
    season = PlayedSeason(store)
    done = carico("season", "export", season.id, "--out", tmp_path / "x", "--office", house.address)
    assert (done.code, (tmp_path / "x" / "records.jsonl").read_text()) == (0, "")


def test_who_is_refused(
    house: OfficeHouse, store: Store, carico: Here, monkeypatch: pytest.MonkeyPatch, valkey: str
) -> None:
    season = PlayedSeason(store)
    office = ("--office", house.address)
    done = carico("season", "pause", season.id, *office)
    assert (done.code, done.out) == (ExitCode.REFUSED, "")
    assert "CARICO_ORGANISER_TOKEN" in done.err
    for wrong in (house.bot_token, "carico_wrong"):
        monkeypatch.setenv("CARICO_ORGANISER_TOKEN", wrong)
        done = carico("season", "pause", season.id, *office)
        assert (done.code, done.out) == (ExitCode.REFUSED, "")
        assert one_line(done.err)
        assert "this needs the organiser's token" in done.err
        assert wrong not in done.err
    monkeypatch.setenv("CARICO_ORGANISER_TOKEN", ORGANISER)
    done = carico("season", "pause", season.id, "--office", "192.0.2.1:12041")
    assert (done.code, done.out) == (ExitCode.REFUSED, "")
    assert "--tls-ca" in done.err
    done = carico("season", "pause", season.id, *office, "--redis", valkey)
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    done = carico("season", "pause", season.id, "--office", "127.0.0.1:1")
    assert (done.code, done.out) == (ExitCode.UNREACHABLE, "")
    assert "no office answers at 127.0.0.1:1" in done.err
    assert len(store.log(season.id)) == 2


def test_over_tls_and_what_is_said_where_one_side_does_not_speak_it(
    house: OfficeHouse, store: Store, carico: Here, token: str, valkey: str, tmp_path: Path
) -> None:
    pair, other = certificate(tmp_path, "ours"), certificate(tmp_path, "other")
    assert pair != other
    season = PlayedSeason(store)
    with OfficeHouse(valkey, tls=pair) as sealed:
        done = carico("season", "pause", season.id, "--office", sealed.address, "--tls-ca", tmp_path / "ours.pem")
        assert (done.code, done.err) == (0, "")
        for words, why in (
            (("--office", sealed.address), "it may speak TLS only: give --tls or --tls-ca"),
            (("--office", sealed.address, "--tls-ca", tmp_path / "other.pem"), "of no authority that is trusted"),
            (("--office", house.address, "--tls-ca", tmp_path / "ours.pem"), "what is there speaks plain text"),
        ):
            done = carico("season", "resume", season.id, *words)
            assert (done.code, done.out) == (ExitCode.UNREACHABLE, "")
            assert one_line(done.err)
            assert why in done.err
    assert [deed.did for deed in store.log(season.id)][-1] == "paused"


def test_a_flag_that_names_a_store_outdoes_the_environment(
    store: Store, carico: Here, monkeypatch: pytest.MonkeyPatch, valkey: str, token: str
) -> None:
    season = PlayedSeason(store)
    monkeypatch.setenv("CARICO_OFFICE", "127.0.0.1:1")
    assert carico("season", "pause", season.id, "--redis", valkey).code == 0
    assert carico("season", "resume", season.id).code == ExitCode.UNREACHABLE


def test_an_office_as_a_program(house: OfficeHouse, store: Store, marked: Marked, valkey: str, token: str) -> None:
    season = PlayedSeason(store)
    process = marked.start(
        *("office", "--listen", "127.0.0.1:0", "--redis", valkey, "--referee", house.referee.address),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    address = process.stdout.readline().split()[-1]
    ran = marked.run("season", "pause", season.id, "--by", "bob", "--office", address)
    assert (ran.returncode, ran.stderr) == (0, "")
    wrong = marked.run("bot", "faults", "a", "--office", "127.0.0.1:1")
    assert wrong.returncode == ExitCode.UNREACHABLE
    process.send_signal(signal.SIGTERM)
    _, log = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "pause by bob from 127.0.0.1" in log
    assert ORGANISER not in log
    ran = marked.run("office", "--listen", "0.0.0.0:0", "--redis", valkey, "--referee", house.referee.address)
    assert ran.returncode == ExitCode.FAILED
    assert "--tls-cert" in ran.stderr
