"""What must be true of matches in which villains sit, whatever they did: nobody but them is hurt."""

from collections.abc import Collection

from carico.codec import milliseconds, read_time_control
from carico.v1 import organisers_pb2 as pb
from tests.kit.raw_bots import RawBot
from tests.kit.served import Served, eventually, faults, replayed, told


def check_result(spec: pb.MatchSpec, state: pb.MatchState, villains: Collection[str]) -> set[str]:
    """Fails unless the result is whole, honest seats have no fault and lost no time, and villains at fault lose.

    Gives the reasons of the faults. The villains' time alone has passed (``VillainTime``).
    """
    assert state.status == pb.MATCH_STATUS_ENDED
    deal, outcome = replayed(spec, state.result)
    names = [seat.bot for seat in spec.seats]
    reasons = dict(faults(state))
    assert {names[seat] for seat in reasons} <= set(villains), "honest seats have no fault"
    terms = read_time_control(spec.time_control)
    since = {fault.seat: fault.after for fault in outcome.faults}
    banks = [terms.bank_ms] * len(names)
    for place, taken in enumerate(state.result.deals[0].actions):
        assert taken.stand_in == (place >= since.get(taken.seat, 1_000)), (
            "the stand-in plays after a fault, and only it"
        )
        if not taken.stand_in:
            banks[taken.seat] += terms.increment_ms - milliseconds(taken.used)
        if names[taken.seat] not in villains:
            assert milliseconds(taken.used) == 0, "an honest seat pays for nobody's time"
            assert milliseconds(taken.bank_left) == banks[taken.seat]
    if deal.game.auction is not None:
        assert outcome.penalties == tuple(4 * (seat in reasons) for seat in range(len(names))), "scores stand as played"
        return set(reasons.values())
    for side in deal.game.sides:
        if not reasons.keys().isdisjoint(side):
            assert not set(side) & set(outcome.winners)
            assert all(outcome.scores[seat] == 0 for seat in side)
    if reasons:
        sound = [side for side in deal.game.sides if reasons.keys().isdisjoint(side)]
        assert any(outcome.scores[seat] for side in sound for seat in side), "those who were honest win by rule"
        if len(sound) == 1:
            assert set(outcome.winners) == set(sound[0])
    return set(reasons.values())


async def check_honest(
    served: Served, bot: RawBot, orders: Collection[pb.MatchSpec], states: Collection[pb.MatchState]
) -> None:
    """Fails unless an honest bot kept its stream, heard of every end as the rules have it, and owes nothing."""
    for spec, state in zip(orders, states, strict=True):
        if all(seat.bot != bot.name for seat in spec.seats):
            continue
        end = await told(bot, state)
        _, outcome = replayed(spec, state.result)
        assert tuple(end.winners) == outcome.winners
        assert tuple(end.scores) == outcome.scores
        assert tuple(end.card_points) == outcome.card_points
        assert [(fault.seat, fault.detail) for fault in end.faults] == [(seat, "") for seat, _ in faults(state)]
    assert not bot.notices
    assert bot.status is None
    assert len(bot.welcomes) == 1
    guest = served.referee.hall.guests[bot.name]
    await eventually(lambda: not guest.tables and not guest.ends)
