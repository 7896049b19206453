"""How many deals make a match (rules.md section 7): the option ``match`` as a value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

MOST_DEALS: Final = 1000
"""The most deals that a match may be given."""


@dataclass(frozen=True, slots=True)
class MatchForm:
    """When a match of several deals is over. Ties and passed-out deals are played, and won by nobody."""

    most_deals: int
    """Deals after which the match is over in any case, 1 to 1000."""
    wins: int | None
    """Deals that a side has to win to have won the match at once; None where all the deals are played."""

    def decided(self, deals: int, most_won: int) -> bool:
        """Whether the match is over after so many deals, ``most_won`` of them won by the side that won most."""
        return deals >= self.most_deals or (self.wins is not None and most_won >= self.wins)


def match_form(value: Any, chiamata: bool) -> MatchForm:
    """The form that a value of the option names. Raises ValueError with the mend, as the end of a sentence.

    ``{"best_of": m}`` is over when a side has won more than half of m deals, or after m; ``{"first_to": w, "cap": c}``
    when a side has won w, or after c; ``{"deals": k}`` after k. At Chiamata, where nobody wins deals, only a number of
    deals is a form, a multiple of five so that everybody deals equally often; a single deal is no match.
    """
    shape = dict(value) if isinstance(value, Mapping) else {}
    good = all(type(number) is int and 1 <= number <= MOST_DEALS for number in shape.values())
    match good, shape:
        case True, {"deals": k, **rest} if not rest and not (chiamata and k % 5):
            return MatchForm(k, None)
        case True, {"best_of": m, **rest} if not rest and not chiamata:
            return MatchForm(m, m // 2 + 1)
        case True, {"first_to": w, "cap": c, **rest} if not rest and not chiamata and w <= c:
            return MatchForm(c, w)
    if chiamata:
        raise ValueError(f'write {{"deals": k}} with k a multiple of 5, at most {MOST_DEALS}')
    raise ValueError(
        f'write {{"best_of": m}}, {{"first_to": w, "cap": c}} with w at most c, or {{"deals": k}}, '
        f"in whole numbers from 1 to {MOST_DEALS}"
    )
