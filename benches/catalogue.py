"""The benches by name: what is compared with what, and what each should reach, stands in the module of each."""

from collections.abc import Mapping
from typing import Final

from benches.arena import ARENA
from benches.coalesced import COALESCED
from benches.commits import COMMITS
from benches.first_card import FIRST_CARD
from benches.idle import IDLE
from benches.referees import REFEREE
from benches.rounds import Bench
from benches.season import SEASON
from benches.twins import TWINS

BENCHES: Final[Mapping[str, Bench]] = {
    bench.name: bench for bench in (REFEREE, COALESCED, ARENA, SEASON, COMMITS, TWINS, IDLE, FIRST_CARD)
}
