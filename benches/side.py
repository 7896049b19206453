"""One of several processes that play side by side: ``python -m benches.side NAME SECONDS``, NAME being an engine.

It gets ready, prints a line and waits for one on standard input, so that all begin together. Then it prints one JSON
object with games per second, not of CPU time but of the clock.
"""

import json
import sys
import time

from benches.engines import ENGINES


def main(name: str, seconds: float) -> dict[str, float]:
    """Plays for so many seconds once it is told to."""
    play = ENGINES[name]()
    for _ in range(20):
        play()
    print("ready", flush=True)
    sys.stdin.readline()
    games, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        for _ in range(10):
            play()
        games += 10
    return {"games/s": games / (time.perf_counter() - start)}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], float(sys.argv[2]))))
