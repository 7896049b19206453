"""How a season is shown live: a table that is drawn anew on a terminal, plain lines elsewhere."""

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table as Grid
from rich.text import Text

from carico.rules.game import Game
from clients.cli.plain_text import plain
from clients.cli.standings import standings_table
from clients.cli.tables import Table
from worker.office.standing import FinishedFixture, Standing

LINE_SECONDS: Final = 2.0
"""The least pause between two plain lines of progress."""


class Screen(ABC):
    """What the demo tells."""

    def begin(self, game: Game, bots: int, legs: int, deal_sets: int, seed: int) -> None:
        """The season is about to begin."""
        rounds = "double round robin" if legs == 2 else f"{legs} legs"
        self.say(f"{game.name}: {bots} bots, {rounds}, {deal_sets} deal sets in each fixture")
        self.say(f"seed {seed}: the same decks come again with --seed {seed}")

    @abstractmethod
    def say(self, text: str) -> None:
        """One line that stays."""

    @abstractmethod
    def command(self, line: str) -> None:
        """A command for the user to copy: on one line, however long."""

    @abstractmethod
    def show(self, table: Standing) -> None:
        """How the season stands; called often."""

    @abstractmethod
    def final(self, table: Standing) -> None:
        """The season is over; its table stays."""

    @abstractmethod
    def waits(self, referee: str) -> None:
        """The league goes on serving."""

    @abstractmethod
    def close(self) -> None:
        """Nothing more will be shown."""


class PlainScreen(Screen):
    """Lines for a file or a pipe."""

    def __init__(self) -> None:
        self._told_at = 0.0
        self._told_deals = 0
        self._finished: set[int] = set()

    def say(self, text: str) -> None:
        """See Screen."""
        print(plain(text), flush=True)

    def command(self, line: str) -> None:
        """See Screen."""
        print(f"  {plain(line)}", flush=True)

    def show(self, table: Standing) -> None:
        """A line for each fixture that was finished, and now and then one about the progress."""
        for line in new_results(table, self._finished):
            self.say(line)
        deals = table.deals
        now = time.monotonic()
        if deals > self._told_deals and (self._told_deals == 0 or now - self._told_at >= LINE_SECONDS):
            self._told_at, self._told_deals = now, deals
            self.say(f"{progress_line(table)}; {leader_line(table)}")

    def final(self, table: Standing) -> None:
        """See Screen."""
        for line in new_results(table, self._finished):
            self.say(line)
        print(f"\n{_table(table).to_text()}", flush=True)

    def waits(self, referee: str) -> None:
        """See Screen."""
        self.say(f"the league goes on at {referee}; Ctrl-C ends it")

    def close(self) -> None:
        """See Screen."""


class TerminalScreen(Screen):
    """A live table on a terminal; what stays scrolls above it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: Live | None = None
        self._finished: set[int] = set()
        self._latest: list[str] = []

    def say(self, text: str) -> None:
        """See Screen."""
        self._console.print(Text(plain(text)), soft_wrap=True)

    def command(self, line: str) -> None:
        """See Screen."""
        self._console.print(Text(f"  {plain(line)}", style="bold"), soft_wrap=True)

    def show(self, table: Standing) -> None:
        """See Screen."""
        self._latest = [*self._latest, *new_results(table, self._finished)][-3:]
        shown = Group(_table(table).to_rich(), _bar(table), *(Text(line, style="dim") for line in self._latest))
        self._draw(shown)

    def final(self, table: Standing) -> None:
        """See Screen."""
        self.close()
        new_results(table, self._finished)
        self._latest = []
        self._console.print(_table(table).to_rich())

    def waits(self, referee: str) -> None:
        """See Screen."""
        self._draw(Text(f"the league goes on at {referee}; Ctrl-C ends it", style="bold"))

    def close(self) -> None:
        """See Screen."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _draw(self, shown: RenderableType) -> None:
        if self._live is None:
            self._live = Live(console=self._console, transient=True, auto_refresh=False)
            self._live.start()
        self._live.update(shown, refresh=True)


@contextmanager
def screen() -> Iterator[Screen]:
    """The screen that fits standard output; it is left as it was found."""
    made: Screen = TerminalScreen(Console(highlight=False)) if sys.stdout.isatty() else PlainScreen()
    try:
        yield made
    finally:
        made.close()


def new_results(table: Standing, told: set[int]) -> list[str]:
    """A line for each fixture that is finished and not in ``told`` yet; it is then."""
    lines = []
    for fixture in table.finished:
        if fixture.number not in told:
            told.add(fixture.number)
            lines.append(f"fixture {len(told)} of {table.fixtures}: {result_line(fixture)}")
    return lines


def result_line(fixture: FinishedFixture) -> str:
    """How a finished fixture ended: match points where there are two sides, and the deal scores."""
    names, scores = fixture.bots, "-".join(map(str, fixture.scores))
    if fixture.left:
        return f"{' - '.join(names)}: left the table, since one of them withdrew"
    if fixture.lost_by is not None:
        return f"{' - '.join(names)}: walkover, lost by {', '.join(fixture.lost_by)}"
    if fixture.match_points is None:
        return f"{' - '.join(names)} {scores}"
    a, b = fixture.match_points
    return f"{names[0]} {a}-{b} {names[1]} (deals {scores})"


def progress_line(table: Standing) -> str:
    """How far the season is."""
    return f"{table.deals} of {table.deals_planned} deals"


def leader_line(table: Standing) -> str:
    """Who leads."""
    first = [row for row in table.rows if row.position == 1]
    names = ", ".join(row.bot for row in first[:3])
    return f"leading: {names}" if len(first) < table.entrants else "all level"


def _table(table: Standing) -> Table:
    title = f"{table.season}: {table.game}, {table.status}"
    return standings_table(table.rows, table.sides, title, by_deals=table.places > 2)


def _bar(table: Standing) -> Grid:
    line = Grid.grid(padding=(0, 1))
    line.add_row(ProgressBar(table.deals_planned or 1, table.deals, width=40), Text(progress_line(table)))
    return line
