"""The auction of Chiamata, by rank or by points."""

from tests.kit.naive.games import RANKS, from_seat, mano_of, option

BIDS = [rank for rank in RANKS if rank not in "98"]


class Auction:
    """Who may still bid, whose turn it is and what stands."""

    def __init__(self, record):
        self.by_points = option(record, "auction") == "points"
        self.forced_last = option(record, "forced_last")
        self.waiting = from_seat(record, mano_of(record))  # those who have not passed, the next to speak first
        self.caller = None
        self.rank = None
        self.target = None

    @property
    def turn(self):
        """The seat that speaks next."""
        return self.waiting[0]

    @property
    def over(self):
        """Ended by the highest bidder being alone, by 120, or by everybody's pass."""
        return self.waiting == [self.caller] or self.target == 120 or not self.waiting

    def legal(self):
        """What the next seat may say."""
        if self.by_points:
            bids = [["bid", points] for points in range(61, 121) if self.target is None or points > self.target]
        elif self.rank is None:
            bids = [["bid", rank] for rank in BIDS]
        elif self.rank == "2":
            bids = [["bid", "2", points] for points in range(self.target + 1, 121)]
        else:
            bids = [["bid", rank] for rank in BIDS[BIDS.index(self.rank) + 1 :]]
        if self.forced_last and self.caller is None and len(self.waiting) == 1:
            return bids
        return [*bids, ["pass"]]

    def say(self, kind, *arguments):
        """A legal word of the next seat."""
        seat = self.waiting.pop(0)
        if kind == "pass":
            return
        self.waiting.append(seat)
        self.caller = seat
        if self.by_points:
            (self.target,) = arguments
        else:
            self.rank = arguments[0]
            self.target = arguments[1] if len(arguments) == 2 else 61
