import hashlib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carico.record import (
    BadRecord,
    DealLog,
    Place,
    canonical,
    deal_hash,
    deal_record,
    dumps,
    replay,
    verify,
    void_record,
)
from carico.rules.game import game
from carico.rules.outcome import Fault, FaultReason, outcome
from carico.time_control import TimeControl
from tests.kit.deals import EVERY, SEEDS, games, names
from tests.kit.records import played

PLACE = Place("spring", 12, 3, 1, 0, 0)
FIELDS = ["format", "season", "deal_set", "fixture", "seating", "deal", "attempt", "match", "variant", "players",
          "options", "time_control", "dealer", "deck", "seats", "actions", "clock", "stand_in", "outcome", "shuffle",
          "hash"]  # fmt: skip
NOT_PROVED = {"season", "deal_set", "fixture", "seating", "deal", "attempt", "match", "time_control", "seats", "clock"}
TERMS = TimeControl(lag_credit_ms=20)


def some(name="briscola-4", options=None, seed=4, terms=TERMS, faults=1):
    """A deal of that game, as it is before its record is made."""
    return played(game(name, options), seed, PLACE, terms, faults)


def line(what):
    """A record as a reader gets it."""
    return json.loads(dumps(deal_record(what)))


# --- writing ---


@pytest.mark.parametrize("name", EVERY)
def test_fields_stand_in_the_order_of_the_format_at_every_depth(name):
    pairs = json.loads(dumps(deal_record(some(name))), object_pairs_hook=list)
    assert [key for key, _ in pairs] == FIELDS
    record = dict(pairs)
    assert [key for key, _ in record["time_control"]] == ["bank_ms", "increment_ms", "action_limit_ms", "lag_credit_ms",
                                                          "grace_ms"]  # fmt: skip
    assert [[key for key, _ in seat] for seat in record["seats"]] == [["bot", "version", "owner"]] * int(name[-1])
    of_chiamata = ["caller", "partner", "called", "target", "penalties"] if name == "chiamata-5" else []
    assert [key for key, _ in record["outcome"]] == ["termination", "winners", "card_points", "scores", "faults",
                                                     *of_chiamata]  # fmt: skip
    assert [key for key, _ in record["shuffle"]] == ["scheme", "stock", "source", "commitment", "key"]


def test_every_field_says_what_the_format_says():
    what = some(options={"partners": "last3", "hand": 2})
    record = line(what)
    assert record["format"] == "carico.deal/1"
    assert [record[key] for key in FIELDS[1:10]] == ["spring", 12, 3, 1, 0, 0, what.match, "briscola", 4]
    assert list(record["options"].items()) == [("hand", 2), ("partners", "last3")]
    assert record["time_control"] == {"bank_ms": 60_000, "increment_ms": 100, "action_limit_ms": 5_000,
                                      "lag_credit_ms": 20, "grace_ms": 20_000}  # fmt: skip
    assert record["dealer"] == 0
    deal = replay(record)
    assert record["deck"] == names(deal.realised())
    assert record["seats"][2] == {"bot": "bot-2", "version": "2.0", "owner": "owner è 2"}
    assert record["actions"] == [[seat, "play", names([card])[0]] for seat, card in what.log.actions]
    assert record["clock"] == [list(row) for row in what.log.clock]
    assert record["stand_in"] == list(what.log.stand_in)
    end = outcome(deal, what.log.faults)
    (fault,) = what.log.faults
    assert record["outcome"] == {
        "termination": "COMPLETED",
        "winners": list(end.winners),
        "card_points": list(end.card_points),
        "scores": list(end.scores),
        "faults": [[fault.seat, str(fault.reason), fault.after]],
    }
    assert record["shuffle"] == {"scheme": "carico.shuffle/1", "stock": "role", "source": names(what.source),
                                 "commitment": None, "key": what.key.hex()}  # fmt: skip


def test_an_arena_has_no_season_no_fixture_and_no_clock():
    what = replace(some(terms=None), place=Place(None, 0, None, 0, 0, 0))
    record = line(what)
    assert (record["season"], record["fixture"], record["time_control"], record["clock"]) == (None, None, None, [])
    verify(record)


