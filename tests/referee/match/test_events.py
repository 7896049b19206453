import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carico.time_control import TimeControl
from referee.match.events import (
    Aborted,
    Answered,
    Begun,
    Broke,
    Event,
    Joined,
    Left,
    Ticked,
    WentAbsent,
    from_json,
    to_json,
)
from referee.match.spec import MatchSpec, Seat
from tests.kit.deals import SEEDS, games, shuffled
from tests.kit.sitting import chance, order

TEXT = st.text(max_size=20)
EVENTS = st.one_of(
    st.just(Begun()),
    st.just(Ticked()),
    st.builds(
        Answered, st.integers(0, 5), st.integers(-9, 10**9), st.integers(-1, 2**32), st.integers(-(10**9), 10**9)
    ),
    *(st.builds(kind, TEXT) for kind in (Left, Joined, WentAbsent, Aborted)),
    st.builds(Broke, TEXT, TEXT),
)


@given(st.integers(0, 10**12), EVENTS)
def test_events_go_round_through_json(at, event):
    line = json.loads(json.dumps(to_json(at, event)))
    assert from_json(line) == (at, event)
    assert type(from_json(line)[1]) is type(event)


def test_lines_of_the_log_are_short_and_plain():
    assert to_json(0, Begun()) == [0, "Begun"]
    assert to_json(17, Answered(1, 3, 55, 2)) == [17, "Answered", 1, 3, 55, 2]
    assert to_json(18, Left("greedy")) == [18, "Left", "greedy"]
    assert to_json(19, Broke("greedy", "flooded")) == [19, "Broke", "greedy", "flooded"]


def test_every_kind_of_event_can_be_read_again():
    lines = [["Begun"], ["Answered", 0, 1, 2], ["Left", "a"], ["Joined", "a"], ["WentAbsent", "a"], ["Broke", "a", "b"],
             ["Ticked"], ["Aborted", "a"]]  # fmt: skip
    kinds = {type(from_json([0, *line])[1]) for line in lines}
    assert kinds == set(get_args(Event))


@pytest.mark.parametrize("line", [[0, "Answerd", 1, 2, 3], [0, "Event"], [0, "Left"], [0, "Ticked", 1], [0]])
def test_a_line_that_is_no_event_is_an_error(line):
    with pytest.raises((KeyError, TypeError, ValueError)):
        from_json(line)


TERMS = st.none() | st.builds(TimeControl, *(st.integers(1, 10**6) for _ in range(5)))


@given(games(), SEEDS, TERMS, st.lists(st.tuples(TEXT, TEXT), min_size=6, max_size=6))
def test_specifications_go_round_through_json(what, seed, terms, bots):
    spec = MatchSpec(
        id="s1/3/0",
        handle="h",
        game=what,
        dealer=seed % what.players,
        source=shuffled(what, chance(seed)),
        seats=tuple(Seat(bot, version) for bot, version in bots[: what.players]),
        time_control=terms,
    )
    again = MatchSpec.from_json(json.loads(json.dumps(spec.to_json())))
    assert again == spec
    assert again.game is what


def test_seats_of_a_bot():
    spec = order("briscola-4", bots="abab")
    assert (spec.seats_of("a"), spec.seats_of("b"), spec.seats_of("c")) == ((0, 2), (1, 3), ())
