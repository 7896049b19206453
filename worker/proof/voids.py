"""A voids.jsonl: deals that do not count, and that no attempt is missing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from carico.record import BadRecord, replay
from carico.record_form import NotReadable
from worker.proof.beside import SAME, Beside, Place, check_key, names_in, place_in, same
from worker.proof.lines import Found, checked_record


@dataclass(slots=True)
class VoidAttempt:
    """An attempt of a deal set that does not count."""

    deal_set: int
    attempt: int
    reason: str
    points: dict[str, int] = field(default_factory=dict)
    """Card points that each entrant had captured in its deals."""

    @property
    def led(self) -> str:
        """Who was ahead, and by how many card points; ``nobody`` where that was level."""
        ranked = sorted(self.points.items(), key=lambda item: -item[1])
        lead = ranked[0][1] - ranked[1][1] if len(ranked) > 1 else 0
        return f"{ranked[0][0]} by {lead}" if lead else "nobody"


class Voids:
    """The voids of a season whose records have all been read."""

    def __init__(self, beside: Beside, master: bytes | None) -> None:
        self._beside, self._master = beside, master
        self._last: tuple[Place, int] | None = None
        self._first: Mapping[str, Any] = beside.first
        self._lines: dict[tuple[int, int], int] = {}
        self.attempts: dict[tuple[int, int], VoidAttempt] = {}
        """By deal set and attempt."""

    def check(self, lines: Iterable[bytes]) -> Found | None:
        """The first difference in the lines of voids.jsonl; then the first attempt that is missing."""
        for number, line in enumerate(lines, 1):
            try:
                self._add(checked_record(line, void=True), number)
            except NotReadable as error:
                return Found(number, str(error), readable=False)
            except BadRecord as error:
                return Found(number, str(error))
        return self._gap()

    def _add(self, record: Mapping[str, Any], line: int) -> None:
        here = (place_in(record), record["attempt"])
        if self._last is not None and here <= self._last:
            raise BadRecord(f"order: {[*here[0], here[1]]} stands after {[*self._last[0], self._last[1]]}")
        self._last, self._first = here, self._first or record
        for name in SAME:
            same(name, record[name], self._first[name], "the records before it say")
        if self._master is not None:
            check_key(record, self._master)
        deal_set, attempt = record["deal_set"], record["attempt"]
        counts = self._beside.attempts.get(deal_set, 0)
        if deal_set in self._beside.seen and attempt >= counts:
            raise BadRecord(f"attempt: {attempt} of deal set {deal_set} is void, and what counts is attempt {counts}")
        known = set(self._beside.entrants.get(here[0][1], ()))
        strangers = [name for name in names_in(record) if known and name not in known]
        if strangers:
            raise BadRecord(f"seats: {' '.join(strangers[0])} is not in fixture {record['fixture']}")
        void = self.attempts.setdefault((deal_set, attempt), VoidAttempt(deal_set, attempt, record["reason"]))
        self._lines.setdefault((deal_set, attempt), line)
        for (bot, version, _), points in zip(names_in(record), replay(record).card_points, strict=True):
            name = f"{bot} {version}"
            void.points[name] = void.points.get(name, 0) + points

    def _gap(self) -> Found | None:
        """The first attempt of a deal set that is neither void nor the one that counts, with a line after it."""
        last = dict(self._beside.attempts)
        for deal_set, attempt in self.attempts:
            last[deal_set] = max(last.get(deal_set, 0), attempt)
        for deal_set in sorted(last):
            for attempt in range(last[deal_set]):
                if (deal_set, attempt) not in self.attempts:
                    later = [line for (one, _), line in self._lines.items() if one == deal_set]
                    return Found(
                        min(later, default=0),
                        f"attempt: {attempt} of deal set {deal_set} is missing: attempt {last[deal_set]} needs all "
                        "before it among the voids",
                    )
        return None
