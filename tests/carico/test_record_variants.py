"""Records of the games that know more than playing cards."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carico.record import BadRecord, DealLog, Place, Played, SeatName, deal_record, dumps, replay, verify
from carico.rules.actions import PLAY, Action, bid, call, exchange, from_json
from carico.rules.cards import parse_card
from carico.rules.deal import Deal
from carico.rules.game import game
from carico.rules.outcome import Fault, FaultReason
from carico.rules.shuffle import source
from carico.rules.stand_in import stand_in
from tests.kit.deals import BRISCA, EVERY, SEEDS, games
from tests.kit.records import played

PLACE = Place("spring", 0, 0, 0, 0, 0)
KEY = bytes(32)


def recorded(what, choose, faults=(), key=KEY):
    """The record of a deal in which ``choose(deal)`` decides; it says None for the stand-in's action."""
    order = source(key, what.pack)
    deal = Deal(what, 0, order)
    by_stand_in = []
    while not deal.over:
        action, before = choose(deal), deal.count
        deal.apply(stand_in(deal) if action is None else action)
        by_stand_in += [before] if action is None and deal.count > before else []
    seats = [SeatName("b", "1", "o")] * what.players
    log = DealLog(deal.actions, [], by_stand_in, faults)
    made = Played(PLACE, "m", what, 0, order, key, seats, None, log)
    return json.loads(dumps(deal_record(made)))


@pytest.mark.parametrize("name", EVERY)
@given(data=st.data(), seed=SEEDS, faults=st.integers(0, 2))
def test_records_of_every_game_go_round(name, data, seed, faults):
    before = played(data.draw(games((name,))), seed, PLACE, None, faults)
    record = json.loads(dumps(deal_record(before)))
    verify(record)
    assert replay(record).actions == list(before.log.actions)
    assert json.loads(dumps(record)) == record


def an_exchange(what):
    """The record of a deal with an exchange and declines."""
    for number in range(200):
        flip = iter(range(1000))
        key = number.to_bytes(32, "big")
        record = recorded(what, lambda deal, flip=flip: deal.legal()[-1 if next(flip) % 3 else 0], key=key)
        kinds = [row[1] for row in record["actions"]]
        if "exchange" in kinds and "decline" in kinds:
            return record
    raise AssertionError("no such deal was found")


@pytest.mark.parametrize("name", BRISCA)
def test_exchanges_and_declines_stand_in_a_record(name):
    record = an_exchange(game(name, {"exchange_margin": 0}))
    verify(record)
    for number, (seat, kind, *arguments) in enumerate(record["actions"]):
        if kind == "exchange":
            assert arguments[0][0] in "72"
            assert from_json(record["actions"][number]) == (seat, exchange(arguments[0]))
        elif kind == "decline":
            assert arguments == []


def test_the_next_play_alone_may_stand_for_a_decline():
    record = an_exchange(game("brisca-4"))
    kinds = [row[1] for row in record["actions"]]
    at = kinds.index("decline")
    silent = {**record, "actions": record["actions"][:at] + record["actions"][at + 1 :]}
    with pytest.raises(BadRecord, match="hash"):
        verify(silent)
    verify({**silent, "hash": hash_of(silent)})
    assert replay(silent).card_points == replay(record).card_points


def test_a_decline_where_nothing_could_be_exchanged_is_no_action():
    what, asked = game("brisca-2"), []

    def choose(deal):
        if deal.phase == "exchange" and len(deal.legal()) == 1:
            asked.append(deal.count)
        return deal.legal()[0]

    made = (recorded(what, choose, (), bytes([number] * 32)) for number in range(60))
    record = next(record for record in made if asked)
    seat = record["actions"][asked[0]][0]
    rows = [*record["actions"][: asked[0]], [seat, "decline"], *record["actions"][asked[0] :]]
    spoilt = {**record, "actions": rows}
    with pytest.raises(BadRecord, match="actions"):
        verify({**spoilt, "hash": hash_of(spoilt)})


def hash_of(record):
    head = {key: record[key] for key in ("variant", "players", "options", "dealer", "deck")}
    value = hashlib.sha256(json.dumps(head, sort_keys=True, separators=(",", ":")).encode())
    for row in record["actions"]:
        value = hashlib.sha256(value.digest() + json.dumps(row, separators=(",", ":")).encode())
    return value.hexdigest()


@pytest.mark.parametrize("silent", [False, True])
def test_the_stand_in_declines(silent):
    """A seat at fault from the start; its declines may be written or left to the next play."""
    what = game("brisca-2")
    faults = [Fault(1, FaultReason.DISCONNECT, 0)]
    for number in range(60):
        key = number.to_bytes(32, "big")
        record = recorded(what, lambda deal: None if deal.to_act == 1 else deal.legal()[0], faults, key)
        verify(record)
        rows = record["actions"]
        if [1, "decline"] in rows:
            break
    at = rows.index([1, "decline"])
    assert at in record["stand_in"]
    if silent:
        rows = rows[:at] + rows[at + 1 :]
        later = [number - (number > at) for number in record["stand_in"] if number != at]
        spoken = {**record, "actions": rows, "stand_in": later}
        verify({**spoken, "hash": hash_of(spoken)})
    else:
        kinds = {rows[number][1] for number in record["stand_in"]}
        assert kinds == {"play", "decline"}


