"""Seasons that are played at random and committed as workers do it, with no referee and no process running."""

import random
from collections.abc import Mapping

from carico.record import DealLog, Place, Played, SeatName, deal_record, dumps
from carico.rules.deal import Deal
from carico.rules.game import game
from carico.rules.outcome import Fault, FaultReason
from carico.rules.stand_in import stand_in
from carico.time_control import TimeControl
from tests.kit.stores import new_season
from worker.office.season_plan import create_season
from worker.store.port import Store
from worker.store.values import ChunkState, Commit, Entry, FaultNote, Lease, Status
from worker.tournament.fixtures import MatchPlan, dealer, seating
from worker.tournament.ledger import DealResult
from worker.tournament.season import Entry as Entered
from worker.tournament.season import SeasonSpec

OWNERS = {bot: f"owner of {bot}" for bot in ("ada", "bea", "cleo", "dora", "ella")}


class FilledSeason:
    """A running season of one leg."""

    def __init__(
        self,
        store: Store,
        played: str = "briscola-2",
        owners: Mapping[str, str] = OWNERS,
        deal_sets: int = 2,
        chunk: int = 2,
    ) -> None:
        self.store, self.id = store, new_season()
        entries = tuple(Entered(bot, "1") for bot in owners)
        self.game = game(played)
        spec = SeasonSpec(self.id, self.game, entries, entry="open", deal_sets=deal_sets, chunk=chunk, seed=7)
        self.document = create_season(store, spec, owners, "ann@host")
        store.set_status(self.id, Status.RUNNING, "ann@host")
        self._entrants = store.entrants(self.id)

    def play(self, *chunks: int, fault: bool = False) -> None:
        """Plays these chunks, or all that are left; with a fault of the second seat in each deal, or without."""
        left = [one.chunk.number for one in self.store.chunks(self.id) if one.state is not ChunkState.DONE]
        for chunk in chunks or left:
            lease = self.store.claim(self.id, chunk, 60_000)
            assert isinstance(lease, Lease), lease
            plans = list(lease.fixture.matches(lease.chunk.deal_sets))
            told = [self._played(plan, lease, fault=fault) for plan in plans]
            notes = [note for _, found in told for note in found]
            done = self.store.commit(self.id, chunk, lease.fence, [entry for entry, _ in told], notes)
            assert done is Commit.RECORDED, done

    def _played(self, plan: MatchPlan, lease: Lease, *, fault: bool) -> tuple[Entry, list[FaultNote]]:
        what, deck = self.game, self.document.deck(plan.deal_set, 0, 0)
        deals = dealer(plan.deal_set, 0, what.players)
        deal = Deal(what, deals, deck.source)
        chance = random.Random(f"{plan}")
        faults: list[Fault] = []
        clock, by_stand_in = [], []
        while not deal.over:
            seat = deal.to_act
            if fault and seat == 1 and deal.count >= 8 and not faults:
                faults.append(Fault(1, FaultReason.ILLEGAL_ACTION, deal.count))
            if faults and seat == 1:
                by_stand_in.append(deal.count)
                clock.append((0, 0, 60_000))
                action = stand_in(deal)
            else:
                used = chance.randrange(1, 900)
                clock.append((used, 0, 60_000 - used))
                # In an auction the weakest bid, so that it does not go to the top each time.
                action = chance.choice(deal.legal() if deal.phase == "play" else deal.legal()[:2])
            before = deal.count
            deal.apply(action)
            if deal.count == before:
                clock.pop()  # a decline where nothing could be exchanged is no action
        seats = [self._entrants[one] for one in seating(lease.fixture, plan.seating, what.places)]
        record = deal_record(
            Played(
                Place(self.id, plan.deal_set, plan.fixture, plan.seating, 0, 0),
                f"m{plan.deal_set}-{plan.seating}",
                what,
                deals,
                deck.source,
                deck.key,
                [SeatName(one.bot, one.version, one.owner) for one in seats],
                TimeControl(),
                DealLog(deal.actions, clock, by_stand_in, faults),
            )
        )
        result = DealResult.from_record(record)
        notes = [
            FaultNote(
                seats[1].bot,
                {
                    **{key: record[key] for key in ("season", "deal_set", "fixture", "seating", "deal")},
                    "version": "1",
                    "seat": 1,
                    "reason": "ILLEGAL_ACTION",
                    "after": faults[0].after,
                    "detail": "the owner alone is told this",
                },
            )
            for _ in faults
        ]
        return Entry(result.key, result.to_json(), dumps(record)), notes
