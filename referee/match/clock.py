"""One seat's clock: a bank, and the ask that is open."""

from carico.time_control import TimeControl

NEVER = 1 << 62
"""A time, in ms, that does not come."""


class SeatClock:
    """Counts what a seat uses. All times are whole ms; the clock itself never looks at one.

    When the flag falls must not tell what the seat holds. Whether to decline an exchange is an action, with a row in
    the record, depends on the hand; so what is left, ``bank_ms``, never does. A decline has an action limit of its own
    and earns nothing, action or not. What the rows say is left, ``booked_ms``, may be more than that and is never less.
    """

    __slots__ = (
        "_joining",
        "asked_at",
        "away_since",
        "bank_ms",
        "booked_ms",
        "credit_ms",
        "rested_ms",
        "terms",
        "used_ms",
    )

    def __init__(self, terms: TimeControl) -> None:
        self.terms = terms
        self.bank_ms = terms.bank_ms
        """Left in the bank."""
        self.booked_ms = terms.bank_ms
        """Left in the bank as the rows of the actions so far have it."""
        self.used_ms = 0
        """Used for the last answer."""
        self.credit_ms = 0
        """Credited for the last answer."""
        self.asked_at: int | None = None
        self.away_since: int | None = None
        self.rested_ms = 0
        self._joining = 0, 0
        """(used, credit) of answers that were no action: part of the next row."""

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

    def book(self, now: int, lag_ms: int, earns: bool) -> None:
        """Books an answer read now; ``earns`` says whether the increment may be used.

        The time of a refused answer is never booked.
        """
        assert self.asked_at is not None
        self.used_ms, self.credit_ms = now - self.asked_at, self._credit(lag_ms)
        self.bank_ms += (self.terms.increment_ms if earns else 0) - max(0, self.used_ms - self.credit_ms)
        self.asked_at = None

    def row(self) -> tuple[int, int, int]:
        """The row of the action that was booked last: used, credit, bank left. To be asked for once an action."""
        used, credit = self.used_ms, self.credit_ms
        before, credited = self._joining
        if before:
            used, credit = used + before, min(credit, used) + credited
            self._joining = 0, 0
        self.booked_ms += self.terms.increment_ms - max(0, used - credit)
        return used, credit, self.booked_ms

    def carry_over(self) -> None:
        """What was booked last was no action: its time is part of the next row."""
        used, credit = self._joining
        self._joining = used + self.used_ms, credit + min(self.credit_ms, self.used_ms)

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
