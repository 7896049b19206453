"""How a match stands: one deal or several, by the game's option ``match`` (rules.md section 7)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from carico.rules.match_form import MatchForm


@dataclass(slots=True)
class MatchScore:
    """The deals of one match that were counted so far, in any order."""

    form: MatchForm | None
    """None where a match is one deal."""
    deals: int = 0
    last: int = -1
    """The highest number of a deal that is counted."""
    won: Counter[int] = field(default_factory=Counter)
    """Deals won, by the first seat of the side; a tie is won by nobody."""

    def add(self, deal: int, winners: Sequence[int]) -> None:
        """Count one more deal, by its number from 0."""
        self.deals += 1
        self.last = max(self.last, deal)
        if winners:
            self.won[min(winners)] += 1

    @property
    def over(self) -> bool:
        """Whether it is decided, or has all its deals, and no deal is missing."""
        if self.deals == 0 or self.deals <= self.last:
            return False
        return self.form is None or self.form.decided(self.deals, max(self.won.values(), default=0))

    @property
    def most(self) -> int:
        """How many deals it may come to: as many as it has, once it is over."""
        return self.deals if self.over or self.form is None else self.form.most_deals
