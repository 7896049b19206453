"""Each method of the office against each kind of token: only the organiser's does anything."""

import logging
from collections.abc import Callable
from typing import Any

import grpc
import pytest

from carico.v1 import seasons_pb2 as pb
from tests.kit.office_house import OfficeHouse
from tests.kit.played_season import PlayedSeason
from tests.kit.served import ORGANISER
from worker.store.port import Store
from worker.store.values import Status

FILE = 'name = "{}"\ngame = "briscola-2"\nentry = "open"\n'
GUESS = "carico_a-guess-of-somebody"

REQUESTS: dict[str, Callable[[str], Any]] = {
    "CreateSeason": lambda season: pb.CreateSeasonRequest(file=FILE.format(f"{season}-new"), file_name="f"),
    "ListSeasons": lambda _: pb.ListSeasonsRequest(),
    "ListProgress": lambda season: pb.ListProgressRequest(seasons=[season]),
    "GetStandings": lambda season: pb.GetStandingsRequest(season=season),
    "WatchSeason": lambda season: pb.WatchSeasonRequest(season=season),
    "StartSeason": lambda season: pb.StartSeasonRequest(season=season),
    "PauseSeason": lambda season: pb.PauseSeasonRequest(season=season),
    "ResumeSeason": lambda season: pb.ResumeSeasonRequest(season=season),
    "WithdrawEntrant": lambda season: pb.WithdrawEntrantRequest(season=season, bot="a", version="1"),
    "VoidDealSet": lambda season: pb.VoidDealSetRequest(season=season, deal_set=0, reason="x"),
    "AuditSeason": lambda season: pb.AuditSeasonRequest(season=season),
    "RebuildSeason": lambda season: pb.RebuildSeasonRequest(season=season),
    "ListDeeds": lambda season: pb.ListDeedsRequest(season=season),
    "ExportSeason": lambda season: pb.ExportSeasonRequest(season=season),
    "ListFaults": lambda _: pb.ListFaultsRequest(bot="a"),
}
FINISHED = ("WatchSeason",)
"""Calls that end by themselves once the season is over."""


@pytest.fixture
def season(store: Store) -> PlayedSeason:
    return PlayedSeason(store)


def test_every_method_is_in_the_matrix() -> None:
    assert set(REQUESTS) == set(pb.DESCRIPTOR.services_by_name["SeasonsService"].methods_by_name)


@pytest.mark.parametrize("method", REQUESTS)
def test_a_role_matrix(
    house: OfficeHouse, store: Store, season: PlayedSeason, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    if method in FINISHED:
        season.play()
    if method == "ResumeSeason":
        store.set_status(season.id, Status.PAUSED, "ann")
    seasons, deeds = len(store.seasons()), len(store.log(season.id))
    request = REQUESTS[method](season.id)
    for token, code, word in (
        (None, grpc.StatusCode.UNAUTHENTICATED, "NO_TOKEN: no token"),
        (house.bot_token, grpc.StatusCode.PERMISSION_DENIED, "NOT_ORGANISER: this needs the organiser's token"),
    ):
        caplog.clear()
        with caplog.at_level(logging.DEBUG), pytest.raises(grpc.RpcError) as told:
            house.call(method, request, token)
        assert told.value.code() is code  # type: ignore[attr-defined]
        assert told.value.details().startswith(word)  # type: ignore[attr-defined]
        assert (len(store.seasons()), len(store.log(season.id))) == (seasons, deeds), "nothing was done"
        assert f"{method} from 127.0.0.1 is refused: {word.partition(':')[0]}" in caplog.text
        assert house.bot_token not in caplog.text
    caplog.clear()
    with caplog.at_level(logging.DEBUG):
        house.call(method, request, ORGANISER)
    assert ORGANISER not in caplog.text
    done = (len(store.seasons()) - seasons, len(store.log(season.id)) - deeds)
    expected = (0, 1) if hasattr(request, "by") else (0, 0)
    expected = {"CreateSeason": (1, 0), "StartSeason": (0, 0)}.get(method, expected)  # it is running already
    assert done == expected
    house.office._servicer._tokens._wrong.clear()


def test_the_log_tells_network_deeds_from_local_ones(house: OfficeHouse, store: Store, season: PlayedSeason) -> None:
    for by in ("", "bob", "eve from 10.0.0.1", "x" * 120):
        house.call("RebuildSeason", pb.RebuildSeasonRequest(season=season.id, by=by))
    names = [deed.by for deed in store.log(season.id)][2:]
    assert names[:3] == ["organiser from 127.0.0.1", "bob from 127.0.0.1", "eve from 10.0.0.1 from 127.0.0.1"]
    assert (len(names[3]), names[3][-15:]) == (120, " from 127.0.0.1")
    for by in ("x" * 121, "a\nb"):
        with pytest.raises(grpc.RpcError) as told:
            house.call("RebuildSeason", pb.RebuildSeasonRequest(season=season.id, by=by))
        assert told.value.code() is grpc.StatusCode.INVALID_ARGUMENT  # type: ignore[attr-defined]


def test_guesses_are_held_up_and_who_was_right_is_not(house: OfficeHouse) -> None:
    house.call("ListSeasons", pb.ListSeasonsRequest())
    said = []
    for number in range(12):
        with pytest.raises(grpc.RpcError) as told:
            house.call("ListSeasons", pb.ListSeasonsRequest(), f"{GUESS}-{number}")
        said.append(told.value.details().partition(":")[0])  # type: ignore[attr-defined]
    assert said == ["NOT_ORGANISER"] * 10 + ["TOO_SOON"] * 2
    tokens = house.office._servicer._tokens
    tokens._right = tokens._right.__class__(dict.fromkeys(tokens._right, -1e9))
    asked = house.referee.hall.counts.refusals["organisers", "NOT_ORGANISER"]
    house.call("ListSeasons", pb.ListSeasonsRequest())
    with pytest.raises(grpc.RpcError):
        house.call("ListSeasons", pb.ListSeasonsRequest(), GUESS)
    assert house.referee.hall.counts.refusals["organisers", "NOT_ORGANISER"] == asked, "the referee is left alone"
    tokens._wrong.clear()


def test_calls_are_counted(house: OfficeHouse) -> None:
    from worker.office.metrics import office_registry

    house.call("ListSeasons", pb.ListSeasonsRequest())
    registry = office_registry(house.office._servicer)
    value = registry.get_sample_value("carico_office_calls_total", {"method": "ListSeasons", "came": "OK"})
    assert value is not None
    assert value >= 1
