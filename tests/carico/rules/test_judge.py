"""The judge of record files finds nothing in files of the naive engine itself, and something once they are spoilt."""

import json
from random import Random

import pytest

from tests.kit.naive.dealing import played
from tests.kit.naive.deviation import Deviation
from tests.kit.naive.files import judge_file
from tests.kit.naive.games import PACK_SIZE
from tests.kit.naive.matches import decided, winner_of_match
from tests.kit.naive.standings import check_standings

OPTIONS = {
    "briscola-2": [{}, {"hand": 19}, {"deal": "packet", "upcard": "bottom", "open": True}],
    "briscola-3": [{}, {"hand": 1, "missing": "2B"}],
    "briscola-4": [{}, {"hand": 9, "partners": "last3"}],
    "briscola-6": [{}, {"hand": 5, "upcard": "bottom"}],
    "briscolone-2": [{}, {"hand": 20}, {"hand": 1, "open": True}],
    "chiamata-5": [
        {},
        {"auction": "points", "forced_last": True, "capot": 1},
        {"deal": "packet", "chiamata_lead": "caller", "tie60": "draw", "multipliers": [[71, 2], [81, 3]]},
    ],
    "brisca-2": [{}, {"hand": 12, "exchange_margin": 0}, {"exchange_margin": 2, "exchange_max": 1}],
    "brisca-3": [{}, {"exchange_margin": None}, {"exchange_margin": 0, "pack": 39, "missing": "2S"}],
    "brisca-4": [{}, {"upcard": "bottom", "exchange_margin": 0}],
    "brisca-5": [{}, {"hand": 7, "exchange_margin": 0}],
    "brisca-6": [{}, {"hand": 2, "pack": 48}],
}


def lines(records):
    """A file of these records."""
    return b"".join(json.dumps(one, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for one in records)


def problems(records, **more):
    """What the judge finds, as text."""
    return [f"{number} {problem}" for number, problem in judge_file(lines(records), **more)[0]]


@pytest.mark.parametrize("name", PACK_SIZE)
def test_nothing_is_found_in_a_file_of_the_naive_engine(name):
    for options in OPTIONS[name]:
        file = [played(name, options, Random(f"{name}{number}"), seed=3, deal_set=number) for number in range(4)]
        found, counts = judge_file(lines(file), seed=3)
        assert found == []
        assert counts["deals"] == 4


def spoilt(record, *path, value):
    """A copy of a record with something else in one place."""
    copy = json.loads(json.dumps(record))
    *way, last = path
    at = copy
    for step in way:
        at = at[step]
    at[last] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), "carico.deal/2"),
        (("deck", 0), "AC"),
        (("dealer",), 1),
        (("options", "capot"), 2),
        (("options", "auction"), "points"),
        (("actions", 0), [1, "bid", "A"]),
        (("outcome", "target"), 62),
        (("outcome", "partner"), None),
        (("outcome", "penalties"), [0, 0, 0, 0, 4]),
        (("outcome", "scores"), [0, 0, 0, 0, 0]),
        (("outcome", "termination"), "PASSED_OUT"),
        (("shuffle", "source", 3), "AC"),
        (("shuffle", "key"), "0" * 64),
        (("hash",), "0" * 64),
        (("stand_in",), [4]),
        (("clock",), [[1, 0, 0]]),
    ],
)
def test_whatever_is_spoilt_is_found(path, value):
    whole = played("chiamata-5", {}, Random(3))
    assert problems([whole]) == []
    assert problems([spoilt(whole, *path, value=value)]) != []


def test_the_order_of_keys_and_lines_is_judged():
    one, other = (played("brisca-2", {}, Random(number), deal_set=number) for number in range(2))
    assert problems([one, other]) == []
    assert problems([other, one])[0].startswith("2 order")
    assert problems([{"hash": one["hash"], **one}])[0].startswith("1 keys")
    assert judge_file(lines([one])[:-1])[0] != []
    assert judge_file(lines([one]).replace(b",", b", ", 1))[0] != []


