"""Whole seasons through Celery, Redis and gRPC: what is played, counted and closed."""

import json
from itertools import groupby

from carico.record import verify
from tests.kit.league import League, wait_until
from tests.kit.roles import ORGANISER_TOKEN
from worker.referee_client import RefereeClient
from worker.store.values import Status

SEED = bytes(range(32))


def test_a_season_is_played_counted_and_left_tidy(league: League) -> None:
    for bot in ("random", "greedy", "careful"):
        league.start_bot(bot, seed=SEED)
    league.start_worker()
    document = league.create("s", ["random", "greedy", "careful"], deal_sets=4, chunk=3, legs=2)
    league.wait_finished("s")

    records = [json.loads(line) for line in league.store.records("s")]
    assert len(records) == 6 * 4 * 2
    entrants = ["random", "greedy", "careful"]
    fixtures = league.store.fixtures("s")
    for record in records:
        verify(record)
        fixture = fixtures[record["fixture"]]
        assert record["dealer"] == record["deal_set"] % 2
        assert record["shuffle"]["key"] == document.deck(record["deal_set"], 0, 0).key.hex()
        seated = [entrants[fixture.entrants[(place - record["seating"]) % 2]] for place in range(2)]
        assert [seat["bot"] for seat in record["seats"]] == seated == [seat["owner"] for seat in record["seats"]]
        assert record["time_control"]["bank_ms"] == 60_000
        assert len(record["clock"]) == 40
    for _, pair in groupby(records, key=lambda r: r["deal_set"]):
        a, b = pair
        assert a["shuffle"]["source"] == b["shuffle"]["source"]
        assert a["match"] != b["match"]
    rows = league.table("s")
    assert sum(row.deals for row in rows) == 2 * len(records)
    assert sum(row.match_points or 0 for row in rows) == 2 * len(fixtures)
    wait_until(lambda: league.referee.ended() == [], "all matches are released")


def test_a_late_entrant_meets_everybody_once(league: League) -> None:
    for bot in ("random", "greedy"):
        league.start_bot(bot, seed=SEED)
    league.start_worker()
    league.create("s", ["random", "greedy"], deal_sets=2, chunk=2, entry="open")
    league.create("shut", ["random", "greedy"], deal_sets=2, chunk=2)
    league.wait_finished("s")
    league.wait_finished("shut")

    league.start_bot("careful", seed=SEED)
    wait_until(lambda: len(league.store.entrants("s")) == 3, "the newcomer is entered")
    wait_until(lambda: league.store.status("s") is Status.FINISHED, "its fixtures are played")
    fixtures = league.store.fixtures("s")
    assert [(f.number, set(f.entrants), f.first_set) for f in fixtures] == [
        (0, {0, 1}, 0),
        (1, {0, 2}, 2),
        (2, {1, 2}, 4),
    ]
    assert league.store.progress("s").deals == 3 * 2 * 2
    assert [row.owner for row in league.table("s") if row.bot == "careful"] == ["careful"]
    assert len(league.store.entrants("shut")) == 2
    log = (league.directory / "worker.log").read_text()
    assert "season s: careful 1 of careful entered" in log
    assert "Task carico" not in log, "looking for newcomers is nothing to tell of"


def test_a_new_version_meets_everybody_but_the_old_one(league: League) -> None:
    for bot in ("random", "greedy"):
        league.start_bot(bot, seed=SEED)
    league.start_worker()
    league.create("s", ["random", "greedy"], deal_sets=2, chunk=2, entry="open")
    league.wait_finished("s")
    league.kill("greedy")
    league.start_bot("greedy", seed=SEED, version="2")
    wait_until(lambda: len(league.store.entrants("s")) == 3, "the new version is entered")
    wait_until(lambda: league.store.status("s") is Status.FINISHED, "its fixtures are played")
    assert [set(fixture.entrants) for fixture in league.store.fixtures("s")] == [{0, 1}, {0, 2}]
    assert league.store.progress("s").deals == 2 * 2 * 2

    league.start_bot("careful", seed=SEED)
    wait_until(lambda: len(league.store.entrants("s")) == 4, "another newcomer is entered")
    assert [set(fixture.entrants) for fixture in league.store.fixtures("s")][2:] == [{0, 3}, {2, 3}]


