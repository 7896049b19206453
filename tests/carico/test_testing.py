"""The conformance kit finds what it is for, and nothing where nothing is wrong."""

import asyncio
import itertools
import random
import time
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import pytest

from carico import Bot, Card, View, codec
from carico.rules.game import game, game_names
from carico.session import Session
from carico.testing import Finding, check_bot, reconnect
from carico.time_control import TimeControl
from carico.v1 import bots_pb2
from clients.bots.counter import Counter
from clients.bots.random_bot import RandomBot
from tests.kit.deals import EVERY

BRISCOLA = game("briscola-2")
QUICK = TimeControl(action_limit_ms=50, bank_ms=10_000)


def findings(made: Any, games: Sequence[str] = ("briscola-2",), **more: Any) -> dict[tuple[str, str], Finding]:
    found = list(check_bot(made, [game(name) for name in games], **more))
    keyed = {(finding.check, finding.game): finding for finding in found}
    assert len(keyed) == len(found)
    return keyed


def failed(found: dict[tuple[str, str], Finding]) -> list[str]:
    for finding in found.values():
        assert finding.ok == (finding.mend == "")
        assert finding.seen
    return [finding.check for finding in found.values() if not finding.ok]


class Later(RandomBot):
    async def act(self, view: View) -> Card:  # type: ignore[override]
        await asyncio.sleep(0)
        return super().act(view)


@pytest.mark.parametrize("made", [RandomBot, Counter, Later])
def test_a_good_bot_passes_in_every_game(made: type[Bot]) -> None:
    found = findings(made, EVERY, states=60)
    assert failed(found) == []
    checks = {"legal", "exceptions", "time", "repeats", "separate deals", "restart", "reconnect", "view modes"}
    assert set(found) == set(itertools.product(checks, game_names()))


@pytest.mark.parametrize("name", EVERY)
def test_every_seat_is_asked_with_every_dealer_in_enough_states(name: str) -> None:
    of = game(name)
    seen = set()

    class Watcher(Bot):
        def act(self, view: View) -> Card:
            seen.add((view.seat, view.dealer, len(view.table), view.stock > 0))
            return view.legal[0]

    # An auction and windows ask besides the tricks.
    pairs, asks = of.players**2, of.tricks + of.draw_rounds + 3 * (of.auction is not None)
    assert failed(findings(Watcher, [name], states=pairs * asks)) == []
    assert {(seat, dealer) for seat, dealer, _, _ in seen} == set(itertools.product(range(of.players), repeat=2))
    stocks = [True, False] if of.draw_rounds else [False]
    assert {(length, stock) for _, _, length, stock in seen} == set(itertools.product(range(of.players), stocks))


def test_the_same_seed_asks_the_same() -> None:
    def asked(seed: int) -> list[bytes]:
        seen: list[bytes] = []

        class Watcher(Bot):
            def act(self, view: View) -> Card:
                seen.append(view.digest())
                return view.legal[0]

        findings(Watcher, states=30, seed=seed)
        return seen

    assert asked(1) == asked(1)
    assert not set(asked(1)) & set(asked(2))


class Cheat(Bot):
    def act(self, view: View) -> Card:
        return view.unseen[0] if view.unseen and view.stock < 20 else view.legal[0]


class Nothing(Bot):
    def act(self, view: View) -> Card:
        return None  # type: ignore[return-value]


@pytest.mark.parametrize(("made", "told"), [(Cheat, "may only play"), (Nothing, "None")])
def test_an_illegal_answer(made: type[Bot], told: str) -> None:
    found = findings(made, states=60)
    assert "legal" in failed(found)
    assert told in found["legal", "briscola-2"].seen
    assert "<View briscola-2" in found["legal", "briscola-2"].seen
    assert found["exceptions", "briscola-2"].ok


class Broken(Bot):
    def act(self, view: View) -> Card:
        if view.stock == 0:
            raise ZeroDivisionError("as I was written")
        return view.legal[0]


def test_an_exception_is_told_with_its_line() -> None:
    found = findings(Broken, states=60)
    assert "exceptions" in failed(found)
    assert found["legal", "briscola-2"].ok
    assert "ZeroDivisionError: as I was written" in found["exceptions", "briscola-2"].seen
    assert "test_testing.py" in found["exceptions", "briscola-2"].detail


class Quitter(Bot):
    def act(self, view: View) -> Card:
        raise SystemExit(3)


