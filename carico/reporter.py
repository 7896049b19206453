"""What a runner tells while it plays, and the count of how it went."""

import logging
from dataclasses import dataclass

from carico.connection import Lost
from carico.problem import Problem
from carico.session import MatchEnded, MatchStarted, Noticed, Welcomed

log = logging.getLogger("carico")


@dataclass(slots=True)
class Tally:
    """How the matches of one bot went since its runner began."""

    won: int = 0
    tied: int = 0
    lost: int = 0
    void: int = 0
    faults: int = 0
    """Matches that the bot lost by a fault of its own; they are among the lost ones."""

    @property
    def ended(self) -> int:
        """All matches that are over."""
        return self.won + self.tied + self.lost + self.void

    def count(self, end: MatchEnded) -> None:
        """Takes the end of one match in."""
        mine = set(end.seats)
        if end.void:
            self.void += 1
        elif mine & set(end.winners):
            self.won += 1
        elif end.own_faults:
            self.lost += 1
            self.faults += 1
        elif end.winners:
            self.lost += 1
        else:
            self.tied += 1

    def __str__(self) -> str:
        faults = f" ({self.faults} by a fault)" if self.faults else ""
        void = f", {self.void} void" if self.void else ""
        return f"{self.won} won, {self.tied} tied, {self.lost} lost{faults}{void}"


class Reporter:
    """Is told what happens, in the event loop. This one writes to the log ``carico``; a command line has its own."""

    def connected(self, welcome: Welcomed) -> None:
        """The referee let the bot in; again after each reconnect."""
        log.info("connected to %s as %s, a bot of %s", welcome.referee, welcome.bot, welcome.owner)

    def lost(self, lost: Lost) -> None:
        """The stream broke or could not be opened."""
        log.warning("%s; next attempt in %.1f s", lost.reason, lost.retry_s)

    def started(self, start: MatchStarted) -> None:
        """A match begins."""
        log.debug("match %s: %s, seats %s", start.match, start.game.name, start.seats)

    def ended(self, end: MatchEnded, tally: Tally) -> None:
        """A match is over; ``tally`` counts it already."""
        log.debug("match %s is over; %s", end.match, tally)
        for fault, detail in end.own_faults:
            log.warning("match %s: a deal is lost by %s: %s", end.match, fault.reason, detail)

    def noticed(self, notice: Noticed) -> None:
        """The referee has something to say to a human."""
        log.warning("%s: %s", notice.reason, notice.text)

    def problem(self, problem: Problem) -> None:
        """The bot made a mistake; told once for each kind of mistake."""
        log.error("match %s: %s\n%s", problem.match, problem.text, problem.traceback)
