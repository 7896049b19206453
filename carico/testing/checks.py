"""The checks, one function each: what was tried, and what to do where it failed."""

from collections.abc import Callable, Sequence
from itertools import zip_longest

from carico.rules.cards import Card
from carico.rules.game import Game
from carico.rules.view import View
from carico.testing.finding import Finding
from carico.testing.reconnect import Unsteady, cut_again_and_again
from carico.testing.timed import Answered, Timed
from carico.testing.walks import Make, Walk, let_go, middles
from carico.time_control import TimeControl
from carico.v1 import bots_pb2

CHANCE = (
    "take all chance from self.chance(view) (a program: from seed and the ask), not from random, the time or a hash"
)
APART = (
    "keep what you remember on self (a program: per match), not in the class, the module or a file, and start anew in "
    "__init__"
)
ANSWER = "return one of view.legal (a program: one of the texts in legal)"
RAISE = "mend the line that the traceback names; every state of the game can come up"
FRESH = (
    "work everything out from the view: after a restart of your program a new object is asked in the middle of a deal, "
    "so what an earlier act remembered may be missing"
)
LOOK_AGAIN = "mend what the lines above name, then look again"


def legal(game: str, walks: Sequence[Walk]) -> Finding:
    """Every answer is one of those that the rules allow."""
    asked = [answered for walk in walks for answered in walk.asked]
    wrong = [a for a in asked if a.problem is not None and not a.raised and not a.stopped]
    if wrong:
        return Finding("legal", game, False, f"{_first(wrong[0])}; {len(wrong)} of {len(walks)} deals", ANSWER)
    if all(a.problem is not None for a in asked):
        return Finding("legal", game, False, "nothing was answered", "see the other lines of this game")
    seats = len({(walk.seat, walk.dealer) for walk in walks})
    good = sum(a.problem is None for a in asked)
    return Finding("legal", game, True, f"{good} answers in {len(walks)} deals, {seats} pairs of seat and dealer")


def exceptions(game: str, walks: Sequence[Walk]) -> Finding:
    """``act`` raises nothing."""
    found = [answered for walk in walks for answered in walk.asked if answered.raised]
    if not found:
        return Finding("exceptions", game, True, f"none in {sum(len(walk.asked) for walk in walks)} asks")
    detail = found[0].problem.traceback if found[0].problem else ""
    seen = f"{_first(found[0])}; {len(found)} of {len(walks)} deals"
    return Finding("exceptions", game, False, seen, RAISE, detail)


def used_time(game: str, walks: Sequence[Walk], terms: TimeControl) -> Finding:
    """No act takes longer than the action limit, and no deal more than the bank with its increments."""
    used = sorted(answered.used_ms for walk in walks for answered in walk.asked)
    if not used:
        return Finding("time", game, True, "nothing was asked")
    seen = (
        f"median {_ms(used[len(used) // 2])}, p99 {_ms(used[min(len(used) - 1, len(used) * 99 // 100)])}, longest "
        f"{_ms(used[-1])} of {terms.action_limit_ms:,} ms an act; longest deal "
        f"{_ms(max(sum(a.used_ms for a in walk.asked) for walk in walks))} of {terms.bank_ms:,} ms"
    )
    if used[-1] > terms.action_limit_ms:
        return Finding("time", game, False, seen, "think for less than the action limit: the flag falls at it")
    if any(not _in_bank(walk, terms) for walk in walks):
        return Finding("time", game, False, seen, "think less: the bank has to last for all acts of a deal")
    return Finding("time", game, True, seen)


def repeats(make: Make, game: str, walks: Sequence[Walk], timed: Timed) -> Finding:
    """The same seed and the same view give the same answer: each deal once more, with a new object."""
    for walk in walks:
        bot = make()
        for before in walk.asked:
            after = timed.ask(bot, before.view)
            if _differ(before, after):
                return Finding("repeats", game, False, _two(before, after), CHANCE)
        let_go(bot)
    return Finding("repeats", game, True, f"{len(walks)} deals once more with new objects: the same answers")


