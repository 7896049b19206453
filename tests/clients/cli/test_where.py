"""Where the league is: flags before the environment before the data directory."""

import json
from pathlib import Path

import pytest

from clients.cli.data_directory import DataDirectory, organiser_token_in
from clients.cli.failure import BadUsage, ExitCode, Failure, Refused, Unreachable
from clients.cli.where import Where, checked_address


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A data directory that a league has announced itself in."""
    directory = DataDirectory(tmp_path / "data")
    directory.path.mkdir()
    directory.announce("127.0.0.1:1", "unix:///data")
    organiser_token_in(directory.organiser_token_file)
    return directory.path


def test_a_flag_comes_first(league: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARICO_REFEREE", "127.0.0.1:2")
    monkeypatch.setenv("CARICO_REDIS", "redis://env/0")
    where = Where("127.0.0.1:3", "redis://flag/0", league)
    assert where.referee_address() == "127.0.0.1:3"
    assert where.redis_url() == "redis://flag/0"


def test_a_data_flag_counts_as_a_flag(league: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARICO_REFEREE", "127.0.0.1:2")
    monkeypatch.setenv("CARICO_ORGANISER_TOKEN", "from-env")
    assert Where(data=league).referee_address() == "127.0.0.1:1"
    assert Where(data=league).organiser_token() == (league / "organiser.token").read_text().strip()


def test_the_environment_comes_before_the_directory_that_it_names(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARICO_DATA", str(league))
    assert Where().referee_address() == "127.0.0.1:1"
    assert Where().redis_url() == "unix:///data"
    monkeypatch.setenv("CARICO_REFEREE", "127.0.0.1:2")
    monkeypatch.setenv("CARICO_REDIS", "redis://env/0")
    monkeypatch.setenv("CARICO_ORGANISER_TOKEN", "from-env")
    assert Where().referee_address() == "127.0.0.1:2"
    assert Where().redis_url() == "redis://env/0"
    assert Where().organiser_token() == "from-env"


def test_the_directory_league_is_looked_at_where_nothing_is_said() -> None:
    directory = DataDirectory(Path("league"))
    directory.path.mkdir()
    directory.announce("127.0.0.1:7", "unix:///x")
    assert Where().referee_address() == "127.0.0.1:7"


def test_nothing_known_is_told_with_the_mend() -> None:
    for ask in (Where().referee_address, Where().redis_url):
        with pytest.raises(Unreachable, match="carico serve") as told:
            ask()
        assert told.value.code == ExitCode.UNREACHABLE
    with pytest.raises(Refused, match="--organiser-token-file"):
        Where().organiser_token()


def test_a_broken_league_file(tmp_path: Path) -> None:
    (tmp_path / "league.json").write_text("{")
    with pytest.raises(BadUsage, match=r"league\.json"):
        Where(data=tmp_path).referee_address()
    (tmp_path / "league.json").write_text(json.dumps({"referee": 7}))
    with pytest.raises(Unreachable):
        Where(data=tmp_path).referee_address()


def test_the_files_of_a_league_are_for_their_owner_only(league: Path) -> None:
    for name in ("league.json", "organiser.token"):
        assert (league / name).stat().st_mode & 0o777 == 0o600


def test_an_organiser_token_that_others_may_read_is_refused(league: Path) -> None:
    (league / "organiser.token").chmod(0o644)
    with pytest.raises(BadUsage, match="chmod 600"):
        Where(data=league).organiser_token()


def test_a_token_file_is_made_once(tmp_path: Path) -> None:
    first = organiser_token_in(tmp_path / "a" / "token")
    assert len(first) > 30
    assert organiser_token_in(tmp_path / "a" / "token") == first


@pytest.mark.parametrize("text", ["127.0.0.1:0", "host:65535", "[::1]:7000", "unix:/tmp/s"])
def test_addresses(text: str) -> None:
    assert checked_address(text) == text


@pytest.mark.parametrize("text", ["", "host", "host:", "host:x", "host:65536", "::1:7000", "http://host:1", "a b:1"])
def test_no_addresses(text: str) -> None:
    with pytest.raises(BadUsage, match="HOST:PORT"):
        checked_address(text)


def test_a_directory_has_one_owner(tmp_path: Path) -> None:
    directory = DataDirectory(tmp_path / "data")
    with directory.owned():
        assert directory.path.stat().st_mode & 0o077 == 0
        with pytest.raises(Failure, match="a league runs in this directory already"), directory.owned():
            raise AssertionError
    with directory.owned():
        pass


@pytest.mark.parametrize("token", ["carico_a\nb", "carico_é", "carico_a b", "\udcff\udcfe"])
def test_a_token_with_odd_characters_is_refused_before_it_travels(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARICO_ORGANISER_TOKEN", token)
    with pytest.raises(BadUsage, match="characters that no token has"):
        Where().organiser_token()
