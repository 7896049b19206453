"""In the table order means nothing: random ledgers are shuffled, sent twice, and compared with a slow second table."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from worker.tournament.entrants import Entrant
from worker.tournament.fixtures import Fixture, seating
from worker.tournament.ledger import COMPLETED, DealResult, FixtureClosure, no_show
from worker.tournament.schedule import appended, round_robin
from worker.tournament.standings import Table, standings

TWO = ((0,), (1,))
THREE = ((0,), (1,), (2,))


@st.composite
def deals(draw: st.DrawFn, fixture: Fixture) -> list[DealResult]:
    """The deals of a fixture, or all but the last few; few different card points, so that ties are common."""
    seats = fixture.seatings
    none = (0,) * seats
    played = []
    for plan in fixture.matches():
        faulty = tuple(seat for seat in range(seats) if draw(st.integers(0, 9)) == 9)
        points = draw(
            st.sampled_from(sorted(set(permutations((60, 60, 0)[:seats])) | set(permutations((90, 30, 0)[:seats]))))
        )
        sound = [points[seat] if seat not in faulty else -1 for seat in range(seats)]
        top = [seat for seat in range(seats) if sound[seat] == max(sound) >= 0]
        if len(top) == 1:
            scores = tuple(seats if seat in top else 0 for seat in range(seats))
        else:
            scores = tuple(0 if seat in faulty else 1 for seat in range(seats))
        winners = tuple(top) if len(top) == 1 else ()
        played.append(
            DealResult(
                plan.deal_set, fixture.number, plan.seating, 0, 0, scores, points, winners, faulty, none, COMPLETED
            )
        )
    return played[: len(played) - draw(st.sampled_from((0, 0, 0, 1, len(played))))]


@st.composite
def seasons(draw: st.DrawFn) -> tuple[list[Entrant], list[Fixture], list[DealResult], list[FixtureClosure]]:
    """A season of two sides, with a late entrant now and then, unfinished fixtures and walkovers."""
    n = draw(st.integers(2, 5))
    fixtures = list(round_robin(n, 2, draw(st.integers(1, 2)), draw(st.integers(1, 2))))
    if draw(st.booleans()):
        fixtures += appended(n, range(n), fixtures, 1)
        n += 1
    ledger, closures = [], []
    for fixture in fixtures:
        absent = draw(st.sampled_from(((),) * 6 + ((0,), (1,), (0, 1))))
        if absent:
            closures.append(no_show(fixture, [fixture.entrants[i] for i in absent]))
        else:
            ledger += draw(deals(fixture))
    names = draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
    return [Entrant(name, str(i), "o") for i, name in enumerate(names)], fixtures, ledger, closures


@given(seasons(), st.data())
def test_permuting_the_ledger_changes_nothing_and_neither_does_sending_it_twice(
    season: tuple[list[Entrant], list[Fixture], list[DealResult], list[FixtureClosure]], data: st.DataObject
) -> None:
    entrants, fixtures, ledger, closures = season
    table = Table(entrants, fixtures, TWO)
    again: list[DealResult | FixtureClosure] = [*ledger, *closures, *ledger[:3], *closures[:1]]
    for entry in data.draw(st.permutations(again)):
        if isinstance(entry, DealResult):
            table.add(entry)
        else:
            table.close(entry)
    assert table.rows() == standings(entrants, fixtures, TWO, ledger, closures)


@given(seasons())
def test_what_one_wins_another_loses(
    season: tuple[list[Entrant], list[Fixture], list[DealResult], list[FixtureClosure]],
) -> None:
    entrants, fixtures, ledger, closures = season
    rows = standings(entrants, fixtures, TWO, ledger, closures)
    to_nobody = sum(len(closure.lost_by) == 2 for closure in closures)
    complete = sum(
        sum(result.fixture == fixture.number for result in ledger) == 2 * fixture.sets for fixture in fixtures
    )
    finished = complete + len(closures)
    assert sum(row.won or 0 for row in rows) == sum(row.lost or 0 for row in rows) - 2 * to_nobody
    assert sum(row.match_points or 0 for row in rows) == 2 * (finished - to_nobody)
    assert sum(row.fixtures or 0 for row in rows) == 2 * finished
    assert sum(row.deals for row in rows) == 2 * len(ledger)
    assert sum(row.card_points_for for row in rows) == sum(row.card_points_against for row in rows)
    for row in rows:
        assert row.fixtures == (row.won or 0) + (row.drawn or 0) + (row.lost or 0)
        assert row.deals == row.deals_won + row.deals_tied + row.deals_lost
        assert row.match_points == 2 * (row.won or 0) + (row.drawn or 0)


@given(seasons())
def test_the_order_is_that_of_a_second_slower_table(
    season: tuple[list[Entrant], list[Fixture], list[DealResult], list[FixtureClosure]],
) -> None:
    entrants, fixtures, ledger, closures = season
    rows = standings(entrants, fixtures, TWO, ledger, closures)
    expected = slow_table(entrants, fixtures, ledger, closures)
    assert [(row.position, row.bot, row.version) for row in rows] == expected


def slow_table(
    entrants: Sequence[Entrant],
    fixtures: Sequence[Fixture],
    ledger: Sequence[DealResult],
    closures: Sequence[FixtureClosure],
) -> list[tuple[int, str, str]]:
    """Position, bot and version, straight from the sentences of the page; everything is looked up anew each time."""
    everyone = range(len(entrants))
    absent = {closure.fixture: closure.lost_by for closure in closures}

    def deals_of(fixture: Fixture) -> list[DealResult]:
        return [result for result in ledger if result.fixture == fixture.number]

    def sides(fixture: Fixture, result: DealResult) -> tuple[int, ...]:
        return seating(fixture, result.seating, TWO)

    def points(fixture: Fixture, i: int) -> int | None:
        if i not in fixture.entrants:
            return None
        if fixture.number in absent:
            return 0 if i in absent[fixture.number] else 2
        if len(deals_of(fixture)) < 2 * fixture.sets:
            return None
        own = sum(r.scores[sides(fixture, r).index(i)] for r in deals_of(fixture))
        both = sum(sum(r.scores) for r in deals_of(fixture))
        return 2 if 2 * own > both else 1 if 2 * own == both else 0

    def match_points(i: int, among: Sequence[Fixture]) -> int:
        return sum(points(fixture, i) or 0 for fixture in among)

    def meetings(i: int, j: int) -> int:
        return sum(j in f.entrants and points(f, i) is not None for f in fixtures if i != j)

    def key(i: int) -> tuple[Fraction, ...]:
        tied = [j for j in everyone if match_points(j, fixtures) == match_points(i, fixtures)]
        evenly = len({meetings(a, b) for a in tied for b in tied if a != b}) <= 1
        among = [fixture for fixture in fixtures if set(fixture.entrants) <= set(tied)] if evenly else []
        own = [(f, r, sides(f, r).index(i)) for f in fixtures if i in f.entrants for r in deals_of(f)]
        n = max(len(own), 1)
        return (
            Fraction(match_points(i, fixtures)),
            Fraction(match_points(i, among)),
            Fraction(sum(r.scores[seat] for _, r, seat in own), 2 * n),
            Fraction(sum(r.card_points[seat] - r.card_points[1 - seat] for _, r, seat in own), n),
        )

    keys = [key(i) for i in everyone]
    return sorted((1 + sum(other > keys[i] for other in keys), entrants[i].bot, entrants[i].version) for i in everyone)


@given(st.data())
def test_single_players_share_out_the_score_in_any_order(data: st.DataObject) -> None:
    fixtures = round_robin(3, 3, 2, 2)
    ledger = [result for fixture in fixtures for result in data.draw(deals(fixture))]
    entrants = [Entrant(name, "1", "o") for name in "abc"]
    rows = standings(entrants, fixtures, THREE, ledger)
    assert rows == standings(entrants, fixtures, THREE, data.draw(st.permutations(ledger)))
    assert sum(row.score for row in rows) == sum(sum(result.scores) for result in ledger)
    assert sum(row.deals_won for row in rows) == sum(len(result.winners) for result in ledger)
    # everybody played every deal: more score is a better position, then more own card points
    assert [row.position for row in rows] == positions([(row.score, row.card_points_for) for row in rows])


def positions(keys: Sequence[tuple[int, int]]) -> list[int]:
    assert list(keys) == sorted(keys, reverse=True)
    return [1 + sum(other > key for other in keys) for key in keys]
