"""What the naive engine makes of a golden deal, in the words of its file."""

from tests.kit.naive.replay import outcome_of
from tests.kit.naive.table import Table


def tricks_and_outcome(deal):
    """(tricks, outcome) as the naive engine finds them, each legal and illegal action asked for on the way."""
    table = Table(deal.record)
    position = 0
    for stage in deal.stages:
        for seat, *action in stage["actions"]:
            _ask(deal, position, table)
            table.act(seat, *action)
            position += 1
        _ask(deal, position, table)
    assert table.over
    exchanges = [[[seat, *cards] for after, seat, *cards in table.exchanges if after == k] for k in range(1, 21)]
    draws = [[list(one) for one in drawn] for drawn in table.drawn]
    points = [sum(_worth(card) for _, card in trick) for trick in table.seen_tricks]
    tricks = [
        (winner, points[k], exchanges[k], draws[k] if k < len(draws) else []) for k, winner in enumerate(table.winners)
    ]
    return tricks, outcome_of(deal.record, table)


def _ask(deal, position, table):
    legal, illegal = deal.may(position)
    found = table.legal()
    assert [action for action in legal if action not in found] == []
    assert [action for action in illegal if action in found] == []


def _worth(card):
    return {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}.get(card[0], 0)
