"""What the referee tells of itself: what happened is counted, labels are bounded, and nothing waits for the loop."""

import asyncio
import time
from collections.abc import Sequence

import pytest

from carico.rules.game import game
from carico.v1 import bots_pb2
from carico.v1 import organisers_pb2 as pb
from referee import serve
from referee.serve import CannotServe, Referee, Settings
from referee.service.counts import VOID_REASONS, Durations
from referee.service.metrics import referee_registry
from referee.store.log import Line, LogUnavailable
from referee.store.memory import MemoryLog
from tests.kit.raw_bots import RawBot
from tests.kit.scraped import Scraped, collected, scrape
from tests.kit.served import ORGANISER, Served, eventually, order, settle
from tests.kit.villains import Cheat


def now(served: Served) -> Scraped:
    return collected(referee_registry(served.referee.hall))


async def test_matches_deals_and_actions_are_counted(served: Served) -> None:
    await served.seat("ann", "bob")
    fresh = now(served)
    assert fresh("carico_referee_connections") == 2
    assert fresh("carico_referee_matches_started_total") == 0
    await served.play(*(order(n, "ann", "bob") for n in range(3)))
    found = now(served)
    for name in ("matches_started_total", "deals_started_total", "deals_ended_total"):
        assert found(f"carico_referee_{name}") == 3, name
    assert found("carico_referee_matches_ended_total", outcome="result") == 3
    assert found("carico_referee_matches_ended_total", outcome="void") == 0
    assert found("carico_referee_matches_running") == 0
    for name in ("actions_total", "action_seconds_count", "action_overhead_seconds_count"):
        assert found(f"carico_referee_{name}") == 120, name
    assert found("carico_referee_log_lines_total") >= 120 + 3
    appends = found("carico_referee_log_append_seconds_count")
    assert 0 < appends <= found("carico_referee_log_lines_total")
    assert 0 < found("carico_referee_action_overhead_seconds_sum") < 120


async def test_running_matches_and_matches_without_an_answer_are_seen(served: Served) -> None:
    ann, _ = await served.seat("ann", "bob")
    ann.limit = 0
    spec = order(1, "ann", "bob", dealer=1)
    await served.start(spec)
    await ann.until(lambda: ann.open)
    found = now(served)
    assert found("carico_referee_matches_running") == 1
    assert found("carico_referee_matches_started_total") == 1
    assert found("carico_referee_deals_started_total") == 0


async def test_the_time_of_an_action_is_that_of_the_seat(served: Served) -> None:
    ann, bob = await served.seat("ann", "bob")
    ann.limit = 0
    spec = order(1, "ann", "bob", dealer=1)
    await served.start(spec)
    await ann.until(lambda: ann.open)
    await asyncio.sleep(0.12)
    await ann.answer_open()
    await served.ends(spec)
    found = now(served)
    quick = found("carico_referee_action_seconds_bucket", le="0.1")
    assert found("carico_referee_action_seconds_count") - quick >= 1
    assert found("carico_referee_action_seconds_sum") >= 0.12
    assert bob.asks


async def test_faults_and_voids_are_counted_by_reason(served: Served) -> None:
    await served.seat("ann", "bob")
    await (await served.bot("eve", Cheat)).connect()
    spec = order(1, "ann", "eve")
    await served.play(spec)
    idle = order(2, "ann", "nobody")
    await served.register("nobody")
    await served.start(idle)
    for number, reason in enumerate(("NO_START", "a reason of an organiser's own " * 3, "another")):
        again = order(10 + number, "ann", "nobody")
        await served.start(again)
        await served.call("AbortMatches", pb.AbortMatchesRequest(ids=[again.id], reason=reason))
        await served.ends(again)
    found = now(served)
    assert found("carico_referee_faults_total", reason="ILLEGAL_ACTION") == 1
    assert found("carico_referee_faults_total", reason="TIME_FORFEIT") == 0
    assert found("carico_referee_voids_total", reason="NO_START") == 1
    assert found("carico_referee_voids_total", reason="OTHER") == 2
    assert found("carico_referee_matches_ended_total", outcome="void") == 3
    assert found.labels("carico_referee_voids_total", "reason") == {*VOID_REASONS, "OTHER"}


async def test_refusals_are_counted_by_door_and_reason(served: Served) -> None:
    stranger = RawBot(served.address, "carico_not-a-token", "stranger")
    await stranger.connect()
    await stranger.ended()
    await stranger.drop()
    with pytest.raises(Exception, match="NOT_ORGANISER"):
        await served.call("ListBots", pb.ListBotsRequest(), token="carico_nor-this")
    found = now(served)
    assert found("carico_referee_refusals_total", door="bots", reason="BAD_TOKEN") == 1
    assert found("carico_referee_refusals_total", door="organisers", reason="NOT_ORGANISER") == 1


def _nothing(ask: bots_pb2.Ask) -> bots_pb2.Answer:
    return bots_pb2.Answer(match=ask.match, seat=ask.seat, number=ask.number)


