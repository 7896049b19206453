"""Bots that a program plays, one ask at a time, for the arena and the conformance kit: no event loop is needed."""

import secrets
from collections.abc import Callable, Sequence

from carico import json_lines
from carico.bot import Bot
from carico.bridge import PATIENCE_S, Bridge, Decision, GivenUp
from carico.codec import NO_ACTION
from carico.problem import BotFailed
from carico.rules.actions import Action, named
from carico.rules.cards import Card
from carico.rules.outcome import Outcome
from carico.rules.view import View
from carico.session import MatchEnded


class ProgramBots:
    """Makes bots, a new one for each deal and seat, that all are played by one process. Close it in the end."""

    def __init__(
        self, command: Sequence[str], *, name: str, tell: Callable[[str], None], patience_s: float = PATIENCE_S
    ) -> None:
        """Raises CannotPlay where there is no such program. It is started with the first ask or by ``begin``."""
        self.bridge = Bridge(command, bot=name, version="1", tell=tell, patience_s=patience_s)
        self.given_up = ""
        """Why the program was given up; empty while it plays."""

    def __call__(self) -> "ProgramBot":
        """A bot for one seat of one deal; for the program that is a match of its own."""
        return ProgramBot(self)

    def begin(self) -> None:
        """Starts the program and waits for its hello. Raises GivenUp."""
        while not self.bridge.ready:
            self.bridge.pump()
            if not self.bridge.ready:
                self.bridge.wait()

    def ask(self, match: str, seat: int, number: int, view: View) -> Decision:
        """Asks and waits. Raises BotFailed where the program is given up."""
        if self.given_up:
            raise BotFailed(self.given_up)
        self.bridge.ask(match, seat, number, view, None)
        try:
            while True:
                for decision in self.bridge.pump():
                    if (decision.match, decision.seat, decision.number) == (match, seat, number):
                        return decision
                self.bridge.wait()
        except GivenUp as error:
            self.given_up = str(error)
            raise BotFailed(self.given_up) from error

    def close(self) -> bool:
        """Ends the program. Says whether it ended by itself once its input had ended."""
        return self.bridge.close()


class ProgramBot(Bot):
    """One seat of one deal, played by a program."""

    def __init__(self, bots: ProgramBots) -> None:
        self._bots = bots
        self._match = secrets.token_hex(8)
        self._seat = -1
        """Known from the first ask on."""
        self._asked = 0

    def act(self, view: View) -> Card | Action:
        """Asks the program. Raises BotFailed where it names no action of this version."""
        if not self._asked:
            self._seat = view.seat
            start = json_lines.start(self._match, (view.seat,), view.game, None, self.seed)
            self._bots.bridge.start(self._match, start)
        self._asked += 1
        decision = self._bots.ask(self._match, view.seat, self._asked, view)
        if decision.action == NO_ACTION:
            raise BotFailed(decision.problem)
        return named(decision.action, view.game.auction)

    def end(self, outcome: Outcome | None) -> None:
        """The deal is over, or void where there is no outcome."""
        if self._asked:
            ended = MatchEnded(
                self._match,
                (self._seat,),
                outcome is None,
                outcome.winners if outcome else (),
                outcome.card_points if outcome else (),
                outcome.scores if outcome else (),
                outcome.faults if outcome else (),
                tuple("" for _ in outcome.faults) if outcome else (),
            )
            self._bots.bridge.end(self._match, json_lines.end(ended))
