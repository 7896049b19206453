"""Who is let into a season whose entry is open."""

import pytest

from worker.admission import MOST_BOTS_OF_AN_OWNER, MOST_ENTRANTS, MOST_VERSIONS, welcome
from worker.tournament.entrants import Entrant

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
