"""Files that appear whole or not at all, and secrets that only their owner may read."""

import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from clients.cli.failure import BadUsage, Failure


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Makes the folder and those above it; what is there already stays. Raises Failure."""
    try:
        path.mkdir(mode=mode, parents=True, exist_ok=True)
    except FileExistsError:
        raise BadUsage(f"{path}: this is a file, and a folder is needed: choose another path") from None
    except OSError as error:
        raise Failure(f"{path}: cannot make this folder: {error.strerror}") from error


def check_writable(folder: Path) -> None:
    """Raises Failure where no file can be made in the folder."""
    with _os_errors_told(folder):
        handle, probe = tempfile.mkstemp(prefix=".carico-", dir=folder)
        os.close(handle)
        Path(probe).unlink()


def write_whole(path: Path, lines: Iterable[str], *, private: bool = False) -> None:
    """Writes the lines, a newline after each, as UTF-8, into a file beside ``path`` and then puts that in its place.

    Whatever goes wrong, ``path`` is as it was before and nothing is left beside it. ``private``: for the owner only.
    Raises Failure where the folder or the disk does not take it; what ``lines`` raises is passed on.
    """
    with _os_errors_told(path):
        handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                if not private:
                    os.fchmod(file.fileno(), 0o666 & ~_umask())
                for line in lines:
                    file.write(line)
                    file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            Path(beside).replace(path)
        except BaseException:
            with suppress(FileNotFoundError):
                Path(beside).unlink()
            raise


def write_new(path: Path, text: str) -> None:
    """Writes a file that is not there yet. Raises BadUsage where it is, Failure where it can't be written."""
    if path.exists():
        raise BadUsage(f"{path} is there already: it stays as it is; name another file")
    write_whole(path, text.splitlines())


def read_secret(path: Path) -> str:
    """The one line of a file that only its owner may read. Raises BadUsage for any other file."""
    try:
        with path.open(encoding="utf-8") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise BadUsage(f"{path}: this is no plain file: write the token into one")
            if found.st_mode & 0o077:
                raise BadUsage(f"{path}: others may read or write this secret: run  chmod 600 {path}")
            text = file.read(10_000).strip()
    except FileNotFoundError:
        raise BadUsage(f"{path}: there is no such file") from None
    except UnicodeDecodeError:
        raise BadUsage(f"{path}: this is no text, and so no token") from None
    except OSError as error:
        raise BadUsage(f"{path}: cannot read it: {error.strerror}") from error
    if not text or len(text.split()) != 1:
        raise BadUsage(f"{path}: it must hold one token and nothing else")
    return text


@contextmanager
def _os_errors_told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Failure(f"{path}: cannot write there: {error.strerror or error}") from error


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
