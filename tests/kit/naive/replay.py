"""A record played again from its fields, and everything it claims compared."""

from tests.kit.naive.clock import check_clock
from tests.kit.naive.deviation import Deviation, expect
from tests.kit.naive.games import WORTH, name_of, option, pack_of, weakest
from tests.kit.naive.hashes import hash_of, shuffled
from tests.kit.naive.stock import realised, stock_law
from tests.kit.naive.table import Table
from tests.kit.naive.verdict import chiamata, penalties, verdict


def steps(record, table):
    """Plays the record's actions on a table, and yields (position, seat, legal actions, action) before each."""
    for position, (seat, *action) in enumerate(record["actions"]):
        yield position, seat, table.legal(), action
        table.act(seat, *action)


def replayed(record):
    """The table after the record's last action."""
    table = Table(record)
    for _ in steps(record, table):
        pass
    return table


def stand_in_action(table):
    """What the stand-in does for the seat to act."""
    legal = table.legal()
    for word in (["decline"], ["pass"]):
        if word in legal:
            return word
    if table.stage == "trick":
        return ["play", weakest(table.hands[table.to_act])]
    return legal[0]  # the highest rank or 61; the first suit, or the first card of the pack


def check_replay(record):
    """The deck is the pack, every action is legal, the stand-in does what it must, and the deal is over."""
    expect("deck, its cards", sorted(record["deck"]), sorted(pack_of(record)))
    table = Table(record)
    taken = {seat: after for seat, _, after in reversed(record["outcome"]["faults"])}
    by_stand_in = []
    for position, seat, _, action in steps(record, table):
        if position >= taken.get(seat, len(record["actions"])):
            by_stand_in.append(position)
            if table.stage == "window" and action[0] == "play":
                held = table.hands[seat] + (table.stock or [table.upcard])[:1]
                expected = ["play", weakest(held)]
            else:
                expected = stand_in_action(table)
            expect(f"actions, the stand-in's at {position}", action, expected)
    if not table.over:
        raise Deviation("actions", f"they end in a {table.stage} after {len(table.winners)} tricks")
    check_conserved(table)
    expect("stand_in", record["stand_in"], by_stand_in)
    return table


def check_conserved(table):
    """Every card of the pack lies in one trick, or none does where nobody bid."""
    if table.auction and table.called is None:
        return
    fallen = [card for trick in table.seen_tricks for _, card in trick]
    expect("actions, the cards that fell", sorted(fallen), sorted(pack_of(table.record)))
    expect("card points in all", sum(WORTH[card[0]] for card in fallen), 120)
    expect("tricks", len(table.winners), len(fallen) // table.n)


def outcome_of(record, table):
    """The outcome that the pages give, but for the faults, which only the record knows."""
    faults = record["outcome"]["faults"]
    in_chiamata = record["variant"] == "chiamata"
    winners, scores = chiamata(record, table) if in_chiamata else verdict(record, table.points, faults)
    outcome = {
        "termination": "PASSED_OUT" if in_chiamata and table.called is None else "COMPLETED",
        "winners": winners,
        "card_points": list(table.points),
        "scores": scores,
        "faults": faults,
    }
    if in_chiamata:
        outcome["caller"] = table.auction.caller
        outcome["partner"] = table.partner
        outcome["called"] = table.called
        outcome["target"] = table.auction.target
        outcome["penalties"] = penalties(record, faults)
    return outcome


def check_outcome(record, table):
    """Termination, points, winners, scores and the fields of Chiamata."""
    expected = outcome_of(record, table)
    for key, value in expected.items():
        expect(f"outcome.{key}", record["outcome"].get(key, "nothing"), value)
    expect("outcome, its keys", list(record["outcome"]), list(expected))


def check_shuffle(record, table):
    """The realised deck follows from the source, and the source from the key."""
    shuffle = record["shuffle"]
    expect("shuffle.stock", shuffle["stock"], stock_law(record))
    everything = [*table.winners, *[0] * len(record["deck"])]  # a passed-out deal has no tricks, and no stock either
    expect("deck from shuffle.source", record["deck"], realised(record, shuffle["source"], everything))
    if shuffle.get("key"):
        expect("shuffle.source from key", shuffle["source"], shuffled(bytes.fromhex(shuffle["key"]), pack_of(record)))


def check(record):
    """Play a record again from its fields and compare everything it claims; raise Deviation at the first difference."""
    for problem in differences(record, first_only=True):
        raise problem
    return replayed(record)


def differences(record, first_only=False):
    """Everything in which a record and the pages differ, as Deviations; where the play itself differs, only that."""
    found = []
    try:
        expect("format", record["format"], "carico.deal/1")
        table = check_replay(record)
    except Deviation as problem:
        return [problem]
    checks = [
        lambda: check_outcome(record, table),
        lambda: check_shuffle(record, table),
        lambda: expect("hash", record["hash"], hash_of(record)),
        lambda: check_clock(record),
    ]
    for one in checks:
        try:
            one()
        except Deviation as problem:
            found.append(problem)
            if first_only:
                break
    return found


def tally(record, table):
    """What happened in a deal, for counting: the game, exchanges, ties and what else is rare."""
    told = [name_of(record), *(f"option {key}" for key in record["options"])]
    told += ["exchange with the " + card[0] for _, _, card, _ in table.exchanges]
    told += ["declined without a word"] * table.implied_declines
    told += [action[1] for action in record["actions"] if action[1] in {"decline", "bid", "call", "pass"}]
    if not record["outcome"]["winners"]:
        told.append("no winner")
    told += [reason for _, reason, _ in record["outcome"]["faults"]]
    if option(record, "match"):
        told.append("deal of a match")
    return told
