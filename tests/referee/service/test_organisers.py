import asyncio
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from carico.v1 import organisers_pb2 as pb
from referee.service import organisers
from referee.service.organisers import OrganisersServicer
from referee.store.log import LogTaken, LogUnavailable
from tests.kit.served import BRISCOLA, Served, eventually, faults, order, settle, told

Code = grpc.StatusCode
METHODS = [method.name for method in pb.DESCRIPTOR.services_by_name["OrganisersService"].methods]


def request_of(method: str) -> Message:
    """An empty request of that method."""
    return getattr(pb, f"{method}Request")()


async def refused(call: Any) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code(), caught.value.details() or ""


def test_every_method_of_the_contract_is_served_here() -> None:
    assert METHODS
    for method in METHODS:
        assert method in vars(OrganisersServicer)


@pytest.mark.parametrize("method", METHODS)
async def test_only_the_organiser_is_served(served: Served, method: str) -> None:
    await served.register("ann")
    for token in (served.tokens["ann"], "carico_wrong", "x"):
        code, details = await refused(served.call(method, request_of(method), token))
        assert (code, details.split(":")[0]) == (Code.PERMISSION_DENIED, "NOT_ORGANISER")
    code, details = await refused(getattr(served.stub, method)(request_of(method)))
    assert (code, details.split(":")[0]) == (Code.UNAUTHENTICATED, "NO_TOKEN")


