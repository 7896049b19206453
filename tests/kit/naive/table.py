"""One deal on a wooden table: hands as lists, one stock, drawn from the top, the upcard under it."""

from tests.kit.naive.auction import Auction
from tests.kit.naive.deviation import Deviation, expect
from tests.kit.naive.exchange import open_after, takers
from tests.kit.naive.games import SUITS, WORTH, from_seat, has_upcard, mano_of, option, pack_of
from tests.kit.naive.trick import winner_of


class Table:
    """A deal from its deck in realised order, played one action at a time.

    `stage` is "auction", "call", "trick", "window" (the winner may exchange before anybody draws) or "over".
    """

    def __init__(self, record, deck=None):
        self.record = record
        self.n = record["players"]
        self.mano = mano_of(record)
        self.stock = list(record["deck"] if deck is None else deck)
        self.hands = {seat: [] for seat in range(self.n)}
        self._deal_hands(option(record, "hand"))
        self.upcard = self.turned = None
        self.trump = None
        if has_upcard(record):
            self.turned = self.upcard = self.stock.pop(0 if option(record, "upcard") == "next" else -1)
            self.trump = self.upcard[1]
        self.points = [0] * self.n
        self.turn = self.mano
        self.trick = []
        self.seen_tricks = []
        self.winners = []
        self.drawn = []  # for each draw round, (seat, card) in the order of drawing
        self.exchanges = []  # (number of tricks before it, seat, card given, card taken)
        self.in_this_window = 0
        self.implied_declines = 0
        self.called = self.partner = None
        self.auction = Auction(record) if record["variant"] == "chiamata" else None
        self.stage = "auction" if self.auction else "trick"

    def _deal_hands(self, size):
        seats = from_seat(self.record, self.mano)
        rounds = [[seat] * size for seat in seats] if option(self.record, "deal") == "packet" else [seats] * size
        for seat in [seat for one in rounds for seat in one]:
            self.hands[seat].append(self.stock.pop(0))

    @property
    def over(self):
        return self.stage == "over"

    @property
    def to_act(self):
        """The seat to act, None at the end."""
        if self.stage == "over":
            return None
        return self.auction.turn if self.stage == "auction" else self.turn

    def legal(self):
        """Every action that the seat to act may take, as in a record without the seat."""
        if self.stage == "auction":
            return self.auction.legal()
        if self.stage == "call":
            cards = self.auction.by_points
            return [["call", what] for what in (pack_of(self.record) if cards else SUITS)]
        if self.stage == "window":
            return [*(["exchange", card] for card in self._takers()), ["decline"]]
        if self.stage == "trick":
            return [["play", card] for card in self.hands[self.turn]]
        return []

    def act(self, seat, *action):
        """One action of a record, and all that follows from it. A play in a window stands for the decline before it."""
        if self.stage == "over":
            raise Deviation("actions", f"{[seat, *action]} after the end of the deal")
        expect("actions, whose turn it is", seat, self.to_act)
        if self.stage == "window" and action[0] == "play":
            self.implied_declines += 1
            self._draw()
        if list(action) not in self.legal():
            raise Deviation("actions", f"seat {seat} may not {list(action)} with {self.hands[seat]} on {self.upcard}")
        kind, *arguments = action
        {"bid": self._say, "pass": self._say, "call": self._call, "exchange": self._exchange}.get(
            kind, self._play if kind == "play" else self._decline
        )(*(action if kind in {"bid", "pass"} else arguments))

    def _say(self, *word):
        self.auction.say(*word)
        if not self.auction.over:
            return
        self.turn = self.auction.caller
        self.stage = "call" if self.auction.waiting else "over"

    def _call(self, what):
        self.called = what if self.auction.by_points else self.auction.rank + what
        self.trump = self.called[1]
        (holder,) = [seat for seat, hand in self.hands.items() if self.called in hand]
        self.partner = None if holder == self.auction.caller else holder
        self.turn = self.mano if option(self.record, "chiamata_lead") == "mano" else self.auction.caller
        self.stage = "trick"

    def _play(self, card):
        seat = self.turn
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.turn = (seat + 1) % self.n
        if len(self.trick) < self.n:
            return
        winner = winner_of(self.trick, self.trump)
        self.points[winner] += sum(WORTH[card[0]] for _, card in self.trick)
        self.winners.append(winner)
        self.seen_tricks.append(self.trick)
        self.trick = []
        self.turn = winner
        if self.stock or self.upcard:
            self.in_this_window = 0
            self._open_window()
        elif not any(self.hands.values()):
            self.stage = "over"

    def _takers(self):
        most = option(self.record, "exchange_max")
        if not open_after(self.record, len(self.winners)) or (most is not None and self.in_this_window >= most):
            return []
        return takers(self.hands[self.turn], self.upcard)

    def _open_window(self):
        """The winner is waited for where it may exchange; else everybody draws."""
        if self._takers():
            self.stage = "window"
        else:
            self._draw()

    def _exchange(self, card):
        hand = self.hands[self.turn]
        hand.remove(card)
        hand.append(self.upcard)
        self.exchanges.append((len(self.winners), self.turn, card, self.upcard))
        self.upcard = card
        self.in_this_window += 1
        self._open_window()

    def _decline(self):
        self._draw()

    def _draw(self):
        self.stage = "trick"
        drawn = []
        for seat in from_seat(self.record, self.turn):
            if self.stock:
                card = self.stock.pop(0)
            else:
                card, self.upcard = self.upcard, None
            self.hands[seat].append(card)
            drawn.append((seat, card))
        self.drawn.append(drawn)
