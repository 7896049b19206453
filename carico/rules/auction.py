"""The auction of Chiamata (rules.md section 9): who may say what, and what it comes to.

What was said is public. It is kept as bytes, two each: the seat, and PASSED, a bid's argument (a rank, 0 to 11, or card
points, 61 to 120), or at the end the card called with A_CARD added. Everything else follows from these bytes.
"""

from typing import Final, NamedTuple

from carico.rules.actions import A_CARD, BID, CALL, LOWEST_RANK, PASS, Phase
from carico.rules.cards import DECK_POINTS, NO_CARD
from carico.rules.game import Game
from carico.rules.options import WON

PASSED: Final = 0xFF
ROW: Final = 2
"""Bytes of a thing said."""

NO_BID: Final = -1
NOBODY: Final = -1


class Auction(NamedTuple):
    """Where an auction stands."""

    phase: Phase
    """``auction``, then ``call``, then ``play``; passed out it stays an auction in which nobody is to act."""
    to_act: int
    """Who is asked: the next bidder, or the caller for the call; NOBODY after it, or passed out."""
    bid: int
    """The argument of the highest bid, which is the last; NO_BID before the first."""
    caller: int
    """Who bid it; NOBODY before."""
    called: int
    """The card called; NO_CARD before."""
    may_pass: bool

    @property
    def passed_out(self) -> bool:
        """Whether nobody bid."""
        return self.phase == "auction" and self.to_act == NOBODY


def auction_now(game: Game, dealer: int, said: bytes) -> Auction:
    """Where the auction stands after all that was said. A pass is final; nobody bids against himself."""
    seats = game.players
    passed: set[int] = set()
    bid, caller = NO_BID, NOBODY
    for i in range(0, len(said), ROW):
        seat, what = said[i], said[i + 1]
        if what == PASSED:
            passed.add(seat)
        elif what & A_CARD:
            return Auction("play", NOBODY, bid, caller, what & ~A_CARD, False)
        else:
            bid, caller = what, seat
    last = said[-ROW] if said else dealer
    left = [seat for k in range(1, seats + 1) if (seat := (last + k) % seats) not in passed]
    if not left:
        return Auction("auction", NOBODY, bid, caller, NO_CARD, False)
    if left == [caller] or bid == DECK_POINTS:
        return Auction("call", caller, bid, caller, NO_CARD, False)
    forced = game.forced_last and bid == NO_BID and len(left) == 1
    return Auction("auction", left[0], bid, caller, NO_CARD, not forced)


def legal(game: Game, now: Auction) -> tuple[int, ...]:
    """The actions of the seat to act before the play: to pass and the bids, weakest first; or the calls."""
    if now.phase == "call":
        if game.auction == "points":
            return tuple(CALL << 8 | A_CARD | card for card in game.pack)
        return tuple(CALL << 8 | suit for suit in range(4))
    bids = tuple(BID << 8 | argument for argument in _bids(game, now.bid))
    return (PASS << 8, *bids) if now.may_pass else bids


def _bids(game: Game, bid: int) -> list[int]:
    """The arguments of the bids that are higher than this one: by ranks a weaker rank, from the two on more points."""
    if game.auction == "points":
        return list(range(max(bid + 1, WON), DECK_POINTS + 1))
    if bid >= LOWEST_RANK:
        return list(range(max(bid, WON) + 1, DECK_POINTS + 1))
    return sorted({card & 15 for card in game.pack if card & 15 > bid})


def target(bid: int) -> int:
    """The card points that a bid undertakes to make: 61 for a rank."""
    return bid if bid > LOWEST_RANK else WON


def called_card(bid: int, call: int) -> int:
    """The card that the argument of a call names after this bid: by ranks the suit's card of the rank bid."""
    return call & ~A_CARD if call & A_CARD else call << 4 | min(bid, LOWEST_RANK)


def as_action(game: Game, what: int) -> int:
    """The action of a thing said, from the byte that keeps it."""
    if what == PASSED:
        return PASS << 8
    if what & A_CARD:
        return CALL << 8 | (what if game.auction == "points" else (what & ~A_CARD) >> 4)
    return BID << 8 | what