def test_scoperta_tells_of_its_one_stock():
    record = line(some(options={"open": True}))
    assert record["shuffle"]["stock"] == "shared"
    assert record["deck"] == record["shuffle"]["source"]


def test_a_record_is_one_line_without_spaces_and_with_its_letters_unescaped():
    text = dumps(deal_record(some()))
    assert "\n" not in text
    assert "owner è 2" in text
    assert ", " not in text
    assert '": ' not in text
    assert dumps(json.loads(text)) == text


@given(games(EVERY), SEEDS, st.integers(0, 2))
def test_the_same_deal_gives_the_same_bytes(what, seed, faults):
    one, two = (played(what, seed, PLACE, TERMS, faults) for _ in range(2))
    assert dumps(deal_record(one)) == dumps(deal_record(two))


def test_canonical_json_sorts_keys_at_every_depth_and_leaves_letters_alone():
    text = canonical({"b": [{"d": 1, "c": None}], "a": "è", "Z": True}).decode()
    assert text == '{"Z":true,"a":"è","b":[{"c":null,"d":1}]}'


def test_the_hash_is_the_chain_of_the_format():
    what = some("briscola-3", {"missing": "2S"})
    record = line(what)
    head = {key: record[key] for key in ("variant", "players", "options", "dealer", "deck")}
    text = json.dumps(head, sort_keys=True, separators=(",", ":"))
    h = hashlib.sha256(text.encode())
    for seat, kind, card in record["actions"]:
        h = hashlib.sha256(h.digest() + f'[{seat},"{kind}","{card}"]'.encode())
    assert record["hash"] == h.hexdigest()
    assert deal_hash(what.game, what.dealer, record["deck"], record["actions"]) == record["hash"]


ROWS = st.lists(st.lists(st.integers(-2, 130) | st.booleans() | st.sampled_from(["play", "bid", "è", '"', "2", "AC"])))


@given(ROWS)
def test_the_hash_of_any_rows_is_that_of_their_canonical_json(rows):
    what = game("briscola-2")
    head = {"variant": "briscola", "players": 2, "options": {}, "dealer": 0, "deck": []}
    h = hashlib.sha256(json.dumps(head, sort_keys=True, separators=(",", ":")).encode())
    for row in rows:
        text = json.dumps(row, separators=(",", ":"), ensure_ascii=False)
        h = hashlib.sha256(h.digest() + text.encode())
    assert deal_hash(what, 0, [], rows) == h.hexdigest()


def test_a_deal_that_is_not_over_has_no_record():
    what = some()
    half = replace(what.log, actions=what.log.actions[:-1])
    with pytest.raises(BadRecord, match=f"match {what.match}: the log ends before the deal does"):
        deal_record(replace(what, log=half))


def test_a_log_that_does_not_fit_the_deal_has_no_record():
    what = some()
    (seat, card), *rest = what.log.actions
    for actions, message in (
        ([((seat + 1) % 4, card), *rest], r"actions\[0\]: seat \d acts, but it is seat \d's turn"),
        ([(seat, rest[0][1]), *rest], r"actions\[0\]: seat \d may not play .. : it may|actions\[0\]: seat"),
        ([(seat, card), *rest, (seat, card)], r"actions\[40\]: seat \d acts, but"),
    ):
        with pytest.raises(BadRecord, match=message):
            deal_record(replace(what, log=replace(what.log, actions=actions)))
    with pytest.raises(BadRecord, match="deck: the source is not the pack of briscola-4"):
        deal_record(replace(what, source=what.source[1:]))


@pytest.mark.parametrize("length", [0, 1, 17, 40])
def test_a_void_has_the_fields_as_far_as_it_got_and_a_reason(length):
    what = some(faults=0)
    log = DealLog(what.log.actions[:length], what.log.clock[:length], [], [])
    record = void_record(replace(what, log=log), "NO_START")
    assert list(record) == [*FIELDS, "reason"]
    assert record["reason"] == "NO_START"
    assert (record["outcome"] is None) == (length < 40)
    assert len(record["actions"]) == len(record["clock"]) == length
    assert sorted(record["deck"]) == sorted(record["shuffle"]["source"])


# --- reading ---


