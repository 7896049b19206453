"""What a seat may not know never leaves the referee: not in an ask, not in an end, not in a log."""

import hashlib
import logging
from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from carico.codec import read_game
from carico.rules.deal import Deal
from carico.rules.game import game
from carico.v1 import bots_pb2 as pb
from carico.v1 import organisers_pb2
from tests.kit.raw_bots import RawBot
from tests.kit.redeal import redealt
from tests.kit.served import ORGANISER, Served, order, replayed, told


def seen_by(deal: Deal, seat: int) -> pb.View:
    """What a seat may know, written down from the truth without the rules' own view; plain games only."""
    tricks = len(deal.played) // deal.game.players
    return pb.View(
        dealer=deal.dealer,
        hand=bytes(deal.hands[seat]),
        played=bytes(card for _, card in deal.actions),
        leaders=bytes(deal.leaders[: tricks + 1]),
        card_points=bytes(deal.card_points),
        upcard=deal.source[deal.game.players * deal.game.hand],
        upcard_holder=deal.upcard_holder + 1,
        stock=len(deal.game.pack) - sum(map(len, deal.hands)) - len(deal.played),
    )


@pytest.mark.parametrize("name", ["briscola-2", "briscola-4", "briscola-3"])
async def test_an_ask_holds_what_its_seat_may_know_and_not_a_byte_more(served: Served, name: str) -> None:
    what = game(name)
    bots = await served.seat(*(f"bot{seat}" for seat in range(what.players)))
    orders = [order(n, *(bot.name for bot in bots), of=what, dealer=n % what.players) for n in range(8)]
    for spec, state in zip(orders, await served.play(*orders), strict=True):
        asks = {
            (seat, ask.number): ask
            for seat, bot in enumerate(bots)
            for ask in bot.asks
            if ask.match == state.result.match
        }
        deal = Deal(read_game(spec.game), spec.dealer, spec.source)
        numbers = [0] * what.players
        for taken in state.result.deals[0].actions:
            numbers[taken.seat] += 1
            ask = asks.pop((taken.seat, numbers[taken.seat]))
            expected = pb.Ask(
                match=state.result.match,
                seat=taken.seat,
                number=numbers[taken.seat],
                view=seen_by(deal, taken.seat),
            )
            for field in ("bank", "last_used", "last_credit", "used"):
                if ask.HasField(field):
                    getattr(expected, field).CopyFrom(getattr(ask, field))
            assert ask.SerializeToString(deterministic=True) == expected.SerializeToString(deterministic=True)
            deal.apply(taken.action.card)
        assert not asks, "every ask was for an action of the record"


async def test_states_that_a_seat_cannot_tell_apart_give_the_same_bytes(served: Served) -> None:
    """Many truths behind one view: what reaches the seat is equal but for the handle and the times."""
    rng = Random(5)
    ann, bob = await served.seat("ann", "bob")
    spec = order(1, "ann", "bob")
    (state,) = await served.play(spec)
    whole, _ = replayed(spec, state.result)
    for actions in (0, 7, 18, 30):
        deal = Deal(whole.game, spec.dealer, spec.source)
        for _, action in whole.actions[:actions]:
            deal.apply(action)
        seat = deal.to_act
        truths = [redealt(deal, seat, rng, swaps=30) for _ in range(6)]
        assert len({truth.source for truth in truths}) > 1
        script = {bytes(sorted(action for _, action in whole.actions[:n])): whole.actions[n][1] for n in range(actions)}
        ann.name, bob.name = "ann", "bob"
        first = len(ann.asks), len(bob.asks)
        for bot in (ann, bob):
            bot.answers = _by_script(bot, script)
        orders = []
        for number, truth in enumerate(truths):
            orders.append(order(1000 * actions + number + 2, "ann", "bob"))
            orders[-1].source = truth.source
        await served.start(*orders)
        bot = (ann, bob)[seat]
        at = first[seat]
        await bot.until(partial(_all_there, bot, at, actions, len(truths)))
        views = set()
        for ask in bot.asks[at:]:
            if len(ask.view.played) == actions:
                views.add(ask.view.SerializeToString(deterministic=True))
        assert len(views) == 1
        await served.call("AbortMatches", organisers_pb2.AbortMatchesRequest(ids=[o.id for o in orders]))
        await served.ends(*orders)
        ann.open.clear()
        bob.open.clear()


def _all_there(bot: RawBot, at: int, actions: int, count: int) -> bool:
    """Whether the bot was asked so many times, since then, after so many actions."""
    return sum(len(ask.view.played) == actions for ask in bot.asks[at:]) == count


def _by_script(bot: RawBot, script: dict[bytes, int]) -> Callable[[pb.Ask], list[pb.Answer]]:
    """Plays what was played before, then nothing."""

    def answers(ask: pb.Ask) -> list[pb.Answer]:
        card = script.get(bytes(sorted(ask.view.played)))
        if card is None:
            return []
        answer = bot.answer(ask)
        answer.action.card = card
        return [answer]

    return answers


async def test_an_end_names_no_card_that_was_not_played(served: Served) -> None:
    ann, bob = await served.seat("ann", "bob")
    ann.limit = 2
    specs = [order(1, "ann", "bob"), order(2, "ann", "bob")]
    await served.start(*specs)
    await ann.until(lambda: ann.answered == 2)
    await served.call("AbortMatches", organisers_pb2.AbortMatchesRequest(ids=[spec.id for spec in specs]))
    for state in await served.ends(*specs):
        assert await told(bob, state) == pb.MatchEnd(match=state.result.match, seats=b"\x01", void=True)


async def test_tokens_are_never_logged(any_served: Served, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    ann, bob = await any_served.seat("ann", "bob")
    await any_served.play(order(1, "ann", "bob"))
    wrong = RawBot(any_served.address, "carico_not-a-token", "ann")
    await wrong.connect()
    await wrong.drop()
    renewed = await any_served.call("RenewToken", organisers_pb2.RenewTokenRequest(bot="ann"))
    await ann.ended()
    await bob.drop()
    text = "\n".join(record.getMessage() for record in caplog.records)
    for token in (*any_served.tokens.values(), renewed.token, wrong.token, ORGANISER):
        assert token not in text
        assert hashlib.sha256(token.encode()).hexdigest() not in text
