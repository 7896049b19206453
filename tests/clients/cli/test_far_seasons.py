"""A season that is watched, at hand and through an office that comes and goes."""

import pytest

from clients.cli import far_seasons
from clients.cli.failure import Unreachable
from clients.cli.far_seasons import FarSeasons
from tests.kit.office_house import OfficeHouse
from tests.kit.played_season import PlayedSeason
from tests.kit.served import ORGANISER
from worker.office.at_hand import SeasonsAtHand
from worker.store.open import open_store
from worker.store.values import Status


def test_each_fixture_is_told_once_and_the_last_of_all_is_the_end(valkey: str) -> None:
    season = PlayedSeason(open_store(valkey))
    with OfficeHouse(valkey) as house:
        season.play(0, 1)
        far = FarSeasons(house.address, ORGANISER)
        watches = [SeasonsAtHand(season.store, dict, tick=0.01).watch(season.id), far.watch(season.id)]
        told = [[next(watch)] for watch in watches]
        season.play()
        for standings, watch in zip(told, watches, strict=True):
            standings.extend(watch)
            assert sorted(fixture.number for standing in standings for fixture in standing.finished) == [0, 1, 2]
            assert (standings[0].status, standings[0].deals) == (Status.RUNNING, 4)
            assert (standings[-1].status, standings[-1].deals) == (Status.FINISHED, 12)
        assert told[0][-1].rows == told[1][-1].rows
        far.close()


def test_an_office_that_is_away_for_a_while_is_called_again(valkey: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(far_seasons, "PAUSE_SECONDS", 0.05)
    season = PlayedSeason(open_store(valkey))
    with OfficeHouse(valkey) as house:
        far = FarSeasons(house.address, ORGANISER)
        watch = far.watch(season.id)
        assert next(watch).status is Status.RUNNING
    season.play()
    with OfficeHouse(valkey, listen=house.address):
        assert list(watch)[-1].status is Status.FINISHED
    with pytest.raises(Unreachable):
        next(far.watch(season.id))
    far.close()
