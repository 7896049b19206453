"""Chance that repeats."""

from carico.bot import Bot
from carico.rules import shuffle
from carico.rules.deal import Deal
from carico.rules.game import game
from carico.rules.view import View, view


class Plain(Bot):
    pass


def bot(seed: bytes) -> Bot:
    made = Plain()
    made.seed = seed
    return made


def views(number: int) -> list[View]:
    of = game("briscola-2")
    deal = Deal(of, 0, shuffle.source(number.to_bytes(32, "big"), of.pack))
    return [view(deal, seat) for seat in range(2)]


def test_chance_depends_on_the_seed_and_the_view_alone() -> None:
    one, other = views(1)
    draw = bot(b"s").chance(one).random()
    assert bot(b"s").chance(views(1)[0]).random() == draw
    assert bot(b"t").chance(one).random() != draw
    assert bot(b"s").chance(other).random() != draw
    assert bot(b"s").chance(views(2)[0]).random() != draw


def test_drawing_once_does_not_change_the_next_draw() -> None:
    one, _ = views(1)
    made = bot(b"s")
    assert [made.chance(one).random() for _ in range(3)] == [made.chance(one).random()] * 3


def test_chance_is_fair() -> None:
    made = bot(b"s")
    picks = [made.chance(views(n)[0]).randrange(3) for n in range(3000)]
    # Three standard errors of a third of 3,000.
    assert all(abs(picks.count(n) - 1000) < 3 * (3000 * 2 / 9) ** 0.5 for n in range(3))
