"""Where a bot's token comes from."""

from pathlib import Path

import pytest

from clients.cli.failure import BadUsage, ExitCode, Refused
from clients.cli.tokens import find_token, save_token, token_file

HERE = ["127.0.0.1:12040"]


def test_a_saved_token_is_found_and_for_its_owner_only(tmp_path: Path) -> None:
    file = save_token("mybot", "carico_a", HERE)
    assert file == tmp_path / "config" / "carico" / "tokens" / "127.0.0.1%3A12040" / "mybot"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert find_token("mybot", None, HERE) == "carico_a"
    save_token("mybot", "carico_b", HERE)
    assert find_token("mybot", None, HERE) == "carico_b"


def test_the_file_given_comes_before_the_environment_before_the_saved_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_token("mybot", "saved", HERE)
    monkeypatch.setenv("CARICO_TOKEN", "from-env")
    given = tmp_path / "given"
    given.write_text("given\n")
    given.chmod(0o600)
    assert find_token("mybot", given, HERE) == "given"
    assert find_token("mybot", None, HERE) == "from-env"


def test_no_token_is_told_with_the_mend() -> None:
    with pytest.raises(Refused, match="CARICO_TOKEN") as told:
        find_token("mybot", None, HERE)
    assert told.value.code == ExitCode.REFUSED


@pytest.mark.parametrize("name", ["../x", "", "a/b", "..", "x" * 41])
def test_a_name_never_leads_out_of_the_folder(name: str) -> None:
    with pytest.raises(BadUsage, match="no bot's name"):
        token_file(name, HERE[0])


def test_each_league_has_its_own_token_of_a_name(tmp_path: Path) -> None:
    save_token("mybot", "of-a", [str(tmp_path / "a"), "127.0.0.1:12040"])
    save_token("mybot", "of-b", [str(tmp_path / "b"), "127.0.0.1:12040"])
    save_token("mybot", "far", ["referee.example:12040"])
    assert find_token("mybot", None, [str(tmp_path / "a"), "127.0.0.1:1"]) == "of-a"
    assert find_token("mybot", None, ["127.0.0.1:12040"]) == "of-b"
    assert find_token("mybot", None, ["referee.example:12040"]) == "far"
    with pytest.raises(Refused, match="at this league"):
        find_token("mybot", None, ["other.example:12040"])
    assert token_file("mybot", "/x" * 300).parent.name.isalnum()