def separate_deals(make: Make, game: str, walks: Sequence[Walk], timed: Timed) -> Finding:
    """What happens in one deal changes nothing in another: all deals at once, last one first."""
    bots = [make() for _ in walks]
    columns = zip_longest(*(walk.asked for walk in walks))
    for row in columns:
        for bot, before in reversed(list(zip(bots, row, strict=True))):
            if before is None:
                continue
            after = timed.ask(bot, before.view)
            if _differ(before, after):
                return Finding("separate deals", game, False, _two(before, after), APART)
    for bot in bots:
        let_go(bot)
    return Finding("separate deals", game, True, f"{len(walks)} deals at once, in another order: the same answers")


def restart(make: Make, game: Game, count: int, seed: int, timed: Timed, begin_again: Callable[[], None]) -> Finding:
    """A new object that is asked in the middle of a deal answers legally. ``begin_again`` is called before a few."""
    every = max(count // 10, 1)
    for number, middle in enumerate(middles(game, count, seed)):
        if number % every == 0:
            begin_again()
        bot = make()
        after = timed.ask(bot, middle)
        let_go(bot)
        if after.problem is not None:
            return Finding("restart", game.name, False, _first(after), FRESH, after.problem.traceback)
    return Finding("restart", game.name, True, f"{count} times a new object in the middle of a deal: legal answers")


def reconnect(make: Make, game: Game, seed: int, timed: Timed) -> Finding:
    """A broken line changes no answer and asks nothing twice."""
    try:
        played = cut_again_and_again(make, game, seed, timed, bots_pb2.VIEW_MODE_DELTAS)
    except Unsteady as error:
        return Finding("reconnect", game.name, False, str(error), LOOK_AGAIN)
    seen = f"the line broke {played.cuts} times in a deal: each ask reached the bot once"
    return Finding("reconnect", game.name, True, seen)


def view_modes(make: Make, game: Game, seed: int, timed: Timed) -> Finding:
    """Told whole views or only what changed, a bot plays the same."""
    try:
        whole, changes = (
            cut_again_and_again(make, game, seed, timed, mode)
            for mode in (bots_pb2.VIEW_MODE_SNAPSHOT, bots_pb2.VIEW_MODE_DELTAS)
        )
    except Unsteady as error:
        return Finding("view modes", game.name, False, str(error), LOOK_AGAIN)
    pairs = zip_longest(whole.actions, changes.actions)
    at = next((number for number, (one, other) in enumerate(pairs) if one != other), None)
    if at is not None:
        seen = f"one deal told in snapshots and in deltas: the bot decided otherwise at action {at + 1}"
        return Finding("view modes", game.name, False, seen, CHANCE)
    return Finding("view modes", game.name, True, "one deal in snapshots and in deltas: the same answers")


def _differ(before: Answered, after: Answered) -> bool:
    return before.problem is None and (after.problem is not None or before.answer != after.answer)


def _two(before: Answered, after: Answered) -> str:
    then = after.problem.text if after.problem is not None else f"then {_card(after.answer)}"
    return f"first {_card(before.answer)}, {then} for {_shown(before.view)}"


def _card(answer: object) -> str:
    return str(answer) if isinstance(answer, Card) else repr(answer)


def _first(answered: Answered) -> str:
    assert answered.problem is not None
    return f"{answered.problem.text} for {_shown(answered.view)}"


def _shown(view: View) -> str:
    return repr(view)


def _ms(used: float) -> str:
    return f"{used:,.0f} ms" if used >= 10 else f"{used:.2f} ms"


def _in_bank(walk: Walk, terms: TimeControl) -> bool:
    bank = float(terms.bank_ms)
    for answered in walk.asked:
        bank -= answered.used_ms
        if bank < 0:
            return False
        bank += terms.increment_ms
    return True
