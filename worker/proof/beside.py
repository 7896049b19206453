"""What records have to do with each other: order, season, pack and seats of a deal set, the deals of a match."""

from collections.abc import Mapping
from typing import Any, Final

from carico.record import BadRecord, Differs
from carico.rules import shuffle
from carico.rules.game import Game, game
from worker.tournament.fixtures import dealer, place_of

SAME: Final = ("season", "variant", "players", "options", "time_control")
"""What all records of a season have in common."""

Name = tuple[str, str, str]
"""Bot, version, owner."""
Place = tuple[int, int, int, int]
"""Deal set, fixture, seating, deal; the fixture of an arena is -1."""


class Late(BadRecord):
    """Something that shows only when later lines have come; it belongs to an earlier line."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line: Final = line


def place_in(record: Mapping[str, Any]) -> Place:
    """What the lines of a file are sorted by."""
    fixture = -1 if record["fixture"] is None else record["fixture"]
    return record["deal_set"], fixture, record["seating"], record["deal"]


def names_in(record: Mapping[str, Any]) -> list[Name]:
    """Who sat where, by seat."""
    return [(seat["bot"], seat["version"], seat["owner"]) for seat in record["seats"]]


class Beside:
    """The records of one file, in their order; each is right by itself already.

    ``whole``: all seatings of each deal set and all deals of each match have to be there. ``master``: M of
    the season, from which every key has to come.
    """

    def __init__(self, whole: bool = True, master: bytes | None = None) -> None:
        self.entrants: dict[int, list[Name]] = {}
        """By fixture its entrants, in the order of seating 0; -1 for an arena's."""
        self.sets: dict[int, int] = {}
        """By fixture how many of its deal sets have a record."""
        self.attempts: dict[int, int] = {}
        """By deal set the attempt that counts, where that is not the first one."""
        self.seen: set[int] = set()
        """The deal sets that have a record."""
        self.deals = 0
        self.incomplete: set[int] = set()
        """Fixtures with a deal set of which a seating or a deal is missing."""
        self.first: Mapping[str, Any] = {}
        """The first record."""
        self.places: tuple[tuple[int, ...], ...] = ()
        """The seats that an entrant takes."""
        self._whole = whole
        self._master = master
        self._last: Place | None = None
        self._keys: dict[int, str] = {}
        """By deal the key, and so the pack, of the deal set that is being read."""
        self._seatings: dict[int, set[int]] = {}
        """By fixture the seatings of the deal set that is being read."""
        self._match: list[Mapping[str, Any]] = []
        """The deals of the match that is being read."""
        self._line = 0

    def line_of(self, error: BadRecord) -> int | None:
        """The line to which this error belongs, None for the one that was added last."""
        return error.line if isinstance(error, Late) else None

    def add(self, record: Mapping[str, Any], line: int) -> None:
        """Raises BadRecord where this record does not fit those before it."""
        here = place_in(record)
        if self._last is None:
            self.first = record
            self.places = _places(record, game(f"{record['variant']}-{record['players']}", record["options"]))
        elif here <= self._last:
            names = "deal_set, fixture, seating, deal"
            raise BadRecord(f"order: {names} are {list(here)}, and the line before has {list(self._last)}")
        for field in SAME:
            same(field, record[field], self.first[field], "the records before it say")
        if self._last is not None and here[:3] != self._last[:3]:
            self._end_match()
        if self._last is not None and here[0] != self._last[0]:
            self._end_set()
        self._check_seats(record, here)
        self._check_pack(record, here)
        self._check_match(record)
        self._last, self._line = here, line
        self.deals += 1

    def end(self) -> None:
        """The file is at its end. Raises BadRecord where something is still missing."""
        if self._last is not None:
            self._end_match()
            self._end_set()

    def _check_seats(self, record: Mapping[str, Any], here: Place) -> None:
        names, k, r = names_in(record), len(self.places), here[2]
        if r >= k:
            raise BadRecord(f"seating: the record says {r}, and with {k} entrants the seatings are 0 to {k - 1}")
        for seats in self.places:
            for seat in seats:
                same(f"seats[{seat}]", names[seat], names[seats[0]], f"its side is played by one, at seat {seats[0]}")
        here_at = [names[seats[0]] for seats in self.places]
        as_scheduled = [here_at[place_of(i, r, k)] for i in range(k)]
        if len(set(as_scheduled)) < k:
            raise BadRecord(f"seats: {_told(here_at)} are not all different")
        known = self.entrants.setdefault(here[1], as_scheduled)
        for i, name in enumerate(known):
            for seat in self.places[place_of(i, r, k)]:
                why = f"in seating {r} the entrants of this fixture turn to"
                same(f"seats[{seat}]", names[seat], name, why)

    def _check_pack(self, record: Mapping[str, Any], here: Place) -> None:
        deal_set, fixture, seating, deal = here
        same("dealer", record["dealer"], dealer(deal_set, deal, record["players"]), "by deal set and deal it is")
        told = record["shuffle"]
        key = self._keys.setdefault(deal, told["key"])
        same("shuffle.key", told["key"], key, "the deal set's other records have")
        if self._seatings:
            before = self.attempts.get(deal_set, 0)
            same("attempt", record["attempt"], before, "the deal set's other records have")
        elif record["attempt"]:
            self.attempts[deal_set] = record["attempt"]
        if self._master is not None:
            check_key(record, self._master)
        self.seen.add(deal_set)
        seatings = self._seatings.setdefault(fixture, set())
        if not seatings:
            self.sets[fixture] = self.sets.get(fixture, 0) + 1
        seatings.add(seating)

    def _check_match(self, record: Mapping[str, Any]) -> None:
        number = len(self._match)
        same("deal", record["deal"], number, "the next of its match is")
        if self._match:
            same("match", record["match"], self._match[0]["match"], "the match's other deals have")
            if decided(self._match):
                raise BadRecord(f"deal: the match was over after {number} deals")
        self._match.append(record)

    def _end_match(self) -> None:
        if not decided(self._match):
            self._missing(
                self._match[-1]["fixture"], f"deal: the match is not over after {len(self._match)}, and ends here"
            )
        self._match = []

    def _end_set(self) -> None:
        for fixture, seatings in self._seatings.items():
            missing = [r for r in range(len(self.places)) if r not in seatings]
            if missing:
                assert self._last is not None
                names = ", ".join(map(str, missing))
                self._missing(fixture, f"seating: deal set {self._last[0]} has no record of seating {names}")
        self._seatings, self._keys = {}, {}

    def _missing(self, fixture: int | None, text: str) -> None:
        if self._whole:
            raise Late(self._line, text)
        self.incomplete.add(-1 if fixture is None else fixture)


