"""All villains that sit down at a table, and what each of them may lose by."""

from collections.abc import Mapping
from typing import Final

from tests.kit import line_villains, villains
from tests.kit.raw_bots import RawBot

ILLEGAL, PROTOCOL, TIME, AWAY = "ILLEGAL_ACTION", "PROTOCOL", "TIME_FORFEIT", "DISCONNECT"

CAST: Final[Mapping[type[RawBot], frozenset[str]]] = {
    **dict.fromkeys(villains.ILLEGAL, frozenset({ILLEGAL})),
    **dict.fromkeys(villains.BREAKERS, frozenset({PROTOCOL})),
    **dict.fromkeys([*villains.HARMLESS, *villains.QUIET], frozenset({""})),
    villains.Guesser: frozenset({ILLEGAL, PROTOCOL}),  # with many seats its guesses are a flood
    villains.Swapper: frozenset({PROTOCOL, TIME}),  # its partner's seat is at fault, and then its own asks stay open
    villains.Mixer: frozenset({PROTOCOL, ILLEGAL}),
    villains.Repeater: frozenset({PROTOCOL}),
    villains.Sleeper: frozenset({TIME}),
    villains.Whale: frozenset({AWAY}),
    villains.Leviathan: frozenset({AWAY}),
    **dict.fromkeys(line_villains.LEAVERS, frozenset({AWAY})),
    **dict.fromkeys(line_villains.COMERS, frozenset({TIME, AWAY, ""})),
    line_villains.Deaf: frozenset({TIME}),
}
"""By villain, the reasons; the empty one stands for no fault at all."""

STALLERS: Final = frozenset(kind for kind, reasons in CAST.items() if reasons & {TIME, AWAY})
"""Only time puts an end to what they do."""
