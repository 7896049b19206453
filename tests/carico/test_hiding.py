"""States that are equal for a viewer give it equal bytes: asks of every game, in snapshots and in deltas.

A deal is walked at random. At each step cards that a viewer may not know change places, and what the viewer would be
sent of both truths is compared. ``./dev soak tests/carico/test_hiding.py`` does it with 100,000 states a game and mode.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from carico.codec import PHASES, write_change, write_view
from carico.rules.deal import NOBODY, Deal
from carico.rules.game import Game, game, game_names
from carico.rules.view import View, view
from carico.v1 import bots_pb2 as pb
from tests.kit.deals import EVERY, new_deal, some_action
from tests.kit.relabelled import renamed, renaming

STATES = [
    pytest.param(1_000, id="short"),
    pytest.param(100_000, id="long", marks=[pytest.mark.soak, pytest.mark.timeout(3600)]),
]

SIDES = [name for name in game_names() if name[-1] in "46"]
BRISCA = [name for name in game_names() if name.startswith("brisca-")]
DRAWING = [name for name in game_names() if name != "chiamata-5"]

MODES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in EVERY),
    *((name, {"open": True}) for name in DRAWING),
    *((name, {"partners": when}) for name in SIDES for when in ("start", "last3")),
    *((name, {"exchange_margin": 0}) for name in BRISCA),
    *((name, {"exchange_margin": None}) for name in BRISCA),
    ("brisca-4", {"partners": "last3", "exchange_margin": 0}),
    ("brisca-6", {"pack": 48, "exchange_max": 1, "exchange_margin": 0, "partners": "start"}),
    ("briscola-4", {"hand": 5, "upcard": "bottom", "deal": "packet", "partners": "last3"}),
    ("chiamata-5", {"auction": "points"}),
    ("chiamata-5", {"chiamata_lead": "caller", "forced_last": True}),
]
"""Games with each option that changes what is seen, and some of them together."""


def ask(deal: Deal, seat: int, number: int, known: View | None) -> tuple[View, bytes]:
    """The ask as it is sent to the seat, with the view in it; in deltas where it was asked before."""
    seen = view(deal, seat)
    message = pb.Ask(match="0123456789abcdef", seat=seat, number=number)
    if deal.phase != "play":
        message.phase = PHASES[deal.phase]
    if known is None:
        write_view(seen, message.view)
    else:
        write_change(seen, known, message.change)
    return seen, message.SerializeToString(deterministic=True)


def differ_in(one: Deal, two: Deal) -> set[str]:
    """In what of that which is hidden two truths differ."""
    found = set()
    if one.hands != two.hands:
        found.add("hands")
    if one.stock and one.source != two.source:
        found.add("sources")
    if getattr(one, "partner", NOBODY) != getattr(two, "partner", NOBODY):
        found.add("partner")
        if NOBODY in (one.partner, two.partner):  # type: ignore[attr-defined]
            found.add("alone")
    if one.phase == "exchange" and len(one.legal()) != len(two.legal()):
        found.add("exchange")
    return found


@dataclass
class Walk:
    """Random deals of a game, each state looked at by the seat that is asked and by another one."""

    what: Game
    rng: Random
    states: int = 0
    differed: dict[str, int] = field(default_factory=dict)
    """How often the two truths differed in what."""

    def go(self, states: int) -> None:
        while self.states < states:
            self._deal()

    def _deal(self) -> None:
        what, rng = self.what, self.rng
        deal = new_deal(what, rng)
        last: list[Deal | None] = [None] * what.players
        numbers = [0] * what.players
        while not deal.over:
            seat = deal.to_act
            numbers[seat] += 1
            self._compare(deal, seat, numbers[seat], last[seat])
            # More looks where a hand decides what can be answered than elsewhere.
            for other in [*range(what.players)] * 5 if deal.phase == "exchange" else (rng.randrange(what.players),):
                if other != seat:
                    self._compare(deal, other, numbers[other], last[other])
            last[seat] = deal.copy()
            deal.apply(some_action(deal, rng))

    def _compare(self, deal: Deal, viewer: int, number: int, before: Deal | None) -> None:
        table = renaming(deal, viewer, self.rng)
        other = renamed(deal, table)
        self.states += 1
        mine, whole = ask(deal, viewer, number, None)
        yours, other_whole = ask(other, viewer, number, None)
        assert whole == other_whole, (deal.source, other.source, viewer)
        if before is not None:
            known, other_known = view(before, viewer), view(renamed(before, table), viewer)
            assert ask(deal, viewer, number, known)[1] == ask(other, viewer, number, other_known)[1]
        if deal.to_act == viewer:
            assert mine.legal == yours.legal
        assert mine.digest() == yours.digest()
        for what in differ_in(deal, other):
            self.differed[what] = self.differed.get(what, 0) + 1


@pytest.mark.parametrize("states", STATES)
@pytest.mark.parametrize(("name", "options"), MODES, ids=str)
def test_states_that_are_equal_for_a_viewer_give_it_equal_bytes(
    name: str, options: dict[str, Any], states: int
) -> None:
    what = game(name, options)
    walk = Walk(what, Random(f"{name}{options}"))
    walk.go(states)
    least = {"hands": 0.4}
    if what.draw_rounds and not what.open:
        least["sources"] = 0.15
    if what.auction is not None:
        least |= {"partner": 0.15, "alone": 0.04}
    if what.exchange_margin is not None and not what.open:
        least["exchange"] = 0.004
    for kind, part in least.items():
        assert walk.differed.get(kind, 0) > part * walk.states, (kind, walk.differed, walk.states)


@pytest.mark.parametrize("name", EVERY)
def test_a_renamed_deal_is_one_that_could_have_been_dealt(name: str) -> None:
    """The quick way of dealing anew, held against playing the same course on the other source from its beginning."""
    what, rng = game(name), Random(name)
    for _ in range(40):
        deal, course = new_deal(what, rng), []
        for _ in range(rng.randrange(len(what.pack) + 10)):
            if deal.over:
                break
            course.append(some_action(deal, rng))
            deal.apply(course[-1])
        twin = renamed(deal, renaming(deal, rng.randrange(what.players), rng))
        again = Deal(what, deal.dealer, twin.source)
        for action in course:
            again.apply(action)
        assert again.hands == twin.hands
        assert (again.phase, again.to_act, again.played) == (twin.phase, twin.to_act, twin.played)
        assert (again.upcard, again.auction, again.exchanges) == (twin.upcard, twin.auction, twin.exchanges)
        if not deal.over:
            assert getattr(again, "partner", None) == getattr(twin, "partner", None)
