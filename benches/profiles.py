"""Where the time of a subject goes: the same work under cProfile. Its times are inflated; compare them, no more."""

import pstats
import sys
import tempfile
from pathlib import Path
from typing import Final

from benches import catalogue
from benches.processes import run

LINES: Final = 30

SUBJECTS: Final = ("referee", *catalogue.ENGINE_NAMES)
"""What can be profiled."""


def show(subject: str, seconds: float) -> None:
    """Prints the functions in which the subject spends most of its time."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "profile"
        if subject == "referee":
            with catalogue.referee_server(file) as server:
                catalogue.play_on("referee", server, seconds)
        else:
            run("benches.engines", subject, str(seconds), profile=file)
        pstats.Stats(str(file), stream=sys.stdout).strip_dirs().sort_stats("tottime").print_stats(LINES)
