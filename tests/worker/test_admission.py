"""Who is let into a season whose entry is open."""

from dataclasses import replace

import pytest

from carico.rules.game import game
from worker.admission import MOST_BOTS_OF_AN_OWNER, MOST_ENTRANTS, MOST_VERSIONS, admit, welcome
from worker.store.memory import MemoryStore
from worker.tournament.document import SeasonDocument
from worker.tournament.entrants import Entrant
from worker.tournament.fixtures import Fixture
from worker.tournament.season import SeasonSpec

NEW = Entrant("new", "1", "ann")


def test_a_newcomer_is_welcome_once() -> None:
    assert welcome(NEW, [])
    assert welcome(NEW, [Entrant("other", "1", "ann"), Entrant("new", "0", "ann")])
    assert not welcome(NEW, [NEW])


@pytest.mark.parametrize(
    "there",
    [
        [Entrant("new", f"0.{i}", "ann") for i in range(MOST_VERSIONS)],
        [Entrant(f"bot-{i}", "1", "ann") for i in range(MOST_BOTS_OF_AN_OWNER)],
        [Entrant(f"bot-{i}", "1", f"owner-{i}") for i in range(MOST_ENTRANTS)],
    ],
)
def test_nobody_takes_all_of_it(there: list[Entrant]) -> None:
    assert not welcome(NEW, there)
    assert welcome(NEW, there[1:])


def test_at_tables_of_three_newcomers_meet_all_but_their_owners_bots_once_there_are_owners_enough() -> None:
    store = MemoryStore(lambda: 0)
    spec = SeasonSpec("s", game("briscola-3"), entry="open", deal_sets=2, chunk=1)
    store.create("s", SeasonDocument(spec, bytes(32)).to_json(), [], [], [], open_entry=True)
    (season,) = store.seasons()
    for bot, owner in (("a1", "ann"), ("a2", "ann"), ("b1", "bob")):
        assert admit(store, season, Entrant(bot, "1", owner))
    assert store.fixtures("s") == []  # two owners fill no table
    assert admit(store, season, Entrant("c1", "1", "cid"))
    assert {f.entrants for f in map(_sorted, store.fixtures("s"))} == {(0, 2, 3), (1, 2, 3)}
    assert admit(store, season, Entrant("a3", "1", "ann"))
    assert admit(store, season, Entrant("a1", "2", "ann"))  # the new version of a bot: the old one is gone
    new = [set(f.entrants) for f in store.fixtures("s")[2:]]
    assert new == [{2, 3, 4}, {2, 3, 5}]
    assert [(f.first_set, f.sets) for f in store.fixtures("s")] == [(0, 2), (2, 2), (4, 2), (6, 2)]


def _sorted(fixture: Fixture) -> Fixture:
    return replace(fixture, entrants=tuple(sorted(fixture.entrants)))
