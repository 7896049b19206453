"""Where a token comes from, and which files are refused."""

from pathlib import Path

import pytest

from carico.bot_token import find_token, read_token
from carico.cannot_play import CannotPlay


def test_a_token_comes_from_the_argument_the_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "token"
    file.write_text("carico_file\n")
    file.chmod(0o600)
    monkeypatch.setenv("CARICO_TOKEN", "carico_environment")
    assert find_token("carico_argument", file) == "carico_argument"
    assert find_token(None, file) == "carico_file"
    assert find_token() == "carico_environment"
    monkeypatch.delenv("CARICO_TOKEN")
    with pytest.raises(CannotPlay, match="CARICO_TOKEN"):
        find_token()
    with pytest.raises(CannotPlay, match="one word"):
        find_token("two words")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620])
def test_a_token_file_that_others_can_reach_is_refused_with_the_mend(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "token"
    file.write_text("carico_file")
    file.chmod(mode)
    with pytest.raises(CannotPlay, match=f"chmod 600 {file}"):
        read_token(file)
    file.chmod(0o400)
    assert read_token(file) == "carico_file"


def test_token_files_that_hold_no_token(tmp_path: Path) -> None:
    with pytest.raises(CannotPlay, match="No such file"):
        read_token(tmp_path / "none")
    with pytest.raises(CannotPlay, match="directory"):
        read_token(tmp_path)
    for content, text in ((b"  \n", "is empty"), (b"\xff\xfe", "no text")):
        file = tmp_path / "token"
        file.write_bytes(content)
        file.chmod(0o600)
        with pytest.raises(CannotPlay, match=text):
            read_token(file)
