"""What each field of a season's file must be, alone and together. ``template`` tells users the same."""

import difflib
from collections.abc import Mapping
from typing import Any, Final

from carico.rules.errors import OptionError
from carico.rules.game import Game, game, game_names
from carico.time_control import TimeControl
from worker.tournament.schedule import ScheduleError, check, fixtures_expected
from worker.tournament.season import (
    DEFAULT_CHUNK,
    DEFAULT_DEAL_SETS,
    DEFAULT_LEGS,
    DEFAULT_NO_SHOW_MS,
    Doors,
    Entry,
    Pairs,
    SeasonSpec,
)
from worker.tournament.season_file.fields import TO_THE_TOP, Bounds, Fields
from worker.tournament.season_file.lines import Path
from worker.tournament.season_file.mistakes import SeasonFileError
from worker.tournament.season_file.text import read_toml

MOST_ENTRANTS: Final = 256
MOST_DEALS: Final = 5_000_000
"""In the scheduled fixtures of one season: all seatings of all deal sets."""

WHOLE: Final[Mapping[str, Bounds]] = {
    "legs": (1, 100),
    "deal_sets": (1, 100_000),
    "chunk": (1, 10_000),
    "seed": (0, 2**63 - 1),
}

NO_SHOW: Final[Bounds] = (0, 86_400_000)

TIME_CONTROL: Final[Mapping[str, Bounds]] = {
    "bank": (1_000, 86_400_000),
    "increment": (0, 3_600_000),
    "action_limit": (50, 3_600_000),
    "lag_credit": (0, 10_000),
    "grace": (0, 3_600_000),
}
"""Bounds in ms; in the order of ``TimeControl``."""

KNOWN: Final[Mapping[Path, tuple[str, ...]]] = {
    (): ("name", "game", "entry", "pairs", *WHOLE, "no_show", "options", "time_control", "entrant"),
    ("time_control",): tuple(TIME_CONTROL),
    ("entrant",): ("bot", "version"),
}
"""The fields by their tables; those of ``options`` are the game's."""


def read_season(text: str, file: str = "season.toml") -> SeasonSpec:
    """The season that this text describes; ``file`` is what messages call it.

    Raises SeasonFileError with all mistakes that were found.
    """
    found, lines = read_toml(text, file)
    taken = Fields(file, lines)
    spec = _season(taken, found)
    if not taken.mistakes:
        _fit(taken, spec)
    if taken.mistakes:
        raise SeasonFileError(taken.mistakes)
    return spec


def _season(taken: Fields, found: Mapping[str, Any]) -> SeasonSpec:
    options = taken.table(("options",), found.get("options", {}))
    taken.known((), found, KNOWN)
    return SeasonSpec(
        name=taken.name((), found, "name"),
        game=_game(taken, found.get("game"), options),
        entries=_entries(taken, found.get("entrant", [])),
        entry=_doors(taken, found.get("entry", "closed")),
        pairs=_pairs(taken, found.get("pairs", "fixed")),
        legs=taken.whole(found, "legs", WHOLE["legs"], DEFAULT_LEGS),
        deal_sets=taken.whole(found, "deal_sets", WHOLE["deal_sets"], DEFAULT_DEAL_SETS),
        chunk=taken.whole(found, "chunk", WHOLE["chunk"], DEFAULT_CHUNK),
        seed=taken.whole(found, "seed", WHOLE["seed"], 1) if "seed" in found else None,
        no_show_ms=taken.duration((), found, "no_show", NO_SHOW, DEFAULT_NO_SHOW_MS),
        time_control=_time_control(taken, taken.table(("time_control",), found.get("time_control", {}))),
    )


def _game(taken: Fields, name: Any, options: Mapping[str, Any]) -> Game:
    names = game_names()
    if name in names:
        return _with_options(taken, name, {key: None if value == "null" else value for key, value in options.items()})
    near = difflib.get_close_matches(name, names, n=1) if isinstance(name, str) else []
    mend = f'did you mean "{near[0]}"?' if near else f"write one of {', '.join(names)}, in quotes"
    taken.wrong(("game",), "is missing" if name is None else "is no game of this version", mend, name)
    return game(names[0])


