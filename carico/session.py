"""A bot's side of the bots' contract, without I/O: frames in, events out; answers in, frames out.

A session outlives its streams. ``connect`` begins a stream, ``receive`` takes a frame of it and gives what happened,
``answer`` takes a decision, ``next_frame`` gives what is to be sent. After a reconnect the referee tells the full state
again; an ask that was answered already is answered in the same way, without asking the bot twice.
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from carico import codec
from carico.codec import BadMessage
from carico.rules.game import Game
from carico.rules.outcome import Fault
from carico.rules.view import View
from carico.time_control import TimeControl
from carico.v1 import bots_pb2

PROTOCOL: Final = 1
"""The version of the contract that this library speaks."""

FRAME_LIMIT: Final = 1_000
"""Most messages that go in one frame, however many the referee allows: it stays far below 64 kB."""

STREAMS_KEPT: Final = 3
"""A match of which the referee did not tell on so many streams in a row is forgotten: it has lost it."""

ENDS_KEPT: Final = 10_000
"""Ends that are remembered, so that one told twice is one event."""

B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Welcomed:
    """The referee let the bot in."""

    referee: str
    bot: str
    owner: str


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match begins; told once, not again after a reconnect."""

    match: str
    seats: tuple[int, ...]
    game: Game
    time_control: TimeControl | None
    """None where no clock runs."""


@dataclass(frozen=True, slots=True)
class Asked(Generic[B]):
    """A seat must act: give the decision to ``Session.answer`` with these three, match, seat and number."""

    match: str
    seat: int
    number: int
    deal: int
    """The number of the deal in its match, from 0."""
    bot: B
    """The object that plays this seat in this deal."""
    view: View
    bank_ms: int
    """Left in the bank when the ask was sent."""


@dataclass(frozen=True, slots=True)
class DealEnded:
    """How a deal ended."""

    winners: tuple[int, ...]
    card_points: tuple[int, ...]
    scores: tuple[int, ...]
    faults: tuple[Fault, ...]
    details: tuple[str, ...]
    """What happened, in words, for each fault; empty where it was another owner's."""


