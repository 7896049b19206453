"""The Lua scripts: what must be atomic in Redis. They need nothing newer than Redis 7.0."""

from functools import cache
from importlib.resources import files
from typing import Final

NAMES: Final = (
    "create",
    "status",
    "admit",
    "claim",
    "heartbeat",
    "release",
    "sweep",
    "waiting",
    "vitals",
    "start",
    "commit",
    "void",
    "void_set",
    "late_records",
    "withdraw",
    "close",
    "differences",
    "rebuild",
)

DERIVING: Final = ["prelude", "known", "derive"]


@cache
def script(name: str) -> str:
    """The whole text of a script: what all share, then its own file."""
    before = {"create": ["prelude"], "differences": DERIVING, "rebuild": DERIVING}.get(name, ["prelude", "known"])
    parts = [*before, name]
    folder = files("worker.store") / "lua"
    return "\n".join((folder / f"{part}.lua").read_text("utf-8") for part in parts)
