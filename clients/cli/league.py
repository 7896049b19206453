"""A league on this machine: store, referee and workers in one data directory, kept running by one supervisor."""

import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from carico.address import is_local
from carico.log_lines import LogFormat
from clients.cli.data_directory import DataDirectory, organiser_token_in
from clients.cli.extras import league_extra
from clients.cli.failure import BadUsage, Failure, Unreachable
from clients.cli.store_keeper import StoreKeeper
from clients.cli.supervisor import Part, Supervisor

if TYPE_CHECKING:
    from clients.cli.organisers import Organisers

with league_extra():
    from worker.store.embedded import EmbeddedValkey
    from worker.store.errors import StoreError, StoreUnavailable

CARICO: Final = (sys.executable, "-P", "-m", "clients.cli")
"""This very version of the command, whatever lies in the current directory."""

READY_SECONDS: Final = 30.0

WORKERS_END, REFEREE_ENDS, BOTS_END = range(3)
"""The order in which the parts end: nobody then sees another one go."""


@dataclass(frozen=True, slots=True)
class Watched:
    """How the parts of a league tell of themselves."""

    metrics: str | None = None
    """HOST:PORT of the first part's metrics; each further part has the next port. None serves none."""
    log_format: LogFormat = LogFormat.TEXT

    @property
    def format_arguments(self) -> list[str]:
        """For the command of any part."""
        return ["--log-format", self.log_format.value]

    def arguments(self, part: int) -> list[str]:
        """For the command of the part with this number. Raises BadUsage where there is no port left for it."""
        chosen = self.format_arguments
        if self.metrics is not None:
            host, _, first = self.metrics.rpartition(":")
            port = int(first) and int(first) + part
            if port > 65_535:
                raise BadUsage(f"--metrics {self.metrics}: there is no port {port} for part {part}: choose a lower one")
            chosen += ["--metrics", f"{host}:{port}"]
        return chosen


NOT_WATCHED: Final = Watched()


@dataclass(slots=True)
class League:
    """A league that runs. All of it ends with the ``with`` of ``running``."""

    directory: DataDirectory
    referee: str
    """HOST:PORT."""
    redis: str
    """The store's URL."""
    organiser_token: str
    supervisor: Supervisor
    keeper: StoreKeeper | None
    """Of the private store, where there is one."""
    concurrency: int
    told: Callable[[str], None]
    watched: Watched
    workers: int = 0
    """How many there are."""
    office: str | None = None
    """HOST:PORT of the office, where there is one."""
    dashboard: str | None = None
    """HOST:PORT of the dashboard, where there is one."""

    def tick(self) -> None:
        """Sees to it that everything runs; to be called a few times a second. Raises GivenUp."""
        if self.keeper is not None:
            self.keeper.check()
        for name in self.supervisor.check():
            self.told(f"{name} ended and is started again (log: {self.supervisor.log_of(name)})")

    def organisers(self, deadline: float = 10.0) -> "Organisers":
        """A connection to the referee as its organiser; to be closed."""
        from clients.cli.organisers import Organisers  # with gRPC: it comes while the referee starts

        return Organisers(self.referee, self.organiser_token, deadline=deadline)

    def wait_for_referee(self) -> None:
        """Returns when the referee answers. Raises Unreachable where it does not, GivenUp where it does not stay up."""
        end = time.monotonic() + READY_SECONDS
        with self.organisers(deadline=1.0) as organisers:
            while True:
                self.tick()
                try:
                    organisers.bots(["nobody"])
                except Unreachable as error:
                    if time.monotonic() > end:
                        raise Unreachable(f"{error}\n{self.supervisor.tail('referee')}") from error
                    time.sleep(0.05)
                else:
                    return

    def start_referee(self) -> None:
        """Starts the referee."""
        arguments = ["--listen", self.referee, *self.watched.arguments(0), *self._admin("referee")]
        self._start("referee", "referee", *arguments, stage=REFEREE_ENDS)

    def start_office(self, listen: str) -> None:
        """Starts the office, for organisers on other machines. Its metrics come after those of the workers so far."""
        arguments = ["--listen", listen, "--referee", self.referee, *self.watched.arguments(self.workers + 1)]
        self._run("office", "office", *arguments, *self._admin("office"), stage=WORKERS_END)

    def start_dashboard(self, listen: str) -> None:
        """Starts the dashboard, with the referee's metrics where these have a port of their own.

        Raises Failure where the port is taken.
        """
        self.dashboard = _free_address("--dashboard", listen)
        arguments = ["--listen", self.dashboard, "--referee", self.referee, *self.watched.format_arguments]
        if self.watched.metrics is not None and not self.watched.metrics.endswith(":0"):
            arguments += ["--referee-metrics", self.watched.metrics]
        self._run("dashboard", "dashboard", *arguments, stage=WORKERS_END)

    def start_worker(self) -> None:
        """Starts one worker more."""
        self.workers += 1
        arguments = ["--referee", self.referee, "--concurrency", str(self.concurrency)]
        arguments += self.watched.arguments(self.workers)
        self._start(f"worker-{self.workers}", "worker", *arguments, stage=WORKERS_END)

    def _start(self, name: str, *command: str, stage: int) -> None:
        # Secrets travel in files and in the environment, which others can't read; the command line they can.
        token = ["--organiser-token-file", str(self.directory.organiser_token_file.absolute())]
        self._run(name, *command, *token, stage=stage)

    def _run(self, name: str, *command: str, stage: int) -> None:
        environment = {"CARICO_REDIS": self.redis}
        self.supervisor.start(Part(name, [*CARICO, *command], environment, stage, patience=10.0))

    def _admin(self, part: str) -> list[str]:
        path = self.directory.admin_socket(part)
        return [] if path is None else ["--admin", str(path)]

    def start_bot(
        self, bot: str, name: str, version: str, token: str, seed: bytes, *, process_per_seat: bool = False
    ) -> None:
        """Starts a bot as a process of its own, which connects with its own token; or with one for each seat, too."""
        command = [*CARICO, "bot", "run", bot, "--name", name, "--version", version]
        command += ["--referee", self.referee, "--seed", seed.hex()]
        command += ["--process-per-seat"] if process_per_seat else []
        self.supervisor.start(Part(f"bot-{name}", command, {"CARICO_TOKEN": token}, BOTS_END, patience=1.0))