@given(games(EVERY), SEEDS, st.integers(0, 2))
def test_records_go_round(what, seed, faults):
    before = played(what, seed, PLACE, TERMS, faults)
    record = line(before)
    verify(record)
    deal = replay(record)
    assert deal.over
    assert deal.actions == list(before.log.actions)
    assert (deal.game, deal.dealer, deal.source) == (before.game, before.dealer, before.source)


def test_unknown_fields_are_ignored():
    verify({**line(some()), "colour": "blue"})


def test_another_format_is_refused():
    with pytest.raises(BadRecord, match=r"format: 'carico.deal/2', but this version reads 'carico.deal/1'"):
        verify({**line(some()), "format": "carico.deal/2"})


def tampered():
    """Names of changes, and records with one change each that a proof must find."""
    what = some(faults=1, seed=9)
    record = line(what)
    end, sh = record["outcome"], record["shuffle"]
    other = deal_record(some(seed=10))
    seat_at_fault, reason, after = end["faults"][0]
    changes = {
        "dealer": (record["dealer"] + 1) % 4,
        "dealer as text": ("dealer", "0"),
        "variant": "brisca",
        "players": 2,
        "options": {"hand": 4},
        "deck": record["deck"][1:] + record["deck"][:1],
        "actions": record["actions"][:-1],
        "actions of nobody": ("actions", [*record["actions"][:-1], [True, "play", record["actions"][-1][2]]]),
        "actions twice": ("actions", [*record["actions"], record["actions"][-1]]),
        "stand_in": record["stand_in"][1:],
        "stand_in of others": ("stand_in", [0, *record["stand_in"]]),
        "hash": other["hash"],
        "winners": ("outcome", {**end, "winners": [0, 1]}),
        "card_points": ("outcome", {**end, "card_points": end["card_points"][::-1]}),
        "scores": ("outcome", {**end, "scores": end["scores"][1:] + end["scores"][:1]}),
        "termination": ("outcome", {**end, "termination": "PASSED_OUT"}),
        "no faults": ("outcome", {**end, "faults": []}),
        "fault of nobody": ("outcome", {**end, "faults": [*end["faults"], [4, reason, after]]}),
        "fault of an unknown kind": ("outcome", {**end, "faults": [[seat_at_fault, "BOREDOM", after]]}),
        "source": ("shuffle", {**sh, "source": sh["source"][1:] + sh["source"][:1]}),
        "source of another key": ("shuffle", {**sh, "key": other["shuffle"]["key"]}),
        "no key": ("shuffle", {**sh, "key": "K"}),
        "stock": ("shuffle", {**sh, "stock": "shared"}),
        "scheme": ("shuffle", {**sh, "scheme": "carico.shuffle/2"}),
    }
    for name, change in changes.items():
        field, value = change if isinstance(change, tuple) else (name, change)
        yield pytest.param({**record, field: value}, id=name)


@pytest.mark.parametrize("record", list(tampered()))
def test_a_change_is_found(record):
    with pytest.raises(BadRecord):
        verify(record)


def test_a_stand_in_that_played_another_card_is_found():
    """All else agrees: positions, outcome and hash are those of the cards that were played."""
    what = some(faults=0)
    seat = what.log.actions[0][0]
    mine = [number for number, (who, _) in enumerate(what.log.actions) if who == seat]
    fault = Fault(seat, FaultReason.DISCONNECT, 0)
    record = line(replace(what, log=replace(what.log, stand_in=mine, faults=[fault])))
    with pytest.raises(BadRecord, match=r"^actions\[\d+\]: the stand-in would play ..$"):
        verify(record)


@pytest.mark.parametrize("junk", [None, 5, "x", [], [1], {}, {"a": 1}, -1, 1.5, True])
@pytest.mark.parametrize("field", FIELDS)
def test_junk_in_a_field_is_a_bad_record_and_nothing_worse(field, junk):
    record = line(some(faults=0, options={"hand": 4}))
    if field in NOT_PROVED or record[field] == junk:
        verify({**record, field: junk})
    else:
        with pytest.raises(BadRecord):
            verify({**record, field: junk})


@pytest.mark.parametrize("field", [field for field in FIELDS if field not in NOT_PROVED])
def test_a_missing_field_is_a_bad_record(field):
    record = line(some())
    del record[field]
    with pytest.raises(BadRecord):
        verify(record)
