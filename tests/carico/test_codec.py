import json
from random import Random

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from carico import codec
from carico.codec import BadMessage
from carico.rules.actions import Action, bid, call, exchange
from carico.rules.cards import is_card, parse_card
from carico.rules.deal import Deal
from carico.rules.game import game
from carico.rules.outcome import Fault, FaultReason
from carico.rules.view import view
from carico.time_control import LONGEST_MS, TimeControl
from carico.v1 import bots_pb2, types_pb2
from tests.kit.deals import SEEDS, deals, games, new_deal, play_on

MS = st.integers(0, LONGEST_MS)


def sent(message):
    """The message as the other end reads it."""
    return type(message).FromString(message.SerializeToString())


# --- times ---


@given(MS)
def test_milliseconds_go_round(ms):
    assert codec.milliseconds(sent(codec.duration(ms))) == ms
    ask = bots_pb2.Ask()
    codec.set_duration(ask.bank, ms)
    assert ask.bank == codec.duration(ms)
    assert 0 <= ask.bank.nanos < 1_000_000_000


@pytest.mark.parametrize(
    ("seconds", "nanos", "ms"), [(0, 0, 0), (0, 999_999, 0), (0, 1_000_000, 1), (1, 1_999_999, 1001), (3, 0, 3000)]
)
def test_durations_are_rounded_down(seconds, nanos, ms):
    assert codec.milliseconds(Duration(seconds=seconds, nanos=nanos)) == ms


@given(st.builds(TimeControl, *(st.integers(1, LONGEST_MS) for _ in range(5))))
def test_terms_of_time_go_round(terms):
    assert codec.read_time_control(sent(codec.time_control_message(terms))) == terms


@pytest.mark.parametrize(
    ("field", "ms", "name"),
    [
        ("bank", 0, "bank_ms"),
        ("bank", LONGEST_MS + 1, "bank_ms"),
        ("action_limit", 0, "action_limit_ms"),
        ("grace", LONGEST_MS + 1, "grace_ms"),
        ("increment", LONGEST_MS + 1, "increment_ms"),
        ("lag_credit", LONGEST_MS + 1, "lag_credit_ms"),
    ],
)
def test_terms_out_of_range_name_the_field_and_the_mend(field, ms, name):
    message = codec.time_control_message(TimeControl())
    codec.set_duration(getattr(message, field), ms)
    with pytest.raises(BadMessage, match=f"^time_control: {name} = {ms}: write whole milliseconds from "):
        codec.read_time_control(message)


def test_negative_terms_are_refused():
    message = codec.time_control_message(TimeControl())
    message.grace.seconds = -1
    with pytest.raises(BadMessage, match="time_control: grace_ms = -1000"):
        codec.read_time_control(message)


def test_terms_that_are_left_out_are_refused_where_nothing_is_no_answer():
    with pytest.raises(BadMessage, match="time_control: bank_ms = 0"):
        codec.read_time_control(types_pb2.TimeControl())


# --- games ---


@given(games())
def test_games_go_round(what):
    message = sent(codec.game_message(what))
    assert codec.read_game(message) is what
    assert (message.options_json == "") == (not what.options)


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("briscola-5", "", "game: 'briscola-5' is no game of this version"),
        ("", "", "game: '' is no game of this version"),
        ("briscola-2", '{"hand":0}', "game: option hand = 0: write a whole number from 1 to 19"),
        ("briscola-2", '{"hat":1}', "game: briscola-2 has no option 'hat'"),
        ("briscola-2", "[1]", "game.options_json: write one JSON object"),
        ("briscola-2", "null", "game.options_json: write one JSON object"),
        ("briscola-2", "{", "game.options_json: "),
        ("briscola-2", '{"hand":NaN}', "game: option hand = NaN"),
        ("briscola-2", "9" * 5000, "game.options_json: "),
        ("briscola-2", "[" * 100_000, "game.options_json: "),
        ("briscola-2", '{"a":' * 100_000, "game.options_json: "),
    ],
)
def test_games_that_cannot_be_read(name, options, text):
    with pytest.raises(BadMessage) as error:
        codec.read_game(types_pb2.GameRef(name=name, options_json=options))
    assert str(error.value).startswith(text)


def test_options_travel_as_compact_json():
    message = codec.game_message(game("briscola-4", {"partners": "start", "hand": 5}))
    assert (message.name, message.options_json) == ("briscola-4", '{"hand":5,"partners":"start"}')
    assert json.loads(message.options_json) == {"hand": 5, "partners": "start"}


# --- actions and faults ---


def test_every_card_that_may_be_played_goes_round():
    for card in filter(is_card, range(64)):
        assert codec.read_action(sent(codec.action_message(card))) == card


@given(deals())
def test_every_legal_action_goes_round(deal):
    for action in deal.legal():
        assert codec.read_action(sent(codec.action_message(action))) == action


@given(games(), st.data())
def test_every_action_of_a_deal_and_of_its_view_goes_round(what, data):
    deal = play_on(new_deal(what, Random(data.draw(SEEDS))), Random(data.draw(SEEDS)))
    for _, action in deal.actions:
        assert codec.read_action(sent(codec.action_message(action))) == action