def test_a_bot_that_ends_its_program_ends_no_check() -> None:
    assert "exceptions" in failed(findings(Quitter))


class Dice(Bot):
    def act(self, view: View) -> Card:
        return random.choice(view.legal)


def test_chance_that_does_not_repeat() -> None:
    found = findings(Dice)
    assert "repeats" in failed(found)
    assert "self.chance" in found["repeats", "briscola-2"].mend


class Shared(Bot):
    """Keeps what it remembers in the class: right as long as one deal is played after the other."""

    last: ClassVar[list[int]] = []

    def act(self, view: View) -> Card:
        if len(view.played_codes) < 2:
            self.last.clear()
        self.last.append(view.hand_codes[0])
        return view.legal[sum(self.last) % len(view.legal)]


def test_memory_that_deals_share() -> None:
    found = findings(Shared)
    assert failed(found) == ["separate deals"]
    assert "on self" in found["separate deals", "briscola-2"].mend


class Forgetful(Bot):
    """Needs what it did at its first act."""

    def act(self, view: View) -> Card:
        if len(view.played_codes) < 2:
            self.first = view.legal[0]
        assert self.first is not None
        return view.legal[0]


def test_a_bot_that_cannot_be_asked_in_the_middle_of_a_deal() -> None:
    found = findings(Forgetful)
    assert failed(found) == ["restart"]
    assert "AttributeError" in found["restart", "briscola-2"].detail


def test_a_program_is_started_again_now_and_then() -> None:
    calls: list[None] = []
    findings(RandomBot, states=200, begin_again=lambda: calls.append(None))
    assert 5 <= len(calls) <= 20


class Slow(Bot):
    def act(self, view: View) -> Card:
        if view.stock == 0:
            time.sleep(0.06)
        return view.legal[0]


def test_an_act_over_the_limit() -> None:
    found = findings(Slow, states=20, terms=QUICK)
    assert failed(found) == ["time"]
    assert "of 50 ms an act" in found["time", "briscola-2"].seen
    assert failed(findings(Slow, states=20)) == []


def test_a_deal_over_the_bank() -> None:
    terms = TimeControl(action_limit_ms=5_000, bank_ms=100, increment_ms=0)
    assert failed(findings(Slow, states=20, terms=terms)) == ["time"]


class Hangs(Bot):
    def act(self, view: View) -> Card:
        while view.stock < 30:
            try:
                time.sleep(0.01)
            except Exception:
                continue
        return view.legal[0]


class HangsLater(Bot):
    async def act(self, view: View) -> Card:  # type: ignore[override]
        await asyncio.sleep(3600 if view.stock < 30 else 0)
        return view.legal[0]


@pytest.mark.parametrize("made", [Hangs, HangsLater])
def test_an_act_that_never_ends_is_stopped(made: type[Bot]) -> None:
    found = findings(made, ["briscola-2", "briscola-3"], terms=QUICK)
    assert failed(found) == ["time", "repeats"] * 2
    assert "not tried" in found["repeats", "briscola-2"].seen


class Forgets(Session[Bot]):
    """A session that knows nothing any more after a cut."""

    def connect(self) -> None:
        super().connect()
        self._matches.clear()


class Changes(Session[Bot]):
    """A session that sends another answer after a cut."""

    def answer(self, match: str, seat: int, number: int, action: int) -> None:
        super().answer(match, seat, number, action)
        self._matches[match].turns[seat].action = action ^ 1


@pytest.mark.parametrize(("session", "told"), [(Forgets, "asked"), (Changes, "another answer")])
def test_a_session_that_is_not_steady(session: type, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconnect, "Session", session)
    found = findings(RandomBot)
    assert failed(found) == ["reconnect", "view modes"]
    assert told in found["reconnect", "briscola-2"].seen


def test_a_session_that_loses_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(message: bots_pb2.Change, known: View) -> View:
        blank = bots_pb2.Change.FromString(message.SerializeToString())
        blank.ClearField("played")
        return good(blank, known)

    good = codec.read_change
    monkeypatch.setattr(codec, "read_change", forgetful)
    found = findings(RandomBot)
    assert failed(found) == ["view modes"]
    assert "told in snapshots and in deltas" in found["view modes", "briscola-2"].seen


def test_findings_come_one_by_one() -> None:
    found: Iterable[Finding] = check_bot(RandomBot, [BRISCOLA], states=10)
    assert next(iter(found)).check == "legal"
