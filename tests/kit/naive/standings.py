"""The table of a file of records, worked out from the page alone, and a standings.json compared with it."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations, groupby

from tests.kit.naive.deviation import Deviation, expect
from tests.kit.naive.games import two_sides

TOP = ["format", "season", "game", "status", "rows"]
STATUS = ["scheduled", "running", "paused", "finished", "cancelled"]
IDENTITY = ["bot", "version", "owner"]
OF_FIXTURES = ["fixtures", "won", "drawn", "lost", "match_points"]
OF_DEALS = [
    "deals",
    "deals_won",
    "deals_tied",
    "deals_lost",
    "score",
    "penalties",
    "card_points_for",
    "card_points_against",
    "forfeits",
]
ROW = ["position", *IDENTITY, *OF_FIXTURES, *OF_DEALS, "walkovers"]


def entrants_of(record):
    """Each entrant of a deal with its seats: a side's where there are two, else one seat's."""
    seats = range(record["players"])
    places = (
        [[seat for seat in seats if seat % 2 == side] for side in (0, 1)] if two_sides(record) else [[s] for s in seats]
    )
    told = []
    for place in places:
        names = {tuple(record["seats"][seat][key] for key in IDENTITY) for seat in place}
        if len(names) > 1:
            raise Deviation("seats", f"{sorted(names)} play one side")
        told.append((names.pop(), place))
    return told


def counts_of_deals(records):
    """For each entrant the sums of its row that come from deals."""
    rows = defaultdict(Counter)
    for record in records:
        outcome = record["outcome"]
        bad = {seat for seat, _, _ in outcome["faults"]}
        completed = outcome["termination"] == "COMPLETED"
        for entrant, seats in entrants_of(record):
            own = sum(outcome["card_points"][seat] for seat in seats)
            won = seats[0] in outcome["winners"]
            tied = completed and not outcome["winners"] and not bad & set(seats)
            row = rows[entrant]
            row["deals"] += 1
            row["deals_won"] += won
            row["deals_tied"] += tied
            row["deals_lost"] += completed and not won and not tied
            row["score"] += outcome["scores"][seats[0]]
            row["penalties"] += sum(outcome.get("penalties", [0] * record["players"])[seat] for seat in seats)
            row["card_points_for"] += own
            row["card_points_against"] += sum(outcome["card_points"]) - own
            row["forfeits"] += bool(bad & set(seats))
    return rows


def fixtures_of(records):
    """For each fixture of two sides, each entrant's match points: 2 for more deal score, 1 for as much, 0."""
    scores = defaultdict(Counter)
    for record in records:
        for entrant, seats in entrants_of(record):
            scores[record["fixture"]][entrant] += record["outcome"]["scores"][seats[0]]
    played = []
    for score in scores.values():
        if len(score) != 2:
            raise Deviation("fixture", f"{sorted(score)} play a fixture of two sides")
        (one, of_one), (other, of_other) = score.items()
        points = 1 if of_one == of_other else 2 * (of_one > of_other)
        played.append({one: points, other: 2 - points})
    return played


def check_standings(table, records):
    """Raise Deviation where a finished table is not the one of these records.

    Who was absent in a walkover does not stand in the records: fixtures that are lost beyond those played must be the
    row's walkovers, those won beyond must be no more than all walkovers, and the direct encounter of entrants with such
    fixtures is taken as told.
    """
    expect("standings, keys", list(table), TOP)
    expect("standings, format", table["format"], "carico.table/1")
    if table["status"] not in STATUS:
        raise Deviation("standings, status", f"{table['status']!r} is none of {STATUS}")
    for row in table["rows"]:
        expect("standings, keys of a row", list(row), ROW)
    order = [(row["position"], row["bot"], row["version"]) for row in table["rows"]]
    expect("standings, order of rows", order, sorted(order))
    if table["status"] != "finished" or not records:
        return
    variant_and_seats = f"{records[0]['variant']}-{records[0]['players']}"
    expect("standings, game", table["game"], variant_and_seats)
    expect("standings, season", table["season"], records[0]["season"])
    rows = {tuple(row[key] for key in IDENTITY): row for row in table["rows"]}
    expect("standings, number of entrants", len(rows), len(table["rows"]))
    counted = [record for record in records if not _withdrawn(record, rows)]
    deals = counts_of_deals(counted)
    for name, row in rows.items():
        for key in OF_DEALS:
            expect(f"standings, {key} of {' '.join(name)}", row[key], int(deals[name][key]))
    if two_sides(records[0]):
        _check_fixtures(rows, fixtures_of(counted))
    else:
        _check_singles(rows, records[0]["players"])


def _withdrawn(record, rows):
    """Whether an entrant of the deal left the table, and its fixtures with it."""
    return any(name not in rows or not rows[name]["deals"] for name, _ in entrants_of(record))


def _check_fixtures(rows, played):
    points = {name: [fixture[name] for fixture in played if name in fixture] for name in rows}
    given = sum(row["walkovers"] for row in rows.values())
    touched = set()
    for name, row in rows.items():
        label, told = " ".join(name), points[name]
        extra = row["fixtures"] - len(told)
        expect(f"standings, drawn of {label}", row["drawn"], told.count(1))
        expect(f"standings, lost of {label}", row["lost"], told.count(0) + row["walkovers"])
        expect(f"standings, fixtures of {label}", row["fixtures"], row["won"] + row["drawn"] + row["lost"])
        expect(f"standings, match_points of {label}", row["match_points"], 2 * row["won"] + row["drawn"])
        if not 0 <= row["won"] - told.count(2) <= given:
            raise Deviation(f"standings, won of {label}", f"{row['won']}, {told.count(2)} by deals, {given} walkovers")
        if extra:
            touched.add(name)
    ranked = sorted(rows, key=lambda name: -rows[name]["match_points"])
    place = 1
    for _, group in groupby(ranked, key=lambda name: rows[name]["match_points"]):
        tied = list(group)
        if touched & set(tied) and len(tied) > 1:
            expect("standings, positions of a tie", _told(rows, tied)[0], place)
        else:
            _expect_positions(rows, tied, place, {name: _two_sided_key(rows, tied, played, name) for name in tied})
        place += len(tied)


def _two_sided_key(rows, tied, played, name):
    """What parts entrants of as many match points: direct encounter, share of the score, difference per deal."""
    among = [fixture for fixture in played if set(fixture) <= set(tied)]
    met = {sum(set(pair) == set(fixture) for fixture in among) for pair in combinations(tied, 2)}
    direct = sum(fixture.get(name, 0) for fixture in among) if len(met) == 1 else 0
    row = rows[name]
    if not row["deals"]:
        return direct, Fraction(0), Fraction(0)
    difference = Fraction(row["card_points_for"] - row["card_points_against"], row["deals"])
    return direct, Fraction(row["score"], 2 * row["deals"]), difference


def _check_singles(rows, players):
    keys = {}
    for name, row in rows.items():
        for key in OF_FIXTURES:
            expect(f"standings, {key} of {' '.join(name)}", row[key], None)
        deals = max(1, row["deals"])
        lead = row["card_points_for"] - Fraction(row["card_points_against"], players - 1)
        keys[name] = Fraction(row["score"] - row["penalties"], deals), lead / deals
    _expect_positions(rows, list(rows), 1, keys)


def _expect_positions(rows, names, place, keys):
    """Competition ranking: 1, 1, 3."""
    for name in names:
        better = sum(keys[other] > keys[name] for other in names)
        expect(f"standings, position of {' '.join(name)}", rows[name]["position"], place + better)


def _told(rows, names):
    return sorted(rows[name]["position"] for name in names)