# --- Chiamata ---


def of_chiamata(said, options=None):
    """The record of a deal with these things said in turn; then the first card that may be played, always."""
    words = iter(said)
    what = game("chiamata-5", options)
    return recorded(what, lambda deal: deal.legal()[0] if deal.phase == "play" else next(words))


def test_an_auction_by_ranks():
    out = Action.PASS
    said = [bid("K"), out, bid("2"), bid("2", 75), out, out, bid("2", 90), out, call("B")]
    record = of_chiamata(said)
    verify(record)
    assert record["actions"][:9] == [
        [1, "bid", "K"], [2, "pass"], [3, "bid", "2"], [4, "bid", "2", 75], [0, "pass"],
        [1, "pass"], [3, "bid", "2", 90], [4, "pass"], [3, "call", "B"],
    ]  # fmt: skip
    end = record["outcome"]
    assert (end["caller"], end["called"], end["target"], end["penalties"]) == (3, "2B", 90, [0] * 5)
    hands = Deal(game("chiamata-5"), 0, source(KEY, game("chiamata-5").pack)).hands
    (holder,) = (seat for seat, hand in enumerate(hands) if parse_card("2B") in hand)
    assert end["partner"] == (None if holder == 3 else holder)
    assert sum(end["scores"]) == 0
    assert record["deck"] == record["shuffle"]["source"]


def test_an_auction_by_points():
    said = [Action.PASS, bid(61), bid(75), Action.PASS, Action.PASS, Action.PASS, call("AC")]
    record = of_chiamata(said, {"auction": "points"})
    verify(record)
    assert [record["actions"][number] for number in (1, 2, 6)] == [[2, "bid", 61], [3, "bid", 75], [3, "call", "AC"]]
    assert (record["outcome"]["called"], record["outcome"]["target"]) == ("AC", 75)
    rows = [row if row[1:] != ["bid", 75] else [row[0], "bid", "2", 75] for row in record["actions"]]
    spoilt = {**record, "actions": rows}
    with pytest.raises(BadRecord, match="actions"):
        verify({**spoilt, "hash": hash_of(spoilt)})


def test_a_deal_that_is_passed_out():
    record = of_chiamata([Action.PASS] * 5)
    verify(record)
    assert record["actions"] == [[seat, "pass"] for seat in (1, 2, 3, 4, 0)]
    assert record["outcome"] == {
        "termination": "PASSED_OUT", "winners": [], "card_points": [0] * 5, "scores": [0] * 5, "faults": [],
        "caller": None, "partner": None, "called": None, "target": None, "penalties": [0] * 5,
    }  # fmt: skip
    assert record["deck"] == record["shuffle"]["source"]


def test_a_fault_is_charged_outside_the_scores():
    faults = [Fault(2, FaultReason.TIME_FORFEIT, 1)]
    record = recorded(
        game("chiamata-5"),
        lambda deal: None if deal.to_act == 2 else (bid("A") if deal.count == 0 else stand_in(deal)),
        faults,
    )
    verify(record)
    assert record["outcome"]["penalties"] == [0, 0, 4, 0, 0]
    assert sum(record["outcome"]["scores"]) == 0
    assert record["stand_in"][0] == 1
    assert all(from_json(record["actions"][number])[0] == 2 for number in record["stand_in"])
    with pytest.raises(BadRecord, match="outcome"):
        verify({**record, "outcome": {**record["outcome"], "penalties": [0] * 5}})
    for field in ("caller", "partner", "called", "target"):
        with pytest.raises(BadRecord, match="outcome"):
            verify({**record, "outcome": {**record["outcome"], field: 7}})


def test_whoever_may_not_pass_is_bid_for_by_the_stand_in():
    for auction, row in (("rank", [0, "bid", "A"]), ("points", [0, "bid", 61])):
        what = game("chiamata-5", {"auction": auction, "forced_last": True})
        faults = [Fault(0, FaultReason.PROTOCOL, 4)]
        record = recorded(what, lambda deal: None if deal.to_act == 0 else stand_in(deal), faults)
        verify(record)
        assert record["actions"][4] == row
        assert record["actions"][5] == ([0, "call", "C"] if row[2] == "A" else [0, "call", "AC"])
        assert record["stand_in"][:2] == [4, 5]
        assert all(from_json(r)[1] >> 8 == PLAY for r in record["actions"][6:])
