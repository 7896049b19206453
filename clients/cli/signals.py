"""Ctrl-C, SIGTERM and a closed terminal, as one exception; what comes after the first says: at once."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Ended(BaseException):
    """The user wants this command to end. Raised in the main thread, wherever it is."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number

    @property
    def exit_code(self) -> int:
        """130 for Ctrl-C, 143 for SIGTERM, 129 for a closed terminal."""
        return 128 + self.number


class Signals:
    """What was heard so far."""

    def __init__(self) -> None:
        self.first: int | None = None
        """The first signal, None before it."""
        self.urgent = False
        """Whether there was another after it."""

    def check(self) -> None:
        """Raises Ended where a signal came at a moment that could not pass it on."""
        if self.first is not None:
            raise Ended(self.first)

    def _heard(self, number: int, _frame: FrameType | None) -> None:
        if self.first is None:
            self.first = number
            raise Ended(number)
        self.urgent = True


@contextmanager
def heard() -> Iterator[Signals]:
    """Within it the first of the signals raises Ended; the handlers of before are put back at the end."""
    signals = Signals()
    handler: Callable[[int, FrameType | None], Any] = signals._heard
    before = {number: signal.signal(number, handler) for number in ENDING}
    try:
        yield signals
    finally:
        for number, old in before.items():
            signal.signal(number, old)


@contextmanager
def held_back() -> Iterator[None]:
    """Within it no signal of these is passed on; what came is, at its end. In the main thread."""
    came: list[int] = []
    before = {number: signal.signal(number, lambda number, _: came.append(number)) for number in ENDING}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
        for heard_meanwhile in came:
            signal.raise_signal(heard_meanwhile)
