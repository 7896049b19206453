"""One stream, many viewers: what the reader publishes goes to everybody who watches, with ids to go on from.

A message's id is that of the store's event stream, so it means the same to a server that was started again: whoever
comes back with the last id it has seen is told what happened since, and then how things stand.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from clients.dashboard.reader import LeagueView, News
from clients.dashboard.snapshot import SeasonView

KEPT: Final = 2_000
"""So many of a season's latest events can be told again."""

MOST_WAITING: Final = 100
"""A viewer that lags so many messages behind is let go; it comes back and goes on from its last id."""

PING_S: Final = 15.0

LEAGUE: Final = ""
"""The channel of what is no season's: index and platform."""

Regions = Mapping[str, str]
"""By name, a part of the page as HTML."""


@dataclass(frozen=True, slots=True)
class Told:
    """Something that happened in a season, as viewers are told."""

    id: str
    data: Mapping[str, Any]


class TooMany(Exception):
    """No more viewers are let in."""


@dataclass(slots=True)
class _Channel:
    viewers: set["asyncio.Queue[bytes | None]"] = field(default_factory=set)
    sent: dict[str, str] = field(default_factory=dict)
    kept: deque[Told] = field(default_factory=lambda: deque(maxlen=KEPT))


class Hub:
    """Holds the latest view of the league, and who watches. To be used in the event loop alone."""

    def __init__(
        self,
        draw_season: Callable[[SeasonView], Regions],
        draw_league: Callable[[], Regions],
        tell: Callable[[SeasonView, str, Mapping[str, Any]], Mapping[str, Any]],
        most_viewers: int = 2_000,
    ) -> None:
        """``draw_*`` make the regions of a page, ``tell`` what viewers are told of an event of a season."""
        self.league = LeagueView(store_up=False)
        self.most_viewers = most_viewers
        self.viewers = 0
        self._draw_season, self._draw_league, self._tell = draw_season, draw_league, tell
        self._channels: dict[str, _Channel] = {}
        self._drawn: dict[str, tuple[SeasonView, Regions]] = {}
        self._closing = False

    def publish(self, league: LeagueView, news: News) -> None:
        """Takes a new view, and sends what changed to whoever watches it."""
        before, self.league = self.league, league
        for id_, season in league.seasons.items():
            channel = self._channels.setdefault(id_, _Channel())
            for event in news.get(id_, ()):
                told = Told(event.id, self._tell(season, event.kind, event.data))
                channel.kept.append(told)
                _send(channel, message("news", told.data, told.id))
            if channel.viewers and season is not before.seasons.get(id_):
                self._send_changed(channel, self.season_regions(season), season.version)
        self.refresh_league()

    def refresh_league(self) -> None:
        """Sends what changed outside the seasons."""
        channel = self._channels.setdefault(LEAGUE, _Channel())
        if channel.viewers:
            self._send_changed(channel, self._draw_league(), None)

    def season_regions(self, season: SeasonView) -> Regions:
        """The parts of a season's page; drawn once for each view."""
        known = self._drawn.get(season.id)
        if known is None or known[0] is not season:
            known = self._drawn[season.id] = season, self._draw_season(season)
        return known[1]

    def news_of(self, season: str) -> list[Told]:
        """What happened of late, the latest last."""
        channel = self._channels.get(season)
        return list(channel.kept) if channel else []

    async def watch(self, season: str, after: str | None) -> AsyncIterator[bytes]:
        """The stream of a season, or of the league: what happened after this id, how things stand, and all that comes.

        Raises TooMany at the first step.
        """
        if self.viewers >= self.most_viewers or self._closing:
            raise TooMany
        channel = self._channels.setdefault(season, _Channel())
        queue: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_WAITING)
        self.viewers += 1
        channel.viewers.add(queue)
        try:
            yield b"retry: 1000\n\n"
            yield self._catch_up(season, channel, after)
            while True:
                try:
                    found = await asyncio.wait_for(queue.get(), PING_S)
                except TimeoutError:
                    found = b": still here\n\n"
                if found is None:
                    return
                yield found
        finally:
            channel.viewers.discard(queue)
            self.viewers -= 1

    def close(self) -> None:
        """Ends all streams."""
        self._closing = True
        for channel in self._channels.values():
            for queue in channel.viewers:
                _end(queue)

    def _catch_up(self, season: str, channel: _Channel, after: str | None) -> bytes:
        """What happened after an id, where it is still known, and how things stand."""
        if season == LEAGUE:
            return message("live", {"regions": self._draw_league()}, None)
        view = self.league.seasons.get(season)
        if view is None:
            return b""
        told = [one for one in channel.kept if after and _place(one.id) > _place(after)]
        stand = message("live", {"regions": self.season_regions(view)}, view.version)
        return b"".join([*(message("news", one.data, one.id) for one in told), stand])

    def _send_changed(self, channel: _Channel, regions: Regions, version: str | None) -> None:
        changed = {name: html for name, html in regions.items() if channel.sent.get(name) != html}
        channel.sent = dict(regions)
        if changed:
            _send(channel, message("live", {"regions": changed}, version))


def message(kind: str, data: Mapping[str, Any], id_: str | None) -> bytes:
    """A server-sent event; JSON has no line breaks of its own."""
    head = f"id: {id_}\n" if id_ is not None else ""
    return f"{head}event: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def is_id(text: str) -> bool:
    """Whether this is the id of an event, by its form."""
    first, _, second = text.partition("-")
    return (
        first.isascii()
        and first.isdigit()
        and len(text) <= 40
        and (not second or (second.isascii() and second.isdigit()))
    )


def _place(id_: str) -> tuple[int, int]:
    first, _, second = id_.partition("-")
    return int(first), int(second or 0)


def _send(channel: _Channel, what: bytes) -> None:
    for queue in list(channel.viewers):
        try:
            queue.put_nowait(what)
        except asyncio.QueueFull:
            channel.viewers.discard(queue)
            _end(queue)


def _end(queue: "asyncio.Queue[bytes | None]") -> None:
    """Lets a viewer go at once; what it has not been sent it will ask for."""
    while not queue.empty():
        queue.get_nowait()
    queue.put_nowait(None)
