"""Organisers' decisions in a running league of real parts: nothing is lost or counted twice, and the audit is clean."""

import json
from itertools import groupby
from typing import Any

import pytest

from carico.record import verify
from tests.kit.league import League, wait_until
from worker.audit.run import audit
from worker.store.values import ChunkState, Status

BOTS = ("random", "greedy", "careful")
SEED = bytes(range(32))


def begin(league: League, bots: tuple[str, ...] = BOTS) -> None:
    for bot in bots:
        league.start_bot(bot, seed=SEED)
    league.start_worker()
    wait_until(lambda: sum(bot.version is not None for bot in league.referee.bots()) == len(bots), "all bots are here")


def records(league: League) -> list[dict[str, Any]]:
    return [json.loads(line) for line in league.store.records("s")]


def sound(league: League) -> None:
    report = audit(league.store, "s")
    assert report.findings == []


def test_sets_become_void_while_they_are_played_and_afterwards(league: League) -> None:
    begin(league)
    document = league.create("s", BOTS, deal_sets=20, chunk=5)
    voided: set[int] = set()
    while len(voided) < 6:
        # A set of a chunk that a worker holds, whichever it is.
        held = [s.chunk for s in league.store.chunks("s") if s.state is ChunkState.LEASED]
        fresh = [n for chunk in held for n in list(chunk.deal_sets)[:2] if n not in voided]
        if fresh:
            league.store.void_set("s", fresh[0], 0, "ORGANISER: while it was played", "ann")
            voided.add(fresh[0])
            sound(league)
        elif league.store.status("s") is Status.FINISHED:
            break
    assert voided
    league.wait_finished("s")
    sound(league)
    late = next(n for n in range(60) if n not in voided)
    before = {(r["deal_set"], r["seating"]): r["hash"] for r in records(league)}
    assert league.store.void_set("s", late, 0, "ORGANISER: afterwards", "ann").deals == 2
    assert league.store.status("s") is Status.RUNNING
    league.wait_finished("s")

    found = records(league)
    assert len(found) == 3 * 20 * 2 == league.store.progress("s").deals
    for record in found:
        verify(record)
        assert record["attempt"] == (record["deal_set"] in voided or record["deal_set"] == late)
        assert record["shuffle"]["key"] == document.deck(record["deal_set"], 0, record["attempt"]).key.hex()
        if record["deal_set"] != late:
            assert record["hash"] == before[record["deal_set"], record["seating"]]
    for _, pair in groupby(found, key=lambda r: r["deal_set"]):
        a, b = pair
        assert a["shuffle"]["source"] == b["shuffle"]["source"]
    assert {void.deal_set for void in league.store.voids("s")} == voided | {late}
    assert [r["seating"] for r in map(json.loads, league.store.voids("s")[-1].records)] == [0, 1]
    assert league.store.counters("s").get("divergent", 0) == 0
    sound(league)
    wait_until(lambda: league.referee.ended() == [], "no match is left at the referee")


def test_an_attempt_that_runs_is_broken_off_and_filed_as_far_as_it_got(league: League) -> None:
    from carico.time_control import TimeControl

    begin(league, ("greedy",))
    sleeper = league.start_villain("Sleeper")
    terms = TimeControl(bank_ms=600_000, action_limit_ms=600_000, grace_ms=300)
    league.create("s", ["greedy", sleeper], deal_sets=1, chunk=1, time_control=terms)
    wait_until(lambda: open_matches(league) == 1, "its first match is being played")
    before = league.store.counters("s")["claims"]
    league.store.void_set("s", 0, 0, "ORGANISER: it hangs", "ann")
    wait_until(lambda: league.store.counters("s")["claims"] > before, "it is claimed again")
    wait_until(lambda: bool(league.store.voids("s")[0].records), "what was played is filed")
    filed = [json.loads(line) for line in league.store.voids("s")[0].records]
    assert [(r["seating"], r["attempt"], r["reason"], r["outcome"]) for r in filed] == [
        (0, 0, "ORGANISER: it hangs", None),
    ]
    sound(league)
    league.kill(sleeper)
    league.wait_finished("s")
    assert {r["attempt"] for r in records(league)} == {1}
    sound(league)
    (note, other) = league.store.faults("s", sleeper)
    assert {note["reason"], other["reason"]} == {"DISCONNECT"}
    assert "was away for more than 300 ms" in note["detail"]


