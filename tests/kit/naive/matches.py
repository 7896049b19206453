"""The deals of one match: numbered from 0, the deal moving right, and as many as the match takes."""

from tests.kit.naive.deviation import Deviation, expect
from tests.kit.naive.games import option, two_sides


def order_of(record):
    """What the lines of a file are sorted by; no fixture stands before the first."""
    fixture = -1 if record["fixture"] is None else record["fixture"]
    return record["deal_set"], fixture, record["seating"], record["deal"]


def place_of(record, seat):
    """Who wins with a seat: its side, or itself."""
    return seat % 2 if two_sides(record) else seat


def won(records):
    """How many deals each place of a match has won; a tie and a passed-out deal count for nobody."""
    count = {}
    for record in records:
        for place in {place_of(record, seat) for seat in record["outcome"]["winners"]}:
            count[place] = count.get(place, 0) + 1
    return count


def decided(records):
    """Whether a match is over after these deals."""
    law = option(records[0], "match") or {"deals": 1}
    best, played = max(won(records).values(), default=0), len(records)
    if "first_to" in law:
        return best >= law["first_to"] or played >= law["cap"]
    if "best_of" in law:
        return 2 * best > law["best_of"] or played >= law["best_of"]
    return played >= law["deals"]


def winner_of_match(records):
    """The place that wins a decided match, None for a draw: first to w at the cap, or most won deals shared."""
    law = option(records[0], "match") or {"deals": 1}
    count = won(records)
    best = max(count.values(), default=0)
    leaders = [place for place, deals in count.items() if deals == best]
    if len(leaders) != 1 or ("first_to" in law and best < law["first_to"]):
        return None
    return leaders[0]


def check_match(records):
    """Raise Deviation where the deals of one (deal set, fixture, seating) do not make one match."""
    first = records[0]
    expect("deal", [record["deal"] for record in records], list(range(len(records))))
    for number, record in enumerate(records):
        expect("dealer", record["dealer"], (first["deal_set"] + number) % first["players"])
        for key in ("match", "options", "seats", "attempt"):
            expect(f"{key}, in one match", record[key], first[key])
        over = decided(records[: number + 1])
        if over != (number == len(records) - 1):
            raise Deviation("match", f"after deal {number} it is {'over' if over else 'not over'}, by {won(records)}")