def match_of(law, seed=1):
    """The deals of one match of two at Brisca, as many as the match takes."""
    deals = []
    while not deals or not decided(deals):
        deals.append(played("brisca-2", {"match": law}, Random(f"{seed}{len(deals)}"), seed=seed, deal=len(deals)))
    return deals


@pytest.mark.parametrize("law", [{"first_to": 2, "cap": 5}, {"best_of": 3}, {"deals": 2}])
def test_a_match_has_as_many_deals_as_it_takes_and_the_deal_moves_right(law):
    deals = match_of(law)
    assert [deal["dealer"] for deal in deals] == [number % 2 for number in range(len(deals))]
    assert problems(deals) == []
    assert "match" in problems(deals[:-1])[0]
    more = played("brisca-2", {"match": law}, Random(9), seed=1, deal=len(deals))
    assert "match" in problems([*deals, more])[0]
    assert "deal" in problems(deals[1:])[0]


@pytest.mark.parametrize(
    ("law", "winners", "over", "winner"),
    [
        ({"best_of": 3}, [0], False, 0),
        ({"best_of": 3}, [0, 0], True, 0),
        ({"best_of": 3}, [0, 1], False, None),
        ({"best_of": 3}, [0, 1, None], True, None),
        ({"first_to": 2, "cap": 4}, [1, 0], False, None),
        ({"first_to": 2, "cap": 4}, [1, 0, 1], True, 1),
        ({"first_to": 2, "cap": 4}, [1, None, None, None], True, None),
        ({"deals": 3}, [0, 0], False, 0),
        ({"deals": 3}, [1, 1, 0], True, 1),
    ],
)
def test_when_a_match_is_over_and_who_has_won_it(law, winners, over, winner):
    head = {"variant": "brisca", "players": 2, "options": {"match": law}}
    deals = [{**head, "outcome": {"winners": [] if won is None else [won]}} for won in winners]
    assert decided(deals) == over
    if over:
        assert winner_of_match(deals) == winner


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("chiamata-5", {"capot": 2}),
        ("chiamata-5", {"capot": 1, "auction": "points"}),
        ("chiamata-5", {"multipliers": [[81, 3], [71, 2]]}),
        ("briscola-2", {"exchange_margin": 0}),
        ("briscola-2", {"partners": "last3"}),
        ("brisca-3", {"missing": "2B"}),
        ("brisca-2", {"match": {"first_to": 2}}),
    ],
)
def test_options_that_a_game_has_not_or_that_say_nothing_are_found(name, options):
    found = problems([played(name, options, Random(1))])
    assert len(found) == 1
    assert "options" in found[0]


def test_the_seatings_of_a_deal_set_turn_the_entrants_and_keep_the_pack():
    first, second = (played("brisca-3", {}, Random(number), seating=number) for number in range(2))
    assert problems([first, second]) == []
    assert problems([first, {**second, "seats": first["seats"]}])[0].startswith("1 seats")
    other = played("brisca-3", {}, Random(2), seed=1, seating=1)
    assert problems([first, other])[0].startswith("1 shuffle.source")


def deal_of(fixture, bots, winners, points, faults=(), scores=None):
    """As much of a record as a table looks at."""
    n = len(bots)
    full = 2 if n % 2 == 0 else n
    scores = scores or [full if seat in winners else 0 if winners else 1 for seat in range(n)]
    outcome = {"termination": "COMPLETED", "winners": winners, "card_points": points, "scores": scores}
    return {
        "season": "s",
        "fixture": fixture,
        "variant": "briscola",
        "players": n,
        "seats": [{"bot": bot, "version": "1", "owner": "o"} for bot in bots],
        "outcome": {**outcome, "faults": [[seat, "DISCONNECT", 0] for seat in faults]},
    }


