"""The cast of villains: bots that break the bots' contract, each in a way of its own, over raw gRPC.

These are villains in what they say; ``line_villains`` mistreat their streams, ``rogue_programs`` speak JSON lines, and
``raids`` attack the referee from outside of any match. ``cast`` lists who loses by what.
"""

from collections.abc import Iterable
from typing import ClassVar

from carico.v1 import bots_pb2 as pb
from carico.v1 import types_pb2
from tests.kit.raw_bots import RawBot, play


class Odd(RawBot):
    """Answers its first ``good`` asks of a deal well, and from then on in its own way."""

    good: ClassVar[int] = 2

    def answers(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.answer(ask)] if ask.number <= self.good else self.odd(ask)

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        """What it sends instead."""
        raise NotImplementedError


# --- what they do ---


class Cheat(Odd):
    """Plays a card that it does not hold."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        other = next(card for card in range(64) if card & 15 < 12 and card not in ask.view.hand)
        return [self.say(ask, play(other))]


class Replayer(Odd):
    """Plays a card that has been played before."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        gone = ask.view.played or bytes(set(range(12)) - set(ask.view.hand))
        return [self.say(ask, play(gone[0]))]


class Foreteller(Odd):
    """Plays the upcard, which it does not hold yet, or a card of no pack."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        held = ask.view.upcard in ask.view.hand
        return [self.say(ask, play(0x3F if held else ask.view.upcard))]


class Stranger(Odd):
    """Names a kind of action that does not exist."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        action = types_pb2.Action(card=ask.view.hand[0])
        action.MergeFromString(b"\x08\x63")  # kind = 99
        return [self.say(ask, action)]


class Minus(Odd):
    """Names a kind of action below nought."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        action = types_pb2.Action(card=ask.view.hand[0])
        action.MergeFromString(b"\x08" + b"\xff" * 9 + b"\x01")  # kind = -1
        return [self.say(ask, action)]


class Unkind(Odd):
    """Plays a good card, but does not say that it plays it."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.say(ask, types_pb2.Action(card=ask.view.hand[0]))]


class Nameless(Odd):
    """Names no action at all."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.say(ask)]


class Giant(Odd):
    """Plays a card whose number is no byte, though its last byte is a card of the hand."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.say(ask, play(0xFFFFFF00 | ask.view.hand[0]))]


class Guesser(Odd):
    """Answers with all cards there are, one after the other, hoping that the right one is taken."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        cards = sorted(range(64), key=lambda card: card in ask.view.hand)
        return [self.say(ask, play(card)) for card in cards]


# --- what they answer to ---


class Prophet(Odd):
    """Answers asks that were never asked."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.say(ask, number=ask.number + 7, action=self.legal(ask)[0])]


class Hasty(Odd):
    """Answers well, and at once the next ask, too."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.say(ask, number=ask.number + 1, action=self.legal(ask)[0]), self.answer(ask)]


class Endless(Odd):
    """Numbers its answers with the largest number there is."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.say(ask, number=0xFFFFFFFF, action=self.legal(ask)[0])]


class Zero(Odd):
    """Numbers its answers with nought."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.say(ask, number=0, action=self.legal(ask)[0])]


class Shifter(Odd):
    """Writes the number of its answer as text, so that it says none."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        answer = self.say(ask, number=0, action=self.legal(ask)[0])
        answer.MergeFromString(b"\x1a\x01" + str(ask.number).encode()[:1])
        return [answer]


class Usurper(Odd):
    """Answers for a seat that is another's."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        other = (ask.seat + 1) % self.games[ask.match].players
        action = self.legal(ask)[0]
        return [self.say(ask, action, seat=other), self.say(ask, action)]


class Nowhere(Odd):
    """Answers for a seat that no table has."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.say(ask, self.legal(ask)[0], seat=4_000_000_000)]


