"""The games there are: for each variant and number of players what the rules fix (rules.md section 1).

Which options a game takes follows from what it has. All take ``deal`` and ``match``. Where cards are drawn there are
``hand`` and ``open``; where there is an upcard ``upcard``; at Brisca the two of the exchange; at Chiamata those of
auction and scores, and no ``open``, since the partner is to stay unknown. ``partners`` needs sides, ``pack`` a choice
of packs (Brisca for three and six), ``missing`` a pack of 39. What could change nothing is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from carico.rules import cards


@dataclass(frozen=True, slots=True)
class Seating:
    """What the rules fix for one variant and number of players."""

    players: int
    packs: tuple[int, ...]
    """Sizes of pack that can be chosen, the default first."""
    hand: int
    """Cards in a full hand, unless the option ``hand`` says otherwise."""
    sides: bool
    """Whether the seats play in two sides, in turn; else each is alone, or sides are made by the auction."""
    upcard: bool
    """Whether a card is turned up and names trumps."""
    options: tuple[str, ...]
    """The options it takes, in the order of the record format."""


def _seating(
    players: int, packs: tuple[int, ...], *middle: str, hand: int = 3, upcard: bool = True, draws: bool = True
) -> Seating:
    sides = players in (4, 6)
    options = ["hand"] if draws else []
    options += ["deal", "upcard"] if upcard else ["deal"]
    options += middle
    options += ["open"] if draws else []
    options += ["partners"] if sides else []
    options += ["pack"] if len(packs) > 1 else []
    options += ["missing"] if 39 in packs else []
    return Seating(players, packs, hand, sides, upcard, (*options, "match"))


_EXCHANGE: Final = ("exchange_margin", "exchange_max")
_AUCTION: Final = ("auction", "forced_last", "chiamata_lead", "tie60", "capot", "multipliers")

VARIANTS: Final[Mapping[str, Mapping[int, Seating]]] = MappingProxyType(
    {
        "briscola": {
            2: _seating(2, (40,)),
            3: _seating(3, (39,)),
            4: _seating(4, (40,)),
            6: _seating(6, (36,)),
        },
        "briscolone": {2: _seating(2, (40,), hand=5, upcard=False)},
        "chiamata": {5: _seating(5, (40,), *_AUCTION, hand=8, upcard=False, draws=False)},
        "brisca": {
            2: _seating(2, (40,), *_EXCHANGE),
            3: _seating(3, (36, 39), *_EXCHANGE),
            4: _seating(4, (40,), *_EXCHANGE),
            5: _seating(5, (40,), *_EXCHANGE),
            6: _seating(6, (36, 48), *_EXCHANGE),
        },
    }
)
"""The variants, with their numbers of players. Five players at Briscola always means Chiamata."""


def pack_of(size: int, missing: str) -> bytes:
    """The pack of 36 (no twos), 39 (the two ``missing`` is out), 40, or 48 cards (with eights and nines)."""
    return cards.pack(without={36: "2C2D2S2B", 39: missing}.get(size, ""), long=size == 48)
