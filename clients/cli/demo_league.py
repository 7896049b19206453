"""What the demo does: a league, a season, the house bots in it, and the user's own bot once it comes."""

import shlex
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from carico.rules.game import Game
from clients.cli.bot_names import HOUSE_VERSION
from clients.cli.data_directory import DataDirectory
from clients.cli.demo_screen import Screen
from clients.cli.failure import Failure, Unreachable
from clients.cli.league import League, carico_command, running, store_errors
from clients.cli.organiser_name import organiser
from clients.cli.output import Output
from clients.cli.signals import Signals
from clients.cli.where import DEFAULT_DATA
from worker.office.export import export_season
from worker.office.live_table import LiveTable
from worker.office.season_plan import create_season
from worker.store.errors import StoreUnavailable
from worker.store.open import open_store
from worker.store.port import Store
from worker.store.values import Status
from worker.tournament.document import SeasonDocument
from worker.tournament.season import Entry, SeasonSpec

if TYPE_CHECKING:
    from clients.cli.organisers import Organisers

LEGS: Final = 2
CHUNK: Final = 5
WORKERS: Final = 2
"""One at first; the others, and the dashboard, start when the first result is there, so that they do not delay it."""
CONCURRENCY: Final = 2

TICK_SECONDS: Final = 0.2
LOOK_SECONDS: Final = 0.02
BOTS_PATIENCE: Final = 3.0
"""How long the season waits for bots that are starting."""
STORE_PATIENCE: Final = 30.0
"""How long the store may be away before the demo ends."""

ANYWHERE: Final = "127.0.0.1:0"


@dataclass(frozen=True, slots=True)
class Plan:
    """What the demo plays."""

    game: Game
    bots: Mapping[str, str]
    """By name what BOT means: a house bot, or a file's class."""
    deal_sets: int
    """In each fixture."""
    seed: int

    def season(self, id_: str) -> SeasonSpec:
        """The season, under this id."""
        return SeasonSpec(
            name=id_,
            game=self.game,
            entries=tuple(Entry(bot, HOUSE_VERSION) for bot in self.bots),
            entry="open",
            legs=LEGS,
            deal_sets=self.deal_sets,
            chunk=min(CHUNK, self.deal_sets),
            seed=self.seed,
        )


