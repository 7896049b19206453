"""The agreed terms of time, in whole milliseconds."""

from dataclasses import dataclass

LONGEST_MS = 86_400_000
"""No term may be longer than a day."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Terms of time for one deal; every seat has its own bank. All in whole milliseconds, 0 to a day.

    A flag falls when the time used for an action, less its credit, is more than the bank or more than the action limit;
    time used up to exactly that is in time. Raises ValueError for a term out of range.
    """

    bank_ms: int = 60_000
    """Time a seat has for all its actions of a deal."""
    increment_ms: int = 100
    """Put into the bank after each action; to decline an exchange earns nothing."""
    action_limit_ms: int = 5_000
    """The most one action may take; it rests while the bot has no stream."""
    lag_credit_ms: int = 0
    """The most that is credited for one action, for lag that the referee measured itself."""
    grace_ms: int = 20_000
    """How long a bot may be without a stream before its deals are played out by the stand-in."""

    def __post_init__(self) -> None:
        for name in TimeControl.__slots__:
            value = getattr(self, name)
            least = 1 if name in ("bank_ms", "action_limit_ms") else 0
            if type(value) is not int or not least <= value <= LONGEST_MS:
                raise ValueError(f"{name} = {value!r}: write whole milliseconds from {least} to {LONGEST_MS}")

    def to_json(self) -> dict[str, int]:
        """The terms as a record has them."""
        return {name: getattr(self, name) for name in TimeControl.__slots__}
