"""Fixtures played on this machine."""

import asyncio
from typing import Any

import pytest

from carico.arena import Entrant, play_fixture
from carico.bot import Bot
from carico.problem import Problem
from carico.record import SeatName, verify
from carico.rules import shuffle
from carico.rules.cards import Card
from carico.rules.game import Game, game, game_names
from carico.rules.view import View
from clients.bots.greedy import Greedy
from clients.bots.random_bot import RandomBot

TWO = game("briscola-2")


def entrants(*made: type[Bot]) -> list[Entrant]:
    return [Entrant(SeatName(f"bot-{i}", "1", f"owner-{i}"), bot) for i, bot in enumerate(made)]


def play(of: Game, *made: type[Bot], sets: int = 3, seed: int = 7, problems: list[Problem] | None = None) -> list[Any]:
    told = [] if problems is None else problems
    return list(play_fixture(of, entrants(*made), range(sets), seed, told.append))


def same(records: list[Any]) -> list[Any]:
    return [{key: value for key, value in record.items() if key != "match"} for record in records]


@pytest.mark.parametrize("name", game_names())
def test_a_fixture_seats_every_entrant_at_every_place_on_every_deck(name: str) -> None:
    of = game(name)
    places = len(of.places)
    records = play(of, Greedy, *[RandomBot] * (places - 1), sets=3)
    assert [(r["deal_set"], r["seating"]) for r in records] == [(d, s) for d in range(3) for s in range(places)]
    for record in records:
        verify(record)
        assert record["season"] is record["fixture"] is record["time_control"] is None
        assert (record["deal"], record["attempt"], record["clock"]) == (0, 0, [])
        assert record["dealer"] == record["deal_set"] % of.players
        # In seating r entrant i has place (i + r) mod k.
        for i in range(places):
            at = of.places[(i + record["seating"]) % places]
            assert {record["seats"][seat]["bot"] for seat in at} == {f"bot-{i}"}
    assert len({record["match"] for record in records}) == len(records)
    assert len({tuple(record["shuffle"]["source"]) for record in records}) == 3


def test_decks_come_from_the_derivation_of_practice_seasons() -> None:
    record = play(TWO, RandomBot, RandomBot, sets=1)[0]
    assert record["shuffle"]["key"] == "e15fbf350e9af534f876349e5a576306196e51bff31d709d98788767bda86247"
    assert " ".join(record["shuffle"]["source"]).startswith("6D 6C 2B AD 5C AB 5B 4C KC 5S")


@pytest.mark.parametrize("name", ["briscola-2", "briscola-4"])
def test_one_seed_is_one_run(name: str) -> None:
    of = game(name)
    first = play(of, Greedy, RandomBot)
    assert same(play(of, Greedy, RandomBot)) == same(first)
    assert same(play(of, Greedy, RandomBot, seed=8)) != same(first)


def test_a_deal_does_not_depend_on_the_deals_before_it() -> None:
    whole = play(TWO, RandomBot, RandomBot, sets=4)
    late = list(play_fixture(TWO, entrants(RandomBot, RandomBot), [3], 7))
    assert same(late) == same(whole[6:])


class Seeds(RandomBot):
    seen: set[bytes] = set()  # noqa: RUF012

    def act(self, view: View) -> Card:
        Seeds.seen.add(self.seed)
        return super().act(view)


def test_each_entrant_has_its_own_seed() -> None:
    play(TWO, Seeds, Seeds, sets=2)
    master = shuffle.master(shuffle.practice_secret(7))
    assert Seeds.seen == {shuffle.bot_seed(master, "bot-0"), shuffle.bot_seed(master, "bot-1")}


def test_an_async_bot_plays_the_same() -> None:
    class Later(RandomBot):
        async def act(self, view: View) -> Card:  # type: ignore[override]
            await asyncio.sleep(0)
            return super().act(view)

    assert same(play(TWO, Later, Greedy)) == same(play(TWO, RandomBot, Greedy))


class Broken(RandomBot):
    def act(self, view: View) -> Card:
        if view.stock == 10:
            raise ZeroDivisionError("as I was written")
        return super().act(view)


class BrokenLater(Bot):
    async def act(self, view: View) -> Card:  # type: ignore[override]
        raise ZeroDivisionError("as I was written")


class Cheat(RandomBot):
    def act(self, view: View) -> Card:
        return view.upcard


class Number(RandomBot):
    def act(self, view: View) -> Card:
        return 1 << 40  # type: ignore[return-value]


class Text(RandomBot):
    def act(self, view: View) -> Card:
        return str(view.legal[0])  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (Broken, "act raised ZeroDivisionError: as I was written"),
        (BrokenLater, "act raised ZeroDivisionError: as I was written"),
        (Cheat, "but it may only play"),
        (Number, "but it may only play"),
        (Text, "return one of view.legal"),
    ],
)
def test_a_mistake_loses_the_deal_and_the_stand_in_plays_it_to_its_end(made: type[Bot], text: str) -> None:
    problems: list[Problem] = []
    records = play(TWO, made, Greedy, sets=2, problems=problems)
    assert len(records) == len(problems) == 4
    for record, problem in zip(records, problems, strict=True):
        verify(record)
        seat = record["seating"]
        assert record["outcome"]["winners"] == [1 - seat]
        ((faulty, reason, after),) = record["outcome"]["faults"]
        assert (faulty, reason) == (seat, "ILLEGAL_ACTION")
        assert record["stand_in"] == [i for i, row in enumerate(record["actions"]) if row[0] == seat and i >= after]
        assert (problem.bot, problem.match, problem.view.seat) == ("bot-0", record["match"], seat)
        assert text in problem.text
    assert len({problem.kind for problem in problems}) == 1


def test_a_wrong_number_of_bots_is_refused() -> None:
    with pytest.raises(ValueError, match="briscola-4 takes 2 bots, one a place: 4 were given"):
        play_fixture(game("briscola-4"), entrants(*[Greedy] * 4), range(1), 7)


def test_a_bot_that_ends_its_program_ends_only_its_deal() -> None:
    class Quitter(Bot):
        def act(self, view: View) -> Card:
            raise SystemExit(3)

    problems: list[Problem] = []
    records = play(TWO, Quitter, Greedy, sets=2, problems=problems)
    assert [record["outcome"]["faults"][0][1] for record in records] == ["ILLEGAL_ACTION"] * 4
    assert problems[0].text == "act raised SystemExit: 3"
