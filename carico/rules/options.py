"""The options of games: their order, their defaults, and what each takes (record format, ``options``)."""

import json
from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

from carico.rules.cards import DECK_POINTS
from carico.rules.errors import OptionError
from carico.rules.match_form import match_form
from carico.rules.variants import Seating

WON: Final = DECK_POINTS // 2 + 1
"""61: the card points that win a deal of two sides, and the least that a caller at Chiamata undertakes to make."""

DEFAULTS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "hand": 3,
        "deal": "single",
        "upcard": "next",
        "exchange_margin": 1,
        "exchange_max": None,
        "auction": "rank",
        "forced_last": False,
        "chiamata_lead": "mano",
        "tie60": "loss",
        "capot": 2,
        "multipliers": (),
        "open": False,
        "partners": "none",
        "pack": 40,
        "missing": "2C",
        "match": None,
    }
)
"""The options and their defaults, in the order in which records write them; ``hand`` and ``pack`` vary by game."""

_CHOICES: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType(
    {
        "deal": ("single", "packet"),
        "upcard": ("next", "bottom"),
        "exchange_margin": (0, 1, 2, None),
        "auction": ("rank", "points"),
        "forced_last": (True, False),
        "chiamata_lead": ("mano", "caller"),
        "tie60": ("loss", "draw"),
        "open": (True, False),
        "partners": ("none", "last3", "start"),
        "missing": ("2C", "2D", "2S", "2B"),
    }
)

Chosen = tuple[tuple[str, Any], ...]
"""Options in order; their lists and objects as tuples, so that they can be hashed."""


def defaults_of(seating: Seating) -> dict[str, Any]:
    """The defaults of one game's own options, in the order of the record format."""
    own = {"hand": seating.hand, "pack": seating.packs[0]}
    return {key: own.get(key, value) for key, value in DEFAULTS.items() if key in seating.options}


def chosen_options(name: str, seating: Seating, given: Mapping[str, Any]) -> Chosen:
    """Those of the given options that differ from the default. Raises OptionError with the mend."""
    values = defaults_of(seating)
    for key in given:
        if key not in values:
            raise OptionError(f"{name} has no option {key!r}: it takes {', '.join(values)}")
    size = given.get("pack", seating.packs[0])
    _check_choice("pack", size, seating.packs)
    checked = {key: _checked(key, given[key], seating, size) for key in values if key in given}
    chosen = {key: value for key, value in checked.items() if value != values[key]}
    if "missing" in chosen and size != 39:
        raise OptionError(
            f'option missing = "{chosen["missing"]}": a pack of {size} lacks no single two, set pack = 39'
        )
    if "exchange_max" in chosen and chosen.get("exchange_margin", 1) is None:
        raise OptionError("option exchange_max: exchange_margin = null allows no exchange, leave one of the two out")
    return tuple(chosen.items())


def thawed(key: str, value: Any) -> Any:
    """A chosen option as JSON has it."""
    if key == "multipliers":
        return [list(pair) for pair in value]
    return dict(value) if key == "match" else value


def _checked(key: str, value: Any, seating: Seating, size: int) -> Any:
    """The value, with tuples for lists and objects."""
    if key in _CHOICES:
        _check_choice(key, value, _CHOICES[key])
    elif key == "hand":
        # Where nothing is turned up the whole pack may be dealt; a hand of all cards leaves nothing to turn up.
        _check_whole(key, value, 1, size // seating.players - seating.upcard)
    elif key == "exchange_max" and value is not None:
        _check_whole(key, value, 1, 100, ", or null for no limit")
    elif key == "capot":
        _check_whole(key, value, 1, 100)
    elif key == "multipliers":
        return _multipliers(value)
    elif key == "match":
        return _match(value, chiamata="auction" in seating.options)
    return value


def _check_choice(key: str, value: Any, choices: tuple[Any, ...]) -> None:
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        written = [choice if isinstance(choice, str) else _json(choice) for choice in choices]
        of = "write true or false" if choices == (True, False) else f"write one of {', '.join(written)}"
        raise OptionError(f"option {key} = {_json(value)}: {of}")


def _check_whole(key: str, value: Any, least: int, most: int, more: str = "") -> None:
    if type(value) is not int or not least <= value <= most:
        raise OptionError(f"option {key} = {_json(value)}: write a whole number from {least} to {most}{more}")


def _multipliers(value: Any) -> tuple[tuple[int, int], ...]:
    if not isinstance(value, list | tuple) or not all(map(_is_multiplier, value)):
        raise OptionError(
            f"option multipliers = {_json(value)}: write pairs of a target from {WON} to {DECK_POINTS} and a factor "
            "from 1 to 100, such as [[71,2],[81,3]]"
        )
    frozen = tuple((target, factor) for target, factor in value)
    if any(later <= earlier for (earlier, _), (later, _) in pairwise(frozen)):
        raise OptionError(f"option multipliers = {_json(value)}: the targets have to rise")
    return frozen


def _is_multiplier(pair: Any) -> bool:
    match pair:
        case [target, factor] if type(target) is type(factor) is int:
            return WON <= target <= DECK_POINTS and 1 <= factor <= 100
    return False


def _match(value: Any, chiamata: bool) -> tuple[tuple[str, int], ...] | None:
    if value is None:
        return None
    try:
        match_form(value, chiamata)
    except ValueError as error:
        raise OptionError(f"option match = {_json(value)}: {error}") from error
    return tuple((key, value[key]) for key in ("best_of", "first_to", "cap", "deals") if key in value)


def _json(value: Any) -> str:
    return json.dumps(value, default=repr)
