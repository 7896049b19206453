"""What the sweeper of one worker did."""

from dataclasses import dataclass


@dataclass(slots=True)
class Sweeps:
    """Counts of one process. The thread of the sweeper writes them, another may read them at any time."""

    done: int = 0
    failed: int = 0
