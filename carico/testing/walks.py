"""Deals in which a bot is asked: one seat is the bot's, chance plays the others."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from carico.bot import Bot
from carico.program_bots import ProgramBot
from carico.rules.deal import Deal
from carico.rules.game import Game
from carico.rules.view import View, view
from carico.testing.timed import Answered, Timed

Make = Callable[[], Bot]


@dataclass(frozen=True, slots=True)
class Walk:
    """What a bot was asked in one deal, in order; the last one shows a fault, if there was one."""

    seat: int
    dealer: int
    asked: tuple[Answered, ...]


def walk(make: Make, of: Game, number: int, seed: int, timed: Timed) -> Walk:
    """Plays one deal with a new bot in one seat, to its end or the bot's first fault.

    Numbers from 0 on go through all pairs of seat and dealer, so the bot comes to lead, to follow and to play last.
    """
    rng = random.Random(f"carico/walk/{seed}/{of.name}/{number}")
    seat, dealer = number % of.players, number // of.players % of.players
    deal = _new_deal(of, dealer, rng)
    bot = make()
    asked: list[Answered] = []
    while not deal.over:
        if deal.to_act != seat:
            deal.apply(rng.choice(deal.legal()))
            continue
        asked.append(answered := timed.ask(bot, view(deal, seat)))
        if answered.problem is not None:
            break
        assert isinstance(answered.answer, int)
        deal.apply(answered.answer)
    let_go(bot)
    return Walk(seat, dealer, tuple(asked))


def middles(of: Game, count: int, seed: int) -> Iterator[View]:
    """Views from the middle of deals that chance played, each of a deal of its own; all seats in turn."""
    for number in range(count):
        rng = random.Random(f"carico/middle/{seed}/{of.name}/{number}")
        deal = _new_deal(of, rng.randrange(of.players), rng)
        seat = number % of.players
        turns = rng.randrange(of.tricks)
        while deal.to_act != seat or turns:
            turns -= deal.to_act == seat
            deal.apply(rng.choice(deal.legal()))
        yield view(deal, seat)


def let_go(bot: Bot) -> None:
    """A bot that is asked no more; a program learns of it."""
    if isinstance(bot, ProgramBot):
        bot.end(None)


def _new_deal(of: Game, dealer: int, rng: random.Random) -> Deal:
    source = list(of.pack)
    rng.shuffle(source)
    return Deal(of, dealer, bytes(source))
