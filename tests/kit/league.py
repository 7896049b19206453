"""A whole league of real parts for tests: a private store, a referee, Celery workers and bots, each its own process."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from carico.rules import shuffle
from carico.rules.game import game
from tests.kit import roles
from worker.referee_client import RefereeClient
from worker.store.embedded import EmbeddedValkey
from worker.store.open import open_store
from worker.store.port import Store
from worker.store.values import Status
from worker.tournament.chunks import chunks
from worker.tournament.document import SeasonDocument
from worker.tournament.entrants import Entrant
from worker.tournament.ledger import DealResult, FixtureClosure, counted
from worker.tournament.rows import Row
from worker.tournament.schedule import scheduled
from worker.tournament.season import Entry, SeasonSpec
from worker.tournament.standings import standings

ROLES = Path(roles.__file__)


def wait_until(true: Callable[[], bool], what: str, seconds: float = 60.0) -> None:
    """Returns when it is so; fails after a time that is far above what it takes."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s in vain until {what}")
        time.sleep(0.05)


class League:
    """Starts the parts it is asked for, and ends them all."""

    store: Store
    referee: RefereeClient
    address: str

    def __init__(self, directory: Path, lease_ms: int = 1500) -> None:
        self.directory = directory
        self.lease_ms = lease_ms
        self.valkey = EmbeddedValkey(directory / "store")
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._tokens: dict[str, str] = {}

    def __enter__(self) -> Self:
        self.valkey.start()
        self.store = open_store(self.valkey.url)
        self.start_referee("127.0.0.1:0")
        self.referee = RefereeClient(self.address, roles.ORGANISER_TOKEN)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in list(self.processes):
            self.kill(name)
        self.referee.close()
        self.store.close()
        self.valkey.stop()
        if kind is not None:
            for log in sorted(self.directory.glob("*.log")):
                print(f"--- {log.name}\n{log.read_text(errors='replace')[-3000:]}")

    # --- parts ---

    def start(self, name: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        """Starts a part of that name in a process group of its own; its output goes to a log."""
        with (self.directory / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, str(ROLES), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **environment},
                start_new_session=True,
            )
        self.processes[name] = process
        return process

    def start_referee(self, listen: str) -> None:
        """Starts the referee and waits for its address."""
        log = self.directory / "referee.log"
        before = log.stat().st_size if log.exists() else 0
        self.start("referee", "referee", listen, self.valkey.url)
        line = "referee listening on "
        wait_until(lambda: line in log.read_text()[before:], "the referee listens")
        self.address = log.read_text()[before:].partition(line)[2].split()[0]

    def restart_referee(self) -> None:
        """The same referee once more, at the same address."""
        self.start_referee(self.address)

    def start_worker(self, name: str = "worker", concurrency: int = 2, *, through: str = "", doom: str = "") -> None:
        """Starts a worker; it says itself when it is ready.

        ``through`` is the URL of a proxy in front of the store; ``doom`` is "SEED SHARE" for one that dies suddenly.
        """
        redis = through or self.valkey.url
        self.start(name, "worker", redis, self.address, str(concurrency), str(self.lease_ms), *doom.split())

    def start_bot(self, house: str, name: str = "", seed: bytes = b"", version: str = "1") -> None:
        """Starts a house bot, registered under its own name as owner where it is not yet."""
        name = name or house
        if name not in self._tokens:
            self._tokens[name] = self.register(name)
        self.start(name, "bot", house, self.address, name, seed.hex(), version, CARICO_TOKEN=self._tokens[name])

    def start_villain(self, kind: str) -> str:
        """Starts a villain of that class (``tests.kit.cast``) under its name in lower case; returns that."""
        name = kind.lower()
        self.start(name, "villain", kind, self.address, name, CARICO_TOKEN=self.register(name))
        return name

    def register(self, name: str) -> str:
        """Registers a bot with an owner of its own name; returns its token."""
        from carico.v1 import organisers_pb2 as pb

        return str(self.referee._call(lambda stub: stub.RegisterBot, pb.RegisterBotRequest(bot=name, owner=name)).token)

    def kill(self, name: str, number: int = signal.SIGKILL) -> None:
        """Ends a part and all it started."""
        process = self.processes.pop(name)
        with contextlib.suppress(ProcessLookupError):
            if number == signal.SIGKILL:
                os.killpg(process.pid, number)
            else:
                process.send_signal(number)
        process.wait()

    def kill_alone(self, name: str) -> None:
        """kill -9 of one process, not of what it started."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    # --- seasons ---

    def create(
        self,
        season: str,
        bots: Iterable[str],
        *,
        deal_sets: int = 4,
        chunk: int = 2,
        legs: int = 1,
        entry: str = "closed",
        seed: int = 7,
        start: bool = True,
        plays: str = "briscola-2",
        **terms: object,
    ) -> SeasonDocument:
        """A practice season of these bots, in version 1; started unless told otherwise."""
        names = list(bots)
        spec = SeasonSpec(
            name=season,
            game=game(plays),
            entries=tuple(Entry(name, "1") for name in names),
            entry=entry,  # type: ignore[arg-type]
            legs=legs,
            deal_sets=deal_sets,
            chunk=chunk,
            seed=seed,
            **terms,  # type: ignore[arg-type]
        )
        document = SeasonDocument(spec, shuffle.practice_secret(seed))
        enough = entry == "closed" or len(names) >= len(spec.places)
        fixtures = scheduled(names, len(spec.places), legs, deal_sets, rotating=spec.rotating) if enough else ()
        entrants = [Entrant(name, "1", name) for name in names]
        parts = list(chunks(fixtures, chunk))
        self.store.create(season, document.to_json(), entrants, fixtures, parts, open_entry=entry == "open")
        if start:
            self.store.set_status(season, Status.RUNNING)
        return document

    def wait_finished(self, season: str, seconds: float = 90.0) -> None:
        """Waits for the end of a season."""
        wait_until(lambda: self.store.status(season) is Status.FINISHED, f"season {season} is finished", seconds)

    def table(self, season: str) -> list[Row]:
        """The table, folded from the ledger."""
        spec = SeasonDocument.from_json(self.store.document(season)).spec
        ledger = [DealResult.from_json(result) for _, result in self.store.ledger(season)]
        return standings(
            self.store.entrants(season),
            self.store.fixtures(season),
            spec.places,
            counted(ledger, self.store.attempts(season)),
            [FixtureClosure.from_json(closure) for closure in self.store.closures(season).values()],
            spec.game.match,
            withdrawals=self.store.withdrawals(season),
            sides=spec.game.sides,
        )
