import pytest

from carico.rules.actions import DECLINE, EXCHANGE, PASS, bid, call, describe, from_json, kind, named, to_json
from carico.rules.cards import card_name, is_card
from carico.rules.errors import BadNotation

CARDS = [code for code in range(64) if is_card(code)]


@pytest.mark.parametrize("seat", [0, 5])
def test_actions_go_round_through_the_rows_of_a_record(seat):
    every = [*CARDS, *(EXCHANGE << 8 | card for card in CARDS), DECLINE << 8, PASS << 8]
    rows = [to_json(seat, action) for action in every]
    assert [from_json(row) for row in rows] == [(seat, action) for action in every]
    assert len({str(row) for row in rows}) == len(every)


def test_rows_look_as_the_format_says():
    assert to_json(0, 0) == [0, "play", "AC"]
    assert to_json(1, EXCHANGE << 8 | 0x27) == [1, "exchange", "7S"]
    assert to_json(1, DECLINE << 8) == [1, "decline"]
    assert to_json(3, PASS << 8) == [3, "pass"]


@pytest.mark.parametrize(
    ("action", "auction", "row"),
    [
        (bid("A"), "rank", [3, "bid", "A"]),
        (bid("2"), "rank", [3, "bid", "2"]),
        (bid("2", 62), "rank", [3, "bid", "2", 62]),
        (bid("2", 120), "rank", [3, "bid", "2", 120]),
        (bid(61), "points", [3, "bid", 61]),
        (bid(120), "points", [3, "bid", 120]),
        (call("D"), "rank", [3, "call", "D"]),
        (call("AC"), "points", [3, "call", "AC"]),
        (call("7B"), "points", [3, "call", "7B"]),
    ],
)
def test_what_is_said_at_chiamata_in_a_record(action, auction, row):
    assert to_json(3, action, auction) == row
    assert from_json(row) == (3, action)
    assert str(named(action, auction)).split() == list(map(str, [*row[1:3], *(("at", row[3]) if row[3:] else ())]))


def test_61_is_bid_by_points_only():
    with pytest.raises(BadNotation, match="1085 is no action"):
        to_json(0, bid(61), "rank")
    with pytest.raises(BadNotation, match="1024 is no action"):
        to_json(0, bid("A"), "points")


def test_a_play_is_the_card_itself():
    for card in CARDS:
        assert to_json(2, card) == [2, "play", card_name(card)]
        assert kind(card) == 0


@pytest.mark.parametrize(
    "action", [-1, 12, 63, 64, 255, 0x10C, 0x201, 0x3FF, 0x405, 0x406, 0x43D, 0x479, 0x504, 0x58C, 0x600, 1 << 40]
)
def test_ints_that_are_no_actions_are_refused(action):
    with pytest.raises(BadNotation, match=f"{action} is no action"):
        to_json(0, action)
    assert isinstance(describe(action), str)


@pytest.mark.parametrize(
    "row",
    [
        [],
        [0],
        [0, "play"],
        [0, "play", "XX"],
        [0, "play", "AC", "AC"],
        [0, "play", 0],
        ["0", "play", "AC"],
        [0, "PLAY", "AC"],
        [0, "pass", 1],
        [0, "decline", "AC"],
        [None, "play", "AC"],
        [0, "bid"],
        [0, "bid", "9"],
        [0, "bid", "11"],
        [0, "bid", 60],
        [0, "bid", 121],
        [0, "bid", True],
        [0, "bid", "2", 61],
        [0, "bid", "3", 70],
        [0, "bid", 2, 70],
        [0, "call"],
        [0, "call", "X"],
        [0, "call", 0],
        [0, "call", "AX"],
        [True, "play", "AC"],
        [0.0, "play", "AC"],
    ],
)
def test_rows_that_are_no_actions_are_refused(row):
    with pytest.raises(BadNotation):
        from_json(row)


def test_describe_is_fit_for_a_message():
    assert describe(0x37) == "play 7B"
    assert describe(EXCHANGE << 8 | 0x27) == "exchange 7S"
    assert describe(12) == "play card 12, which does not exist"
    assert describe(DECLINE << 8) == "decline"
    assert describe(77 << 8) == "unknown action 19712"
