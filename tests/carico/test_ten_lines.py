"""The bot of the README: at most ten lines, and it beats chance."""

from pathlib import Path

from carico.arena import Entrant, play_fixture
from carico.load import load
from carico.record import SeatName
from carico.rules.game import game
from clients.bots.random_bot import RandomBot

FILE = Path(__file__).with_name("ten_lines.py")


def test_ten_lines_are_a_bot() -> None:
    assert len(FILE.read_text().splitlines()) <= 10
    made = load(f"{FILE}:MyBot")
    entrants = [Entrant(SeatName("mine", "1", "me"), made), Entrant(SeatName("chance", "1", "x"), RandomBot)]
    won = 0
    for record in play_fixture(game("briscola-2"), entrants, range(20), 1):
        assert record["outcome"]["faults"] == []
        won += record["seating"] in record["outcome"]["winners"]
    assert won > 20
