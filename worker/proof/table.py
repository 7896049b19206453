"""A standings.json against the records beside it (standings.md).

Walkovers and withdrawals are in no record. What follows without them must agree to the letter; what hangs on them is
taken as told where it is possible at all, and said to be so.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Final

from carico.record import BadRecord, Differs
from carico.rules.game import game
from worker.proof.beside import Beside, Name, names_in
from worker.proof.table_file import TableFile
from worker.tournament.fixtures import place_of
from worker.tournament.ledger import DealResult
from worker.tournament.rows import Row
from worker.tournament.standings import Tally
from worker.tournament.tie_breaks import Met, direct_encounter, per_deal, positions, share

OF_DEALS: Final = {
    "deals": "deals",
    "deals_won": "won",
    "deals_tied": "tied",
    "deals_lost": "lost",
    "score": "score",
    "penalties": "penalties",
    "card_points_for": "points_for",
    "card_points_against": "points_against",
    "forfeits": "forfeits",
}
"""The columns that follow from the deals alone, and what they are in a Tally."""

BY_RECORDS: Final = "the records give"


@dataclass(slots=True)
class _OfFixtures:
    """What an entrant's fixtures came to by play."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    unknown: int = 0
    """Begun, and not whole: closed, or still running."""


class TableProof:
    """A table and, deal by deal, the records that it is made of. ``beside`` is given each record before this is."""

    def __init__(self, table: TableFile, beside: Beside) -> None:
        self._table, self._beside = table, beside
        self._rows = {(row.bot, row.version, row.owner): row for row in table.rows}
        self._tallies: dict[int, list[Tally]] = {}
        """By fixture, in the order of its entrants."""
        self.notes: list[str] = []
        """What could not be proved, in words."""

    def count(self, record: Mapping[str, Any]) -> None:
        """Counts a deal. Raises Differs where it is not of the table's season, or somebody plays who has no row."""
        for field, told in (("season", record["season"]), ("game", f"{record['variant']}-{record['players']}")):
            of_table = getattr(self._table, field)
            if told != of_table:
                raise Differs(field, told, of_table, "the table says")
        for seat, name in enumerate(names_in(record)):
            if name not in self._rows:
                raise Differs(f"seats[{seat}]", " ".join(name), "an entrant of the table", "and it is to be")
        places = self._beside.places
        sides = game(f"{record['variant']}-{record['players']}", record["options"]).sides
        result = DealResult.from_record(record)
        fixture = -1 if record["fixture"] is None else result.fixture
        tallies = self._tallies.setdefault(fixture, [Tally() for _ in places])
        for i, tally in enumerate(tallies):
            seats = places[place_of(i, result.seating, len(places))]
            tally.add(result, seats, next(side for side in sides if seats[0] in side))

    def check(self) -> None:
        """Raises Differs, with the field of standings.json, at the first thing that is not as the records have it."""
        sums = self._sums()
        exact = True
        for i, (name, row) in enumerate(self._rows.items()):
            exact &= self._check_deals(i, row, sums[name])
        if (self._beside.places or game(self._table.game).places)[2:] == ():
            self._check_two(exact)
        else:
            self._check_no_fixtures()
            if exact:
                self._check_singles()
        order = [(row.position, row.bot, row.version, row.owner) for row in self._table.rows]
        for i, (told, right) in enumerate(zip(order, sorted(order), strict=True)):
            if told != right:
                raise Differs(f"rows[{i}].bot", told[1], right[1], "by position and name it is")
        if not exact:
            self.notes.append(
                f"the season is {self._table.status}: decks that are not yet played at all their tables are not in the "
                "records, so the sums of the table may be greater and positions are taken as told"
            )

    @property
    def _left(self) -> set[Name]:
        """Who withdrew early, as the table has it: a row with nothing in it, and deals in the records."""
        played = {name for fixture in self._tallies for name in self._beside.entrants[fixture]}
        if self._table.season is None:
            return set()
        return {name for name in played if not self._rows[name].deals and not self._rows[name].fixtures}

    def _counting(self) -> Iterator[tuple[int, list[Name], list[Tally]]]:
        left = self._left
        for fixture, tallies in self._tallies.items():
            names = self._beside.entrants[fixture]
            if left.isdisjoint(names):
                yield fixture, names, tallies

    def _sums(self) -> dict[Name, Tally]:
        sums = {name: Tally() for name in self._rows}
        for _, names, tallies in self._counting():
            for name, tally in zip(names, tallies, strict=True):
                for column in fields(tally):
                    setattr(sums[name], column.name, getattr(sums[name], column.name) + getattr(tally, column.name))
        for name in sorted(self._left):
            self.notes.append(
                f"{name[0]} {name[1]} has records and nothing in the table, as after a withdrawal: its fixtures are "
                "left out, and the records can't tell whether that is right"
            )
        return sums

    def _check_deals(self, i: int, row: Row, tally: Tally) -> bool:
        """Whether the row is exactly that of the records; a season that runs on may have more in it."""
        running = self._table.status in ("running", "paused") and row.deals > tally.deals
        for column, name in OF_DEALS.items():
            told, found = getattr(row, column), getattr(tally, name)
            if running and (column == "score" or told >= found):
                continue
            self._same(f"rows[{i}].{column}", told, found)
        return not running

    def _check_two(self, exact: bool) -> None:
        """How many deal sets a fixture has is in no record: as many as the longest one, or none is whole yet."""
        given = sum(row.walkovers for row in self._table.rows)
        first: BadRecord | None = None
        for none_whole in (False, True) if given or self._table.status != "finished" else (False,):
            played, met = self._by_play(none_whole)
            try:
                self._check_fixtures(played)
                if exact:
                    self._check_two_sided(played, met)
            except BadRecord as error:
                first = first or error
            else:
                break
        else:
            assert first is not None
            raise first
        if given:
            self.notes.append(
                f"{given} walkovers: who was absent is in no record, so they, the fixtures won by them and positions "
                "that hang on them are taken as told"
            )

    def _by_play(self, none_whole: bool) -> tuple[dict[Name, _OfFixtures], list[Met]]:
        """What the fixtures came to by play, and who met whom in those that are finished."""
        played = {name: _OfFixtures() for name in self._rows}
        index = {name: i for i, name in enumerate(self._rows)}
        met: list[Met] = []
        sets = max(self._beside.sets.values(), default=0)
        for fixture, (a, b), (of_a, of_b) in self._counting():
            if none_whole or self._beside.sets[fixture] < sets or fixture in self._beside.incomplete:
                played[a].unknown += 1
                played[b].unknown += 1
                continue
            points = 1 + (of_a.score > of_b.score) - (of_a.score < of_b.score)
            met.append(((index[a], index[b]), (points, 2 - points)))
            for name, own in ((a, points), (b, 2 - points)):
                played[name].won += own == 2
                played[name].drawn += own == 1
                played[name].lost += own == 0
        return played, met

    def _check_fixtures(self, played: Mapping[Name, _OfFixtures]) -> None:
        given = sum(row.walkovers for row in self._table.rows)
        over = 0
        for i, (name, row) in enumerate(self._rows.items()):
            own = played[name]
            assert row.won is not None
            over += row.won - own.won
            self._same(f"rows[{i}].drawn", row.drawn, own.drawn)
            self._same(f"rows[{i}].lost", row.lost, own.lost + row.walkovers)
            if not own.won <= row.won <= own.won + given:
                most = f"{own.won} to {own.won + given}, walkovers included" if given else own.won
                raise Differs(f"rows[{i}].won", row.won, most, BY_RECORDS)
            self._same(f"rows[{i}].fixtures", row.fixtures, row.won + own.drawn + own.lost + row.walkovers)
            self._same(f"rows[{i}].match_points", row.match_points, 2 * row.won + own.drawn)
        begun = sum(own.unknown for own in played.values()) // 2
        if self._table.status == "finished" and begun > given:
            raise BadRecord(
                f"status: the season is finished with {given} walkovers, and {begun} of its fixtures lack deal sets, "
                "seatings or deals that others have"
            )
        if over > given:
            raise Differs("rows", f"{over} fixtures won unplayed", f"{given} at most", "by their walkovers there are")

    def _check_two_sided(self, played: Mapping[Name, _OfFixtures], met: Sequence[Met]) -> None:
        rows = list(self._rows.values())
        points = {i: row.match_points or 0 for i, row in enumerate(rows)}
        direct = direct_encounter(points, met)
        keys = [
            (
                Fraction(points[i]),
                Fraction(direct[i]),
                share(row.score, row.deals),
                per_deal(row.card_points_for - row.card_points_against, row.deals),
            )
            for i, row in enumerate(rows)
        ]
        closed = {i for i, (name, row) in enumerate(self._rows.items()) if self._has_unknown(row, played[name])}
        for i, position in enumerate(positions(keys)):
            tied = [j for j in points if points[j] == points[i]]
            if len(tied) > 1 and not closed.isdisjoint(tied):
                first = 1 + sum(points[j] > points[i] for j in points)
                if rows[i].position not in range(first, first + len(tied)):
                    span = f"{first} to {first + len(tied) - 1}"
                    raise Differs(f"rows[{i}].position", rows[i].position, span, BY_RECORDS)
            else:
                self._same(f"rows[{i}].position", rows[i].position, position)

    @staticmethod
    def _has_unknown(row: Row, own: _OfFixtures) -> bool:
        return row.fixtures != own.won + own.drawn + own.lost

    def _check_no_fixtures(self) -> None:
        for i, row in enumerate(self._table.rows):
            for column in ("fixtures", "won", "drawn", "lost", "match_points"):
                self._same(f"rows[{i}].{column}", getattr(row, column), None)
        if any(row.walkovers for row in self._table.rows):
            self.notes.append("walkovers are in no record and taken as told")

    def _check_singles(self) -> None:
        others = len(game(self._table.game).sides) - 1
        keys = [
            (
                per_deal(row.score - row.penalties, row.deals),
                per_deal(row.card_points_for - Fraction(row.card_points_against, others), row.deals),
            )
            for row in self._table.rows
        ]
        for i, position in enumerate(positions(keys)):
            self._same(f"rows[{i}].position", self._table.rows[i].position, position)

    @staticmethod
    def _same(field: str, found: Any, expected: Any) -> None:
        if found != expected:
            raise Differs(field, found, expected, BY_RECORDS)
