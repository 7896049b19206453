"""Files that appear whole or not at all, and secrets."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from clients.cli.failure import BadUsage, Failure
from clients.cli.files import make_folder, read_secret, write_new, write_whole


def test_lines_are_written_as_utf_8_with_a_newline_each(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", ["è", "b"])
    assert (tmp_path / "a").read_bytes() == "è\nb\n".encode()
    assert (tmp_path / "a").stat().st_mode & 0o077
    assert list(tmp_path.glob(".*")) == []


def test_private_files_are_for_their_owner_only(tmp_path: Path) -> None:
    (tmp_path / "a").touch(0o644)
    write_whole(tmp_path / "a", ["secret"], private=True)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600


def test_what_goes_wrong_halfway_leaves_all_as_it_was(tmp_path: Path) -> None:
    def lines() -> Iterator[str]:
        yield "new"
        raise KeyboardInterrupt

    (tmp_path / "a").write_text("old")
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "a", lines())
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["a"]
    assert (tmp_path / "a").read_text() == "old"


def test_a_folder_that_takes_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="missing/a: cannot write"):
        write_whole(tmp_path / "missing" / "a", ["x"])
    with pytest.raises(Failure, match="/proc/a: cannot write"):
        write_whole(Path("/proc/a"), ["x"])


def test_a_file_in_the_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(BadUsage, match="this is a file"):
        make_folder(tmp_path / "a")
    with pytest.raises(Failure, match="cannot make this folder"):
        make_folder(tmp_path / "a" / "b")


def test_a_new_file_replaces_nothing(tmp_path: Path) -> None:
    write_new(tmp_path / "a", "x\n")
    with pytest.raises(BadUsage, match="is there already"):
        write_new(tmp_path / "a", "y\n")
    assert (tmp_path / "a").read_text() == "x\n"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602])
def test_a_secret_that_others_may_read_or_write_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "token"
    file.write_text("carico_x\n")
    file.chmod(mode)
    with pytest.raises(BadUsage, match=f"chmod 600 {file}"):
        read_secret(file)
    file.chmod(0o600)
    assert read_secret(file) == "carico_x"


@pytest.mark.parametrize("text", ["", "two words", "two\nlines", "\xff"])
def test_a_secret_is_one_word(tmp_path: Path, text: str) -> None:
    file = tmp_path / "token"
    file.write_bytes(text.encode("latin-1"))
    file.chmod(0o600)
    with pytest.raises(BadUsage):
        read_secret(file)


def test_a_secret_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="no such file"):
        read_secret(tmp_path / "token")
    with pytest.raises(BadUsage, match="no plain file"):
        read_secret(Path("/dev/null"))
