"""What an audit says."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from worker.store.values import Status
from worker.tournament.rows import Row


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not agree."""

    area: str
    """``ledger``, ``records``, ``voids``, ``decks``, ``chunks``, ``closures``, ``table`` or ``store``."""
    text: str
    """What does not agree with what, in one sentence."""


@dataclass(frozen=True, slots=True)
class VoidLine:
    """A void attempt, as it is told to everybody."""

    deal_set: int
    attempt: int
    reason: str
    led: str
    """Who had captured more card points when it became void, by how many; empty where nothing is known of it."""


@dataclass(slots=True)
class Report:
    """An audit's result."""

    season: str
    status: Status
    findings: list[Finding] = field(default_factory=list)
    deals: int = 0
    """Deals that count."""
    verified: int = 0
    """Records that were played again, those of void attempts included."""
    voids: list[VoidLine] = field(default_factory=list)
    sets: int = 0
    """Deal sets with a result that counts."""
    rows: Sequence[Row] = ()
    """The table, from the records alone."""

    @property
    def clean(self) -> bool:
        """Whether all agrees."""
        return not self.findings

    @property
    def void_rate(self) -> float:
        """Void attempts in all attempts that came to something, 0 to 1."""
        return len(self.voids) / (len(self.voids) + self.sets) if self.voids else 0.0

    def say(self, area: str, text: str) -> None:
        """Notes a finding."""
        self.findings.append(Finding(area, text))
