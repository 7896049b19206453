"""What a View says about the trick on the table: who is winning it, who is still to play."""

import pytest

from carico.rules import shuffle
from carico.rules.cards import CARDS, parse_card
from carico.rules.deal import Deal
from carico.rules.game import game, game_names
from carico.rules.view import view


@pytest.mark.parametrize("name", game_names())
def test_what_the_table_says_agrees_with_what_the_deal_does(name: str) -> None:
    of = game(name)
    for number in range(20):
        deal = Deal(of, number % of.players, shuffle.source(number.to_bytes(32, "big"), of.pack))
        while not deal.over:
            seat = deal.to_act
            seen = view(deal, seat)
            assert [int(card) for card in seen.played] == list(deal.played)
            assert len(seen.table) + 1 + len(seen.behind) == of.players
            assert [*seen.behind] == [(seat + k + 1) % of.players for k in range(len(seen.behind))]
            assert (seen.table_winner is None) == (seen.table_best is None) == (not seen.table)
            card = seen.legal[number % len(seen.legal)]
            takes, best, winner = seen.takes(card), seen.table_best, seen.table_winner
            if best is not None:
                assert best in seen.table
                assert seen.table[(winner - seen.leader) % of.players] is best  # type: ignore[operator]
                assert takes == seen.beats(card, best)
                assert not any(seen.beats(other, best) for other in seen.table)
            deal.apply(card)
            if not seen.behind:
                assert deal.leader == (seat if takes else winner)


def test_which_card_beats_which() -> None:
    of = game("briscola-2")
    deal = Deal(of, 0, of.pack)
    seen = view(deal, 1)
    assert seen.trump == "C"
    pairs = {"3D 4D": True, "4D 3D": False, "7D 2D": True, "2C AD": True, "AD 2C": False, "AD 2S": False, "AC 3C": True}
    for pair, beats in pairs.items():
        card, other = map(parse_card, pair.split())
        assert seen.beats(card, other) == beats, pair


def test_every_card_is_true() -> None:
    assert all(CARDS)
    assert int(CARDS[0]) == 0
