from fractions import Fraction

from worker.tournament.tie_breaks import direct_encounter, per_deal, positions, share


def test_shares_and_differences_are_exact_and_0_without_deals() -> None:
    assert share(1, 3) == Fraction(1, 6)
    assert share(0, 0) == per_deal(0, 0) == 0
    assert per_deal(-10, 4) == Fraction(-5, 2)
    # these two are one and the same floating-point number
    assert share(10**17 + 1, 10**17) > share(10**17, 10**17)


def test_positions_are_shared_and_the_next_one_is_left_out() -> None:
    a, b, c = (Fraction(2), Fraction(1)), (Fraction(2), Fraction(0)), (Fraction(1), Fraction(9))
    assert positions([a, a, b]) == [1, 1, 3]
    assert positions([c, a, b, a, c]) == [4, 1, 3, 1, 4]
    assert positions([]) == []


def test_the_direct_encounter_is_among_exactly_the_tied() -> None:
    # 0 and 1 have 2 match points, 2 has 4; 1 beat 0, what they took from 2 does not matter
    met = [((1, 0), (2, 0)), ((0, 2), (2, 0)), ((2, 1), (2, 0))]
    assert direct_encounter({0: 2, 1: 2, 2: 4}, met) == {0: 0, 1: 2, 2: 0}


def test_the_direct_encounter_is_not_used_where_two_met_more_often_than_others() -> None:
    # 0 and 1 met twice, each met 2 once
    met = [((0, 1), (2, 0)), ((1, 0), (1, 1)), ((0, 2), (0, 2)), ((1, 2), (2, 0))]
    assert direct_encounter({0: 3, 1: 3, 2: 3}, met) == {0: 0, 1: 0, 2: 0}
    # the same fixtures with 2 out of the tie: 0 and 1 met equally often, twice
    assert direct_encounter({0: 3, 1: 3, 2: 2}, met) == {0: 3, 1: 1, 2: 0}
