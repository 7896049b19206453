"""What becomes of a bot when its line to the referee breaks: one deal through a real session that is cut many times.

The bot has every seat. After a cut the session is told the full state once more, as a referee does: each ask has to
reach the bot once, whatever is lost, and its answer has to be sent again as it was. Between cuts it is told whole views
or only what changed, as the view mode says.
"""

import random
from typing import NamedTuple

from carico import codec
from carico.bot import Bot
from carico.rules.deal import Deal
from carico.rules.game import Game
from carico.rules.view import View, view
from carico.session import PROTOCOL, Asked, Session
from carico.testing.timed import Timed
from carico.testing.walks import Make, let_go
from carico.v1 import bots_pb2

MATCH = "check"


class Unsteady(Exception):
    """What went wrong, in a sentence."""


class Played(NamedTuple):
    """A deal that was played over such a line."""

    cuts: int
    """How often the line broke."""
    actions: list[tuple[int, int]]


def cut_again_and_again(make: Make, of: Game, seed: int, timed: Timed, mode: bots_pb2.ViewMode.ValueType) -> Played:
    """Plays one deal over a line that breaks at each ask, before or after the answer.

    Raises Unsteady where the bot is asked twice, answers something else, or is made anew.
    """
    rng = random.Random(f"carico/cuts/{seed}/{of.name}")
    made: list[Bot] = []
    source = list(of.pack)
    rng.shuffle(source)
    deal = Deal(of, 0, bytes(source))
    session: Session[Bot] = Session(lambda: _kept(make, made), bot="check", version="1")
    _connect(session, of)
    numbers = [0] * of.players
    told: dict[int, View] = {}
    cuts = 0
    try:
        while not deal.over:
            seat = deal.to_act
            numbers[seat] += 1
            whole = _ask(deal, numbers[seat])
            seen = view(deal, seat)
            ask = _change(whole, seen, told[seat]) if seat in told else whole
            (event,) = session.receive(bots_pb2.PlayResponse(asks=[ask]))
            assert isinstance(event, Asked)
            if mode == bots_pb2.VIEW_MODE_DELTAS:
                told[seat] = seen
            while rng.random() < 0.5:
                cuts += 1
                told = {seat: seen} if seat in told else {}
                _cut(session, of, whole, "a question that is still open")
            answer = timed.ask(event.bot, event.view)
            if answer.problem is not None:
                raise Unsteady(answer.problem.text)
            assert isinstance(answer.answer, int)
            session.answer(MATCH, seat, numbers[seat], answer.answer)
            while rng.random() < 0.5:
                cuts += 1
                told = {seat: seen} if seat in told else {}
                _cut(session, of, whole, "a question that was answered")
            if _sent(session) != answer.answer:
                raise Unsteady("after a cut another answer was sent than before")
            deal.apply(answer.answer)
    finally:
        for bot in made:
            let_go(bot)
    if len(made) != of.players:
        raise Unsteady(f"{len(made)} objects were made for {of.players} seats of one deal")
    return Played(cuts, deal.actions)


def _kept(make: Make, made: list[Bot]) -> Bot:
    made.append(make())
    return made[-1]


def _ask(deal: Deal, number: int) -> bots_pb2.Ask:
    ask = bots_pb2.Ask(match=MATCH, seat=deal.to_act, number=number)
    codec.write_view(view(deal, deal.to_act), ask.view)
    return ask


def _change(whole: bots_pb2.Ask, seen: View, known: View) -> bots_pb2.Ask:
    ask = bots_pb2.Ask(match=whole.match, seat=whole.seat, number=whole.number)
    codec.write_change(seen, known, ask.change)
    return ask


def _connect(session: Session[Bot], of: Game, *asks: bots_pb2.Ask) -> int:
    """A new stream with the full state; gives the number of asks that reach the bot."""
    session.connect()
    session.next_frame()
    start = bots_pb2.MatchStart(match=MATCH, seats=bytes(range(of.players)), game=codec.game_message(of))
    welcome = bots_pb2.Welcome(protocol=PROTOCOL, referee="check")
    events = session.receive(bots_pb2.PlayResponse(welcome=welcome, starts=[start], asks=asks))
    return sum(isinstance(event, Asked) for event in events)


def _cut(session: Session[Bot], of: Game, ask: bots_pb2.Ask, what: str) -> None:
    if _connect(session, of, ask):
        raise Unsteady(f"the bot was asked {what} once more after a cut")


def _sent(session: Session[Bot]) -> int | None:
    frame = session.next_frame()
    return codec.read_action(frame.answers[0].action) if frame is not None and len(frame.answers) == 1 else None
