"""Limits per address: so many requests a second, so many open streams. Kept in memory, for as long as they matter."""

import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

ADDRESSES: Final = 10_000
"""So many addresses are told apart; of more, those heard of longest ago are forgotten."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one address may do."""

    requests_s: float = 50.0
    burst: int = 400
    """So many requests at once."""
    streams: int = 32
    """So many pages that are open and live."""


class Gate:
    """Counts what each address does. To be used in the event loop alone."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._streams: Counter[str] = Counter()

    def request(self, address: str) -> bool:
        """Whether one more request is let in now."""
        now = time.monotonic()
        left, at = self._left.pop(address, (float(self._limits.burst), now))
        left = min(self._limits.burst, left + (now - at) * self._limits.requests_s)
        self._left[address] = (left - 1 if left >= 1 else left), now
        if len(self._left) > ADDRESSES:
            self._left.popitem(last=False)
        return left >= 1

    def may_stream(self, address: str) -> bool:
        """Whether it may have one stream more."""
        return self._streams[address] < self._limits.streams

    @contextmanager
    def stream(self, address: str) -> Iterator[None]:
        """Counts a stream while it is open."""
        self._streams[address] += 1
        try:
            yield
        finally:
            self._streams[address] -= 1
            if not self._streams[address]:
                del self._streams[address]
