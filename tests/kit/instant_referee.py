"""A referee for tests of those who order matches: it plays every match at once, by the stand-in's rule."""

from collections.abc import Mapping, Sequence

from carico.record import DealLog
from carico.rules.deal import Deal
from carico.rules.outcome import Fault, FaultReason
from carico.rules.stand_in import stand_in
from worker.referee_client import BotState, MatchOrder, MatchReleased, MatchState, RefereeUnavailable, Status


class InstantReferee:
    """Plays every match by the stand-in's rule at once; what a test wants otherwise it says by id."""

    def __init__(self, registered: Sequence[str] = ("a", "b")) -> None:
        self.incarnation_now = "first"
        self.registered = registered
        self.here = list(registered)
        self.orders: dict[str, MatchOrder] = {}
        self.started: list[str] = []
        self.void: dict[str, str] = {}
        self.never_ends: set[str] = set()
        self.released: dict[str, bool] = {}
        self.down = False
        self.faults: dict[str, tuple[Fault, str]] = {}

    def incarnation(self) -> str:
        self._up()
        return self.incarnation_now

    def bots(self, names: object = ()) -> list[BotState]:
        self._up()
        return [BotState(name, name, "1" if name in self.here else None) for name in self.registered]

    def start(self, orders: Sequence[MatchOrder]) -> None:
        self._up()
        for order in orders:
            if order.id in self.released:
                raise MatchReleased(order.id)
            if order.id not in self.orders:
                self.orders[order.id] = order
                self.started.append(order.id)

    def wait(self, ids: Sequence[str], wait_ms: int) -> Mapping[str, MatchState]:
        self._up()
        return {id_: self._state(id_) for id_ in ids}

    def abort(self, ids: Sequence[str], reason: str) -> None:
        for id_ in ids:
            if id_ in self.never_ends:
                self.never_ends.discard(id_)
                self.void[id_] = reason

    def release(self, ids: Sequence[str], *, counted: bool) -> None:
        for id_ in ids:
            self.orders.pop(id_, None)
            self.released[id_] = counted

    def ended(self) -> list[str]:
        return [id_ for id_ in self.orders if id_ not in self.never_ends]

    def forget_all(self) -> None:
        """As a referee does that comes back without its log."""
        self.orders.clear()
        self.incarnation_now = "second"

    def _up(self) -> None:
        if self.down:
            raise RefereeUnavailable("down")

    def _state(self, id_: str) -> MatchState:
        if id_ in self.released:
            return MatchState(Status.RELEASED)
        if id_ not in self.orders:
            return MatchState(Status.UNKNOWN)
        if id_ in self.never_ends:
            return MatchState(Status.RUNNING)
        order = self.orders[id_]
        deal = Deal(order.game, order.dealer, order.sources[0])
        while not deal.over:
            deal.apply(stand_in(deal))
        faults = [Fault(seat, FaultReason.DISCONNECT, 0) for seat in (0, 1)] if id_ in self.void else []
        told = {}
        if id_ in self.faults:
            fault, detail = self.faults[id_]
            faults, told = [fault], {fault.seat: detail}
        since = {fault.seat: fault.after for fault in faults}
        by_stand_in = [n for n, (seat, _) in enumerate(deal.actions) if n >= since.get(seat, len(deal.actions))]
        clock = [(0 if n in by_stand_in else 100, 0, 60_000) for n in range(len(deal.actions))]
        log = DealLog(deal.actions, clock, by_stand_in, faults)
        status = Status.VOID if id_ in self.void else Status.ENDED
        return MatchState(status, f"handle-{id_}", (log,), self.void.get(id_, ""), (told,))
