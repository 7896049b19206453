"""What bots are told: starts, asks, ends. Views come from the rules room and go out as they are."""

from collections.abc import Sequence

from carico.codec import (
    PHASES,
    fault_message,
    game_message,
    set_duration,
    time_control_message,
    write_change,
    write_view,
)
from carico.rules.outcome import Fault
from carico.rules.view import view
from carico.v1 import bots_pb2
from referee.match.machine import DealPlayed, Match
from referee.match.spec import MatchSpec
from referee.service.connection import Connection
from referee.service.mention import public_before
from referee.service.table import Table


def start(connection: Connection, spec: MatchSpec) -> None:
    """A match begins, or goes on, for this bot."""
    message = connection.frame().starts.add()
    message.match = spec.handle
    message.seats = bytes(spec.seats_of(connection.account.bot))
    message.game.CopyFrom(game_message(spec.game))
    if spec.time_control is not None:
        message.time_control.CopyFrom(time_control_message(spec.time_control))


def ask(connection: Connection, table: Table, seat: int, now: int | None) -> None:
    """The seat is asked for an action; ``now`` is the match's time in ms where it may have been asked before."""
    connection.asked()
    match = table.match
    message = connection.frame().asks.add()
    message.match = match.spec.handle
    message.seat = seat
    message.number = match.numbers[seat]
    deal, number = match.deal, match.number
    if number:
        message.deal = number
    if deal.phase != "play":
        message.phase = PHASES[deal.phase]
    seen, told = view(deal, seat), table.told[seat]
    if told is None or told[0] != number:
        write_view(seen, message.view)
    else:
        write_change(seen, told[1], message.change)
    if connection.deltas:
        table.told[seat] = number, seen
    if match.clocks:
        clock = match.clocks[seat]
        set_duration(message.bank, clock.bank_ms)
        if clock.used_ms:
            set_duration(message.last_used, clock.used_ms)
        if clock.credit_ms:
            set_duration(message.last_credit, clock.credit_ms)
        if now is not None:
            set_duration(message.used, clock.used_so_far(now))


def end(match: Match, bot: str) -> bots_pb2.MatchEnd:
    """The end of a match, as one of its bots is told."""
    own = match.spec.seats_of(bot)
    message = bots_pb2.MatchEnd(match=match.spec.handle, seats=bytes(own), void=match.outcome is None)
    if match.outcome is None:
        return message
    _write_end(match.deals[-1], own, message)
    if match.spec.game.match is not None:
        won, side_of = match.deals_won(), match.spec.game.side_of
        most = max(won)
        best = won.index(most) if won.count(most) == 1 else None
        message.winners = bytes(seat for seat, side in enumerate(side_of) if side == best)
        for played in match.deals:
            _write_end(played, own, message.deals.add())
    return message


def _write_end(played: DealPlayed, own: Sequence[int], message: bots_pb2.MatchEnd | bots_pb2.DealEnd) -> None:
    assert played.outcome is not None
    message.winners = bytes(played.outcome.winners)
    message.card_points = bytes(played.outcome.card_points)
    message.scores.extend(played.outcome.scores)
    for fault in played.faults.values():
        if fault.seat in own:
            message.faults.append(fault_message(fault, played.fault_details[fault.seat]))
        else:
            seen = Fault(fault.seat, fault.reason, public_before(played.deal, fault))
            message.faults.append(fault_message(seen))
