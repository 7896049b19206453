"""The moments of a recorded deal, for every kind of game."""

import json
from collections import Counter

import pytest

from carico.record import replay
from clients.dashboard.cards import PACKS, sprite
from clients.dashboard.replay import Moment, replayed, used_by_seat
from tests.clients.dashboard.conftest import GAMES
from tests.kit.filled_season import FilledSeason


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_is_shown_from_the_first_card_to_the_last(played: dict[str, FilledSeason], name: str) -> None:
    season = played[name]
    for line in list(season.store.records(season.id))[:6]:
        record = json.loads(line)
        found = replayed(record)
        assert [moment.at for moment in found.moments] == list(range(len(record["actions"]) + 1))
        last = found.moments[-1]
        assert [seat.points for seat in last.seats] == record["outcome"]["card_points"]
        assert len(found.tricks) == (replay(record).game.tricks if last.table else 0)
        assert not any(seat.hand for seat in last.seats) or record["outcome"]["termination"] == "PASSED_OUT"
        for moment in found.moments:
            assert all_cards_are_different(moment)
            assert moment.text


def all_cards_are_different(moment: Moment) -> bool:
    shown = [card for seat in moment.seats for card in seat.hand]
    # What lies on the table between two tricks has been taken already.
    shown += [one.card for one in moment.table]
    return max(Counter(shown).values()) == 1


@pytest.mark.parametrize("name", GAMES)
def test_one_seats_view_shows_nothing_that_it_did_not_know(played: dict[str, FilledSeason], name: str) -> None:
    season = played[name]
    record = json.loads(next(iter(season.store.records(season.id))))
    whole = replayed(record)
    for seat in range(record["players"]):
        found = replayed(record, seat)
        first, true = found.moments[0], whole.moments[0]
        assert first.seats[seat].hand == true.seats[seat].hand
        for other in range(record["players"]):
            assert len(first.seats[other].hand) == len(true.seats[other].hand)
            if other != seat:
                assert set(first.seats[other].hand) == {None}


def test_a_seat_that_is_not_there_has_no_view(played: dict[str, FilledSeason]) -> None:
    season = played["briscola-2"]
    record = json.loads(next(iter(season.store.records(season.id))))
    with pytest.raises(ValueError, match="no seat 2"):
        replayed(record, 2)


def test_time_is_summed_by_seat() -> None:
    record = {"players": 2, "actions": [[1, "play", "AC"], [0, "play", "2C"], [1, "play", "3C"]]}
    assert used_by_seat({**record, "clock": [[5, 0, 9], [7, 0, 9], [11, 0, 9]]}) == (7, 16)
    assert used_by_seat({**record, "clock": []}) == (0, 0)


@pytest.mark.parametrize("pack", PACKS)
def test_every_card_is_drawn(pack: str) -> None:
    drawn = sprite(pack)
    for rank in "A3KQJ9876542":
        for suit in "CDSB":
            assert f'<symbol id="{rank}{suit}"' in drawn
    assert drawn.count("<symbol") == 48 + 1 + 4