class Demo:
    """One run of the demo. ``run`` plays it; ``finished`` says whether the season was played to its end."""

    def __init__(
        self, plan: Plan, screen: Screen, signals: Signals, data: Path | None, out: Path | None, stays: bool
    ) -> None:
        """``data``: the data directory, None for one that goes afterwards. ``stays``: serve on after the season."""
        self.finished = False
        self._plan = plan
        self._screen = screen
        self._signals = signals
        self._data = data
        self._output = None if out is None else Output(out)
        self._stays = stays

    def run(self) -> None:
        """Plays the season, shows it, writes the records; then goes on until Ctrl-C, or ends. Raises Failure, Ended."""
        with (
            self._directory() as directory,
            running(
                directory,
                listen=ANYWHERE,
                redis=None,
                workers=1,
                concurrency=CONCURRENCY,
                told=self._screen.say,
                urgent=lambda: self._signals.urgent,
            ) as league,
            _store(league) as store,
        ):
            self._screen.begin(self._plan.game, len(self._plan.bots), LEGS, self._plan.deal_sets, self._plan.seed)
            league.wait_for_referee()
            season = self._begin(league, store)
            if self._stays:
                self._tell_how_to_join(directory.path.absolute())
            with store_errors():
                table = LiveTable(store, season)
            while True:
                self._follow(league, table, until=Status.FINISHED)
                first = not self.finished
                self._finish(store, table, directory)
                if first:
                    self._tell_how_to_join(directory.path.absolute() if self._stays else None)
                if not self._stays:
                    return
                self._screen.waits(league.referee)
                self._follow(league, table, until=Status.RUNNING)

    def _begin(self, league: League, store: Store) -> str:
        """Registers the bots, starts them, and the season once they are here. Returns its id."""
        with league.organisers() as organisers:
            tokens = {bot: _token(organisers, bot) for bot in self._plan.bots}
            with store_errors():
                taken = {season.id for season in store.seasons()}
                id_ = next(id_ for id_ in _ids() if id_ not in taken)
                season, owners = self._plan.season(id_), {bot: bot for bot in self._plan.bots}
                document = create_season(store, season, owners, organiser())
            self._start_bots(league, document, tokens)
            self._wait_for_bots(league, organisers)
        with store_errors():
            store.set_status(id_, Status.RUNNING, organiser())
        return id_

    def _start_bots(self, league: League, document: SeasonDocument, tokens: Mapping[str, str]) -> None:
        of_sides = len(self._plan.game.places) < self._plan.game.players
        for name, bot in self._plan.bots.items():
            seed = document.bot_seed(name)
            league.start_bot(bot, name, HOUSE_VERSION, tokens[name], seed, process_per_seat=of_sides)

    def _wait_for_bots(self, league: League, organisers: "Organisers") -> None:
        """Returns when all are connected, or after a time: the workers wait for those that do not come."""
        end = time.monotonic() + BOTS_PATIENCE
        while time.monotonic() < end:
            league.tick()
            self._signals.check()
            with suppress(Unreachable):
                if all(status.connected for status in organisers.bots(list(self._plan.bots))):
                    return
            time.sleep(LOOK_SECONDS)

    def _follow(self, league: League, table: LiveTable, until: Status) -> None:
        """Shows how the season goes until it has this status."""
        reached = time.monotonic()
        while True:
            league.tick()
            self._signals.check()
            try:
                table.refresh()
            except StoreUnavailable as error:
                if time.monotonic() - reached > STORE_PATIENCE:
                    raise Unreachable(str(error)) from error
            else:
                reached = time.monotonic()
                if table.counted and league.workers < WORKERS:
                    league.start_worker()
                    league.start_dashboard(ANYWHERE)
                    self._screen.say(f"watch it in a browser: http://{league.dashboard}/seasons/{table.season}")
                if table.progress.status is until:
                    return
                if until is Status.FINISHED:
                    self._screen.show(table.standing())
            time.sleep(TICK_SECONDS)

    def _finish(self, store: Store, table: LiveTable, directory: DataDirectory) -> None:
        output = self._output or Output(directory.path / "out")
        with store_errors():
            export_season(store, table.season, output)
        self.finished = True
        self._screen.final(table.standing())
        self._screen.say(f"records: {len(table.counted)} deals in {output.records.absolute()}")

    def _tell_how_to_join(self, directory: Path | None) -> None:
        """The exact line that seats a bot of the user's own, in this league or in one to be started first."""
        carico = shlex.quote(carico_command())
        where = shlex.quote(str((directory or self._data or DEFAULT_DATA).absolute()))
        if directory is None:
            self._screen.say("to seat a bot of your own keep a league running in one terminal with")
            self._screen.command(f"{carico} demo --data {where}")
            self._screen.say("write mybot.py as README.md shows, and run in another")
        else:
            self._screen.say("to seat a bot of your own write mybot.py as README.md shows, and run in another terminal")
        self._screen.command(
            f"CARICO_TOKEN=$({carico} bot register mybot --owner me --data {where}) "
            f"{carico} bot run mybot.py:MyBot --name mybot --version 1 --data {where}"
        )

    @contextmanager
    def _directory(self) -> Iterator[DataDirectory]:
        """The data directory; one of its own is cleared afterwards but for records and, after a failure, logs."""
        if self._data is not None:
            yield DataDirectory(self._data)
            return
        directory = DataDirectory(Path(tempfile.mkdtemp(prefix="carico-demo-")))
        try:
            yield directory
        except Failure:
            self._screen.say(f"the logs are in {directory.logs}")
            raise
        except BaseException:
            self._clear(directory)
            raise
        self._clear(directory)

    def _clear(self, directory: DataDirectory) -> None:
        if self.finished and self._output is None:
            for path in directory.path.iterdir():
                if path.is_dir() and path.name != "out":
                    shutil.rmtree(path, ignore_errors=True)
                elif path.is_file():
                    path.unlink(missing_ok=True)
        else:
            shutil.rmtree(directory.path, ignore_errors=True)


@contextmanager
def _store(league: League) -> Iterator[Store]:
    with store_errors():
        store = open_store(league.redis)
    try:
        yield store
    finally:
        store.close()


def _ids() -> Iterator[str]:
    """Ids for the season: a data directory that was used before has some of them."""
    yield "demo"
    number = 2
    while True:
        yield f"demo-{number}"
        number += 1


def _token(organisers: "Organisers", bot: str) -> str:
    """A token for a bot of the demo, which is its own owner; where an earlier demo has registered it, a new one."""
    known = organisers.bots([bot])
    return organisers.renew(bot) if known else organisers.register(bot, bot)
