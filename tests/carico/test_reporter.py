"""The count of how matches went, and the log of those who have no reporter of their own."""

import logging

import pytest

from carico.reporter import Reporter, Tally
from carico.rules.outcome import Fault, FaultReason
from carico.session import MatchEnded


def end(winners: tuple[int, ...] = (), faults: tuple[Fault, ...] = (), void: bool = False) -> MatchEnded:
    return MatchEnded(winners, (60, 60), (1, 1), faults, ("why",) * len(faults), "m", (1,), void)


MINE = Fault(1, FaultReason.TIME_FORFEIT, 3)
THEIRS = Fault(0, FaultReason.TIME_FORFEIT, 3)


@pytest.mark.parametrize(
    ("ended", "tally", "text"),
    [
        (end((1,)), Tally(won=1), "1 won, 0 tied, 0 lost"),
        (end((0,)), Tally(lost=1), "0 won, 0 tied, 1 lost"),
        (end(), Tally(tied=1), "0 won, 1 tied, 0 lost"),
        (end((0,), (MINE,)), Tally(lost=1, faults=1), "0 won, 0 tied, 1 lost (1 by a fault)"),
        (end((1,), (THEIRS,)), Tally(won=1), "1 won, 0 tied, 0 lost"),
        (end((), (MINE, THEIRS)), Tally(lost=1, faults=1), "0 won, 0 tied, 1 lost (1 by a fault)"),
        (end((2,), (THEIRS,)), Tally(lost=1), "0 won, 0 tied, 1 lost"),
        (end(void=True), Tally(void=1), "0 won, 0 tied, 0 lost, 1 void"),
    ],
)
def test_one_match_counts_once(ended: MatchEnded, tally: Tally, text: str) -> None:
    count = Tally()
    count.count(ended)
    assert count == tally
    assert str(count) == text
    assert count.ended == 1


def test_by_default_a_fault_of_ones_own_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "carico"):
        Reporter().ended(end((1,), (THEIRS,)), Tally())
        assert not caplog.messages
        Reporter().ended(end((0,), (MINE,)), Tally())
    assert caplog.messages == ["match m: a deal is lost by TIME_FORFEIT: why"]
