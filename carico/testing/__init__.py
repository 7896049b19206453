"""The conformance kit: what a league expects of a bot, tried on this machine.

    from carico.testing import check_bot
    assert all(finding.ok for finding in check_bot(MyBot, [game("briscola-2")]))

``carico check`` is the same on the command line.
"""

from collections.abc import Callable, Iterator, Sequence

from carico.bot import Bot
from carico.rules import shuffle
from carico.rules.game import Game
from carico.testing import checks
from carico.testing.finding import Finding
from carico.testing.timed import Timed
from carico.testing.walks import Walk, walk
from carico.time_control import TimeControl

__all__ = ["SPARE_MS", "Finding", "check_bot"]

SPARE_MS = 1_000
"""How much longer than the action limit an act may run before it is stopped."""


def check_bot(
    make: Callable[[], Bot],
    games: Sequence[Game],
    *,
    states: int = 200,
    seed: int = 0,
    terms: TimeControl | None = None,
    begin_again: Callable[[], None] = lambda: None,
) -> Iterator[Finding]:
    """What a bot comes to, check by check, for each game; ``make`` is its class, or gives a new object in another way.

    In each game it is asked at least ``states`` times, in states that chance reached from ``seed``, in every seat and
    with every dealer as far as that many asks allow; the checks that repeat them ask as often again. ``terms`` are
    those against which time is judged, by default the league's. ``begin_again`` is called where a program would be
    started again. An act that runs a second longer than the action limit is stopped, and ends the checks of its game.
    Bots get their seed as in a season, so chance that comes from ``Bot.chance`` repeats.
    """
    limits = terms or TimeControl()
    timed = Timed(limits.action_limit_ms + SPARE_MS)
    bot_seed = shuffle.bot_seed(shuffle.master(shuffle.practice_secret(seed)), "check")

    def seeded() -> Bot:
        bot = make()
        bot.seed = bot_seed
        return bot

    try:
        for of in games:
            yield from _check_game(seeded, of, states, seed, limits, timed, begin_again)
    finally:
        timed.close()


def _check_game(
    make: Callable[[], Bot],
    of: Game,
    states: int,
    seed: int,
    terms: TimeControl,
    timed: Timed,
    begin_again: Callable[[], None],
) -> Iterator[Finding]:
    walks: list[Walk] = []
    asks = 0
    stopped = False
    # A bot that fails at its first ask is asked in this many deals and no more.
    while asks < states and len(walks) < states and not stopped:
        walks.append(walk(make, of, len(walks), seed, timed))
        asks += len(walks[-1].asked)
        stopped = any(answered.stopped for answered in walks[-1].asked)
    yield checks.legal(of.name, walks)
    yield checks.exceptions(of.name, walks)
    yield checks.used_time(of.name, walks, terms)
    if stopped:
        mend = "mend the time first; nothing else was tried in this game"
        yield Finding("repeats", of.name, False, "not tried: an act was stopped", mend)
        return
    repeats = checks.repeats(make, of.name, walks, timed)
    yield repeats
    if repeats.ok:
        yield checks.separate_deals(make, of.name, walks, timed)
    else:
        seen = "not tried: a bot that does not repeat itself differs anyway"
        yield Finding("separate deals", of.name, False, seen, "mend repeats first")
    yield checks.restart(make, of, max(states // 4, of.players), seed, timed, begin_again)
    yield checks.reconnect(make, of, seed, timed)
    yield checks.view_modes(make, of, seed, timed)
