"""Games, packs and deals by chance, always from a seed that a test names or hypothesis draws."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from carico.rules.cards import card_name, parse_card
from carico.rules.deal import Deal
from carico.rules.game import Game, game, game_names

EVERY = game_names()

DRAWING = tuple(name for name in EVERY if name != "chiamata-5")
"""Games in which cards are drawn."""
TRUMPED = tuple(name for name in DRAWING if name != "briscolone-2")
"""Games with an upcard."""
BRISCOLA = tuple(name for name in EVERY if name.startswith("briscola-"))
BRISCA = tuple(name for name in EVERY if name.startswith("brisca-"))
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


def some_action(deal: Deal, rng: Random) -> int:
    """An action by chance: an exchange as often as not; bids that are not too high, so that auctions last."""
    legal = deal.legal()
    if deal.phase == "auction":
        passing = rng.random() < 0.4 or len(legal) == 1
        return legal[0] if passing else legal[min(int(rng.expovariate(0.5)) + 1, len(legal) - 1)]
    return rng.choice(legal)


def play_on(deal: Deal, rng: Random, actions: int = 1000) -> Deal:
    """Takes up to so many random actions, and returns the deal."""
    for _ in range(actions):
        if deal.over:
            break
        deal.apply(some_action(deal, rng))
    return deal


def option_choices(name: str) -> dict[str, st.SearchStrategy[Any]]:
    """What each option of a game may be."""
    seats = int(name[-1])
    cards = 48 if name == "brisca-6" else 40
    most = 20 if name == "briscolone-2" else (36 if name in ("brisca-3", "briscola-6") else cards) // seats - 1
    every: dict[str, st.SearchStrategy[Any]] = {
        "hand": st.integers(1, min(most, 5) if name == "brisca-6" else most),
        "deal": st.sampled_from(["single", "packet"]),
        "upcard": st.sampled_from(["next", "bottom"]),
        "exchange_margin": st.sampled_from([0, 1, 2, None]),
        "exchange_max": st.sampled_from([1, 2, None]),
        "auction": st.sampled_from(["rank", "points"]),
        "forced_last": st.booleans(),
        "chiamata_lead": st.sampled_from(["mano", "caller"]),
        "tie60": st.sampled_from(["loss", "draw"]),
        "capot": st.sampled_from([1, 2, 3]),
        "multipliers": st.sampled_from([[], [[71, 2], [81, 3], [91, 4], [101, 5]], [[62, 7]]]),
        "open": st.booleans(),
        "partners": st.sampled_from(["none", "last3", "start"]),
        "pack": st.sampled_from([36, 39] if seats == 3 else [36, 48]),
        "missing": st.sampled_from(["2C", "2D", "2S", "2B"]),
        "match": st.sampled_from([None, {"deals": 5}]),
    }
    known = {key for key, value in every.items() if _takes(name, key)}
    return {key: value for key, value in every.items() if key in known}


def _takes(name: str, key: str) -> bool:
    drawing, trumped = name in DRAWING, name in TRUMPED
    return {
        "hand": drawing,
        "upcard": trumped,
        "open": drawing,
        "exchange_margin": name in BRISCA,
        "exchange_max": name in BRISCA,
        "partners": name[-1] in "46",
        "pack": name in {"brisca-3", "brisca-6"},
        "missing": name in {"briscola-3", "brisca-3"},
        "deal": True,
        "match": True,
    }.get(key, name == "chiamata-5")


def games(only: tuple[str, ...] = EVERY, plain: bool = False) -> st.SearchStrategy[Game]:
    """Any game of these names, with any options; without options where ``plain``."""
    return _games(only, plain)


@st.composite
def _games(draw: st.DrawFn, only: tuple[str, ...], plain: bool) -> Game:
    name = draw(st.sampled_from(only))
    if plain:
        return game(name)
    options = draw(st.fixed_dictionaries({}, optional=option_choices(name)))
    if name == "brisca-3" and options.get("pack") != 39:
        options.pop("missing", None)
    if "exchange_margin" in options and options["exchange_margin"] is None:
        options.pop("exchange_max", None)
    return game(name, options)


@st.composite
def deals(draw: st.DrawFn, only: tuple[str, ...] = EVERY, plain: bool = False, over: bool = False) -> Deal:
    """A deal at any moment, or at its end."""
    what = draw(games(only, plain))
    rng = Random(draw(SEEDS))
    return play_on(new_deal(what, rng), rng, 1000 if over else rng.randrange(len(what.pack) + 12))
