"""Keeps a program running that plays as a bot: what is told goes to it as JSON lines, what it decides comes back.

A program that ends, that breaks the line protocol or that writes nothing while it is asked is ended and started again,
and is told everything that is open. Why, is told each time. An ask that was open at three such ends is decided as
"nothing", which loses its deal; after five in a row without one good answer between them the program is given up.
"""

import select
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from carico import json_lines
from carico.cannot_play import CannotPlay
from carico.codec import NO_ACTION
from carico.json_lines import BadLine, Greeting, Message, Reply
from carico.program import LineTooLong, Program, located
from carico.rules.view import View

HELLO_S: Final = 10.0
"""How long a program may take to say hello."""

PATIENCE_S: Final = 10.0
"""How long a program may write nothing at all while it is asked, where no clock runs; else it is the action limit."""

MOST_ENDS: Final = 5
"""So many ends in a row without a good answer between them, and the program is given up."""

ENDS_AN_ASK: Final = 3
"""An ask that was open at so many ends is decided as "nothing"."""

FIRST_PAUSE_S: Final = 0.1
"""The pause before the program is started again; it doubles with each end."""

MOST_BAD_LINES: Final = 100
"""So many lines in a row that are no messages, and the program is ended."""


class GivenUp(CannotPlay):
    """The program does not stay up, or does not speak JSON lines."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of an ask."""

    match: str
    seat: int
    number: int
    view: View
    action: int
    """NO_ACTION of the codec where the program named none."""
    problem: str = ""
    """What was wrong, in a sentence; empty where the action is legal."""


@dataclass(slots=True)
class _Ask:
    number: int
    view: View
    message: Message
    ends: int = 0
    """At how many ends of the program it was open."""


