"""Random against random at two-player Briscola, in this process: ``python -m benches.engines NAME SECONDS``.

Prints one JSON object with games per second of CPU time.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping
from random import getrandbits, random, shuffle
from typing import Final

from naipes.games.brisca.state import GameState

from carico import Action, Bot, Card, View
from carico.arena import Entrant, play_deals
from carico.record import SeatName
from carico.rules.deal import Deal
from carico.rules.game import game
from clients.bots.random_bot import RandomBot

BRISCOLA: Final = game("briscola-2")


class AnyCard(Bot):
    """Any card, from the process's own generator: as little work as a bot can do."""

    def act(self, view: View) -> Card | Action:
        """Any legal action."""
        legal = view.legal
        return legal[int(random() * len(legal))]


def naipes() -> Callable[[], object]:
    """Games of naipes, both seats at random."""

    def play() -> None:
        state = GameState.new(getrandbits(60) + 1)
        while not state.is_finished():
            player = state.leader if state.pending_leader is None else state.pending_leader.other()
            state.play_card(player, int(random() * len(state.hand_of(player))))

    return play


def rules() -> Callable[[], object]:
    """Deals of carico.rules alone: what a search bot's play-outs cost."""
    pack = list(BRISCOLA.pack)

    def play() -> None:
        shuffle(pack)
        deal = Deal(BRISCOLA, 0, bytes(pack))
        while not deal.over:
            legal = deal.legal()
            deal.apply(legal[int(random() * len(legal))])

    return play


def arena(bot: type[Bot]) -> Callable[[], object]:
    """Deals of carico.arena: decks as in a season, the referee's match machine, a View for each decision."""
    entrants = [Entrant(SeatName(name, "1", name), bot) for name in ("one", "two")]
    deals = play_deals(BRISCOLA, entrants, range(1 << 60), seed=1)
    return lambda: next(deals)


ENGINES: Final[Mapping[str, Callable[[], Callable[[], object]]]] = {
    "naipes": naipes,
    "rules": rules,
    "arena": lambda: arena(AnyCard),
    "arena-house": lambda: arena(RandomBot),
}
"""Engine -> what makes a function that plays one game of it."""


def games_per_second(play: Callable[[], object], seconds: float) -> float:
    """Games per second of CPU time, over about so many seconds of it; the first games are not counted."""
    for _ in range(20):
        play()
    games, start = 0, time.process_time()
    while (used := time.process_time() - start) < seconds or not games:
        for _ in range(10):
            play()
        games += 10
    return games / used


if __name__ == "__main__":
    print(json.dumps({"games/s": games_per_second(ENGINES[sys.argv[1]](), float(sys.argv[2]))}))
