"""One seat's clock: a bank, and the ask that is open."""

from carico.time_control import TimeControl

NEVER = 1 << 62
"""A time, in ms, that does not come."""


class SeatClock:
    """Counts what a seat uses. All times are whole ms; the clock itself never looks at one."""

    __slots__ = ("asked_at", "away_since", "bank_ms", "credit_ms", "rested_ms", "terms", "used_ms")

    def __init__(self, terms: TimeControl) -> None:
        self.terms = terms
        self.bank_ms = terms.bank_ms
        """Left in the bank."""
        self.used_ms = 0
        """Used for the last action."""
        self.credit_ms = 0
        """Credited for the last action."""
        self.asked_at: int | None = None
        self.away_since: int | None = None
        self.rested_ms = 0

    def ask(self, now: int) -> None:
        """The seat is asked, so its bank runs; the action limit runs only while its bot has a stream."""
        self.asked_at = now
        self.rested_ms = 0
        if self.away_since is not None:
            self.away_since = now

    def leave(self, now: int) -> None:
        """The seat's bot has no stream from now on: the action limit rests."""
        self.away_since = now

    def join(self, now: int) -> None:
        """The seat's bot has a stream again: the action limit goes on where it stopped."""
        if self.away_since is not None and self.asked_at is not None:
            self.rested_ms += now - self.away_since
        self.away_since = None

    def in_time(self, now: int, lag_ms: int) -> bool:
        """Whether the flag has not fallen for an answer read now."""
        assert self.asked_at is not None
        spent = now - self.asked_at - self._credit(lag_ms)
        rested = self.rested_ms + (0 if self.away_since is None else now - self.away_since)
        return spent <= self.bank_ms and spent - rested <= self.terms.action_limit_ms

    def book(self, now: int, lag_ms: int) -> None:
        """Books an action whose answer was read now. The time of a refused answer is never booked."""
        assert self.asked_at is not None
        self.used_ms, self.credit_ms = now - self.asked_at, self._credit(lag_ms)
        self.bank_ms += self.terms.increment_ms - max(0, self.used_ms - self.credit_ms)
        self.asked_at = None

    def used_so_far(self, now: int) -> int:
        """Time used for the open ask, 0 where none is open."""
        return 0 if self.asked_at is None else now - self.asked_at

    def stop(self) -> None:
        """The open ask is withdrawn: the stand-in has the seat."""
        self.asked_at = None

    def _credit(self, lag_ms: int) -> int:
        return min(max(lag_ms, 0), self.terms.lag_credit_ms)

    @property
    def last_moment(self) -> int:
        """The last ms at which an answer can be in time, with the greatest credit; NEVER where nothing is asked."""
        if self.asked_at is None:
            return NEVER
        left, terms = self.bank_ms, self.terms
        if self.away_since is None:
            limit = self.rested_ms + terms.action_limit_ms
            left = min(left, limit)
        return self.asked_at + left + terms.lag_credit_ms
