"""Where the time of a subject goes: the same work under cProfile. Its times are inflated; compare them, no more."""

import pstats
import sys
import tempfile
from pathlib import Path
from typing import Final

from benches import coalesced, referees
from benches.arena import ENGINE_NAMES
from benches.processes import run
from benches.servers import play_on, referee_server

LINES: Final = 30

SUBJECTS: Final = ("referee", "coalesced", "season", "commit", *ENGINE_NAMES)
"""What can be profiled: of a season, what its tasks do; of a commit, the store's side in this process's language."""


def show(subject: str, seconds: float) -> None:
    """Prints the functions in which the subject spends most of its time."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "profile"
        match subject:
            case "referee" | "coalesced":
                with referee_server(file) as server:
                    play_on(subject, server, referees.BOTS if subject == "referee" else coalesced.DEALS, seconds)
            case "season":
                run("benches.league", "tasks", str(seconds), profile=file)
            case "commit":
                run("benches.committing", "store", str(seconds), profile=file)
            case _:
                run("benches.engines", subject, str(seconds), profile=file)
        pstats.Stats(str(file), stream=sys.stdout).strip_dirs().sort_stats("tottime").print_stats(LINES)
