"""What a match log promises, for each of them."""

import json
from collections.abc import Callable

import pytest

from referee.match.events import Begun, Event
from referee.match.machine import Match
from referee.match.spec import MatchSpec
from referee.store.log import Line, LogBroken, LogTaken, MatchLog
from tests.kit.sittings import sitting, spec, summary


def lines_of(what: MatchSpec, events: list[tuple[int, Event]], start: int = 0) -> list[Line]:
    return [(what.id, place, at, event) for place, (at, event) in enumerate(events)][start:]


async def test_what_was_written_is_there_when_the_log_is_opened_again(
    another_log: Callable[[], MatchLog], log: MatchLog
) -> None:
    games = ["briscola-2", "briscola-3", "briscola-4", "briscola-6"]
    specs = [spec(number, games[number % 4]) for number in range(12)]
    stories = {what.id: sitting(what, number) for number, what in enumerate(specs)}
    await log.begin(specs)
    for what in specs:
        events = stories[what.id]
        for at in range(0, len(events), 7):
            await log.append(lines_of(what, events[: at + 7], at))
    found = await another_log().open()
    assert {what.id for what, _ in found} == set(stories)
    for what, events in found:
        assert what in specs
        assert events == stories[what.id]
        assert summary(Match.replay(what, events)) == summary(Match.replay(what, stories[what.id]))


async def test_lines_of_many_matches_are_appended_at_once(another_log: Callable[[], MatchLog], log: MatchLog) -> None:
    specs = [spec(number) for number in range(20)]
    await log.begin(specs)
    stories = [sitting(what, number, 10) for number, what in enumerate(specs)]
    mixed = [(what.id, place, *story[place]) for place in range(10) for what, story in zip(specs, stories, strict=True)]
    await log.append(mixed)
    found = {what.id: events for what, events in await another_log().open()}
    assert found == {what.id: story for what, story in zip(specs, stories, strict=True)}


async def test_nothing_is_written_twice(another_log: Callable[[], MatchLog], log: MatchLog) -> None:
    what = spec(1)
    events = sitting(what, 1, 12)
    await log.begin([what])
    await log.append(lines_of(what, events[:5]))
    await log.append(lines_of(what, events[:5]))
    await log.append(lines_of(what, events[:9], 3))
    await log.append(lines_of(what, events))
    await log.append(lines_of(what, events[:1]))
    await log.append([])
    assert await another_log().open() == [(what, events)]


async def test_a_place_that_is_taken_keeps_its_line(another_log: Callable[[], MatchLog], log: MatchLog) -> None:
    what = spec(1)
    await log.begin([what])
    await log.append([(what.id, 0, 0, Begun())])
    await log.append([(what.id, 0, 99, Begun())])
    assert await another_log().open() == [(what, [(0, Begun())])]


@pytest.mark.parametrize("have", [0, 4])
async def test_a_gap_is_refused(another_log: Callable[[], MatchLog], log: MatchLog, have: int) -> None:
    what = spec(1)
    events = sitting(what, 1, 12)
    await log.begin([what])
    await log.append(lines_of(what, events[:have]))
    with pytest.raises(LogBroken):
        await log.append(lines_of(what, events, have + 1))
    assert await another_log().open() == [(what, events[:have])]


async def test_a_line_of_no_match_is_refused(another_log: Callable[[], MatchLog], log: MatchLog) -> None:
    what = spec(1)
    with pytest.raises(LogBroken):
        await log.append([(what.id, 0, 0, Begun())])
    await log.begin([what])
    await log.append([(what.id, 0, 0, Begun())])
    await log.release([what.id])
    with pytest.raises(LogBroken):
        await log.append([(what.id, 1, 5, Begun())])
    assert await another_log().open() == []


async def test_a_match_begun_again_before_its_first_event_is_replaced(
    another_log: Callable[[], MatchLog], log: MatchLog
) -> None:
    """The referee was not told that the first one had come to the log: only the second handle is known to it."""
    first, second = spec(1), spec(1, "briscola-2")
    object.__setattr__(second, "handle", "another")
    await log.begin([first, spec(2)])
    await log.begin([second])
    assert [what.handle for what, _ in await another_log().open()] == ["another", spec(2).handle]


async def test_a_match_begun_again_after_its_first_event_stays(
    another_log: Callable[[], MatchLog], log: MatchLog
) -> None:
    first, second = spec(1), spec(1)
    object.__setattr__(second, "handle", "another")
    await log.begin([first])
    await log.append([(first.id, 0, 0, Begun())])
    await log.begin([second])
    assert await another_log().open() == [(first, [(0, Begun())])]


async def test_released_matches_are_forgotten_but_for_a_mark(
    another_log: Callable[[], MatchLog], log: MatchLog
) -> None:
    specs = [spec(number) for number in range(4)]
    ids = [what.id for what in specs]
    await log.begin(specs)
    await log.append([(what.id, 0, 0, Begun()) for what in specs])
    assert await log.released(ids) == set()
    await log.release(ids[:2])
    await log.release(ids[:2])
    await log.release([])
    assert await log.released([*ids, "never"]) == set(ids[:2])
    assert await log.released([]) == set()
    again = another_log()
    assert [what.id for what, _ in await again.open()] == ids[2:]
    assert await again.released(ids) == set(ids[:2])


async def test_who_opens_the_log_has_it_alone(another_log: Callable[[], MatchLog], log: MatchLog) -> None:
    what = spec(1)
    await log.begin([what])
    new = another_log()
    await new.open()
    with pytest.raises(LogTaken):
        await log.begin([spec(2)])
    with pytest.raises(LogTaken):
        await log.append([(what.id, 0, 0, Begun())])
    with pytest.raises(LogTaken):
        await log.release([what.id])
    await new.append([(what.id, 0, 7, Begun())])
    assert await another_log().open() == [(what, [(7, Begun())])], "what the old one tried changed nothing"
    with pytest.raises(LogTaken):
        await new.append([(what.id, 1, 9, Begun())])


async def test_a_log_that_was_not_opened_cannot_be_written(another_log: Callable[[], MatchLog], log: MatchLog) -> None:
    with pytest.raises(LogTaken):
        await another_log().begin([spec(1)])
    await log.begin([spec(1)])


async def test_the_incarnation_stays_as_long_as_the_log(another_log: Callable[[], MatchLog], log: MatchLog) -> None:
    other = another_log()
    await other.open()
    assert other.incarnation == log.incarnation
    assert len(log.incarnation) == 16


async def test_stories_come_in_the_order_of_their_ids(another_log: Callable[[], MatchLog], log: MatchLog) -> None:
    await log.begin([spec(number) for number in (3, 1, 2)])
    assert [what.id for what, _ in await another_log().open()] == [spec(number).id for number in (1, 2, 3)]


def test_a_specification_survives_its_journey() -> None:
    for name in ("briscola-2", "briscola-6"):
        what = spec(5, name)
        assert MatchSpec.from_json(json.loads(json.dumps(what.to_json()))) == what
