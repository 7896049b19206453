"""Pages out of templates: everything escaped, nothing inline, every number in its form."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from clients.cli.plain_text import plain
from clients.dashboard import cards, words
from clients.dashboard.snapshot import Cell, FixtureView, SeasonView, Standing

HERE: Final = Path(__file__).parent
STATIC: Final = HERE / "static"

HEATS: Final = 9
"""Steps of the heat map."""

MOST_IN_GRID: Final = 32
"""The cross table has the first so many of the table."""

MOST_ROUNDS: Final = 60
MOST_RECENT: Final = 8

SPARK_WIDTH, SPARK_HEIGHT = 72, 20
BAR_WIDTH: Final = 120


class Drawing:
    """The templates, and what they call."""

    def __init__(self) -> None:
        env = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=_harmless,
        )
        env.filters.update(
            signed=words.signed,
            minus=words.minus,
            duration=words.duration,
            ms=words.milliseconds,
            count=words.count,
            size=words.size,
            game=words.game_words,
            when=words.when,
            card_words=words.card_words,
        )
        env.globals.update(
            version=version(),
            spark=spark,
            bar=bar,
            bar_scale=bar_scale,
            heat=heat,
            recent=recent,
            MOST_IN_GRID=MOST_IN_GRID,
            MOST_ROUNDS=MOST_ROUNDS,
            SPARK_WIDTH=SPARK_WIDTH,
            SPARK_HEIGHT=SPARK_HEIGHT,
            BAR_WIDTH=BAR_WIDTH,
        )
        self._env = env

    def page(self, template: str, **context: Any) -> str:
        """A whole page."""
        return self._env.get_template(template).render(context)

    def season(self, season: SeasonView) -> Mapping[str, str]:
        """The regions of a season's page."""
        names = ("facts", "table", "grid", "rounds", "recent")
        return {name: self.page(f"season/{name}.html", s=season) for name in names}


def _harmless(value: object) -> object:
    """Names are shown as what they are, control characters and directions of writing as their escapes."""
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def version() -> str:
    """Changes with every file that browsers keep."""
    digest = hashlib.sha256()
    for path in sorted(STATIC.iterdir()):
        digest.update(path.read_bytes())
    for pack in cards.PACKS:
        digest.update(cards.sprite(pack).encode())
    return digest.hexdigest()[:12]


def spark(path: Sequence[float]) -> str:
    """The points of a polyline in a box of SPARK_WIDTH by SPARK_HEIGHT; empty where there is no line."""
    if len(path) < 2:
        return ""
    low, high = min(path), max(path)
    span = (high - low) or 1.0
    step = (SPARK_WIDTH - 6) / (len(path) - 1)
    return " ".join(
        f"{3 + i * step:.1f},{SPARK_HEIGHT - 3 - (value - low) / span * (SPARK_HEIGHT - 6):.1f}"
        for i, value in enumerate(path)
    )


def bar_scale(table: Sequence[Standing]) -> float:
    """Card points that reach from the middle of a bar to its end: the same for all rows."""
    reach = [abs(one.margin) + (one.error or 0.0) for one in table if one.margin is not None]
    return max([*reach, 1.0])


def bar(one: Standing, scale: float) -> Mapping[str, float] | None:
    """Where the mean and its standard error stand on a line of BAR_WIDTH; None where there is no mean."""
    if one.margin is None:
        return None
    half = BAR_WIDTH / 2 - 5
    middle = BAR_WIDTH / 2 + one.margin / scale * half
    error = (one.error or 0.0) / scale * half
    return {"x": round(middle, 1), "from": round(middle - error, 1), "width": round(2 * error, 1)}


def heat(cell: Cell) -> int:
    """How warm: 0 lost everything, HEATS - 1 won everything."""
    share = cell.share
    return HEATS // 2 if share is None else round(share * (HEATS - 1))


def recent(season: SeasonView) -> list[FixtureView]:
    """The fixtures that were finished last, the latest first."""
    over = [one for one in season.fixtures if one.state in ("played", "walkover")]
    return sorted(over, key=lambda one: (one.last, one.number), reverse=True)[:MOST_RECENT]
