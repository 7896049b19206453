"""Tables worked out by hand from standings.md; the numbers stand in the comments."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from carico.rules.game import game
from carico.rules.match_form import MatchForm
from worker.tournament.entrants import Entrant
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import COMPLETED, PASSED_OUT, DealResult, LedgerError, no_show, no_start
from worker.tournament.rows import Row, standings_json
from worker.tournament.standings import Table, standings

TWO = game("briscola-2").places
THREE = game("briscola-3").places
FOUR = game("briscola-4").places
SEATS = ((0,), (1,), (2,), (3,))

A, B, C, D, E, F = range(6)


def entrants(n: int) -> list[Entrant]:
    return [Entrant("abcdef"[i], "1", f"owner of {'abcdef'[i]}") for i in range(n)]


def meet(*pairs: tuple[int, ...], sets: int = 1) -> list[Fixture]:
    """A fixture for each pair, in rounds of their own."""
    return [Fixture(i, i, 0, pair, i * sets, sets) for i, pair in enumerate(pairs)]


def play(fixture: Fixture, *points: int, deal_set: int | None = None) -> list[DealResult]:
    """One deal set of a two-player fixture: the card points of its first entrant, deal by deal from seating 0."""
    return [
        result(fixture, (own, 120 - own) if seating == 0 else (120 - own, own), seating, deal_set)
        for seating, own in enumerate(points)
    ]


def result(
    fixture: Fixture,
    card_points: tuple[int, ...],
    seating: int = 0,
    deal_set: int | None = None,
    faulty: Sequence[int] = (),
) -> DealResult:
    """A deal between two seats or two sides of two, scored by the points; a faulty seat loses it for its side."""
    sides = [sum(card_points[0::2]), sum(card_points[1::2])]
    for seat in faulty:
        sides[seat % 2] = -1
    scores = [1, 1] if sides[0] == sides[1] else [2, 0] if sides[0] > sides[1] else [0, 2]
    if sides == [-1, -1]:
        scores = [0, 0]
    per_seat = tuple(scores) * (len(card_points) // 2)
    winners = tuple(seat for seat, score in enumerate(per_seat) if score == 2)
    number = fixture.first_set if deal_set is None else deal_set
    none = (0,) * len(card_points)
    return DealResult(
        number, fixture.number, seating, 0, 0, per_seat, card_points, winners, tuple(faulty), none, COMPLETED
    )


def order(rows: list[Row]) -> str:
    """The table as ``1a 1b 3c``."""
    return " ".join(f"{row.position}{row.bot}" for row in rows)


def row_of(rows: list[Row], bot: str) -> Row:
    return next(row for row in rows if row.bot == bot)


def test_every_column_of_a_fixture() -> None:
    # two sets; a's points: 70 in seat 0, won, 60 in seat 1, tied, 40 in seat 0, lost, 100 in seat 1, won: 270 of 480;
    # a's score 2 + 1 + 0 + 2 = 5, b's 3: the fixture is a's
    (fixture,) = meet((A, B), sets=2)
    ledger = play(fixture, 70, 60) + play(fixture, 40, 100, deal_set=1)
    assert standings(entrants(2), [fixture], TWO, ledger) == [
        Row(1, "a", "1", "owner of a", 1, 1, 0, 0, 2, 4, 2, 1, 1, 5, 0, 270, 210, 0, 0),
        Row(2, "b", "1", "owner of b", 1, 0, 0, 1, 0, 4, 1, 1, 2, 3, 0, 210, 270, 0, 0),
    ]


def test_match_points_come_first() -> None:
    # a wins narrowly against b and c: 4 match points with 3 + 3 of 8; b beats c 4-0 and has the better card points
    fixtures = meet((A, B), (A, C), (B, C))
    ledger = play(fixtures[0], 61, 60) + play(fixtures[1], 61, 60) + play(fixtures[2], 120, 120)
    rows = standings(entrants(3), fixtures, TWO, ledger)
    assert order(rows) == "1a 2b 3c"
    assert [(row.match_points, row.score) for row in rows] == [(4, 6), (2, 5), (0, 1)]


def test_a_fixture_of_equal_scores_is_drawn() -> None:
    # 2-2 by one deal each, though a has 120 + 10 = 130 card points to 110
    fixtures = meet((A, B))
    rows = standings(entrants(2), fixtures, TWO, play(fixtures[0], 120, 10))
    assert [(row.drawn, row.match_points, row.deals_won, row.deals_lost) for row in rows] == [(1, 1, 1, 1)] * 2


def test_direct_encounter_comes_before_the_share() -> None:
    fixtures = meet((B, A), (A, C), (C, D), (D, B), (A, D), (C, B))
    ledger = [
        *play(fixtures[0], 61, 60),  # b 3, a 1
        *play(fixtures[1], 61, 60),  # a 3, c 1
        *play(fixtures[2], 120, 120),  # c 4, d 0
        *play(fixtures[3], 61, 60),  # d 3, b 1
        *play(fixtures[4], 61, 60),  # a 3, d 1
        *play(fixtures[5], 120, 120),  # c 4, b 0
    ]
    rows = standings(entrants(4), fixtures, TWO, ledger)
    # a and c have 4 match points, a 1 + 3 + 3 = 7 and c 1 + 4 + 4 = 9 of 12, but a beat c;
    # b and d have 2, b 3 + 1 + 0 = 4 and d 0 + 3 + 1 = 4, and d beat b
    assert order(rows) == "1a 2c 3d 4b"
    assert [row.score for row in rows] == [7, 9, 4, 4]


def test_among_unequally_met_the_share_decides() -> None:
    fixtures = meet((A, B), (B, A), (B, C), (C, A), (B, D), (C, D))
    ledger = [
        *play(fixtures[0], 61, 60),  # a 3, b 1
        *play(fixtures[1], 59, 60),  # b 1, a 3
        *play(fixtures[2], 120, 120),  # b 4, c 0
        *play(fixtures[3], 120, 120),  # c 4, a 0
        *play(fixtures[4], 120, 120),  # b 4, d 0
        *play(fixtures[5], 61, 60),  # c 3, d 1
    ]
    rows = standings(entrants(4), fixtures, TWO, ledger)
    assert [row_of(rows, bot).match_points for bot in "abcd"] == [4, 4, 4, 0]
    # direct match points would be a 4, b 2, c 2; but a and b met twice, the others once.
    # shares: a 6/12 = 12/24, b 10/16 = 15/24, c 7/12 = 14/24
    assert order(rows) == "1b 2c 3a 4d"


def test_direct_encounter_is_not_repeated_for_those_it_leaves_tied() -> None:
    # among a, b, c, d: a beats b and c; b beats c and d; c beats d; d beats a: 4, 4, 2, 2.
    # outside: a and b lose to e and f; c beats e and loses to f; d beats f and loses to e: so all four have 4;
    # e beats a, b, d and f: 8; f beats a, b, c: 6
    fixtures = meet((A, B), (A, C), (B, C), (B, D), (C, D), (D, A), (E, A), (F, A), (E, B), (F, B), (C, E), (F, C))
    fixtures += [replace(fixture, number=i, first_set=i) for i, fixture in enumerate(meet((D, F), (E, D), (E, F)), 12)]
    narrow = {0, 1, 2, 4}  # a over b and c, b over c, c over d: won 3-1, all others 4-0
    ledger = [r for i, f in enumerate(fixtures) for r in (play(f, 61, 60) if i in narrow else play(f, 120, 120))]
    rows = standings(entrants(6), fixtures, TWO, ledger)
    assert [row_of(rows, bot).match_points for bot in "abcdef"] == [4, 4, 4, 4, 8, 6]
    # scores of 20: a 3 + 3 + 0 + 0 + 0 = 6, b 1 + 3 + 4 + 0 + 0 = 8, c 1 + 1 + 3 + 4 + 0 = 9, d 0 + 1 + 4 + 4 + 0 = 9
    assert [row_of(rows, bot).score for bot in "abcd"] == [6, 8, 9, 9]
    # a and b are left tied at 4: their share decides, b first, though a beat b; c and d at 2 with equal shares:
    # card points of 1200: c 59 + 60, 59 + 60, 61 + 60, 240, 0 = 599; d 0, 59 + 60, 240, 240, 0 = 599: a shared position
    assert order(rows) == "1e 2f 3b 4a 5c 5d"


def test_the_share_comes_before_the_card_points() -> None:
    # a beats b 4-0 by 61 and 61, b beats c 3-1 by 120 and 60, c beats a 3-1 by 61 and 60: 2 match points and 2 direct;
    # scores of 8: a 4 + 1 = 5, b 0 + 3 = 3, c 1 + 3 = 4, while b has the most card points
    fixtures = meet((A, B), (B, C), (C, A))
    ledger = play(fixtures[0], 61, 61) + play(fixtures[1], 120, 60) + play(fixtures[2], 61, 60)
    rows = standings(entrants(3), fixtures, TWO, ledger)
    assert order(rows) == "1a 2c 3b"
    assert [row_of(rows, bot).card_points_for for bot in "abc"] == [241, 298, 181]


def test_the_card_point_difference_per_deal_is_the_last_word() -> None:
    # drawn 2-2; a has 100 + 30 = 130 card points to 110
    fixtures = meet((B, A))
    assert order(standings(entrants(2), fixtures, TWO, play(fixtures[0], 20, 90))) == "1a 2b"


def test_the_difference_is_taken_per_deal() -> None:
    # a draws with c in 4 deals, b with d in 2: every share is 1/2, and the tied have not met equally often
    fixtures = [Fixture(0, 0, 0, (A, C), 0, 2), Fixture(1, 0, 0, (B, D), 2, 1)]
    ledger = play(fixtures[0], 100, 100) + play(fixtures[0], 30, 30, deal_set=1) + play(fixtures[1], 100, 35)
    # a 260 of 480 card points: 40 more than c, 10 a deal; b 135 of 240: 30 more than d, 15 a deal
    assert order(standings(entrants(4), fixtures, TWO, ledger)) == "1b 2a 3c 4d"


def test_equal_rows_share_a_position_and_are_listed_by_bot_then_version() -> None:
    fixtures = meet((A, B), (B, C), (C, A))
    # everybody beats the next 3-1 by 61 and 60
    ledger = [r for fixture in fixtures for r in play(fixture, 61, 60)]
    named = [Entrant("zeta", "1", "x"), Entrant("alpha", "2", "x"), Entrant("alpha", "10", "x")]
    rows = standings(named, fixtures, TWO, ledger)
    assert [(row.position, row.bot, row.version) for row in rows] == [
        (1, "alpha", "10"),
        (1, "alpha", "2"),
        (1, "zeta", "1"),
    ]


def test_two_first_places_are_followed_by_the_third() -> None:
    # a and b draw and both beat c 4-0
    fixtures = meet((A, B), (A, C), (B, C))
    ledger = play(fixtures[0], 60, 60) + play(fixtures[1], 80, 80) + play(fixtures[2], 80, 80)
    assert order(standings(entrants(3), fixtures, TWO, ledger)) == "1a 1b 3c"


def test_a_season_that_has_not_begun() -> None:
    rows = standings(entrants(2), meet((A, B)), TWO, [])
    assert rows[0] == Row(1, "a", "1", "owner of a", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    assert order(rows) == "1a 1b"


def test_in_a_running_season_deals_count_at_once_and_match_points_with_the_last_deal() -> None:
    (fixture,) = meet((A, B), sets=2)
    table = Table(entrants(2), [fixture], TWO)
    ledger = play(fixture, 70, 70) + play(fixture, 70, 10, deal_set=1)
    for deal in ledger[:3]:
        table.add(deal)
    a = row_of(table.rows(), "a")
    assert (a.deals, a.deals_won, a.score, a.card_points_for) == (3, 3, 6, 210)
    assert (a.fixtures, a.won, a.match_points) == (0, 0, 0)
    assert table.score(0).match_points is None
    assert table.add(ledger[3])
    a = row_of(table.rows(), "a")
    assert (a.deals, a.fixtures, a.won, a.match_points) == (4, 1, 1, 2)
    assert table.score(0).scores == [6, 2]


def test_matches_of_several_deals_are_complete_with_all_of_them() -> None:
    (fixture,) = meet((A, B))
    first = play(fixture, 70, 70)
    second = [replace(deal, deal=1) for deal in play(fixture, 50, 60)]
    rows = standings(entrants(2), [fixture], TWO, first + second[:1], form=MatchForm(2, None))
    assert row_of(rows, "a").fixtures == 0
    rows = standings(entrants(2), [fixture], TWO, first + second, form=MatchForm(2, None))
    assert (row_of(rows, "a").fixtures, row_of(rows, "a").score) == (1, 5)


def test_a_walkover_is_won_by_the_present_and_lost_by_the_absent() -> None:
    fixtures = meet((A, B), (B, A), (A, B))
    rows = standings(entrants(2), fixtures, TWO, [], [no_show(fixtures[0], [B]), no_show(fixtures[1], [B])])
    assert rows == [
        Row(1, "a", "1", "owner of a", 2, 2, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        Row(2, "b", "1", "owner of b", 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2),
    ]


def test_a_walkover_to_nobody_is_lost_by_both() -> None:
    fixtures = meet((A, B), (A, B))
    rows = standings(entrants(2), fixtures, TWO, [], [no_start(fixtures[0]), no_show(fixtures[1], [A, B])])
    assert [(r.position, r.fixtures, r.won, r.lost, r.match_points, r.walkovers) for r in rows] == [
        (1, 2, 0, 2, 0, 2)
    ] * 2


def test_a_walkover_counts_in_the_direct_encounter() -> None:
    # a and b have 2 each: b beat c 4-0 and has all of its score; a has no deals, but beat b, who was absent
    fixtures = meet((A, B), (B, C))
    rows = standings(entrants(3), fixtures, TWO, play(fixtures[1], 120, 120), [no_show(fixtures[0], [B])])
    assert order(rows) == "1a 2b 3c"


def test_deals_of_a_fixture_closed_after_it_began_stay_in_the_deal_columns() -> None:
    (fixture,) = meet((A, B), sets=2)
    rows = standings(entrants(2), [fixture], TWO, play(fixture, 70, 70), [no_start(fixture)])
    a = row_of(rows, "a")
    assert (a.fixtures, a.won, a.lost, a.match_points, a.walkovers) == (1, 0, 1, 0, 1)
    assert (a.deals, a.deals_won, a.score, a.card_points_for) == (2, 2, 4, 140)


def test_a_deal_with_a_fault_is_lost_and_a_forfeit_and_its_card_points_stay() -> None:
    (fixture,) = meet((A, B))
    # seating 0: a is at fault with 90 points; seating 1: both are at fault, 0-0
    ledger = [result(fixture, (90, 30), faulty=[0]), result(fixture, (50, 70), seating=1, faulty=[0, 1])]
    a, b = sorted(standings(entrants(2), [fixture], TWO, ledger), key=lambda row: row.bot)
    assert (a.deals_won, a.deals_tied, a.deals_lost, a.forfeits, a.score) == (0, 0, 2, 2, 0)
    assert (b.deals_won, b.deals_tied, b.deals_lost, b.forfeits, b.score) == (1, 0, 1, 1, 2)
    assert (a.card_points_for, a.card_points_against, b.lost, b.match_points) == (160, 80, 0, 2)


def test_a_side_of_two_seats_scores_once_and_captures_twice() -> None:
    (fixture,) = meet((A, B))
    # seating 0: a holds seats 0 and 2 with 40 + 30 points, and both seats of b are at fault, which is one forfeit;
    # seating 1: a holds seats 1 and 3 with 20 + 40, a tie
    ledger = [result(fixture, (40, 20, 30, 30), faulty=[1, 3]), result(fixture, (30, 20, 30, 40), seating=1)]
    table = Table(entrants(2), [fixture], FOUR)
    assert [table.add(deal) for deal in ledger] == [True, True]
    assert table.score(0).scores == [3, 1]
    a, b = table.rows()
    assert (a.bot, a.score, a.deals_won, a.deals_tied) == ("a", 3, 1, 1)
    assert (a.card_points_for, a.card_points_against) == (130, 110)
    assert (b.forfeits, b.deals_lost, b.deals_tied, b.score) == (1, 1, 1, 1)


def single(seating: int, scores: tuple[int, ...], points: tuple[int, ...], **changes: object) -> DealResult:
    winners = tuple(seat for seat, score in enumerate(scores) if score == 3)
    base = DealResult(0, 0, seating, 0, 0, scores, points, winners, (), (0, 0, 0), COMPLETED)
    return replace(base, **changes)  # type: ignore[arg-type]


def test_individuals_with_changing_partners_have_what_their_side_has_and_their_own_faults() -> None:
    # seating 0: a and c against b and d, 30 + 40 to 30 + 20; seating 1: d at seat 0 with b, and at fault
    fixture = Fixture(0, 0, 0, (A, B, C, D), 0, 1)
    ledger = [result(fixture, (30, 30, 40, 20)), result(fixture, (90, 5, 10, 15), seating=1, faulty=(0,))]
    rows = standings(entrants(4), [fixture], SEATS, ledger, sides=FOUR)
    assert order(rows) == "1a 1c 3b 3d"
    a, d = row_of(rows, "a"), row_of(rows, "d")
    assert (a.score, a.deals_won, a.card_points_for, a.card_points_against, a.forfeits) == (4, 2, 90, 150, 0)
    assert (d.score, d.deals_lost, d.card_points_for, d.card_points_against, d.forfeits) == (0, 2, 150, 90, 1)
    assert row_of(rows, "b").forfeits == 0  # its partner's fault lost it the deal
    assert (a.match_points, a.fixtures) == (None, None)


def test_of_changing_partners_the_difference_to_the_other_side_decides_among_equal_scores() -> None:
    # a and c win one deal 70 to 50, b and d one 90 to 30: b and d are 40 ahead
    fixture = Fixture(0, 0, 0, (A, B, C, D), 0, 1)
    ledger = [result(fixture, (70, 0, 0, 50)), result(fixture, (90, 0, 0, 30), seating=1)]
    assert order(standings(entrants(4), [fixture], SEATS, ledger, sides=FOUR)) == "1b 1d 3a 3c"


def test_single_players_are_ordered_by_score_per_deal() -> None:
    (fixture,) = meet((A, B, C))
    ledger = [
        single(0, (3, 0, 0), (50, 40, 30)),  # seats a b c
        single(1, (1, 1, 1), (45, 45, 30)),  # seats c a b: a shared top, 1 for everybody
        single(2, (0, 0, 0), (20, 40, 60), faulty=(0, 1, 2)),  # seats b c a: all at fault
    ]
    rows = standings(entrants(3), [fixture], THREE, ledger)
    # a 3 + 1 + 0 in 3 deals, b and c 0 + 1 + 0;
    # card points: a 50 + 45 + 60 = 155, b 40 + 30 + 20 = 90, c 30 + 45 + 40 = 115
    assert order(rows) == "1a 2c 3b"
    assert rows[0] == Row(1, "a", "1", "owner of a", None, None, None, None, None, 3, 1, 1, 1, 4, 0, 155, 205, 1, 0)


def test_penalties_are_taken_off_for_the_order_only() -> None:
    (fixture,) = meet((A, B, C))
    rows = standings(entrants(3), [fixture], THREE, [single(0, (3, 0, 0), (60, 50, 10), penalties=(4, 0, 0))])
    # a 3 - 4 = -1; b and c 0: own points minus the mean of the others': b 50 - 35 = 15, c 10 - 55 = -45
    assert order(rows) == "1b 2c 3a"
    assert (row_of(rows, "a").score, row_of(rows, "a").penalties) == (3, 4)


def test_own_card_points_are_set_against_the_mean_of_the_others() -> None:
    near, far = Fixture(0, 0, 0, (A, B, C), 0, 1), Fixture(1, 0, 0, (D, E, F), 1, 1)
    ledger = [
        single(0, (0, 3, 0), (40, 50, 30)),
        replace(single(0, (0, 3, 0), (30, 50, 40)), fixture=1, deal_set=1),
        replace(single(1, (0, 0, 0), (0, 0, 0), termination=PASSED_OUT), fixture=1, deal_set=1),
    ]
    # scores a deal: b 3, e 3 / 2, the others 0; of these a 40 - 80 / 2 = 0, c 30 - 90 / 2 = -15,
    # d (30 - 90 / 2) / 2 = -7.5, f (40 - 80 / 2) / 2 = 0
    assert order(standings(entrants(6), [near, far], THREE, ledger)) == "1b 2e 3a 3f 5d 6c"


def test_among_single_players_a_fault_in_a_shared_top_is_a_loss_for_its_seat_alone() -> None:
    (fixture,) = meet((A, B, C))
    rows = standings(entrants(3), [fixture], THREE, [single(0, (1, 1, 0), (45, 45, 30), faulty=(2,))])
    assert [(row.bot, row.position, row.deals_tied, row.deals_lost) for row in rows] == [
        ("a", 1, 1, 0),
        ("b", 1, 1, 0),
        ("c", 3, 0, 1),
    ]


def test_a_passed_out_deal_is_neither_won_nor_tied_nor_lost() -> None:
    (fixture,) = meet((A, B, C))
    (a, *_) = standings(entrants(3), [fixture], THREE, [single(0, (0, 0, 0), (0, 0, 0), termination=PASSED_OUT)])
    assert (a.deals, a.deals_won, a.deals_tied, a.deals_lost, a.score) == (1, 0, 0, 0, 0)


def test_a_walkover_at_a_table_of_single_players_is_charged_to_the_absent_alone() -> None:
    (fixture,) = meet((A, B, C))
    rows = standings(entrants(3), [fixture], THREE, [], [no_show(fixture, [B])])
    assert [(row.bot, row.walkovers, row.fixtures) for row in rows] == [("a", 0, None), ("b", 1, None), ("c", 0, None)]


def test_the_same_result_again_changes_nothing_and_another_is_refused() -> None:
    (fixture,) = meet((A, B))
    table = Table(entrants(2), [fixture], TWO)
    (deal, _) = play(fixture, 70, 50)
    assert table.add(deal) is True
    before = table.rows()
    assert table.add(replace(deal)) is False
    assert table.rows() == before
    with pytest.raises(LedgerError, match="counted already"):
        table.add(replace(deal, attempt=1))
    assert table.rows() == before


def test_the_same_closure_again_changes_nothing_and_another_is_refused() -> None:
    (fixture,) = meet((A, B))
    table = Table(entrants(2), [fixture], TWO)
    table.close(no_show(fixture, [B]))
    before = table.rows()
    table.close(no_show(fixture, [B]))
    assert table.rows() == before
    with pytest.raises(LedgerError, match="closed already"):
        table.close(no_start(fixture))
    assert table.rows() == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"fixture": 1},
        {"deal_set": 1},
        {"seating": 2},
        {"deal": 1},
        {"scores": (1,) * 3, "card_points": (40,) * 3, "penalties": (0,) * 3},
    ],
)
def test_a_deal_that_is_not_in_the_schedule_is_refused(wrong: dict[str, object]) -> None:
    (fixture,) = meet((A, B))
    (deal, _) = play(fixture, 60, 60)
    with pytest.raises(LedgerError, match="in the schedule"):
        Table(entrants(2), [fixture], TWO).add(replace(deal, **wrong))  # type: ignore[arg-type]


def test_a_closure_of_no_fixture_and_a_fixture_of_no_entrant_are_refused() -> None:
    (fixture,) = meet((A, B))
    with pytest.raises(LedgerError, match="no fixture 5"):
        Table(entrants(2), [fixture], TWO).close(no_start(replace(fixture, number=5)))
    with pytest.raises(LedgerError, match="not all in it"):
        Table(entrants(3), [fixture], TWO).close(no_start(replace(fixture, entrants=(A, C))))
    with pytest.raises(LedgerError, match="fits neither"):
        Table(entrants(1), [fixture], TWO)
    with pytest.raises(LedgerError, match="fits neither"):
        Table(entrants(2), [fixture], THREE)


def test_the_written_table_has_its_keys_in_the_order_of_the_page() -> None:
    (fixture,) = meet((A, B))
    table = standings_json(
        None, "briscola-2", "finished", standings(entrants(2), [fixture], TWO, play(fixture, 60, 61))
    )
    assert list(table) == ["format", "season", "game", "status", "rows"]
    assert (table["format"], table["season"], table["game"], table["status"]) == (
        "carico.table/1",
        None,
        "briscola-2",
        "finished",
    )
    page = """position, bot, version, owner, fixtures, won, drawn, lost, match_points, deals, deals_won, deals_tied,
        deals_lost, score, penalties, card_points_for, card_points_against, forfeits, walkovers"""
    assert [list(row) for row in table["rows"]] == [[key.strip() for key in page.split(",")]] * 2
    assert [row["position"] for row in table["rows"]] == [1, 2]
