"""Winners and scores of a deal that is over."""

from tests.kit.naive.games import option, two_sides

PENALTY = 4


def verdict(record, points, faults):
    """Winners and scores for sides and for single players, with the seats that faulted."""
    bad = {seat for seat, _, _ in faults}
    return _of_sides(record, points, bad) if two_sides(record) else _of_singles(record, points, bad)


def _of_singles(record, points, bad):
    seats = range(record["players"])
    good = [seat for seat in seats if seat not in bad]
    if not good:
        return [], [0 for _ in seats]
    top = max(points[seat] for seat in good)
    best = [seat for seat in good if points[seat] == top]
    if len(best) > 1:
        return [], [0 if seat in bad else 1 for seat in seats]
    return best, [record["players"] if seat in best else 0 for seat in seats]


def _of_sides(record, points, bad):
    seats = range(record["players"])
    sides = [[seat for seat in seats if seat % 2 == side] for side in (0, 1)]
    guilty = [any(seat in bad for seat in side) for side in sides]
    total = [sum(points[seat] for seat in side) for side in sides]
    if guilty == [True, True]:
        return [], [0 for _ in seats]
    if guilty[0] or (total[1] > total[0] and not guilty[1]):
        won = 1
    elif guilty[1] or total[0] > total[1]:
        won = 0
    else:
        return [], [1 for _ in seats]
    return sides[won], [2 if seat in sides[won] else 0 for seat in seats]


def chiamata(record, table):
    """Winners and scores of a Chiamata deal; faults do not touch them."""
    seats = range(record["players"])
    if table.called is None:
        return [], [0 for _ in seats]
    caller, partner, target = table.auction.caller, table.partner, table.auction.target
    side = {caller, partner} - {None}
    got = sum(table.points[seat] for seat in side)
    if got == 60 and target == 61 and option(record, "tie60") == "draw":
        return [], [0 for _ in seats]
    factor = 1
    for least, times in option(record, "multipliers"):
        if target >= least:
            factor = max(factor, times)
    if got in {0, 120}:
        factor *= option(record, "capot")
    if got < target:
        factor = -factor
    scores = [-factor for _ in seats]
    scores[caller] = (2 if partner is not None else 4) * factor
    if partner is not None:
        scores[partner] = factor
    return [seat for seat in seats if scores[seat] > 0], scores


def penalties(record, faults):
    """What the faulty seats of a Chiamata deal are charged outside the scores."""
    bad = {seat for seat, _, _ in faults}
    return [PENALTY if seat in bad else 0 for seat in range(record["players"])]
