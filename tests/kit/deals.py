"""Games, packs and deals by chance, always from a seed that a test names or hypothesis draws."""

from random import Random

from hypothesis import strategies as st

from carico.rules.cards import card_name, parse_card
from carico.rules.deal import Deal
from carico.rules.game import Game, game, game_names

NAMES = game_names()
SEEDS = st.integers(0, 2**32 - 1)


def codes(text: str) -> bytes:
    """Cards written with or without spaces, as bytes: ``codes("AC 7B")``."""
    text = text.replace(" ", "")
    return bytes(parse_card(text[i : i + 2]) for i in range(0, len(text), 2))


def names(cards: bytes | list[int]) -> list[str]:
    """Cards as they are written."""
    return [card_name(card) for card in cards]


def shuffled(what: Game, rng: Random) -> bytes:
    """The game's pack in some order."""
    order = list(what.pack)
    rng.shuffle(order)
    return bytes(order)


def new_deal(what: Game, rng: Random) -> Deal:
    """A deal of the game before its first action."""
    return Deal(what, rng.randrange(what.players), shuffled(what, rng))


def play_on(deal: Deal, rng: Random, actions: int = 1000) -> Deal:
    """Plays up to so many random actions, and returns the deal."""
    for _ in range(actions):
        if deal.over:
            break
        deal.apply(rng.choice(deal.legal()))
    return deal


@st.composite
def games(draw: st.DrawFn, only: tuple[str, ...] = NAMES, plain: bool = False) -> Game:
    """Any game of these names, with any options; without options where ``plain``."""
    name = draw(st.sampled_from(only))
    if plain:
        return game(name)
    seats = int(name[-1])
    choices = {
        "hand": st.integers(1, {2: 19, 3: 12, 4: 9, 6: 5}[seats]),
        "deal": st.sampled_from(["single", "packet"]),
        "upcard": st.sampled_from(["next", "bottom"]),
        "open": st.booleans(),
    }
    if seats in (4, 6):
        choices["partners"] = st.sampled_from(["none", "last3", "start"])
    if seats == 3:
        choices["missing"] = st.sampled_from(["2C", "2D", "2S", "2B"])
    return game(name, draw(st.fixed_dictionaries({}, optional=choices)))


@st.composite
def deals(draw: st.DrawFn, only: tuple[str, ...] = NAMES, plain: bool = False, over: bool = False) -> Deal:
    """A deal at any moment, or at its end."""
    what = draw(games(only, plain))
    rng = Random(draw(SEEDS))
    return play_on(new_deal(what, rng), rng, 1000 if over else rng.randrange(len(what.pack) + 1))
