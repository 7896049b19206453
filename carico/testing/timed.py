"""Asks a bot and measures how long it takes; one that never comes back is stopped."""

import signal
import threading
import time
from dataclasses import dataclass
from types import FrameType

from carico.bot import Bot
from carico.problem import Problem, illegal, is_legal, raised
from carico.rules.view import View
from carico.waiter import Waiter


class _TimeUp(BaseException):
    """An act took far too long; no ``except Exception`` of a bot catches it."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One ask and what came of it."""

    view: View
    answer: object
    used_ms: float
    problem: Problem | None = None
    """What was wrong, if something was."""
    raised: bool = False
    stopped: bool = False
    """Whether it was stopped because it took too long."""


class Timed:
    """Asks bots one after the other. ``limit_ms`` is how long an act may run before it is stopped, in the main thread
    of a program; elsewhere, and in code that is not Python's, nothing can stop it. Close it in the end.
    """

    def __init__(self, limit_ms: int) -> None:
        self.limit_ms = limit_ms
        self._waiter = Waiter()
        self._can_stop = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")

    def ask(self, bot: Bot, view: View) -> Answered:
        """Asks once."""
        begun = time.perf_counter()
        try:
            answer = self._limited(bot, view)
        except _TimeUp:
            self._waiter.close()  # what it was waiting for never comes
            text = f"act ran for more than {self.limit_ms:,} ms and was stopped"
            problem = Problem("", "", view, text, kind=_TimeUp)
            return Answered(view, None, 1000 * (time.perf_counter() - begun), problem, stopped=True)
        except (Exception, SystemExit) as error:
            used = 1000 * (time.perf_counter() - begun)
            return Answered(view, None, used, raised("", "", view, error), raised=True)
        used = 1000 * (time.perf_counter() - begun)
        return Answered(view, answer, used, None if is_legal(view, answer) else illegal("", "", view, answer))

    def close(self) -> None:
        """Lets go of what was needed to wait."""
        self._waiter.close()

    def _limited(self, bot: Bot, view: View) -> object:
        if not self._can_stop:
            return self._waiter.ask(bot, view)
        before = signal.signal(signal.SIGALRM, _time_is_up)
        signal.setitimer(signal.ITIMER_REAL, self.limit_ms / 1000)
        try:
            return self._waiter.ask(bot, view)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def _time_is_up(_number: int, _frame: FrameType | None) -> None:
    raise _TimeUp
