"""Deals worked by hand from the rules, compared to the letter; ``pytest --renew`` writes them anew."""

from pathlib import Path

import pytest

from tests.kit.golden import retold

FILES = sorted((Path(__file__).parents[2] / "golden").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_deal_worked_by_hand_comes_out_to_the_letter(file, renew):
    told = retold(file.read_text())
    if renew:
        file.write_text(told)
    assert told == file.read_text()


def test_there_are_golden_deals_of_every_game():
    games = {line for file in FILES for line in file.read_text().splitlines() if line.startswith("game: ")}
    assert games == {f"game: briscola-{seats}" for seats in (2, 3, 4, 6)}
