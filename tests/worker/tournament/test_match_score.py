"""When a match of several deals is over, whatever order its deals are counted in."""

import itertools

import pytest

from carico.rules.match_form import MatchForm
from worker.tournament.match_score import MatchScore

A, B, TIE = (0,), (1,), ()
BEST_OF_3 = MatchForm(3, 2)
FIRST_TO_2 = MatchForm(5, 2)
THREE_DEALS = MatchForm(3, None)


def over_after(form: MatchForm | None, winners: list[tuple[int, ...]]) -> bool:
    """Whether the match is over after these deals; fails where their order of arrival matters."""
    said = set()
    for order in itertools.permutations(enumerate(winners)):
        score = MatchScore(form)
        for deal, won in order:
            score.add(deal, won)
        said.add(score.over)
    (over,) = said
    return over


@pytest.mark.parametrize(
    ("form", "winners", "over"),
    [
        (None, [], False),
        (None, [TIE], True),
        (BEST_OF_3, [A], False),
        (BEST_OF_3, [A, A], True),
        (BEST_OF_3, [A, B], False),
        (BEST_OF_3, [A, TIE], False),
        (BEST_OF_3, [A, TIE, TIE], True),
        (FIRST_TO_2, [A, B, TIE, TIE], False),
        (FIRST_TO_2, [A, B, TIE, B], True),
        (FIRST_TO_2, [A, TIE, TIE, TIE, TIE], True),
        (THREE_DEALS, [A, A], False),
        (THREE_DEALS, [A, A, A], True),
    ],
)
def test_when_it_is_over(form: MatchForm | None, winners: list[tuple[int, ...]], over: bool) -> None:
    assert over_after(form, winners) is over


def test_a_missing_deal_keeps_it_open() -> None:
    score = MatchScore(BEST_OF_3)
    score.add(0, A)
    score.add(2, A)
    assert not score.over, "deal 1 has not come yet, although two are won"
    score.add(1, B)
    assert score.over


def test_all_seats_of_a_side_win_one_deal() -> None:
    score = MatchScore(BEST_OF_3)
    for deal in range(2):
        score.add(deal, (1, 3))
    assert score.over


def test_how_many_deals_it_may_come_to() -> None:
    score = MatchScore(FIRST_TO_2)
    assert score.most == 5
    score.add(0, A)
    score.add(1, A)
    assert score.most == 2
