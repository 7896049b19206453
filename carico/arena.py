"""Plays bots on this machine: no network, no clock, the same match machine as a referee's."""

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from carico.bot import Bot
from carico.codec import NO_ACTION
from carico.problem import Problem, illegal, raised
from carico.program_bots import ProgramBot
from carico.record import DealLog, Place, Played, SeatName, deal_record
from carico.rules import shuffle
from carico.rules.game import Game
from carico.rules.view import view
from carico.waiter import Waiter
from referee.match.events import Answered, Begun
from referee.match.machine import Match
from referee.match.spec import MatchSpec, Seat


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that takes part: who it is, and what makes an object of it for each deal and seat."""

    name: SeatName
    made: Callable[[], Bot]


def play_fixture(
    game: Game,
    entrants: Sequence[Entrant],
    deal_sets: Iterable[int],
    seed: int,
    problem: Callable[[Problem], None] = lambda _: None,
) -> Iterator[dict[str, Any]]:
    """The records of one fixture, in order: each deal set in all seatings; arguments as for ``play_deals``."""
    return map(deal_record, play_deals(game, entrants, deal_sets, seed, problem))


def play_deals(
    game: Game,
    entrants: Sequence[Entrant],
    deal_sets: Iterable[int],
    seed: int,
    problem: Callable[[Problem], None] = lambda _: None,
) -> Iterator[Played]:
    """Plays one fixture, an entrant for each place of the game: a whole side where there are two, else a seat.

    In seating r entrant i takes place (i + r) mod k; the dealer of a deal set is its number mod n. Decks and the bots'
    seeds come from ``seed`` (a whole number, not negative) as in a practice season, so a run repeats with bots that
    take their chance from ``Bot.chance``. ``problem`` is told of every ask that a bot did not answer as the rules
    allow; that deal is lost, and a stand-in plays it to its end. Raises ValueError for a wrong number of entrants.
    """
    if len(entrants) != len(game.places):
        raise ValueError(f"{game.name} takes {len(game.places)} bots, one a place: {len(entrants)} were given")
    master = shuffle.master(shuffle.practice_secret(seed))
    seeds = [shuffle.bot_seed(master, entrant.name.bot) for entrant in entrants]
    return _play_deals(game, entrants, seeds, deal_sets, master, problem)


def _play_deals(
    game: Game,
    entrants: Sequence[Entrant],
    seeds: Sequence[bytes],
    deal_sets: Iterable[int],
    master: bytes,
    problem: Callable[[Problem], None],
) -> Iterator[Played]:
    places, deals = len(game.places), range(game.most_deals)
    with _Table(problem) as table:
        for number in deal_sets:
            keys = [shuffle.deck_key(master, game.name, number, deal, 0) for deal in deals]
            sources = tuple(shuffle.source(key, game.pack) for key in keys)
            for seating in range(places):
                at = [(place - seating) % places for place in game.side_of]
                names = [entrants[i].name for i in at]
                spec = MatchSpec(
                    id=f"{number}/{seating}",
                    handle=secrets.token_hex(8),
                    game=game,
                    dealer=number % game.players,
                    source=sources[0],
                    seats=tuple(Seat(name.bot, name.version) for name in names),
                    time_control=None,
                    more_sources=sources[1:],
                )
                match = table.play(spec, [entrants[i].made for i in at], [seeds[i] for i in at])
                for deal, played in enumerate(match.deals):
                    log = DealLog(played.deal.actions, played.clock, played.stand_in, tuple(played.faults.values()))
                    place = Place(season=None, deal_set=number, fixture=None, seating=seating, deal=deal, attempt=0)
                    dealer, source = spec.dealer_of(deal), sources[deal]
                    yield Played(place, spec.handle, game, dealer, source, keys[deal], names, None, log)


class _Table:
    """Where matches are played, one after the other; it has an event loop if an async bot needs one."""

    def __init__(self, problem: Callable[[Problem], None]) -> None:
        self._problem = problem
        self._waiter = Waiter()

    def __enter__(self) -> "_Table":
        return self

    def __exit__(self, *_: object) -> None:
        self._waiter.close()

    def play(self, spec: MatchSpec, made: Sequence[Callable[[], Bot]], seeds: Sequence[bytes]) -> Match:
        """Plays a match to its end, with a new bot for each deal and seat."""
        match = Match(spec)
        match.handle(Begun(), 0)
        while not match.over:
            bots = [make() for make in made]
            for bot, seed in zip(bots, seeds, strict=True):
                bot.seed = seed
            number, deal = match.number, match.deal
            while (seat := match.open_seat) is not None and match.deal is deal:
                self._turn(match, seat, bots[seat])
            for bot in bots:
                if isinstance(bot, ProgramBot):
                    bot.end(match.deals[number].outcome)
        return match

    def _turn(self, match: Match, seat: int, bot: Bot) -> None:
        what = view(match.deal, seat)
        answer: object = None
        failure: Exception | SystemExit | None = None
        try:
            answer = self._waiter.ask(bot, what)
        except (Exception, SystemExit) as error:  # a bot that ends its program ends only its deal
            failure = error
        action = answer if isinstance(answer, int) else NO_ACTION
        match.handle(Answered(seat, match.numbers[seat], action), 0)
        if match.faults and seat in match.faults:
            who = match.spec.seats[seat].bot, match.spec.handle, what
            self._problem(illegal(*who, answer) if failure is None else raised(*who, failure))
