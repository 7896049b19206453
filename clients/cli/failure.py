"""How a command fails: one line for the user, and an exit code."""

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from clients.cli.plain_text import plain


class ExitCode(IntEnum):
    """The exit codes of every command; ``EXIT_CODES`` says what each means."""

    FINE = 0
    FAILED = 1
    USAGE = 2
    UNREACHABLE = 3
    REFUSED = 4
    INTERRUPTED = 130


EXIT_CODES: Final[Mapping[ExitCode, str]] = MappingProxyType(
    {
        ExitCode.FINE: "fine",
        ExitCode.FAILED: "the thing failed, or what was compared differs",
        ExitCode.USAGE: "bad usage, or a file with a mistake in it",
        ExitCode.UNREACHABLE: "the referee or the store can't be reached",
        ExitCode.REFUSED: "refused: the token is missing, wrong or not for this",
        ExitCode.INTERRUPTED: "Ctrl-C before it was done (143: ended by SIGTERM)",
    }
)


class Failure(Exception):
    """What went wrong, fit for a user's eyes: it names the thing and the mend.

    The text may quote names from anywhere: what a terminal would obey is made harmless here.
    """

    def __init__(self, text: str, code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__("\n".join(plain(line) for line in text.split("\n")))
        self.code = code


class BadUsage(Failure):
    """A mistake of the user in the command or in a file."""

    def __init__(self, text: str) -> None:
        super().__init__(text, ExitCode.USAGE)


class Unreachable(Failure):
    """The referee or the store does not answer."""

    def __init__(self, text: str) -> None:
        super().__init__(text, ExitCode.UNREACHABLE)


class Refused(Failure):
    """The referee does not take the token."""

    def __init__(self, text: str) -> None:
        super().__init__(text, ExitCode.REFUSED)