class Bridge:
    """One program and all that is open with it. ``pump`` does the work; call it when there is something to read."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        bot: str,
        version: str,
        tell: Callable[[str], None],
        patience_s: float = PATIENCE_S,
        hello_s: float = HELLO_S,
    ) -> None:
        """``tell`` is given sentences for the author. Raises CannotPlay where there is no such program."""
        self._command = located(command)
        self._hello = json_lines.hello(bot, version)
        self._tell = tell
        self._patience_s = patience_s
        self._hello_s = hello_s
        self._program: Program | None = None
        self._starts: dict[str, Message] = {}
        self._asks: dict[tuple[str, int], _Ask] = {}
        self._greeted = False
        """Whether the program that runs has said hello."""
        self._ever_greeted = False
        self._limits_s: dict[str, float] = {}
        """How long an act may take, for matches with a clock."""
        self._silent_since: float | None = None
        """When it was first asked after its last line; None while it owes nothing."""
        self._silence_s = 0.0
        """How long it may be silent from then on."""
        self._started_at = 0.0
        self._again_at = 0.0
        self._bad_in_a_row = 0
        self._told: set[str] = set()
        self.ends = 0
        """Ends in a row, without a good answer between them."""
        self.bad_lines: list[str] = []
        """What was wrong with the first few lines that are no messages."""
        self.stops: list[str] = []
        """Why the program ended, or was ended, each time that this was not wanted; the first few."""

    @property
    def ready(self) -> bool:
        """Whether the program has said hello."""
        return self._greeted

    @property
    def pid(self) -> int | None:
        """The process id of the program, while it runs."""
        return self._program.pid if self._program is not None else None

    # --- what is told ---

    def allow(self, patience_s: float) -> None:
        """Has patience for at least so long from now on, where no clock runs."""
        self._patience_s = max(self._patience_s, patience_s)

    def start(self, match: str, message: Message, limit_s: float | None = None) -> None:
        """A match begins; ``limit_s`` is how long an act may take in it, where a clock runs."""
        self._starts[match] = message
        if limit_s is not None:
            self._limits_s[match] = limit_s
        self._say(message)

    def ask(self, match: str, seat: int, number: int, deal: int, view: View, bank_ms: int | None) -> None:
        """A seat must act. The decision comes out of a later ``pump``."""
        message = json_lines.ask(match, seat, number, deal, view, bank_ms)
        self._asks[match, seat] = _Ask(number, view, message)
        self._expect_a_line(match)
        self._say(message)

    def end(self, match: str, message: Message, *, at_fault: bool = False) -> None:
        """A match is over; what is still asked in it is asked no more.

        ``at_fault`` where the program itself lost it: if it has been silent for all that time, it is still to be ended.
        """
        self._starts.pop(match, None)
        self._limits_s.pop(match, None)
        for key in [key for key in self._asks if key[0] == match]:
            del self._asks[key]
        if not self._asks and not at_fault:
            self._silent_since = None
        self._say(message)

    # --- the work ---

    def pump(self) -> list[Decision]:
        """Reads what is there, starts and ends the program where it is time to. Raises GivenUp."""
        now = time.monotonic()
        if self._program is None:
            if now < self._again_at:
                return []
            self._launch(now)
        program = self._program
        assert program is not None
        decisions: list[Decision] = []
        try:
            program.flush()
            for line in program.lines():
                self._take(line, decisions)
                self._silent_since = None
        except LineTooLong:
            return [*decisions, *self._bury(f"it wrote a line of {json_lines.LINE_LIMIT} bytes or more")]
        if self._bad_in_a_row >= MOST_BAD_LINES:
            return [*decisions, *self._bury(f"it wrote {MOST_BAD_LINES} lines in a row that are no messages")]
        if program.ended:
            return [*decisions, *self._bury("")]
        if self._silent_since is None:
            for match, _ in self._asks:
                self._expect_a_line(match)
        if now >= self.due:
            silent = f"it was asked and wrote nothing for {self._silence_s:g} s"
            return [
                *decisions,
                *self._bury(silent if self._greeted else f"it did not say hello for {self._hello_s:g} s"),
            ]
        return decisions

    @property
    def due(self) -> float:
        """When ``pump`` is to be called though nothing can be read, on the clock of ``time.monotonic``."""
        if self._program is None:
            return self._again_at
        if not self._greeted:
            return self._started_at + self._hello_s
        return self._silent_since + self._silence_s if self._silent_since is not None else float("inf")

    @property
    def readable(self) -> int | None:
        """The file descriptor to watch for reading, if the program runs."""
        return self._program.output if self._program is not None else None

    @property
    def writable(self) -> int | None:
        """The file descriptor to watch for writing, if there is something left to write."""
        return self._program.input if self._program is not None and self._program.waits_to_write else None

    def wait(self, longest_s: float = 60.0) -> None:
        """Returns when ``pump`` has something to do, or after that time: for those who have no event loop."""
        poll = select.poll()
        if self.readable is not None:
            poll.register(self.readable, select.POLLIN)
        if self.writable is not None:
            poll.register(self.writable, select.POLLOUT)
        poll.poll(1000 * min(max(self.due - time.monotonic(), 0.0), longest_s) + 1)

    def restart(self) -> None:
        """Kills the program; the next ``pump`` starts it again, and nothing is held against it."""
        if self._program is not None:
            self._program.kill()
            self._program = None
            self._greeted = False
            self._again_at = 0.0

    def close(self) -> bool:
        """Ends the program. Says whether it ended by itself once its input had ended."""
        program, self._program, self._greeted = self._program, None, False
        return program is None or program.close()

    # --- inside ---

    def _launch(self, now: float) -> None:
        self._program = Program(self._command)
        self._started_at = now
        self._silent_since = None
        self._bad_in_a_row = 0
        self._program.say(json_lines.to_line(self._hello))

    def _say(self, message: Message) -> None:
        if self._program is not None and self._greeted:
            self._program.say(json_lines.to_line(message))

    def _take(self, line: bytes, decisions: list[Decision]) -> None:
        try:
            message = json_lines.read(line)
            if isinstance(message, Reply) and not self._greeted:
                raise BadLine('the first message has to be {"type":"hello","protocol":1}')
        except BadLine as error:
            self._bad(str(error))
            return
        self._bad_in_a_row = 0
        match message:
            case Greeting():
                self._greet()
            case Reply():
                self._decide(message, decisions)

    def _greet(self) -> None:
        if self._greeted:
            return
        self._greeted = self._ever_greeted = True
        for message in self._starts.values():
            self._say(message)
        for ask in self._asks.values():
            self._say(ask.message)

    def _decide(self, reply: Reply, decisions: list[Decision]) -> None:
        """Takes the answer to an open ask; one that is late or comes twice is nobody's harm."""
        ask = self._asks.get((reply.match, reply.seat))
        if ask is None or ask.number != reply.number:
            return
        del self._asks[reply.match, reply.seat]
        problem = ""
        if reply.action in json_lines.legal(ask.view):
            self.ends = 0
        else:
            could = ", ".join(json_lines.legal(ask.view))
            problem = f"the program answered {reply.action[:40]!r}, but it may only do this: {could}"
        action = json_lines.read_action(reply.action)
        decisions.append(Decision(reply.match, reply.seat, reply.number, ask.view, action, problem))

    def _bad(self, text: str) -> None:
        self._bad_in_a_row += 1
        if len(self.bad_lines) < 10:
            self.bad_lines.append(text)
        self._tell_once(
            "bad line", f"{text} (it is skipped; told once; only messages go to stdout, all else to stderr)"
        )

    def _expect_a_line(self, match: str) -> None:
        """It was asked in that match: how long it may be silent now."""
        limit = self._limits_s.get(match, self._patience_s)
        if self._silent_since is None:
            self._silent_since, self._silence_s = time.monotonic(), limit
        self._silence_s = max(self._silence_s, limit)

    def _tell_once(self, kind: str, text: str) -> None:
        if kind not in self._told:
            self._told.add(kind)
            self._tell(text)

    def _bury(self, why: str) -> list[Decision]:
        assert self._program is not None
        how = self._program.kill()
        self._program = None
        self._greeted = False
        self.ends += 1
        shown = " ".join(self._command)
        told = f"{shown}: {why}, so {how}" if why else f"{shown}: {how}"
        if len(self.stops) < 10:
            self.stops.append(told)
        if not self._ever_greeted:
            raise GivenUp(
                f"{told}, and never said hello; what it wrote to stderr stands above. A program answers the first line "
                'on its stdin with {"type":"hello","protocol":1} (proto/JSONLINES.md), and flushes its stdout'
            )
        if self.ends >= MOST_ENDS:
            raise GivenUp(f"{told}; that was the {self.ends}th end in a row without a good answer: it is given up")
        self._again_at = time.monotonic() + FIRST_PAUSE_S * 2 ** (self.ends - 1)
        self._tell(f"{told}; it is started again")
        return self._give_up_asks(why or how)

    def _give_up_asks(self, why: str) -> list[Decision]:
        lost = []
        for (match, seat), ask in list(self._asks.items()):
            ask.ends += 1
            if ask.ends >= ENDS_AN_ASK:
                del self._asks[match, seat]
                problem = f"the program ended {ask.ends} times before it answered: {why}"
                lost.append(Decision(match, seat, ask.number, ask.view, NO_ACTION, problem))
        return lost
