"""The same public course on two packs: nobody but the seats whose hands differ is told anything else.

Each is played at a real referee, whose time goes on by the same for the same answer. Compared are the messages to
bots (bytes, number, order), what spectators are sent, what is counted, and the log in both forms.
"""

from random import Random

import pytest

from carico.rules.brisca import BriscaDeal
from carico.rules.deal import NOBODY
from carico.rules.game import game
from carico.v1 import bots_pb2 as pb
from carico.v1 import organisers_pb2
from tests.kit.listened import Heard, listen
from tests.kit.served import MARK
from tests.kit.twins import Twins, called_twins, exchange_twins, steps

MODES = pytest.mark.parametrize("mode", [pb.VIEW_MODE_SNAPSHOT, pb.VIEW_MODE_DELTAS], ids=["snapshots", "deltas"])


def told_alike(twins: Twins, one: Heard, other: Heard) -> None:
    """Others are sent the same; the seats that hold other cards get as many, of the same sizes."""
    for seat in range(twins.game.players):
        mine, yours = one.messages(seat), other.messages(seat)
        if seat in twins.seats:
            assert list(map(len, mine)) == list(map(len, yours)), f"seat {seat} tells by sizes what it holds"
            assert mine != yours
        else:
            assert mine == yours, f"seat {seat} is told of another's hand"
    assert one.public == other.public


@MODES
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("brisca-2", {}),
        ("brisca-2", {"exchange_margin": 0}),
        ("brisca-4", {"partners": "last3"}),
        ("brisca-5", {"exchange_margin": 0}),
        ("brisca-6", {"pack": 48}),
    ],
    ids=str,
)
async def test_a_winner_who_declines_tells_nothing(
    name: str, options: dict[str, object], mode: pb.ViewMode, caplog: pytest.LogCaptureFixture
) -> None:
    twins = exchange_twins(game(name, options), Random(name))
    assert any(a.phase == "exchange" and len(a.legal()) > len(b.legal()) for a, b in steps(twins))
    one, log = await listen(twins, twins.holding, mode, caplog)
    other, other_log = await listen(twins, twins.other, mode, caplog)
    told_alike(twins, one, other)
    assert log == other_log


@MODES
@pytest.mark.parametrize("alone", [False, True], ids=["another's", "own"])
@pytest.mark.parametrize("options", [{}, {"auction": "points", "chiamata_lead": "caller"}], ids=str)
async def test_who_holds_the_called_card_is_told_to_nobody_else(
    options: dict[str, object], alone: bool, mode: pb.ViewMode, caplog: pytest.LogCaptureFixture
) -> None:
    twins = called_twins(game("chiamata-5", options), Random(repr(options)), alone)
    *_, (deal, twin) = steps(twins)
    running = organisers_pb2.MatchState(id=f"{MARK}/1", status=organisers_pb2.MATCH_STATUS_RUNNING)
    assert {deal.partner, twin.partner} == ({NOBODY, *twins.seats} - {deal.caller} if alone else twins.seats)
    one, log = await listen(twins, twins.holding, mode, caplog)
    other, other_log = await listen(twins, twins.other, mode, caplog)
    told_alike(twins, one, other)
    assert log == other_log
    assert one.state == other.state == running, "nor is the organiser told anything before the end"


async def test_a_fault_tells_others_and_the_log_nothing_of_earlier_declines(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The stand-in has one card left to play, so that all goes on alike."""
    twins = exchange_twins(game("brisca-3"), Random(1))
    (seat,) = twins.seats
    one, log = await listen(twins, twins.holding, pb.VIEW_MODE_SNAPSHOT, caplog, faulty=seat)
    other, other_log = await listen(twins, twins.other, pb.VIEW_MODE_SNAPSHOT, caplog, faulty=seat)
    declined = [deal.declined for deal in list(steps(twins))[-1] if isinstance(deal, BriscaDeal)]
    assert len(declined[0]) != len(declined[1])
    for watcher in {0, 1, 2} - twins.seats:
        (end,) = one.players[watcher].ends.values()
        assert [(fault.seat, fault.detail) for fault in end.faults] == [(seat, "")]
    (own,) = one.players[seat].ends.values()
    assert "it may" in own.faults[0].detail
    assert any("lost by ILLEGAL_ACTION" in line for line in log)
    assert "it may" not in "".join(log)
    for watcher in {0, 1, 2} - twins.seats:
        assert one.messages(watcher) == other.messages(watcher)
    assert one.public == other.public
    assert log == other_log