def test_who_stays_away_loses_by_walkover_and_both_away_lose_to_nobody(league: League) -> None:
    league.start_bot("greedy", seed=SEED)
    for name in ("ghost", "spook"):
        league.register(name)
    league.start_worker(concurrency=3)
    league.create("s", ["greedy", "ghost", "spook"], deal_sets=1, no_show_ms=1_000)
    league.wait_finished("s")
    rows = {row.bot: row for row in league.table("s")}
    assert (rows["greedy"].match_points, rows["greedy"].won, rows["greedy"].walkovers) == (4, 2, 0)
    for name in ("ghost", "spook"):
        assert (rows[name].match_points, rows[name].lost, rows[name].walkovers) == (0, 2, 2)
    assert league.store.progress("s").deals == 0


def test_no_clock_of_the_season_runs_while_it_waits_for_an_entrant(league: League) -> None:
    league.start_bot("greedy", seed=SEED)
    league.register("random")
    league.start_worker()
    league.create("s", ["greedy", "random"], deal_sets=1, no_show_ms=60_000)
    wait_until(lambda: league.store.counters("s").get("claims", 0) > 2, "the fixture was looked at a few times")
    assert league.store.progress("s").begun == 0
    league._tokens["random"] = renewed(league, "random")
    league.start_bot("random", seed=SEED)
    league.wait_finished("s")
    assert league.store.progress("s").deals == 2


def test_a_bot_that_dies_in_a_fixture_loses_it_and_the_season_ends(league: League) -> None:
    from carico.time_control import TimeControl

    for bot in ("random", "greedy"):
        league.start_bot(bot, seed=SEED)
    league.start_worker()
    terms = TimeControl(grace_ms=300)
    league.create("s", ["random", "greedy"], deal_sets=40, chunk=4, time_control=terms)
    wait_until(lambda: league.store.progress("s").deals >= 8, "a chunk is done")
    league.kill("random")
    league.wait_finished("s")
    rows = {row.bot: row for row in league.table("s")}
    assert rows["random"].deals == 80
    assert rows["random"].forfeits > 0
    assert rows["greedy"].match_points == 2
    assert rows["greedy"].forfeits == 0
    faults = {
        (r["seats"][seat]["bot"], reason)
        for r in map(json.loads, league.store.records("s"))
        for seat, reason, _ in r["outcome"]["faults"]
    }
    assert faults == {("random", "DISCONNECT")}


def test_an_honest_bot_that_thinks_is_not_asked_more_than_it_can_answer(league: League) -> None:
    from carico.time_control import TimeControl

    league.start_bot("ponderer")
    league.start_bot("greedy", seed=SEED)
    league.start_worker()
    # All ten matches of the chunk at once would keep each waiting for more than the action limit.
    terms = TimeControl(action_limit_ms=500)
    league.create("s", ["ponderer", "greedy"], deal_sets=5, chunk=5, time_control=terms)
    league.wait_finished("s")
    assert {row.bot: (row.deals, row.forfeits) for row in league.table("s")} == {
        "ponderer": (10, 0),
        "greedy": (10, 0),
    }


def test_a_paused_season_stands_still_and_goes_on(league: League) -> None:
    for bot in ("random", "greedy"):
        league.start_bot(bot, seed=SEED)
    league.start_worker()
    league.create("s", ["random", "greedy"], deal_sets=6, chunk=2, start=False)
    league.store.set_status("s", Status.RUNNING)
    league.store.set_status("s", Status.PAUSED)
    league.store.set_status("s", Status.RUNNING)
    league.wait_finished("s")
    assert league.store.progress("s").deals == 12


def renewed(league: League, bot: str) -> str:
    from carico.v1 import organisers_pb2 as pb

    client = RefereeClient(league.address, ORGANISER_TOKEN)
    token = client._call(lambda stub: stub.RenewToken, pb.RenewTokenRequest(bot=bot)).token
    client.close()
    return str(token)
