"""A program behind the bridge: it is asked, it dies, it hangs, it babbles, and the author learns why."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from carico import bridge as bridges
from carico import json_lines
from carico.bridge import Bridge, Decision, GivenUp
from carico.codec import NO_ACTION
from carico.rules.cards import parse_card
from carico.rules.game import game
from carico.rules.view import View, view
from tests.kit.deals import new_deal
from tests.kit.programs import GOOD, program

BRISCOLA = game("briscola-2")
DEAL = new_deal(BRISCOLA, Random(1))
VIEW = view(DEAL, DEAL.to_act)
OTHER = next(str(card) for card in VIEW.unseen)


class Driver:
    """A bridge, and all that came of it."""

    def __init__(self, command: list[str], patience_s: float, hello_s: float) -> None:
        self.told: list[str] = []
        self.bridge = Bridge(
            command, bot="b", version="1", tell=self.told.append, patience_s=patience_s, hello_s=hello_s
        )
        self.decisions: list[Decision] = []

    def ask(self, match: str, view: View = VIEW, number: int = 1) -> None:
        self.bridge.start(match, json_lines.start(match, (view.seat,), view.game, None, b""))
        self.bridge.ask(match, view.seat, number, 0, view, 1000)

    def until(self, true: Callable[[], bool]) -> None:
        while not true():
            self.decisions += self.bridge.pump()
            if not true():
                self.bridge.wait(20)

    def until_decided(self, count: int) -> list[Decision]:
        self.until(lambda: len(self.decisions) >= count)
        assert len(self.decisions) == count
        return self.decisions


@pytest.fixture
def drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Driver]]:
    """Makes drivers of programs that treat asks in a certain way."""
    monkeypatch.setattr(bridges, "FIRST_PAUSE_S", 0.001)
    made: list[Driver] = []

    def make(on_ask: str = GOOD, patience_s: float = 20.0, hello_s: float = 20.0, **more: str) -> Driver:
        made.append(Driver(program(tmp_path, on_ask, **more), patience_s, hello_s))
        return made[-1]

    yield make
    for driver in made:
        driver.bridge.close()


def test_many_matches_at_once_in_any_order(drive: Callable[..., Driver]) -> None:
    driver = drive(
        "        held = [message] + (held if asked > 1 else [])\n"
        "        if asked == 20: [answer(ask) for ask in held]\n"
    )
    for number in range(20):
        driver.ask(f"m{number}")
    found = driver.until_decided(20)
    assert [decision.match for decision in found] == [f"m{number}" for number in reversed(range(20))]
    assert all(decision.action == VIEW.legal[0] and not decision.problem for decision in found)
    assert driver.told == []


def test_an_answer_that_is_not_legal(drive: Callable[..., Driver]) -> None:
    driver = drive(f"        answer(message, '{OTHER}' if asked == 1 else 'the ace')\n")
    driver.ask("a")
    driver.ask("b")
    first, second = driver.until_decided(2)
    assert first.action == parse_card(OTHER)
    assert f"answered '{OTHER}', but it may only do this: " in first.problem
    assert second.action == NO_ACTION
    assert "'the ace'" in second.problem


def test_answers_that_nobody_waits_for_are_ignored(drive: Callable[..., Driver]) -> None:
    driver = drive(
        "        answer({**message, 'match': 'none'})\n        answer({**message, 'number': 99})\n"
        "        answer({**message, 'seat': 1 - message['seat']})\n        answer(message)\n        answer(message)\n"
    )
    driver.ask("a")
    driver.until_decided(1)
    driver.ask("b")
    assert [decision.number for decision in driver.until_decided(2)] == [1, 1]
    assert driver.told == []


def test_an_ask_whose_match_ended_is_asked_no_more(drive: Callable[..., Driver]) -> None:
    driver = drive("        answer(message) if message['match'] == 'b' else None\n")
    driver.ask("a")
    driver.bridge.end("a", {"type": "end", "match": "a"})
    driver.ask("b")
    driver.until_decided(1)
    assert driver.bridge.due == float("inf")


def test_a_program_that_ends_is_started_again_and_told_what_is_open(drive: Callable[..., Driver]) -> None:
    driver = drive("        if once(): sys.exit(7)\n        answer(message)\n")
    driver.ask("a", number=5)
    driver.ask("b", number=6)
    found = driver.until_decided(2)
    assert {(decision.match, decision.number) for decision in found} == {("a", 5), ("b", 6)}
    assert all(not decision.problem for decision in found)
    (told,) = driver.told
    assert "exit code 7" in told
    assert "started again" in told
    assert driver.bridge.ends == 0
    assert len(driver.bridge.stops) == 1


def test_an_ask_that_ends_the_program_three_times_is_lost_and_the_others_are_not(drive: Callable[..., Driver]) -> None:
    driver = drive("        sys.exit(7) if message['match'] == 'poison' else answer(message)\n")
    driver.ask("poison")
    (lost,) = driver.until_decided(1)
    assert (lost.match, lost.action) == ("poison", NO_ACTION)
    assert "ended 3 times" in lost.problem
    assert "exit code 7" in lost.problem
    driver.ask("good")
    assert not driver.until_decided(2)[1].problem
    assert driver.bridge.ends == 0


def test_a_program_that_never_answers_well_is_given_up(drive: Callable[..., Driver]) -> None:
    driver = drive("        sys.exit(7)\n")
    for number in range(6):
        driver.ask(f"m{number}")
    driver.until_decided(6)
    driver.ask("one more")
    with pytest.raises(GivenUp, match="exit code 7; that was the 5th end"):
        driver.until_decided(7)
    assert len(driver.told) == 4


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("import sys; sys.exit(4)", "exit code 4, and never said hello"),
        ("import time; time.sleep(100)", "it did not say hello for 0.2 s, so it was killed"),
        ("print('ready', flush=True); import time; time.sleep(100)", "did not say hello"),
        ("for _ in range(200): print('debug')\nimport sys; sys.stdout.flush(); sys.stdin.read()", "100 lines in a row"),
    ],
)
def test_a_program_that_never_says_hello_is_given_up_at_once(
    before: str, why: str, drive: Callable[..., Driver]
) -> None:
    driver = drive(before=before, hello_s=0.2 if "time.sleep" in before else 20.0)
    with pytest.raises(GivenUp, match=why):
        driver.until(lambda: driver.bridge.ready)


def test_a_program_that_hangs_is_killed_and_started_again(drive: Callable[..., Driver]) -> None:
    driver = drive("        if once(): time.sleep(100)\n        answer(message)\n", patience_s=0.5)
    driver.ask("a")
    driver.until_decided(1)
    assert "it was asked and wrote nothing for 0.5 s, so it was killed" in driver.told[0]


def test_patience_grows_with_the_time_control(drive: Callable[..., Driver]) -> None:
    driver = drive(patience_s=0.5)
    driver.until(lambda: driver.bridge.ready)
    driver.bridge.allow(60)
    driver.bridge.allow(1)
    driver.ask("a")
    assert driver.bridge.due > time.monotonic() + 50


def test_where_a_clock_runs_a_program_may_be_silent_for_the_action_limit(drive: Callable[..., Driver]) -> None:
    driver = drive("        if once(): time.sleep(100)\n        answer(message)\n")
    driver.until(lambda: driver.bridge.ready)
    driver.bridge.start("a", {"type": "start"}, limit_s=0.3)
    driver.bridge.ask("a", VIEW.seat, 1, 0, VIEW, 1000)
    driver.until_decided(1)
    assert "wrote nothing for 0.3 s" in driver.told[0]


@pytest.mark.parametrize("at_fault", [True, False])
def test_a_program_that_was_silent_until_its_flag_fell_is_ended(at_fault: bool, drive: Callable[..., Driver]) -> None:
    driver = drive("        if once(): time.sleep(100)\n        answer(message)\n")
    driver.until(lambda: driver.bridge.ready)
    driver.bridge.start("a", {"type": "start"}, limit_s=0.3)
    driver.bridge.ask("a", VIEW.seat, 1, 0, VIEW, 1000)
    driver.bridge.end("a", {"type": "end"}, at_fault=at_fault)
    assert (driver.bridge.due == float("inf")) is not at_fault
    if at_fault:
        driver.until(lambda: bool(driver.told))
        assert "wrote nothing for 0.3 s" in driver.told[0]


def test_lines_that_are_no_messages_are_skipped_and_told_once(drive: Callable[..., Driver]) -> None:
    driver = drive("        print('thinking ...', flush=True)\n        answer(message)\n")
    for number in range(5):
        driver.ask(f"m{number}")
    driver.until_decided(5)
    (told,) = driver.told
    assert "'thinking ...'" in told
    assert len(driver.bridge.bad_lines) == 5


@pytest.mark.parametrize(
    ("babble", "why"),
    [
        ("sys.stdout.write('x' * 70_000); sys.stdout.flush()", "a line of 65536 bytes or more"),
        ("[print('no') for _ in range(100)]", "100 lines in a row that are no messages"),
    ],
)
def test_babble_ends_the_program(babble: str, why: str, drive: Callable[..., Driver]) -> None:
    driver = drive(
        f"        if once():\n            {babble}\n            sys.stdout.flush(); time.sleep(100)\n"
        "        answer(message)\n"
    )
    driver.ask("a")
    driver.until_decided(1)
    assert why in driver.told[-1]


def test_a_restart_on_request_is_held_against_nobody(drive: Callable[..., Driver]) -> None:
    driver = drive()
    driver.ask("a")
    driver.until_decided(1)
    before = driver.bridge.pid
    driver.bridge.restart()
    driver.ask("b")
    driver.until_decided(2)
    assert driver.bridge.pid not in (None, before)
    assert driver.told == driver.bridge.stops == []