@dataclass(frozen=True, slots=True)
class MatchEnded(DealEnded):
    """A match is over; told once. It tells of its last deal, but for ``winners``; where void, the rest is empty."""

    match: str
    seats: tuple[int, ...]
    void: bool
    deals: tuple[DealEnded, ...] = ()
    """Of a match of several deals: all of them, in order. Its winners are those that won more deals than all others."""

    @property
    def own_faults(self) -> list[tuple[Fault, str]]:
        """The faults of the bot's own seats, with what happened, in all deals."""
        return [
            (fault, detail)
            for deal in self.deals or (self,)
            for fault, detail in zip(deal.faults, deal.details, strict=True)
            if fault.seat in self.seats
        ]


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something for a human; never needed for play."""

    reason: str
    text: str
    match: str


Event = Welcomed | MatchStarted | Asked[B] | MatchEnded | Noticed


@dataclass(slots=True)
class _Turn:
    """The last ask of a seat."""

    number: int
    stream: int
    """The stream it came on last; only there its answer goes."""
    view: View
    action: int | None = None


@dataclass(slots=True)
class _OpenMatch(Generic[B]):
    game: Game
    stream: int
    """The last stream on which the referee told of it."""
    bots: dict[int, tuple[int, B]] = field(default_factory=dict)
    """Per seat the deal and the object that plays it."""
    turns: dict[int, _Turn] = field(default_factory=dict)


class Session(Generic[B]):
    """One bot at one referee. ``make`` gives a new object for each deal and seat."""

    def __init__(self, make: Callable[[], B], *, bot: str, version: str, build: str = "", client: str = "") -> None:
        self._make = make
        self._hello = bots_pb2.Hello(
            oldest_protocol=PROTOCOL,
            newest_protocol=PROTOCOL,
            bot=bot,
            version=version,
            build=build,
            view_mode=bots_pb2.VIEW_MODE_DELTAS,
            client=client,
        )
        self._matches: dict[str, _OpenMatch[B]] = {}
        self._ended: dict[str, None] = {}
        self._stream = 0
        """Counts the welcomes."""
        self._hello_due = False
        self._limit = FRAME_LIMIT
        self._answers: deque[bots_pb2.Answer] = deque()
        self._seen_ends: deque[str] = deque()
        self.welcomed = False
        """Whether the referee has let the bot in on the stream that is open."""

    @property
    def open_matches(self) -> int:
        """How many matches are open."""
        return len(self._matches)

    def connect(self) -> None:
        """A new stream begins: the hello goes first, and what was not sent on the old one is forgotten."""
        oldest = self._stream - STREAMS_KEPT
        self._matches = {name: open_ for name, open_ in self._matches.items() if open_.stream > oldest}
        self._answers.clear()
        self._seen_ends.clear()
        self._hello_due = True
        self.welcomed = False

    def next_frame(self) -> bots_pb2.PlayRequest | None:
        """The next frame to send, with all that is ready up to the referee's limit; None when nothing is."""
        if self._hello_due:
            self._hello_due = False
            return bots_pb2.PlayRequest(hello=self._hello)
        if not self._answers and not self._seen_ends:
            return None
        answers = [self._answers.popleft() for _ in range(min(self._limit, len(self._answers)))]
        room = self._limit - len(answers)
        ends = [self._seen_ends.popleft() for _ in range(min(room, len(self._seen_ends)))]
        return bots_pb2.PlayRequest(answers=answers, seen_ends=ends)

    def answer(self, match: str, seat: int, number: int, action: int) -> None:
        """Decides an ask; NO_ACTION of the codec for "nothing". Does nothing where the ask is no longer open."""
        open_ = self._matches.get(match)
        turn = open_.turns.get(seat) if open_ else None
        if turn is None or turn.number != number or turn.action is not None:
            return
        turn.action = action
        if self.welcomed and turn.stream == self._stream:
            self._send(match, seat, number, action)

    def receive(self, frame: bots_pb2.PlayResponse) -> list[Event[B]]:
        """What a frame tells, in order. Raises BadMessage where there can be no talk with this referee."""
        events: list[Event[B]] = []
        if not self.welcomed:
            events.append(self._welcome(frame))
        for start in frame.starts:
            self._start(start, events)
        for ask in frame.asks:
            self._ask(ask, events)
        for end in frame.ends:
            self._end(end, events)
        events += (Noticed(notice.reason, notice.text, notice.match) for notice in frame.notices)
        return events

    def _welcome(self, frame: bots_pb2.PlayResponse) -> Welcomed:
        if not frame.HasField("welcome"):
            raise BadMessage("the referee's first frame has no welcome")
        welcome = frame.welcome
        if welcome.protocol != PROTOCOL:
            raise BadMessage(f"the referee speaks version {welcome.protocol} of the contract, this library {PROTOCOL}")
        self.welcomed = True
        self._stream += 1
        self._limit = min(welcome.frame_limit or FRAME_LIMIT, FRAME_LIMIT)
        return Welcomed(welcome.referee, welcome.bot, welcome.owner)

    def _start(self, start: bots_pb2.MatchStart, events: list[Event[B]]) -> None:
        known = self._matches.get(start.match)
        if known is not None:
            known.stream = self._stream
            return
        try:
            game = codec.read_game(start.game)
            terms = codec.read_time_control(start.time_control) if start.HasField("time_control") else None
        except BadMessage as error:
            events.append(Noticed("UNREADABLE", f"this match can't be played here: {error}", start.match))
            return
        self._matches[start.match] = _OpenMatch(game, self._stream)
        events.append(MatchStarted(start.match, tuple(start.seats), game, terms))

    def _ask(self, ask: bots_pb2.Ask, events: list[Event[B]]) -> None:
        open_ = self._matches.get(ask.match)
        seat = ask.seat
        if open_ is None:
            # Nobody here can play it: saying so at once costs the others no time.
            self._send(ask.match, seat, ask.number, codec.NO_ACTION)
            return
        turn = open_.turns.get(seat)
        view = self._view(ask, open_.game, turn)
        if turn is not None and turn.number == ask.number:
            turn.stream, turn.view = self._stream, view
            if turn.action is not None:
                self._send(ask.match, seat, ask.number, turn.action)
            return
        open_.turns[seat] = _Turn(ask.number, self._stream, view)
        deal, bot = open_.bots.get(seat, (-1, None))
        if bot is None or deal != ask.deal:
            bot = self._make()
            open_.bots[seat] = ask.deal, bot
        events.append(Asked(ask.match, seat, ask.number, ask.deal, bot, view, codec.milliseconds(ask.bank)))

    def _view(self, ask: bots_pb2.Ask, game: Game, turn: _Turn | None) -> View:
        """What the seat sees. Raises BadMessage for a change to nothing that was told on this stream."""
        if not ask.HasField("change"):
            return codec.read_view(ask.view, game, ask.seat)
        if turn is None or turn.stream != self._stream:
            raise BadMessage(f"match {ask.match}: changes for seat {ask.seat} came before its whole view")
        return codec.read_change(ask.change, turn.view)

    def _end(self, end: bots_pb2.MatchEnd, events: list[Event[B]]) -> None:
        self._seen_ends.append(end.match)
        self._matches.pop(end.match, None)
        if end.match in self._ended:
            return
        self._ended[end.match] = None
        if len(self._ended) > ENDS_KEPT:
            del self._ended[next(iter(self._ended))]
        deals = tuple(DealEnded(*_told_of(deal)) for deal in end.deals)
        events.append(MatchEnded(*_told_of(end), end.match, tuple(end.seats), end.void, deals))

    def _send(self, match: str, seat: int, number: int, action: int) -> None:
        message = codec.action_message(action)
        self._answers.append(bots_pb2.Answer(match=match, seat=seat, number=number, action=message))


_Ends = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[Fault, ...], tuple[str, ...]]


def _told_of(end: bots_pb2.MatchEnd | bots_pb2.DealEnd) -> _Ends:
    """The fields of a DealEnded; faults for a reason that this version does not know are left out."""
    known = []
    for message in end.faults:
        with suppress(BadMessage):
            known.append((codec.read_faults([message])[0], message.detail))
    faults, details = tuple(fault for fault, _ in known), tuple(detail for _, detail in known)
    return tuple(end.winners), tuple(end.card_points), tuple(end.scores), faults, details