@pytest.mark.parametrize(
    ("kind", "reason", "detail"),
    [
        ("Cheat", "ILLEGAL_ACTION", "play "),
        ("Prophet", "PROTOCOL", "which was never asked"),
        ("Babbler", "PROTOCOL", ""),
        ("Sleeper", "TIME_FORFEIT", "the action limit is 200 ms"),
    ],
)
def test_each_fault_reaches_the_owner_with_reason_and_exchange(
    league: League, kind: str, reason: str, detail: str
) -> None:
    from carico.time_control import TimeControl

    begin(league, ("greedy",))
    villain = league.start_villain(kind)
    wait_until(lambda: any(b.bot == villain and b.version for b in league.referee.bots()), "the villain is here")
    terms = TimeControl(action_limit_ms=200, grace_ms=2_000)
    league.create("s", ["greedy", villain], deal_sets=2, chunk=2, time_control=terms)
    league.wait_finished("s")
    notes = league.store.faults("s", villain)
    assert league.store.faults("s", "greedy") == []
    faults = [(r["deal_set"], r["seating"], fault) for r in records(league) for fault in r["outcome"]["faults"]]
    assert [(n["deal_set"], n["seating"], [n["seat"], n["reason"], n["after"]]) for n in notes] == faults
    assert len(notes) == 4
    assert all(note["detail"] for note in notes)
    told = [note for note in notes if note["reason"] == reason and detail in note["detail"]]
    assert told
    asked = told[0]["exchange"]
    assert asked["asked"] is True or reason == "PROTOCOL"
    assert len(asked["hand"]) == 3
    assert asked["last"][0] == "play"
    sound(league)


def test_an_entrant_withdraws_in_the_middle(league: League) -> None:
    begin(league)
    league.create("s", BOTS, deal_sets=30, chunk=3, entry="open")
    wait_until(lambda: league.store.progress("s").deals > 0, "something counts")
    withdrew = league.store.withdraw("s", 1, "ann")
    sound(league)
    league.kill("greedy")
    league.wait_finished("s")
    sound(league)
    rows = {row.bot: row for row in audit(league.store, "s").rows}
    assert withdrew.closed > 0
    if withdrew.withdrawal.annuls:
        assert (rows["greedy"].deals, rows["greedy"].fixtures, rows["greedy"].walkovers) == (0, 0, 0)
        assert rows["random"].fixtures == rows["careful"].fixtures == 1
    else:
        assert (rows["greedy"].walkovers, rows["greedy"].fixtures) == (1, 2)

    league.start_bot("counter", seed=SEED)
    wait_until(lambda: len(league.store.entrants("s")) == 4, "the newcomer is entered")
    league.wait_finished("s")
    new = [set(fixture.entrants) for fixture in league.store.fixtures("s")[3:]]
    assert new == [{0, 3}, {2, 3}], "nobody meets the one that has gone"
    sound(league)


def test_a_season_is_paused_and_goes_on_with_nothing_lost(league: League) -> None:
    begin(league)
    league.create("s", BOTS, deal_sets=20, chunk=2)
    for _ in range(3):
        deals = league.store.progress("s").deals
        wait_until(lambda deals=deals: league.store.progress("s").deals > deals or over(league), "it goes on")
        if over(league):
            break
        league.store.set_status("s", Status.PAUSED, "ann")
        wait_until(lambda: league.store.progress("s").leased == 0, "what was being played is committed")
        still = league.store.progress("s").deals
        sound(league)
        assert league.store.progress("s").deals == still
        if not over(league):
            league.store.set_status("s", Status.RUNNING, "ann")
    league.wait_finished("s")
    assert [r["attempt"] for r in records(league)] == [0] * 120
    sound(league)


def over(league: League) -> bool:
    return league.store.status("s") is Status.FINISHED


def open_matches(league: League) -> int:
    from carico.v1 import organisers_pb2 as pb

    bots = league.referee._call(lambda stub: stub.ListBots, pb.ListBotsRequest(bots=["greedy"])).bots
    return int(bots[0].open_matches)
