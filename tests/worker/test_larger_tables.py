"""Whole seasons at tables of three, and of four with changing partners, through Celery, Redis and gRPC."""

import json
from collections import Counter
from itertools import combinations

from carico.record import verify
from tests.kit.league import League, wait_until
from worker.audit.run import audit
from worker.store.values import Status

SEED = bytes(range(32))


def test_seven_entrants_play_the_fano_plane_and_a_late_one_meets_them_all(league: League) -> None:
    names = [f"b{i}" for i in range(7)]
    for name in names:
        league.start_bot("greedy", name, seed=SEED)
    league.start_worker()
    league.create("s", names, deal_sets=2, entry="open", plays="briscola-3")
    league.wait_finished("s")

    records = [json.loads(line) for line in league.store.records("s")]
    assert len(records) == 7 * 2 * 3
    seats: Counter[tuple[str, int]] = Counter()
    met: Counter[frozenset[str]] = Counter()
    for record in records:
        verify(record)
        seated = [seat["bot"] for seat in record["seats"]]
        seats.update((bot, seat) for seat, bot in enumerate(seated))
        met.update(map(frozenset, combinations(seated, 2)))
    assert seats == {(name, seat): 6 for name in names for seat in range(3)}
    assert met == {frozenset(pair): 6 for pair in combinations(names, 2)}
    rows = league.table("s")
    assert [row.deals for row in rows] == [18] * 7
    assert all(row.match_points is None for row in rows)
    assert sum(row.card_points_for for row in rows) == 120 * len(records)

    league.start_bot("random", "late", seed=SEED)
    wait_until(lambda: len(league.store.entrants("s")) == 8, "the newcomer is entered")
    wait_until(lambda: league.store.status("s") is Status.FINISHED, "its fixtures are played")
    late = league.store.fixtures("s")[7:]
    assert len(late) == 4
    assert {i for fixture in late for i in fixture.entrants} == set(range(8))
    assert {row.bot: row.deals for row in league.table("s")}["late"] == 4 * 2 * 3
    report = audit(league.store, "s")
    assert report.clean, report.findings


def test_who_stays_away_or_withdraws_closes_its_tables_of_three(league: League) -> None:
    names = ["a", "b", "c", "d"]
    for name in names[:3]:
        league.start_bot("greedy", name, seed=SEED)
    league.register("d")
    league.start_worker()
    league.create("s", names, deal_sets=1, plays="briscola-3", no_show_ms=500)
    league.wait_finished("s")
    # Four tables of four entrants; all but one have the ghost in them.
    assert {row.bot: (row.deals, row.walkovers) for row in league.table("s")} == {
        **dict.fromkeys(names[:3], (3, 0)),
        "d": (0, 3),
    }
    league.create("t", names, deal_sets=1, plays="briscola-3", start=False)
    league.store.set_status("t", Status.RUNNING)
    league.store.withdraw("t", 3)
    league.wait_finished("t")
    assert {row.bot: row.deals for row in league.table("t")} == {"a": 3, "b": 3, "c": 3, "d": 0}


def test_five_individuals_partner_each_other(league: League) -> None:
    names = [f"b{i}" for i in range(5)]
    for name in names:
        league.start_bot("random" if name == "b0" else "greedy", name, seed=SEED)
    league.start_worker()
    league.create("s", names, deal_sets=1, plays="briscola-4", pairs="rotating")
    league.wait_finished("s")
    records = [json.loads(line) for line in league.store.records("s")]
    assert len(records) == 5 * 4
    partners: Counter[frozenset[str]] = Counter()
    for record in records:
        seated = [seat["bot"] for seat in record["seats"]]
        partners.update([frozenset(seated[::2]), frozenset(seated[1::2])])
    assert partners == {frozenset(pair): 4 for pair in combinations(names, 2)}
    rows = league.table("s")
    assert [row.deals for row in rows] == [16] * 5
    # Each of four has the score and the points of its side: 2 a deal for the two who won, 1 for all on a tie.
    assert sum(row.score for row in rows) == 4 * len(records)
    assert sum(row.card_points_for for row in rows) == 2 * 120 * len(records)
    assert sum(row.card_points_for - row.card_points_against for row in rows) == 0
    report = audit(league.store, "s")
    assert report.clean, report.findings
