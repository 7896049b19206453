"""How many matches of a chunk are begun at once, so that no bot's flag falls for want of a turn.

A bot that thinks in one line is asked by many matches at once and answers one after the other; the clock of each counts
the whole queue. So a chunk begins with one match, and goes on with as many as the slower entrant has time for.
"""

from collections.abc import Iterable
from typing import Final

from carico.record import DealLog

SHARE: Final = 4
"""Matches at once fill at most this part (1/SHARE) of the action limit: other chunks may ask the same bot."""

Bot = tuple[str, str]
"""(bot, version)."""


class Pace:
    """What one process has seen of how fast bots answer."""

    def __init__(self) -> None:
        self._used_ms: dict[Bot, float] = {}

    def learn(self, seats: Iterable[Bot], deals: Iterable[DealLog]) -> None:
        """Takes the mean time of each seat's own actions in these deals as that of its bot."""
        seated = list(seats)
        for deal in deals:
            by_stand_in = set(deal.stand_in)
            for seat, bot in enumerate(seated):
                used = [
                    clock[0]
                    for place, ((acted, _), clock) in enumerate(zip(deal.actions, deal.clock, strict=True))
                    if acted == seat and place not in by_stand_in
                ]
                if used:
                    self._used_ms[bot] = sum(used) / len(used)

    def at_once(self, bots: Iterable[Bot], action_limit_ms: int) -> int:
        """How many matches of these bots may begin together, at least 1."""
        slowest = max((self._used_ms.get(bot, float("inf")) for bot in bots), default=float("inf"))
        return max(1, int(action_limit_ms / (SHARE * max(1.0, slowest))))
