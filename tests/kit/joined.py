"""The session of a bot and the match machine of a referee, joined back to back: two ends that test each other."""

from carico import codec
from carico.bot import Bot
from carico.rules.view import View, view
from carico.session import Asked, Event, Session
from carico.v1 import bots_pb2 as pb
from referee.match.events import Answered, Begun
from referee.match.instructions import AskSeat, Ended, Ignored
from referee.match.machine import Match
from referee.match.spec import MatchSpec


class Wire:
    """What a referee wants to tell one bot, until it is carried over."""

    def __init__(self, bot: str, deltas: bool) -> None:
        self.bot = bot
        self.gathered = pb.PlayResponse()
        self._deltas = deltas
        self._told: dict[tuple[str, int, int], View] = {}

    def connect(self) -> None:
        """A new stream begins with a welcome; nothing was told on it."""
        self.gathered = pb.PlayResponse(welcome=pb.Welcome(protocol=1, referee="joined", frame_limit=5))
        self._told.clear()

    def take(self) -> pb.PlayResponse:
        """The frame as it arrives: through its bytes."""
        data, self.gathered = self.gathered.SerializeToString(), pb.PlayResponse()
        return pb.PlayResponse.FromString(data)

    def start(self, spec: MatchSpec) -> None:
        """A match begins, or goes on."""
        start = self.gathered.starts.add(match=spec.handle, seats=bytes(spec.seats_of(self.bot)))
        start.game.CopyFrom(codec.game_message(spec.game))
        if spec.time_control is not None:
            start.time_control.CopyFrom(codec.time_control_message(spec.time_control))

    def ask(self, match: Match, seat: int) -> None:
        """The seat must act."""
        ask = self.gathered.asks.add(match=match.spec.handle, seat=seat, number=match.numbers[seat], deal=match.number)
        seen, place = view(match.deal, seat), (match.spec.handle, seat, match.number)
        if place in self._told:
            codec.write_change(seen, self._told[place], ask.change)
        else:
            codec.write_view(seen, ask.view)
        if self._deltas:
            self._told[place] = seen

    def end(self, match: Match) -> None:
        """A match is over."""
        assert match.outcome is not None
        end = self.gathered.ends.add(match=match.spec.handle, seats=bytes(match.spec.seats_of(self.bot)))
        end.winners = bytes(match.outcome.winners)
        end.card_points = bytes(match.outcome.card_points)
        end.faults.extend(map(codec.fault_message, match.faults.values()))
        for played in match.deals if match.spec.game.most_deals > 1 else ():
            assert played.outcome is not None
            deal = end.deals.add(winners=bytes(played.outcome.winners), card_points=bytes(played.outcome.card_points))
            deal.scores.extend(played.outcome.scores)
            deal.faults.extend(map(codec.fault_message, played.faults.values()))


class Side:
    """A bot of a match: its session, its wire, and all that it was told."""

    def __init__(self, name: str, make: type[Bot], deltas: bool) -> None:
        self.session: Session[Bot] = Session(make, bot=name, version="1")
        self.wire = Wire(name, deltas)
        self.events: list[Event[Bot]] = []
        self.connect()

    def connect(self) -> None:
        """A new stream: hello and welcome."""
        self.session.connect()
        hello = self.session.next_frame()
        assert hello is not None
        assert hello.HasField("hello")
        self.wire.connect()

    def told(self, kind: type) -> list[Event[Bot]]:
        """All events of one kind."""
        return [event for event in self.events if type(event) is kind]


class Joined:
    """Plays matches between sessions and machines until nothing is left to say."""

    def __init__(self, deltas: bool = True, /, **bots: type[Bot]) -> None:
        self.sides = {name: Side(name, make, deltas) for name, make in bots.items()}
        self.matches: dict[str, Match] = {}
        self.ignored: list[Ignored] = []
        self.frames = 0

    def start(self, spec: MatchSpec) -> Match:
        """Begins a match and tells its bots."""
        match = self.matches[spec.handle] = Match(spec)
        for name in {seat.bot for seat in spec.seats}:
            self.sides[name].wire.start(spec)
        self._do(match, match.handle(Begun(), 0))
        return match

    def step(self, name: str) -> bool:
        """Carries what is there over to a bot and its answers back; False where there is nothing."""
        side = self.sides[name]
        frame = side.wire.take()
        for event in side.session.receive(frame):
            side.events.append(event)
            if type(event) is Asked:
                answer = event.bot.act(event.view)
                assert isinstance(answer, int)
                side.session.answer(event.match, event.seat, event.number, answer)
        sent = False
        while (request := side.session.next_frame()) is not None:
            sent = True
            self._read(name, pb.PlayRequest.FromString(request.SerializeToString()))
        return sent or frame.ByteSize() > 0

    def run(self) -> None:
        """Until nobody has anything to say."""
        while sum(self.step(name) for name in self.sides):
            pass

    def restate(self, name: str) -> None:
        """The stream of a bot broke, and what was on it is lost; on the new one it is told the full state."""
        side = self.sides[name]
        side.connect()
        for match in self.matches.values():
            own = match.spec.seats_of(name)
            if match.over or not own:
                continue
            side.wire.start(match.spec)
            if match.open_seat is not None and match.open_seat in own:
                side.wire.ask(match, match.open_seat)

    def _read(self, name: str, request: pb.PlayRequest) -> None:
        self.frames += 1
        assert len(request.answers) + len(request.seen_ends) <= 5
        for answer in request.answers:
            match = self.matches[answer.match]
            event = Answered(answer.seat, answer.number, codec.read_action(answer.action))
            self._do(match, match.handle(event, 0))

    def _do(self, match: Match, instructions: list[AskSeat | Ignored | Ended]) -> None:
        for instruction in instructions:
            match instruction:
                case AskSeat(seat):
                    self.sides[match.spec.seats[seat].bot].wire.ask(match, seat)
                case Ignored():
                    self.ignored.append(instruction)
                case Ended():
                    for name in {seat.bot for seat in match.spec.seats}:
                        self.sides[name].wire.end(match)
