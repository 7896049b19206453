"""The bench of the arena: engines against peers, each alone in a process on one core."""

from typing import Final

from benches.processes import ROOT, run
from benches.rounds import Bench, Comparison, Measure, Missing, Values

GAMES: Final = "games/s"
ACTIONS: Final = "actions/s"

ACTIONS_A_GAME: Final = 40
"""Of two-player Briscola, always."""

ENGINE_NAMES: Final = ("naipes", "arena", "arena-house", "rules")
"""The engines that ``benches.engines`` knows."""

PEERS: Final = ROOT / ".tools" / "peers" / "bin" / "python"
"""Made by ``./dev bench`` from benches/peers.lock."""


def engine(name: str) -> Measure:
    """An engine in a process of its own."""

    def measure(seconds: float) -> Values:
        games: float = run("benches.engines", name, str(seconds))[GAMES]
        return {GAMES: games, ACTIONS: games * ACTIONS_A_GAME}

    return measure


def open_spiel(seconds: float) -> Values:
    """The C++ loop of open_spiel. Raises Missing."""
    if not PEERS.exists():
        raise Missing("open_spiel is not installed")
    values: Values = run("benches.spiel", str(seconds), python=PEERS)
    return values


ARENA: Final = Bench(
    "arena",
    {**{name: engine(name) for name in ENGINE_NAMES}, "open-spiel": open_spiel},
    (
        Comparison("arena", "naipes", GAMES, "at least 1.5, better 4"),
        Comparison("arena-house", "naipes", GAMES),
        Comparison("rules", "naipes", GAMES, "at least 3, better 10"),
        Comparison("arena", "open-spiel", ACTIONS, "better 1.0"),
        Comparison("rules", "open-spiel", ACTIONS),
    ),
)
