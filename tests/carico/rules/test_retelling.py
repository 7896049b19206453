"""A deal told trick by trick: everything to open eyes, and to others no card that they may not see."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from carico.rules.cards import Card
from carico.rules.deal import Deal
from carico.rules.game import game
from carico.rules.retelling import Retelling, hands_of, no_hands, retell
from carico.rules.view import view
from tests.kit.deals import EVERY, deals, new_deal, play_on


def cards_told(told: Retelling) -> set[int]:
    """Every card that stands anywhere in it."""
    found: set[Card | None] = {told.upcard}
    found.update(*told.hands.values())
    for trick in told.tricks:
        found.update([trick.upcard], *trick.hands.values(), [card for _, card in trick.draws])
        for act in (*trick.plays, *trick.after):
            found.add(act.taken)
            found.add(act.action if isinstance(act.action, Card) else act.action.card)
    return {int(card) for card in found if card is not None}


@given(deals(EVERY))
def test_every_action_and_point_is_told_to_open_eyes(deal: Deal) -> None:
    told = retell(deal)
    acts = [*told.auction, *(act for trick in told.tricks for act in (*trick.plays, *trick.after))]
    assert [(act.seat, int(act.action)) for act in acts] == deal.actions
    assert [act.position for act in acts] == list(range(len(acts)))
    whole = [trick for trick in told.tricks if trick.winner is not None]
    assert [trick.number for trick in told.tricks] == list(range(1, len(told.tricks) + 1))
    if whole:
        assert sum(trick.points for trick in whole) == sum(deal.card_points)
        assert whole[-1].card_points == tuple(deal.card_points)
    for trick in told.tricks:
        for act in trick.plays:
            assert act.action in trick.hands[act.seat]
        assert all(card is not None for _, card in trick.draws)


@given(deals(EVERY), st.data())
def test_a_seat_is_told_what_its_view_holds(deal: Deal, data: st.DataObject) -> None:
    seat = data.draw(st.integers(0, deal.game.players - 1))
    told = retell(deal, hands_of(seat))
    assert cards_told(told).isdisjoint(map(int, view(deal, seat).unseen))
    for trick in told.tricks:
        assert seat in trick.hands


@given(deals(EVERY))
def test_a_spectator_is_told_what_no_seat_has_to_be_asked_for(deal: Deal) -> None:
    told = cards_told(retell(deal, no_hands))
    for seat in range(deal.game.players):
        assert told.isdisjoint(set(map(int, view(deal, seat).unseen)))


def test_at_scoperta_a_spectator_sees_all_hands() -> None:
    deal = play_on(new_deal(game("briscola-2", {"open": True}), Random(1)), Random(1), 7)
    assert retell(deal, no_hands) == retell(deal)


def test_partners_see_each_other_at_the_end() -> None:
    rng = Random(2)
    deal = play_on(new_deal(game("briscola-4", {"partners": "last3"}), rng), rng)
    told = retell(deal, hands_of(1))
    assert [set(trick.hands) for trick in told.tricks] == [{1}] * 7 + [{1, 3}] * 3
