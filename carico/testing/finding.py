"""What a check of a bot came to."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    check: str
    """Which check: ``legal``, ``repeats``, ..."""
    game: str
    """The game it was tried in; empty where it is about none in particular."""
    ok: bool
    seen: str
    """What was seen, in a sentence."""
    mend: str = ""
    """What to do about it; empty where all is well."""
    detail: str = ""
    """The traceback, where the bot raised."""
