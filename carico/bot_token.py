"""Where a bot's token comes from: an argument, the environment, or a file that only its owner can read."""

import os
import stat
from pathlib import Path

from carico.cannot_play import CannotPlay


def find_token(token: str | None = None, file: Path | None = None) -> str:
    """The token given, else that in the file, else that in CARICO_TOKEN. Raises CannotPlay where there is none."""
    found = token or (read_token(file) if file else os.environ.get("CARICO_TOKEN", "").strip())
    if not found:
        raise CannotPlay(
            "a bot needs its token: put it into CARICO_TOKEN or into a file of mode 0600; "
            "carico bot register prints it once"
        )
    if not found.isascii() or not found.isprintable() or " " in found:
        raise CannotPlay("the token holds characters that no token has: copy it once more, as one word")
    return found


def read_token(file: Path) -> str:
    """The token in a file. Raises CannotPlay where others than its owner may read it, or it can't be read."""
    try:
        with file.open(encoding="utf-8") as lines:
            mode = stat.S_IMODE(os.fstat(lines.fileno()).st_mode)
            if mode & 0o077:
                raise CannotPlay(
                    f"{file} holds a token and has mode {mode:04o}, so others may read it: chmod 600 {file}"
                )
            text = lines.read(1000).strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise CannotPlay(f"the token in {file} can't be read: {why}") from error
    if not text:
        raise CannotPlay(f"{file} is empty: it should hold the token that carico bot register printed")
    return text
