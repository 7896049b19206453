"""How many matches begin at once."""

from carico.record import DealLog
from worker.pace import Pace

A, B = ("a", "1"), ("b", "1")


def deal(*used: int, stand_in: tuple[int, ...] = ()) -> DealLog:
    """A deal in which seats 0 and 1 act in turn and use so many ms."""
    actions = [(place % 2, 0) for place in range(len(used))]
    return DealLog(actions, [(ms, 0, 60_000) for ms in used], stand_in, [])


def test_an_unknown_bot_begins_with_one_match() -> None:
    pace = Pace()
    assert pace.at_once([A, B], 5_000) == 1
    pace.learn([A, B], [deal(1)])
    assert pace.at_once([A, B], 5_000) == 1, "b has not answered yet"


def test_the_slower_of_them_sets_the_pace_with_a_quarter_of_the_action_limit() -> None:
    pace = Pace()
    pace.learn([A, B], [deal(1, 100, 3, 300)])
    assert pace.at_once([A, B], 5_000) == 5_000 // (4 * 200)
    assert pace.at_once([A], 5_000) == 5_000 // (4 * 2)
    assert pace.at_once([B], 100) == 1


def test_a_bot_that_answers_at_once_is_asked_by_all() -> None:
    pace = Pace()
    pace.learn([A, B], [deal(0, 0, 0, 0)])
    assert pace.at_once([A, B], 5_000) == 1_250


def test_what_the_stand_in_did_says_nothing_of_the_bot() -> None:
    pace = Pace()
    pace.learn([A, B], [deal(10, 400, 10, 0, 10, 0, stand_in=(3, 5))])
    assert pace.at_once([B], 5_000) == 5_000 // (4 * 400)


def test_what_was_seen_last_counts() -> None:
    pace = Pace()
    pace.learn([A, B], [deal(1_000, 1), deal(10, 1)])
    assert pace.at_once([A, B], 5_000) == 5_000 // (4 * 10)