KEYS = (
    "position bot version owner fixtures won drawn lost match_points deals deals_won deals_tied deals_lost score "
    "penalties card_points_for card_points_against forfeits walkovers"
)


def table_of(game, *rows):
    """A finished table of rows written as text."""
    told = []
    for row in rows:
        words = row.split()
        values = [int(w) if w.isdigit() else None if w == "-" else w for w in words]
        told.append({**dict(zip(KEYS.split(), values, strict=True)), "version": "1"})
    return {"format": "carico.table/1", "season": "s", "game": game, "status": "finished", "rows": told}


def test_a_table_of_two_sides_is_worked_out_with_the_direct_encounter():
    # a beats b in one deal; b beats c in three; c and a tie three times, b and d once.
    records = [
        deal_of(0, "ab", [0], [70, 50]),
        *[deal_of(1, "bc", [0], [120, 0]) for _ in range(3)],
        *[deal_of(2, "ca", [], [60, 60]) for _ in range(3)],
        deal_of(3, "bd", [], [60, 60]),
    ]
    # a and b have three match points; in their one fixture a had two and b none, so a stands first, though b has the
    # better share of the score, 7/10 against 5/8. c and d have one each and never met: 3/12 against 1/2.
    good = table_of(
        "briscola-2",
        "1 a 1 o 2 1 1 0 3 4 1 3 0 5 0 250 230 0 0",
        "2 b 1 o 3 1 1 1 3 5 3 1 1 7 0 470 130 0 0",
        "3 d 1 o 1 0 1 0 1 1 0 1 0 1 0 60 60 0 0",
        "4 c 1 o 2 0 1 1 1 6 0 3 3 3 0 180 540 0 0",
    )
    check_standings(good, records)
    for at in range(4):
        for key in KEYS.split()[4:]:
            wrong = json.loads(json.dumps(good))
            wrong["rows"][at][key] += 1
            with pytest.raises(Deviation):
                check_standings(wrong, records)
    for at, position in ((0, 2), (1, 1), (2, 4), (3, 3)):
        wrong = json.loads(json.dumps(good))
        wrong["rows"][at]["position"] = position
        with pytest.raises(Deviation):
            check_standings(wrong, records)


def test_a_table_of_singles_counts_faults_and_shares_positions():
    # Deal 1: a wins. Deal 2: b and c share the top, but c is at fault, so b wins and c loses. Deal 3: a tie of b and c
    # in which a is at fault: none for a, one each for b and c.
    records = [
        deal_of(0, "abc", [0], [60, 30, 30]),
        deal_of(0, "cab", [2], [50, 20, 50], faults=[0]),
        deal_of(0, "bca", [], [50, 50, 20], faults=[2], scores=[1, 1, 0]),
    ]
    good = table_of(
        "briscola-3",
        "1 b 1 o - - - - - 3 1 1 1 4 0 130 230 0 0",
        "2 a 1 o - - - - - 3 1 0 2 3 0 100 260 1 0",
        "3 c 1 o - - - - - 3 0 1 2 1 0 130 230 1 0",
    )
    check_standings(good, records)
    good["rows"][2]["position"] = 2
    with pytest.raises(Deviation, match="position"):
        check_standings(good, records)


def test_a_walkover_stands_in_the_table_alone():
    records = [deal_of(0, "ab", [0], [70, 50])]
    good = table_of(
        "briscola-2",
        "1 a 1 o 2 2 0 0 4 1 1 0 0 2 0 70 50 0 0",
        "2 b 1 o 2 1 0 1 2 1 0 0 1 0 0 50 70 0 0",
        "3 c 1 o 2 0 0 2 0 0 0 0 0 0 0 0 0 0 2",
    )
    check_standings(good, records)
    good["rows"][2]["walkovers"] = 1
    with pytest.raises(Deviation, match="lost"):
        check_standings(good, records)