async def test_a_match_of_several_deals_counts_each_of_them(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    """Also its faults, of the earlier deals too, and the time of the last action of each."""
    ann, bob = await served.seat("ann", "bob")
    of = game("briscola-2", {"match": {"deals": 3}})
    deck = order(1, "ann", "bob").source
    spec = order(1, "ann", "bob", of=of)
    spec.more_sources.extend([deck, deck])
    ann.answers = lambda ask: [ann.answer(ask) if ask.deal else _nothing(ask)]  # type: ignore[method-assign]
    await served.start(spec)
    await ann.until(lambda: ann.ends)
    await bob.until(lambda: bob.ends)
    found = now(served)
    assert (found("carico_referee_deals_started_total"), found("carico_referee_deals_ended_total")) == (3, 3)
    assert found("carico_referee_matches_ended_total", outcome="result") == 1
    assert found("carico_referee_faults_total", reason="ILLEGAL_ACTION") == 1
    assert sum("lost by ILLEGAL_ACTION" in record.getMessage() for record in caplog.records) == 1


async def test_no_name_of_a_bot_an_owner_or_a_season_is_in_it(served: Served) -> None:
    await served.seat("annabella", "bobadilla")
    (state,) = await served.play(order(1, "annabella", "bobadilla"))
    text = now(served).text
    for word in ("annabella", "bobadilla", "SEASON-MARK", state.result.match, *served.tokens.values(), ORGANISER):
        assert word not in text


async def test_connections_that_go_are_counted_off(served: Served) -> None:
    ann, bob = await served.seat("ann", "bob")
    await (await served.bot("ann")).connect()  # replaces the first
    await settle()
    assert now(served)("carico_referee_connections") == 2
    await bob.drop()
    await eventually(lambda: now(served)("carico_referee_connections") == 1)
    await ann.drop()


async def stand_still() -> None:
    await asyncio.sleep(0.05)
    time.sleep(0.15)  # noqa: ASYNC251  # a stall of the loop is what is tested
    await asyncio.sleep(0.05)


async def test_a_loop_that_stands_still_is_seen_while_matches_run(served: Served) -> None:
    await stand_still()
    assert now(served)("carico_referee_stalls_total") == 0, "nobody waited"
    ann, _ = await served.seat("ann", "bob")
    ann.limit = 0
    await served.start(order(1, "ann", "bob"))
    assert now(served)("carico_referee_stalls_total") == 0, "resting is no stall"
    await stand_still()
    found = now(served)
    assert found("carico_referee_stalls_total") >= 1
    assert found("carico_referee_stalled_seconds_total") >= 0.1
    slow = found("carico_referee_loop_lag_seconds_count") - found("carico_referee_loop_lag_seconds_bucket", le="0.05")
    assert slow >= 1


class Failing(MemoryLog):
    """A log that can't be written for so many tries."""

    tries = 0

    async def append(self, lines: Sequence[Line]) -> None:
        if self.tries:
            self.tries -= 1
            raise LogUnavailable("the log in the test's hand: away")
        await super().append(lines)


async def test_a_log_that_is_away_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "MemoryLog", Failing)
    async with Served() as served:
        log = served.referee.hall.log
        assert isinstance(log, Failing)
        await served.seat("ann", "bob")
        assert now(served)("carico_referee_log_available") == 1
        log.tries = 10**6
        spec = order(1, "ann", "bob")
        await served.start(spec)
        await eventually(lambda: now(served)("carico_referee_log_unavailable_total") >= 2)
        assert now(served)("carico_referee_log_available") == 0
        log.tries = 0
        await served.ends(spec)
        assert now(served)("carico_referee_log_available") == 1


async def test_it_is_served_while_the_loop_stands_still() -> None:
    referee = Referee(Settings("127.0.0.1:0", ORGANISER, metrics="127.0.0.1:0"))
    await referee.start()
    # Nothing is awaited here, so the loop can't help.
    found = scrape(f"http://{referee.metrics}/metrics")
    assert found("carico_referee_info", version="0.1.0", protocol="1") == 1
    assert found("process_resident_memory_bytes") > 0
    await referee.stop()


async def test_a_port_that_is_taken_stops_it_before_it_takes_the_log() -> None:
    first = Referee(Settings("127.0.0.1:0", ORGANISER, metrics="127.0.0.1:0"))
    await first.start()
    with pytest.raises(CannotServe, match="--metrics"):
        await Referee(Settings("127.0.0.1:0", ORGANISER, metrics=first.metrics)).start()
    await first.stop()


def test_a_bound_counts_what_is_at_most_as_long() -> None:
    durations = Durations((0.5, 1.0))
    for seconds in (0.1, 0.5, 0.75, 1.0, 7.0):
        durations.add(seconds)
    rising, total = durations.seen()
    assert rising == [(0.5, 2), (1.0, 4), (float("inf"), 5)]
    assert total == pytest.approx(9.35)