class Swapper(Odd):
    """Answers for its partner's seat what it was asked at its own; who plays alone answers for no seat."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        (own,) = {bytes(start.seats) for start in self.starts if start.match == ask.match}
        other = next((seat for seat in own if seat != ask.seat), 77)
        return [self.say(ask, self.legal(ask)[0], seat=other, number=ask.number + 1)]


class Mixer(Odd):
    """Answers in one match what it was asked in another."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        others = [other for other in self.asks if other.match != ask.match]
        stale = [self.say(other, self.legal(other)[0], match=ask.match) for other in others[-3:]]
        return [*stale, self.say(ask, number=ask.number + 40)]


# --- too much, and nothing ---


class Stutterer(RawBot):
    """Answers everything twice, the second time with another card."""

    def answers(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.answer(ask), self.say(ask, self.legal(ask)[-1])]


class Waverer(RawBot):
    """Answers with all that is legal, one after the other."""

    def answers(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.say(ask, action) for action in self.legal(ask)]


class Historian(RawBot):
    """Answers the ask before together with each new one."""

    def answers(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        old = self.say(ask, self.legal(ask)[0], number=ask.number - 1)
        return [old, self.answer(ask)] if ask.number > 1 else [self.answer(ask)]


class Lost(RawBot):
    """Answers for a match that does not exist, beside each good answer."""

    def answers(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.say(ask, self.legal(ask)[0], match="\u2660" * 400), self.answer(ask)]


class Hoarder(RawBot):
    """Puts 1 kB of fields that the contract does not know into each answer."""

    def answers(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        answer = self.answer(ask)
        answer.MergeFromString(b"\xfa\x3f\xe8\x07" + b"\x00" * 1000)  # field 1023
        return [answer]


class Sleeper(Odd):
    """Answers no more, but stays connected."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return []


class Repeater(Odd):
    """Answers well, and then with the same again, hundreds of times."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.answer(ask)] * 500


# --- frames ---


class Babbler(Odd):
    """Sends bytes that are no message."""

    babble: ClassVar[bytes] = b"\xff\xff\xff\xff garbage"

    def reply(self, frame: pb.PlayResponse) -> pb.PlayRequest | bytes | None:
        if any(ask.number > self.good for ask in frame.asks):
            return self.babble
        return super().reply(frame)


class Mumbler(Babbler):
    """Sends a handle that is no UTF-8."""

    babble = b"\x12\x04\x0a\x02\xc3\x28"


class Whale(Babbler):
    """Sends a message larger than a referee takes."""

    babble = pb.PlayRequest(seen_ends=["x" * 70_000]).SerializeToString()


class Leviathan(Babbler):
    """Sends a message of 4 MB."""

    babble = pb.PlayRequest(seen_ends=["x" * 4_000_000]).SerializeToString()


class Spammer(Babbler):
    """Sends a frame with more messages than a frame may hold, and well below the size of a message."""

    babble = pb.PlayRequest(seen_ends=["x"] * 5_000).SerializeToString()


class Greeter(Babbler):
    """Says hello in the middle of play."""

    babble = pb.PlayRequest(hello=pb.Hello(oldest_protocol=1, newest_protocol=1)).SerializeToString()


class Acker(RawBot):
    """Says that it has seen ends that it never had: of matches that go on, and of none."""

    def reply(self, frame: pb.PlayResponse) -> pb.PlayRequest | bytes | None:
        request = super().reply(frame)
        if isinstance(request, pb.PlayRequest) and request.answers:
            request.seen_ends.extend([*self.games, *(f"\x00{n}" for n in range(50))])
        return request


ILLEGAL = [Cheat, Replayer, Foreteller, Stranger, Minus, Unkind, Nameless, Giant, Guesser]
"""They lose by ILLEGAL_ACTION."""

BREAKERS = [
    *(Prophet, Hasty, Endless, Zero, Shifter, Usurper, Nowhere, Swapper, Mixer),
    *(Babbler, Mumbler, Spammer, Greeter),
]
"""They lose by PROTOCOL."""

HARMLESS = [Stutterer, Waverer, Historian, Lost]
"""Their nonsense is ignored, and they are told so."""

QUIET = [Hoarder, Acker]
"""Their nonsense is ignored without a word."""