def _with_options(taken: Fields, name: str, options: Mapping[str, Any]) -> Game:
    """The game with these options. What is wrong is looked for in each by itself, then in all together."""
    right = True
    for key, value in options.items():
        try:
            game(name, {key: value})
        except OptionError as wrong:
            right = False
            taken.wrong(("options", key), str(wrong), TO_THE_TOP if key in KNOWN[()] else "")
    if right:
        try:
            return game(name, options)
        except OptionError as wrong:
            taken.wrong(("options",), str(wrong))
    return game(name)


def _entries(taken: Fields, found: Any) -> tuple[Entry, ...]:
    if not isinstance(found, list):
        taken.wrong(("entrant",), "must be a list", "write [[entrant]], with two brackets, above each entrant")
        return ()
    entries: list[Entry] = []
    lines: dict[str, int] = {}
    for i, value in enumerate(found[:MOST_ENTRANTS]):
        path = ("entrant", i)
        table = taken.table(path, value)
        taken.known(path, table, KNOWN)
        entry = Entry(taken.name(path, table, "bot"), taken.name(path, table, "version"))
        entries.append(entry)
        if entry.bot and lines.setdefault(entry.bot, i) != i:
            line = taken.line(("entrant", lines[entry.bot]))
            mend = "a bot plays one version at a time: take one of them out, or register the other as a bot of its own"
            taken.wrong(path, f"{entry.bot} is entered in line {line} already", mend)
    if len(found) > MOST_ENTRANTS:
        taken.wrong(("entrant", MOST_ENTRANTS), f"is one of {len(found)}", f"enter {MOST_ENTRANTS} at most")
    return tuple(entries)


def _doors(taken: Fields, value: Any) -> Doors:
    if value == "open":
        return "open"
    if value != "closed":
        taken.wrong(("entry",), "is neither open nor closed", 'write entry = "open" or entry = "closed"', value)
    return "closed"


def _pairs(taken: Fields, value: Any) -> Pairs:
    if value == "rotating":
        return "rotating"
    if value != "fixed":
        taken.wrong(("pairs",), "is neither fixed nor rotating", 'write pairs = "fixed" or pairs = "rotating"', value)
    return "fixed"


def _time_control(taken: Fields, table: Mapping[str, Any]) -> TimeControl:
    path = ("time_control",)
    taken.known(path, table, KNOWN)
    defaults = TimeControl().to_json().values()
    return TimeControl(
        *(
            taken.duration(path, table, key, bounds, default)
            for (key, bounds), default in zip(TIME_CONTROL.items(), defaults, strict=True)
        )
    )


def _fit(taken: Fields, spec: SeasonSpec) -> None:
    """What is wrong with fields that are right one by one."""
    n, places = len(spec.entries), len(spec.places)
    if spec.rotating and (spec.game.players != 4 or len(spec.game.places) != 2):
        mend = 'write pairs = "fixed"; partners rotate at tables of four in two sides'
        taken.wrong(("pairs",), f"{spec.game.name} has no partners of two", mend, spec.pairs)
        return
    if spec.entry == "closed" or n >= places:
        try:
            check(n, places)
        except ScheduleError as wrong:
            more = f"enter {places} or more, each below its own [[entrant]]"
            taken.wrong(("entrant",), str(wrong), more if n < places else "take some of them out")
            return
    fixtures = fixtures_expected(n, places, spec.legs, rotating=spec.rotating) if n >= places else 0
    deals = fixtures * spec.deal_sets * places
    if deals > MOST_DEALS:
        mend = f"take fewer deal_sets, legs or entrants: {MOST_DEALS} deals are the most"
        taken.wrong(("deal_sets",), f"{fixtures} fixtures come to {deals} deals", mend, spec.deal_sets)