def decided(deals: list[Mapping[str, Any]]) -> bool:
    """Whether a match is over after these deals; a tie and a deal that was passed out are won by nobody."""
    first = deals[0]
    what = game(f"{first['variant']}-{first['players']}", first["options"])
    winners = [what.side_of[deal["outcome"]["winners"][0]] for deal in deals if deal["outcome"]["winners"]]
    return what.match is None or what.match.decided(len(deals), max(map(winners.count, winners), default=0))


def check_key(record: Mapping[str, Any], master: bytes) -> None:
    """Raises Differs unless this key is the one of that season."""
    name = f"{record['variant']}-{record['players']}"
    key = shuffle.deck_key(master, name, record["deal_set"], record["deal"], record["attempt"])
    same("shuffle.key", record["shuffle"]["key"], key.hex(), "the seed gives")


def _places(record: Mapping[str, Any], what: Game) -> tuple[tuple[int, ...], ...]:
    """Whole sides, unless two partners are two entrants: then partners change, and a place is a seat."""
    names = names_in(record)
    if any(names[seat] != names[side[0]] for side in what.sides for seat in side):
        return tuple((seat,) for seat in range(what.players))
    return what.places


def same(field: str, found: Any, expected: Any, why: str) -> None:
    """Raises Differs unless both are equal."""
    if found != expected:
        raise Differs(field, _plain(found), _plain(expected), why)


def _plain(value: Any) -> Any:
    return " ".join(value) if isinstance(value, tuple) else value


def _told(names: list[Name]) -> str:
    return ", ".join(" ".join(name[:2]) for name in names)
