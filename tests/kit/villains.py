"""The cast of villains: bots that break the bots' contract, each in a way of its own, over raw gRPC."""

from collections.abc import Iterable
from typing import ClassVar

from carico.v1 import bots_pb2 as pb
from carico.v1 import types_pb2
from tests.kit.raw_bots import RawBot, play


class Odd(RawBot):
    """Answers its first ``good`` asks well, and from then on in its own way."""

    good: ClassVar[int] = 2

    def answers(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [self.answer(ask)] if ask.number <= self.good else self.odd(ask)

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        """What it sends instead."""
        raise NotImplementedError


class Cheat(Odd):
    """Plays a card that it does not hold."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        other = next(card for card in range(64) if card & 15 < 12 and card not in ask.view.hand)
        return [pb.Answer(match=ask.match, seat=ask.seat, number=ask.number, action=play(other))]


class Replayer(Odd):
    """Plays a card that it has played before."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [pb.Answer(match=ask.match, seat=ask.seat, number=ask.number, action=play(ask.view.played[0]))]


class Stranger(Odd):
    """Names a kind of action that does not exist."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        action = types_pb2.Action(card=ask.view.hand[0])
        action.MergeFromString(b"\x08\x63")  # kind = 99
        return [pb.Answer(match=ask.match, seat=ask.seat, number=ask.number, action=action)]


class Nameless(Odd):
    """Names no action at all."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [pb.Answer(match=ask.match, seat=ask.seat, number=ask.number)]


class Giant(Odd):
    """Plays a card whose number is no byte, though its last byte is a card of the hand."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        card = 0xFFFFFF00 | ask.view.hand[0]
        return [pb.Answer(match=ask.match, seat=ask.seat, number=ask.number, action=play(card))]


class Prophet(Odd):
    """Answers asks that were never asked."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        card = ask.view.hand[0]
        return [pb.Answer(match=ask.match, seat=ask.seat, number=ask.number + 7, action=play(card))]


class Zero(Odd):
    """Numbers its answers with nought."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [pb.Answer(match=ask.match, seat=ask.seat, action=play(ask.view.hand[0]))]


class Usurper(Odd):
    """Answers for a seat that is another's."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        card = play(ask.view.hand[0])
        return [
            pb.Answer(match=ask.match, seat=1 - ask.seat, number=ask.number, action=card),
            pb.Answer(match=ask.match, seat=ask.seat, number=ask.number, action=card),
        ]


class Nowhere(Odd):
    """Answers for a seat that no table has."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return [pb.Answer(match=ask.match, seat=4_000_000_000, number=ask.number, action=play(ask.view.hand[0]))]


class Stutterer(RawBot):
    """Answers everything twice, the second time with another card."""

    def answers(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        again = pb.Answer(match=ask.match, seat=ask.seat, number=ask.number, action=play(ask.view.hand[-1]))
        return [self.answer(ask), again]


class Historian(RawBot):
    """Answers the ask before together with each new one."""

    def answers(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        old = pb.Answer(match=ask.match, seat=ask.seat, number=ask.number - 1, action=play(ask.view.hand[0]))
        return [old, self.answer(ask)] if ask.number > 1 else [self.answer(ask)]


class Lost(RawBot):
    """Answers for a match that does not exist, beside each good answer."""

    def answers(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        other = pb.Answer(match="\u2660" * 400, seat=ask.seat, number=ask.number, action=play(ask.view.hand[0]))
        return [other, self.answer(ask)]


class Sleeper(Odd):
    """Answers no more, but stays connected."""

    def odd(self, ask: pb.Ask) -> Iterable[pb.Answer]:
        return []


class Babbler(Odd):
    """Sends bytes that are no message."""

    babble: ClassVar[bytes] = b"\xff\xff\xff\xff garbage"

    def reply(self, frame: pb.PlayResponse) -> pb.PlayRequest | bytes | None:
        if any(ask.number > self.good for ask in frame.asks):
            return self.babble
        return super().reply(frame)


class Whale(Babbler):
    """Sends a message larger than a referee takes."""

    babble = pb.PlayRequest(seen_ends=["x" * 70_000]).SerializeToString()


class Spammer(Babbler):
    """Sends a frame with more messages than a frame may hold, and well below the size of a message."""

    babble = pb.PlayRequest(seen_ends=["x"] * 5_000).SerializeToString()


class Greeter(Babbler):
    """Says hello in the middle of play."""

    babble = pb.PlayRequest(hello=pb.Hello(oldest_protocol=1, newest_protocol=1)).SerializeToString()


ILLEGAL = [Cheat, Replayer, Stranger, Nameless, Giant]
"""They lose by ILLEGAL_ACTION."""

BREAKERS = [Prophet, Zero, Usurper, Nowhere, Babbler, Spammer, Greeter]
"""They lose by PROTOCOL."""

HARMLESS = [Stutterer, Historian, Lost]
"""Their nonsense is ignored."""
