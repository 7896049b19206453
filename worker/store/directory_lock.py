"""One owner for a data directory."""

import fcntl
import os
import time
from pathlib import Path
from typing import Final

from worker.store.errors import StoreError

_PATIENCE_S: Final = 1.0
_PATIENCE_WITH_THE_DEAD_S: Final = 10.0


class DirectoryLock:
    """The lock file of a data directory, held from its making until ``release``.

    Whoever inherits ``descriptor`` holds it too, until its own end: a server that outlives its owner by a moment still
    keeps the next one away.
    """

    def __init__(self, directory: Path) -> None:
        """Makes the directory where it is missing. Raises StoreError, with the owner's pid, where it has one.

        Raises OSError where it cannot be made or written to.
        """
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            self._take(directory)
            os.truncate(self.descriptor, 0)
            os.pwrite(self.descriptor, f"{os.getpid()}\n".encode(), 0)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Lets the next owner in, once nobody who inherited it lives."""
        os.close(self.descriptor)

    def _take(self, directory: Path) -> None:
        # The server of an owner that was just killed ends too, but first writes down what it knows.
        start = time.monotonic()
        while True:
            try:
                fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                owner = os.pread(self.descriptor, 20, 0).decode("ascii", "replace").strip()
                alive = _is_alive(owner)
                if time.monotonic() - start > (_PATIENCE_S if alive else _PATIENCE_WITH_THE_DEAD_S):
                    user = f"process {owner}" if alive else f"a server that process {owner or '(unknown)'} left behind"
                    raise StoreError(
                        f"the data directory {directory} is in use by {user}: end that one, or take another directory"
                    ) from None
                time.sleep(0.02)
            else:
                return


def _is_alive(owner: str) -> bool:
    if not owner.isdecimal():
        return False
    try:
        os.kill(int(owner), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