def test_the_numbers_of_actions_are_those_of_the_page():
    """proto/README.md, "Actions": what a bot in another language writes."""
    kinds = types_pb2.ActionKind.Value
    written = [
        ({"kind": "PLAY", "card": 0x37}, parse_card("7B")),
        ({"kind": "PLAY"}, parse_card("AC")),
        ({"kind": "PASS"}, Action.PASS),
        ({"kind": "DECLINE"}, Action.DECLINE),
        ({"kind": "BID"}, bid("A")),
        ({"kind": "BID", "rank": 11}, bid("2")),
        ({"kind": "BID", "rank": 11, "points": 75}, bid("2", 75)),
        ({"kind": "BID", "points": 75}, bid(75)),
        ({"kind": "CALL", "suit": 2}, call("S")),
        ({"kind": "CALL_CARD", "card": 0x10}, call("AD")),
        ({"kind": "EXCHANGE", "card": 0x17}, exchange("7D")),
    ]
    for fields, action in written:
        message = types_pb2.Action(**{**fields, "kind": kinds(f"ACTION_KIND_{fields['kind']}")})
        assert codec.read_action(sent(message)) == action, fields


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": 2, "card": 12},
        {"kind": 5, "rank": 12},
        {"kind": 5, "points": 5},
        {"kind": 5, "points": 60},
        {"kind": 5, "points": 121},
        {"kind": 5, "points": 2**32 - 1},
        {"kind": 6, "suit": 4},
        {"kind": 7, "card": 128},
    ],
)
def test_what_no_rank_suit_or_number_of_points_is_is_no_action(fields):
    assert codec.read_action(sent(types_pb2.Action(**fields))) == codec.NO_ACTION


def test_the_bytes_of_an_auction_are_those_of_the_page():
    deal = new_deal(game("chiamata-5", {}), Random(1))
    first = deal.to_act
    for action in (bid("K"), Action.PASS, bid("6")):
        deal.apply(action)
    message = bots_pb2.View()
    codec.write_view(view(deal, first), message)
    assert message.auction == bytes([first, 2, (first + 1) % 5, 0xFF, (first + 2) % 5, 8])
    assert (message.leaders, message.upcard, message.stock) == (b"", 255, 0)


@pytest.mark.parametrize("card", [12, 15, 63, 64, 255, 256, 2**32 - 1])
def test_what_is_no_card_is_no_action(card):
    message = types_pb2.Action(kind=types_pb2.ACTION_KIND_PLAY, card=card)
    assert codec.read_action(sent(message)) == codec.NO_ACTION


@pytest.mark.parametrize("kind", [0, 8, 99])
def test_kinds_of_another_version_are_no_action(kind):
    assert codec.read_action(sent(types_pb2.Action(kind=kind, card=0))) == codec.NO_ACTION


def test_an_empty_action_is_no_action():
    assert codec.read_action(types_pb2.Action()) == codec.NO_ACTION


@given(deals())
def test_no_action_is_legal_nowhere(deal):
    assert codec.NO_ACTION not in deal.legal()


@pytest.mark.parametrize("reason", list(FaultReason))
def test_faults_go_round(reason):
    fault = Fault(3, reason, 17)
    message = sent(codec.fault_message(fault, "used 5001 ms"))
    assert codec.read_faults([message]) == (fault,)
    assert message.detail == "used 5001 ms"
    assert codec.fault_message(fault).detail == ""


@pytest.mark.parametrize("reason", [0, 5, 99])
def test_a_reason_of_another_version_is_refused(reason):
    with pytest.raises(BadMessage, match=f"faults: reason {reason} is unknown"):
        codec.read_faults([types_pb2.Fault(seat=0, reason=reason, after=0)])


def test_every_reason_of_the_contract_has_its_fault():
    named = {value.name for value in types_pb2.FaultReason.DESCRIPTOR.values} - {"FAULT_REASON_UNSPECIFIED"}
    assert named == {f"FAULT_REASON_{reason}" for reason in FaultReason}


# --- views ---


@given(deals())
def test_views_go_round(deal):
    for seat in range(deal.game.players):
        seen = view(deal, seat)
        message = bots_pb2.View()
        codec.write_view(seen, message)
        again = codec.read_view(sent(message), deal.game, seat)
        assert again == seen
        assert (again.digest(), again.shown, again.stock_cards, again.tricks, again.unseen) == (
            seen.digest(),
            seen.shown,
            seen.stock_cards,
            seen.tricks,
            seen.unseen,
        )


@given(deals(), st.data())
def test_a_view_follows_from_an_earlier_one_and_what_changed(deal, data):
    earlier = Deal(deal.game, deal.dealer, deal.source)
    for _, action in deal.actions[: data.draw(st.integers(0, len(deal.actions)))]:
        earlier.apply(action)
    for seat in range(deal.game.players):
        known, seen = view(earlier, seat), view(deal, seat)
        message = bots_pb2.Change()
        codec.write_change(seen, known, message)
        assert codec.read_change(sent(message), known) == seen


@given(st.binary(max_size=200))
def test_bytes_that_are_no_view_give_no_error_but_protobufs_own(data):
    message = bots_pb2.View()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return
    codec.read_view(message, game("briscola-2"), 0)
