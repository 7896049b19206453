"""Where a bot's token comes from."""

from pathlib import Path

import pytest

from clients.cli.failure import BadUsage, ExitCode, Refused
from clients.cli.tokens import find_token, save_token, token_file


def test_a_saved_token_is_found_and_for_its_owner_only(tmp_path: Path) -> None:
    file = save_token("mybot", "carico_a")
    assert file == tmp_path / "config" / "carico" / "tokens" / "mybot"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert find_token("mybot", None) == "carico_a"
    save_token("mybot", "carico_b")
    assert find_token("mybot", None) == "carico_b"


def test_the_file_given_comes_before_the_environment_before_the_saved_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_token("mybot", "saved")
    monkeypatch.setenv("CARICO_TOKEN", "from-env")
    given = tmp_path / "given"
    given.write_text("given\n")
    given.chmod(0o600)
    assert find_token("mybot", given) == "given"
    assert find_token("mybot", None) == "from-env"


def test_no_token_is_told_with_the_mend() -> None:
    with pytest.raises(Refused, match="CARICO_TOKEN") as told:
        find_token("mybot", None)
    assert told.value.code == ExitCode.REFUSED


@pytest.mark.parametrize("name", ["../x", "", "a/b", "..", "x" * 41])
def test_a_name_never_leads_out_of_the_folder(name: str) -> None:
    with pytest.raises(BadUsage, match="no bot's name"):
        token_file(name)
