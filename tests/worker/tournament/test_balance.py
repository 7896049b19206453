from carico.rules.game import game
from worker.tournament.balance import Range, balance
from worker.tournament.fixtures import Fixture
from worker.tournament.schedule import round_robin, scheduled

THREE = game("briscola-3").places
FOUR = tuple((seat,) for seat in range(4))


def test_the_fano_plane() -> None:
    found = balance(round_robin(7, 3, 1, 4), list("abcdefg"), THREE)
    assert (found.fixtures, found.meetings, found.kept_apart, found.seats) == (Range(3, 3), Range(1, 1), 0, 0)
    assert found.byes == Range(found.rounds - 3, found.rounds - 3)
    assert found.plays_after == Range(0, 1)
    assert (found.partners, found.opponents) == (None, None)


def test_what_is_uneven_is_told() -> None:
    fixtures = [Fixture(0, 0, 0, (0, 1, 2), 0, 2), Fixture(1, 1, 0, (0, 1, 3), 2, 1)]
    found = balance(fixtures, list("abcd"), THREE)
    assert (found.rounds, found.fixtures, found.byes) == (2, Range(1, 2), Range(0, 1))
    assert (found.meetings, found.plays_after) == (Range(0, 2), Range(0, 2))
    assert str(found.meetings) == "0 to 2"
    assert str(Range(3, 3)) == "3"


def test_rotating_partners() -> None:
    found = balance(scheduled(list("abcde"), 4, 1, 2, rotating=True), list("abcde"), FOUR, rotating=True)
    assert (found.partners, found.opponents, found.seats) == (Range(1, 1), Range(2, 2), 0)
    assert (found.rounds, found.byes) == (5, Range(1, 1))


def test_two_sides_and_nothing_at_all() -> None:
    found = balance(round_robin(5, 2, 2, 3), list("aabbc"), game("briscola-4").places)
    assert (found.meetings, found.kept_apart, found.byes, found.seats) == (Range(2, 2), 0, Range(2, 2), 0)
    assert found.plays_after is None
    assert balance([], [], THREE).meetings == Range(0, 0)


def test_bots_of_one_owner_are_counted_apart() -> None:
    found = balance(scheduled(list("aabbcc"), 3, 1, 1), list("aabbcc"), THREE)
    assert (found.meetings, found.kept_apart) == (Range(1, 1), 3)
    assert found.to_json()["meetings"] == {"least": 1, "most": 1}
