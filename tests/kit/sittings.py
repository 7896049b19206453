"""Matches that were played somewhere, as a log would have them."""

from random import Random

from carico.rules import shuffle
from carico.rules.game import game
from carico.time_control import TimeControl
from referee.match.events import Aborted, Answered, Begun, Broke, Event, Joined, Left
from referee.match.machine import Match
from referee.match.spec import MatchSpec, Seat

SECRET = shuffle.master(shuffle.practice_secret(3))


def spec(number: int, name: str = "briscola-2", terms: TimeControl | None = None) -> MatchSpec:
    """A match that nobody has begun."""
    of = game(name)
    return MatchSpec(
        id=f"season/{number}",
        handle=f"{number:016x}",
        game=of,
        dealer=number % of.players,
        source=shuffle.source(shuffle.deck_key(SECRET, name, number, 0, 0), of.pack),
        seats=tuple(Seat(f"bot{seat}", "1") for seat in range(of.players)),
        time_control=terms or TimeControl(),
    )


def sitting(what: MatchSpec, seed: int, events: int = 400) -> list[tuple[int, Event]]:
    """The log of a match with all that may happen, by chance."""
    rng = Random(seed)
    match, now = Match(what), 0
    match.handle(Begun(), now)
    while not match.over and len(match.log) < events:
        now += rng.randrange(50)
        seat = match.open_seat
        bot = what.seats[rng.randrange(len(what.seats))].bot
        event: Event
        match rng.randrange(40):
            case 0:
                event = Left(bot)
            case 1 | 2:
                event = Joined(bot)
            case 3:
                event = Broke(bot, "said \u2660 and {more}\n")
            case 4 if rng.random() < 0.2:
                event = Aborted('PAUSED: a "reason" with \u00e9')
            case _ if seat is not None:
                event = Answered(seat, match.numbers[seat], rng.choice(match.deal.legal()), rng.randrange(3))
            case _:
                continue
        match.handle(event, now)
    return list(match.log)


def summary(match: Match) -> object:
    """All that a match has come to, to be compared."""
    return (
        match.spec,
        match.state,
        match.deal,
        match.log,
        match.faults,
        match.fault_details,
        match.stand_in,
        match.clock,
        match.numbers,
        match.open_seat,
        match.away,
        match.answered,
        match.outcome,
        match.void_reason,
        [(clock.bank_ms, clock.asked_at, clock.away_since, clock.rested_ms) for clock in match.clocks],
    )
