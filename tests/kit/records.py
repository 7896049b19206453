"""Records of deals by chance, made by the package under test, to be checked by something else."""

from collections.abc import Iterable
from random import Random

from carico.record import DealLog, Place, Played, SeatName
from carico.rules.deal import Deal
from carico.rules.game import Game
from carico.rules.outcome import Fault, FaultReason
from carico.rules.shuffle import deck_key, master, practice_secret, source
from carico.rules.stand_in import stand_in
from carico.time_control import TimeControl
from tests.kit.deals import some_action


def log_of(deal: Deal, rng: Random, terms: TimeControl | None, faults: Iterable[tuple[int, int]] = ()) -> DealLog:
    """Plays the deal to its end: at random, and by the stand-in for each seat at fault, given as (seat, after)."""
    since = dict(faults)
    banks = [terms.bank_ms if terms else 0] * deal.game.players
    actions, clock, by_stand_in = [], [], []
    while not deal.over:
        seat, position = deal.to_act, len(actions)
        if since.get(seat, 1000) <= position:
            action, row = stand_in(deal), (0, 0, banks[seat])
        else:
            action = some_action(deal, rng)
            used = rng.randrange(min(banks[seat], 200) + 1)
            credit = rng.randrange((terms.lag_credit_ms if terms else 0) + 1)
            row = (used, credit, banks[seat] + (terms.increment_ms if terms else 0) - max(0, used - credit))
        deal.apply(action)
        if deal.count > position:
            banks[seat] = row[2]
            actions.append((seat, action))
            clock.append(row)
            by_stand_in += [position] if since.get(seat, 1000) <= position else []
    late = len(actions)
    told = [Fault(seat, rng.choice(list(FaultReason)), after) for seat, after in since.items() if after < late]
    return DealLog(actions, clock if terms else [], by_stand_in, told)


def played(what: Game, seed: int, place: Place, terms: TimeControl | None = None, faults: int = 0) -> Played:
    """A deal of the practice season with this seed, played to its end, with so many seats at fault."""
    rng = Random(repr((what, seed, place)))
    key = deck_key(master(practice_secret(seed)), what.name, place.deal_set, place.deal, place.attempt)
    dealer = (place.deal_set + place.deal) % what.players
    order = source(key, what.pack)
    wrong = [(seat, rng.randrange(len(what.pack))) for seat in rng.sample(range(what.players), faults)]
    names = [SeatName(f"bot-{seat}", f"{seat}.0", f"owner è {seat}") for seat in range(what.players)]
    log = log_of(Deal(what, dealer, order), rng, terms, wrong)
    return Played(place, f"m{rng.randrange(10**9)}", what, dealer, order, key, names, terms, log)
