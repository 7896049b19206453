"""Paces for tests that are about something else."""

from collections.abc import Iterable

from worker.pace import Bot, Pace


class AllAtOnce(Pace):
    """Every bot has time for everything."""

    def at_once(self, bots: Iterable[Bot], action_limit_ms: int) -> int:
        return 1_000


class OneAfterTheOther(Pace):
    """Every bot is slow."""

    def at_once(self, bots: Iterable[Bot], action_limit_ms: int) -> int:
        return 1
