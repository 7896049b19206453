"""open_spiel's own C++ loop on hearts, random bots in all seats: ``PYTHON -m benches.spiel SECONDS``.

It runs in an environment of its own (``./dev bench`` makes it from benches/peers.lock), so it imports nothing of this
project. Prints one JSON object with actions per second of CPU time; an action is a decision of a player, chance's are
none.
"""

import json
import sys
import time
from itertools import count

import pyspiel

SAMPLE = 100
"""Games whose actions are counted; they are between 52 and 64 in each."""


def main(seconds: float) -> dict[str, float]:
    """Plays for about so many seconds of CPU time."""
    game = pyspiel.load_game("hearts")
    seeds = count(1)

    def play() -> pyspiel.State:
        state, seed = game.new_initial_state(), next(seeds)
        bots = [pyspiel.make_uniform_random_bot(player, seed * 8 + player) for player in range(game.num_players())]
        pyspiel.evaluate_bots(state, bots, seed)
        return state

    actions = sum(step.player >= 0 for _ in range(SAMPLE) for step in play().full_history()) / SAMPLE
    games, start = 0, time.process_time()
    while (used := time.process_time() - start) < seconds or not games:
        for _ in range(10):
            play()
        games += 10
    return {"actions/s": actions * games / used, "actions/game": actions}


if __name__ == "__main__":
    print(json.dumps(main(float(sys.argv[1]))))