@pytest.mark.parametrize("method", METHODS)
async def test_an_error_inside_tells_a_caller_nothing(
    served: Served, method: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a secret of the house")

    for name in ("log", "running", "start", "wait", "ended", "abort", "release", "guests"):
        monkeypatch.setattr(served.referee.hall, name, fail, raising=True)
    monkeypatch.setattr(served.referee.accounts, "register", fail)
    monkeypatch.setattr(served.referee.accounts, "renew", fail)
    monkeypatch.setattr(served.referee.accounts, "all", fail)
    request = request_of(method)
    if isinstance(request, pb.RegisterBotRequest):
        request.bot = request.owner = "ann"
    code, details = await refused(served.call(method, request))
    assert code is Code.INTERNAL
    assert details.startswith("INTERNAL:")
    assert "secret" not in details
    assert "Error" not in details
    assert any(record.exc_info for record in caplog.records), "the log tells the organiser more"
    caplog.clear()
    monkeypatch.undo()


@pytest.mark.parametrize("method", ["StartMatches", "ReleaseMatches", "AwaitMatches"])
async def test_a_store_that_is_out_is_told_without_its_address(
    served: Served, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def out(*_: object) -> None:
        raise LogUnavailable("the store at redis://secret.host: it is out")

    await served.register("ann")
    spec = order(1, "ann", "ann")
    await served.start(spec)
    await served.call("AbortMatches", pb.AbortMatchesRequest(ids=[spec.id]))
    await served.ends(spec)
    for name in ("begin", "release", "released"):
        monkeypatch.setattr(served.referee.hall.log, name, out)
    request = {
        "StartMatches": pb.StartMatchesRequest(matches=[order(2, "ann", "ann")]),
        "ReleaseMatches": pb.ReleaseMatchesRequest(ids=[spec.id]),
        "AwaitMatches": pb.AwaitMatchesRequest(ids=["unknown"]),
    }[method]
    code, details = await refused(served.call(method, request))
    assert (code, details.split(":")[0]) == (Code.UNAVAILABLE, "STORE_DOWN")
    assert "secret" not in details
    monkeypatch.undo()
    await served.call(method, request)


async def test_a_match_whose_beginning_was_in_doubt_can_be_started_again(served: Served) -> None:
    """The log has it, the answer was lost: the second start counts, with its handle."""
    log = served.referee.hall.log
    begin = log.begin

    async def lost(specs: Any) -> None:
        await begin(specs)
        raise LogUnavailable("the store at nowhere: gone")

    log.begin = lost
    await served.seat("ann", "bob")
    spec = order(1, "ann", "bob")
    assert (await refused(served.start(spec)))[0] is Code.UNAVAILABLE
    log.begin = begin
    assert await served.start(spec) == [spec.id]
    ((kept, _),) = await log.open()
    assert kept.handle == served.referee.hall.match(spec.id).spec.handle


@pytest.mark.parametrize("method", ["StartMatches", "ReleaseMatches"])
async def test_a_log_that_is_taken_over_ends_the_referee(
    served: Served, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def taken(*_: object) -> None:
        raise LogTaken("another referee has taken over redis://secret.host")

    await served.register("ann")
    spec = order(1, "ann", "ann")
    await served.start(spec)
    await served.call("AbortMatches", pb.AbortMatchesRequest(ids=[spec.id]))
    await served.ends(spec)
    monkeypatch.setattr(served.referee.hall.log, "begin", taken)
    monkeypatch.setattr(served.referee.hall.log, "release", taken)
    request = {
        "StartMatches": pb.StartMatchesRequest(matches=[order(2, "ann", "ann")]),
        "ReleaseMatches": pb.ReleaseMatchesRequest(ids=[spec.id]),
    }[method]
    code, details = await refused(served.call(method, request))
    assert (code, details.split(":")[0]) == (Code.UNAVAILABLE, "CLOSING")
    async with asyncio.timeout(5):
        await served.referee.until_taken()


async def test_the_referee_tells_who_it_is(any_served: Served) -> None:
    told = await any_served.call("GetReferee", pb.GetRefereeRequest())
    assert told.protocol == 1
    assert told.version
    assert len(told.incarnation) == 16


async def test_starting_awaiting_and_releasing_may_be_repeated(any_served: Served) -> None:
    await any_served.seat("ann", "bob")
    spec, other = order(1, "ann", "bob"), order(2, "ann", "bob")
    assert await any_served.start(spec, spec) == [spec.id], "named twice is one match"
    assert await any_served.start(spec, other) == [other.id]
    first = await any_served.ends(spec, other)
    assert await any_served.ends(spec, other) == first
    assert await any_served.start(spec) == [], "over, but not released"
    assert await any_served.ends(spec) == first[:1]
    listed = await any_served.call("ListEndedMatches", pb.ListEndedMatchesRequest())
    assert sorted(listed.ids) == [spec.id, other.id]
    for _ in range(2):
        await any_served.release([spec.id])
        states = await any_served.states([spec.id, other.id, "never"], 5_000)
        statuses = [states[id_].status for id_ in (spec.id, other.id, "never")]
        assert statuses == [pb.MATCH_STATUS_RELEASED, pb.MATCH_STATUS_ENDED, pb.MATCH_STATUS_UNKNOWN]
        assert not states[spec.id].HasField("result")
    code, details = await refused(any_served.start(order(3, "ann", "bob"), spec))
    assert (code, details.split(":")[0]) == (Code.FAILED_PRECONDITION, "RELEASED")
    assert (await any_served.states([order(3, "a").id]))[order(3, "a").id].status == pb.MATCH_STATUS_UNKNOWN
    assert list((await any_served.call("ListEndedMatches", pb.ListEndedMatchesRequest())).ids) == [other.id]


async def test_the_same_match_started_at_once_by_many_is_one(any_served: Served) -> None:
    ann, _ = await any_served.seat("ann", "bob")
    spec = order(1, "ann", "bob")
    new = await asyncio.gather(*(any_served.start(spec) for _ in range(8)))
    assert sorted(new) == [[]] * 7 + [[spec.id]]
    await any_served.ends(spec)
    assert len({start.match for start in ann.starts}) == 1


async def test_a_match_that_runs_is_not_released(served: Served) -> None:
    ann, _ = await served.seat("ann", "bob")
    ann.limit = 1
    spec = order(1, "ann", "bob")
    await served.start(spec)
    await served.release([spec.id])
    assert (await served.states([spec.id]))[spec.id].status == pb.MATCH_STATUS_RUNNING
    await ann.until(lambda: ann.open)
    await ann.answer_open()
    (state,) = await served.ends(spec)
    assert faults(state) == []


async def test_an_aborted_match_is_void_with_what_was_played(any_served: Served) -> None:
    ann, bob = await any_served.seat("ann", "bob")
    ann.limit = 3
    spec = order(1, "ann", "bob")
    await any_served.start(spec)
    await ann.until(lambda: ann.open)
    request = pb.AbortMatchesRequest(ids=[spec.id, "never"], reason="PAUSED: the season is paused " + "x" * 300)
    assert (await any_served.call("AbortMatches", request)).aborted == [spec.id]
    assert (await any_served.call("AbortMatches", request)).aborted == []
    (state,) = await any_served.ends(spec)
    assert state.status == pb.MATCH_STATUS_VOID
    assert state.result.void_reason.startswith("PAUSED: ")
    assert len(state.result.void_reason) == 200
    assert 5 <= len(state.result.deals[0].actions) <= 7
    for bot in (ann, bob):
        end = await told(bot, state)
        assert end.void
        assert not end.faults
        assert PAUSED not in b"".join(bot.frames)
    await ann.answer_open()
    await ann.until(lambda: ann.notices)
    assert {notice.reason for notice in ann.notices} == {"UNKNOWN_MATCH"}


PAUSED = b"PAUSED"


async def test_awaiting_ends_when_its_time_is_up(served: Served) -> None:
    ann, _ = await served.seat("ann", "bob")
    ann.limit = 0
    spec = order(1, "ann", "bob")
    await served.start(spec)
    for wait in (Duration(), Duration(nanos=20_000_000), Duration(seconds=-5), Duration(nanos=1)):
        request = pb.AwaitMatchesRequest(ids=[spec.id, spec.id], wait=wait)
        states = (await served.call("AwaitMatches", request)).matches
        assert [state.status for state in states] == [pb.MATCH_STATUS_RUNNING] * 2
    assert not (await served.call("AwaitMatches", pb.AwaitMatchesRequest(wait=Duration(seconds=9)))).matches


async def test_awaiting_leaves_nothing_behind(served: Served) -> None:
    ann, _ = await served.seat("ann", "bob")
    ann.limit = 0
    spec = order(1, "ann", "bob")
    await served.start(spec)
    calls = [asyncio.ensure_future(served.states([spec.id], 20_000)) for _ in range(10)]
    await settle()
    table = served.referee.hall._tables[spec.id]
    assert len(table.watchers) == 10
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
    await eventually(lambda: not table.watchers)


MISTAKES: dict[str, tuple[Callable[[pb.MatchSpec], Any], str]] = {
    "no id": (lambda m: m.ClearField("id"), "id"),
    "a long id": (lambda m: setattr(m, "id", "x" * 201), "id"),
    "no game": (lambda m: m.ClearField("game"), "game"),
    "an unknown game": (lambda m: setattr(m.game, "name", "poker-2"), "game"),
    "options that are no JSON": (lambda m: setattr(m.game, "options_json", "{"), "options_json"),
    "options that are no object": (lambda m: setattr(m.game, "options_json", "[1]"), "options_json"),
    "options nested for ever": (lambda m: setattr(m.game, "options_json", "[" * 9_000), "options_json"),
    "an unknown option": (lambda m: setattr(m.game, "options_json", '{"nonsense":1}'), "nonsense"),
    "a dealer who is no seat": (lambda m: setattr(m, "dealer", 2), "dealer"),
    "too few seats": (lambda m: m.seats.pop(), "seats"),
    "too many seats": (lambda m: m.seats.add(bot="cid", version="1"), "seats"),
    "no source": (lambda m: m.ClearField("source"), "source"),
    "a card missing": (lambda m: setattr(m, "source", m.source[:-1]), "source"),
    "a card twice": (lambda m: setattr(m, "source", m.source[:-1] + m.source[:1]), "source"),
    "a name that is none": (lambda m: setattr(m.seats[0], "bot", "a b"), "bot"),
    "no version": (lambda m: setattr(m.seats[1], "version", ""), "version"),
    "two versions of one bot": (
        lambda m: setattr(m.seats[1], "bot", "ann") or setattr(m.seats[1], "version", "2"),
        "version",
    ),
    "no time control": (lambda m: m.ClearField("time_control"), "time_control"),
    "no bank": (lambda m: m.time_control.ClearField("bank"), "bank_ms"),
    "no action limit": (lambda m: m.time_control.ClearField("action_limit"), "action_limit_ms"),
    "a negative increment": (lambda m: setattr(m.time_control.increment, "seconds", -1), "increment_ms"),
    "a grace of years": (lambda m: setattr(m.time_control.grace, "seconds", 10**11), "grace_ms"),
}


@pytest.mark.parametrize("what", MISTAKES)
async def test_a_mistake_in_an_order_is_named_and_nothing_is_started(served: Served, what: str) -> None:
    spoil, field = MISTAKES[what]
    good, bad = order(1, "ann", "bob"), order(2, "ann", "bob")
    spoil(bad)
    code, details = await refused(served.start(good, bad))
    assert (code, details.split(":")[0]) == (Code.INVALID_ARGUMENT, "BAD_MATCH")
    assert field in details
    assert bad.id[:200] in details
    assert (await served.states([good.id]))[good.id].status == pb.MATCH_STATUS_UNKNOWN


async def test_names_that_are_none_are_refused(served: Served) -> None:
    for bot, owner in (
        ("", "o"),
        ("a b", "o"),
        ("x" * 41, "o"),
        ("-a", "o"),
        ("ann", ""),
        ("ann", "o\n"),
        ("a:b", "o"),
    ):
        code, details = await refused(served.call("RegisterBot", pb.RegisterBotRequest(bot=bot, owner=owner)))
        assert (code, details.split(":")[0]) == (Code.INVALID_ARGUMENT, "BAD_NAME")
    await served.register("ann")
    code, details = await refused(served.call("RegisterBot", pb.RegisterBotRequest(bot="ann", owner="other")))
    assert (code, details.split(":")[0]) == (Code.ALREADY_EXISTS, "BOT_EXISTS")
    code, details = await refused(served.call("RenewToken", pb.RenewTokenRequest(bot="bob")))
    assert (code, details.split(":")[0]) == (Code.NOT_FOUND, "NO_SUCH_BOT")


async def test_what_is_too_much_is_refused(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    many = [str(n) for n in range(organisers.MOST_MATCHES + 1)]
    for request in (
        pb.AwaitMatchesRequest(ids=many),
        pb.AbortMatchesRequest(ids=many),
        pb.ReleaseMatchesRequest(ids=many),
        pb.StartMatchesRequest(matches=[pb.MatchSpec()] * len(many)),
    ):
        code, details = await refused(served.call(type(request).__name__.removesuffix("Request"), request))
        assert (code, details.split(":")[0]) == (Code.RESOURCE_EXHAUSTED, "TOO_MANY")
    monkeypatch.setattr(organisers, "MOST_RUNNING", 3)
    await served.register("ann")
    assert len(await served.start(*(order(n, "ann", "ann") for n in range(2)))) == 2
    code, details = await refused(served.start(*(order(n, "ann", "ann") for n in range(5, 7))))
    assert (code, details.split(":")[0]) == (Code.RESOURCE_EXHAUSTED, "TOO_MANY")
    await served.call("AbortMatches", pb.AbortMatchesRequest(ids=[order(n, "a").id for n in range(2)]))
    await served.ends(order(0, "a"), order(1, "a"))


async def test_an_order_larger_than_a_message_is_refused_by_the_server(served: Served) -> None:
    code, _ = await refused(served.start(*(order(n, "ann", "bob", of=BRISCOLA) for n in range(800))))
    assert code is Code.RESOURCE_EXHAUSTED


async def test_garbage_is_refused_and_hurts_nobody(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    ann, bob = await served.seat("ann", "bob")
    raw = served.channel.unary_unary("/carico.v1.OrganisersService/StartMatches")
    code, details = await refused(raw(b"\xff\xff", metadata=(("authorization", "Bearer x"),)))
    assert (code, details.split(":")[0]) == (Code.INVALID_ARGUMENT, "GARBAGE")
    assert ".py" not in details
    caplog.clear()
    (state,) = await served.play(order(1, "ann", "bob"))
    assert faults(state) == []
    assert ann.status is None
    assert bob.status is None