@contextmanager
def running(
    directory: DataDirectory,
    *,
    listen: str,
    redis: str | None,
    workers: int,
    concurrency: int,
    told: Callable[[str], None],
    urgent: Callable[[], bool],
    watched: Watched = NOT_WATCHED,
    office: str | None = None,
    dashboard: str | None = None,
) -> Iterator[League]:
    """Starts a league in the directory; ends everything it started, however it is left.

    ``workers`` are how many there are at first, each for ``concurrency`` chunks at once.

    ``listen`` is HOST:PORT on this machine, port 0 for a free one, and so are ``office`` and ``dashboard``, where these
    are wanted. ``redis`` is the URL of a store that runs already; by default one of its own is started. ``told`` is
    given what happens, a line each; ``urgent`` says whether to end at once. Raises Failure where another league runs
    there, the port is taken or the store does not come up.
    """
    with ExitStack() as stack:
        stack.enter_context(directory.owned())
        token = organiser_token_in(directory.organiser_token_file)
        address = _free_address("--listen", listen)
        desk = None if office is None else _free_address("--office", office)
        keeper = None
        if redis is None:
            embedded = EmbeddedValkey(directory.store)
            with store_errors():
                stack.enter_context(embedded)
            redis = embedded.url
            keeper = StoreKeeper(embedded, told)
        supervisor = Supervisor(directory.logs)
        stack.callback(lambda: supervisor.stop(urgent))
        league = League(directory, address, redis, token, supervisor, keeper, concurrency, told, watched)
        league.start_referee()
        for _ in range(workers):
            league.start_worker()
        if desk is not None:
            league.start_office(desk)
            league.office = desk
        if dashboard is not None:
            league.start_dashboard(dashboard)
        stack.callback(directory.withdraw)
        directory.announce(address, redis)
        yield league


@contextmanager
def store_errors() -> Iterator[None]:
    """What the store says within, as a Failure."""
    try:
        yield
    except StoreUnavailable as error:
        raise Unreachable(str(error)) from error
    except StoreError as error:
        raise Failure(str(error)) from error


def carico_command() -> str:
    """How the user runs this very command again, whatever the PATH is."""
    script = Path(sys.executable).parent / "carico"
    if script.exists():
        return str(script)
    return shutil.which("carico") or f"{sys.executable} -m clients.cli"


def _free_address(option: str, listen: str) -> str:
    """The address with a port that is free now: the one asked for, or any for port 0. Raises Failure, BadUsage.

    The parts of a league on one machine speak plain text, so nobody else may reach it.
    """
    if not is_local(listen):
        raise BadUsage(
            f"{option} {listen}: others could reach it, and it speaks plain text; listen on 127.0.0.1, or run "
            "`carico referee`, `carico office` with --tls-cert and --tls-key, and `carico worker` by themselves"
        )
    if listen.startswith("unix:"):
        return listen
    host, _, port = listen.rpartition(":")
    bare = host.strip("[]")
    try:
        family, *_, place = socket.getaddrinfo(bare, int(port), type=socket.SOCK_STREAM)[0]
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            return f"{host}:{probe.getsockname()[1]}"
    except socket.gaierror as error:
        raise BadUsage(f"{option} {listen}: there is no host {bare}: {error.strerror}") from error
    except OSError as error:
        raise Failure(f"{option} {listen}: cannot listen there: {error.strerror}; choose another port") from error
