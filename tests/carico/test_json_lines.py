"""Lines for programs and from them; and the page that says what they are."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given

from carico import json_lines
from carico.codec import NO_ACTION
from carico.json_lines import BadLine, Greeting, Reply
from carico.rules.actions import BID, CALL, EXCHANGE, PASS, Action, bid
from carico.rules.cards import parse_card
from carico.rules.deal import Deal
from carico.rules.game import game
from carico.rules.outcome import Fault, FaultReason
from carico.rules.view import view
from carico.session import MatchEnded
from carico.time_control import TimeControl
from tests.kit.deals import deals, new_deal, play_on

PAGE = (Path(__file__).parents[2] / "proto" / "JSONLINES.md").read_text()
BRISCOLA = game("briscola-2")
END = MatchEnded((1,), (10, 110), (0, 2), (Fault(0, FaultReason.TIME_FORFEIT, 3),), ("late",), "m", (0,), False)


def on_page(kind: str) -> dict[str, Any]:
    """The first example of that kind on the page."""
    return next(example for example in on_page_all() if example["type"] == kind)


def on_page_all() -> list[dict[str, Any]]:
    examples = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    return [json.loads(example.replace("\n", "")) for example in examples]


def keys(message: Any) -> Any:
    """The keys of a message, and the kinds of its values."""
    return {key: type(value) for key, value in message.items()}


def test_the_page_shows_every_message_as_it_is() -> None:
    deal = play_on(new_deal(BRISCOLA, Random(3)), Random(3), 5)
    shown = view(deal, deal.to_act)
    assert on_page("hello") == json_lines.hello("mybot", "1")
    assert on_page("start") == json_lines.start("k3v9", (0,), BRISCOLA, TimeControl(), b"")
    assert keys(on_page("ask")) == keys(json_lines.ask("m", 0, 1, 0, shown, 1000))
    assert keys(on_page("end")) == keys(json_lines.end(END))
    answer = on_page("answer")
    ask = on_page("ask")
    assert {key: ask[key] for key in ("match", "seat", "number")} == {
        key: answer[key] for key in ("match", "seat", "number")
    }
    assert answer["action"] in ask["legal"]
    for key in (*ask, *on_page("start"), *on_page("end")):
        assert f"`{key}`" in PAGE or key in ("type", "hand", "scores", "void"), key


def test_the_page_shows_an_auction_as_it_is() -> None:
    deal = new_deal(game("chiamata-5"), Random(3))
    for action in (Action.PASS, bid("K"), bid("5"), Action.PASS, Action.PASS):
        deal.apply(action)
    asked = json_lines.ask("p0q1", deal.to_act, 2, 0, view(deal, deal.to_act), 58_000)
    assert asked in on_page_all()


def test_the_page_shows_a_window_as_it_is() -> None:
    deal = new_deal(game("brisca-3"), Random(47))
    while len(deal.legal()) < 2 or deal.phase == "play":
        deal.apply(deal.legal()[0])
    asked = json_lines.ask("b7c2", deal.to_act, 3, 1, view(deal, deal.to_act), 58_000)
    assert asked in on_page_all()


@given(deals())
def test_every_legal_text_is_on_the_page_and_can_be_read(deal: Deal) -> None:
    if deal.over:
        return
    shown = view(deal, deal.to_act)
    message = json_lines.ask("m", shown.seat, 1, 0, shown, None)
    assert [json_lines.read_action(text) for text in message["legal"]] == list(shown.legal)
    assert set(shown.legal) == set(deal.legal())
    assert (message["phase"], message["trump"]) == (deal.phase, shown.trump)
    assert f"`{message['phase']}`" in PAGE
    assert (message["upcard"] is None) == (not deal.game.has_upcard)
    if deal.phase != "play" and not deal.game.forced_last and deal.phase != "call":
        assert message["legal"][0] in ("pass", "decline")
    said = [(row["seat"], json_lines.read_action(row["said"])) for row in message["auction"]]
    assert said == [(seat, action) for seat, action in deal.actions if action >> 8 in (PASS, BID, CALL)]
    put = [(row["seat"], json_lines.read_action(f"exchange {row['given']}")) for row in message["exchanges"]]
    assert put == [(seat, action) for seat, action in deal.actions if action >> 8 == EXCHANGE]


@given(deals())
def test_an_ask_is_a_short_line_of_ascii_that_says_what_the_view_says(deal: Deal) -> None:
    if deal.over:
        return
    shown = view(deal, deal.to_act)
    line = json_lines.to_line(json_lines.ask("m" * 128, shown.seat, 200, 999, shown, 86_400_000))
    assert len(line) < json_lines.LINE_LIMIT // 8
    assert line.isascii()
    assert line.count(b"\n") == 1
    message = json.loads(line)
    texts = [*message["legal"], *(row["said"] for row in message["auction"])]
    assert line.count(b" ") == "".join(texts).count(" ")
    hand = [parse_card(card) for card in message["hand"]]
    assert (message["legal"] == message["hand"]) == (message["phase"] == "play")
    assert tuple(hand) == shown.hand
    assert message["table"] == [str(card) for card in shown.table]
    assert message["upcard_holder"] == (None if shown.upcard_holder < 0 else shown.upcard_holder)
    assert [trick["winner"] for trick in message["tricks"]] == [trick.winner for trick in shown.tricks]
    everywhere = [*message["hand"], *message["table"], *message["unseen"], *message["stock_cards"]]
    everywhere += [card for trick in message["tricks"] for card in trick["cards"]]
    everywhere += [card for cards in message["shown"].values() for card in cards]
    # Each card once, but the upcard, which may stand by itself.
    assert {*everywhere, message["upcard"]} == {str(parse_card(card)) for card in everywhere} | {message["upcard"]}
    assert len(everywhere) in (len(deal.game.pack) - 1, len(deal.game.pack))


def test_the_end_tells_faults_and_their_details() -> None:
    message = json_lines.end(END)
    assert message["faults"] == [{"seat": 0, "reason": "TIME_FORFEIT", "after": 3, "detail": "late"}]


def test_what_programs_say() -> None:
    assert json_lines.read(b'{"type":"hello","protocol":1,"more":[1]}') == Greeting()
    line = b' { "type": "answer", "match": "m", "seat": 1, "number": 2, "action": "AC", "note": null }\r'
    assert json_lines.read(line) == Reply("m", 1, 2, "AC")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"playing the ace", "no JSON: 'playing the ace'"),
        (b"[1]", "no JSON object"),
        (b"\xff\xfe", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b'{"type":"hello"}', '"protocol":1'),
        (b'{"type":"hello","protocol":2}', '"protocol":1'),
        (b'{"type":"ask"}', '"type" has to be'),
        (b'{"type":"answer","match":"m","seat":"1","number":2,"action":"AC"}', '"seat", a whole number'),
        (b'{"type":"answer","match":"m","seat":true,"number":2,"action":"AC"}', '"seat", a whole number'),
        (b'{"type":"answer","match":"m","seat":1,"number":2}', '"action", a text'),
    ],
)
def test_what_is_no_message(line: bytes, told: str) -> None:
    with pytest.raises(BadLine) as error:
        json_lines.read(line)
    assert told in str(error.value)
    assert len(str(error.value)) < 600


def test_actions() -> None:
    assert json_lines.read_action("AC") == parse_card("AC")
    assert json_lines.read_action("ac") == json_lines.read_action("") == NO_ACTION
