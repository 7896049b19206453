"""Playing a bot from the command line: what happens is told on stderr, and why it ended becomes an exit code."""

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from carico.bot import Bot
from carico.bridge import GivenUp
from carico.cannot_play import CannotPlay
from carico.connection import Lost
from carico.problem import Problem
from carico.program_runner import play_program
from carico.reporter import Reporter, Tally
from carico.runner import play
from carico.session import MatchEnded, MatchStarted, Noticed, Welcomed
from clients.cli.failure import BadUsage, Failure, Refused, Unreachable
from clients.cli.plain_text import plain

if TYPE_CHECKING:
    import grpc

TALLY_SECONDS: Final = 5.0
"""How often the count of matches is told while they end."""


def play_at(
    made: type[Bot] | Sequence[str],
    *,
    name: str,
    version: str,
    address: str,
    token: str,
    seed: bytes = b"",
    build: str | None = None,
    credentials: "grpc.ChannelCredentials | None" = None,
) -> None:
    """Plays a class, or a program, until Ctrl-C. ``build`` as for ``carico.play``.

    Raises Refused, BadUsage, Unreachable or Failure where the referee will not have the bot, or it can't go on.
    """
    reporter = StderrReporter(name)
    try:
        if isinstance(made, type):
            play(
                made,
                name=name,
                version=version,
                referee=address,
                token=token,
                seed=seed,
                build=build,
                credentials=credentials,
                reporter=reporter,
            )
        else:
            play_program(
                made,
                name=name,
                version=version,
                referee=address,
                token=token,
                seed=seed,
                build=build,
                credentials=credentials,
                reporter=reporter,
            )
    except CannotPlay as error:
        raise _told(error) from error
    finally:
        reporter.finish()


class StderrReporter(Reporter):
    """Tells the author on stderr what happens: connections at once, the count of matches now and then."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._tally: Tally | None = None
        self._told_at = 0.0
        self._last_loss = ""

    def connected(self, welcome: Welcomed) -> None:
        """See Reporter."""
        self._last_loss = ""
        self._say(f"connected to {welcome.referee} as {welcome.bot}, owner {welcome.owner}; Ctrl-C ends it")

    def lost(self, lost: Lost) -> None:
        """See Reporter."""
        if lost.reason != self._last_loss:
            self._last_loss = lost.reason
            self._say(f"{lost.reason}; trying again")

    def started(self, start: MatchStarted) -> None:
        """See Reporter."""

    def ended(self, end: MatchEnded, tally: Tally) -> None:
        """See Reporter."""
        self._tally = tally
        for fault, detail in end.own_faults:
            self._say(f"match {end.match}: a deal is lost by {fault.reason}: {detail}")
        now = time.monotonic()
        if now - self._told_at >= TALLY_SECONDS:
            self._told_at = now
            self._say(f"matches: {tally}")

    def noticed(self, notice: Noticed) -> None:
        """See Reporter."""
        self._say(f"{notice.reason}: {notice.text}")

    def problem(self, problem: Problem) -> None:
        """See Reporter."""
        self._say(f"{problem.text} (match {problem.match}; told once)")
        if problem.traceback:
            print(problem.traceback.rstrip(), file=sys.stderr, flush=True)

    def finish(self) -> None:
        """The last count."""
        if self._tally is not None:
            self._say(f"matches: {self._tally}")

    def _say(self, text: str) -> None:
        print(f"{self._name}: {plain(text)}", file=sys.stderr, flush=True)


def _told(error: CannotPlay) -> Failure:
    import grpc

    if isinstance(error, GivenUp):
        return Failure(str(error))
    status = error.__cause__.code() if isinstance(error.__cause__, grpc.RpcError) else None
    if status in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
        return Refused(str(error))
    if status is grpc.StatusCode.UNIMPLEMENTED:
        return Unreachable(str(error))
    if status is None or status is grpc.StatusCode.INVALID_ARGUMENT:
        return BadUsage(str(error))
    return Failure(str(error))
