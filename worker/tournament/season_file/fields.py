"""Taking fields out of a file one by one, gathering what is wrong with them."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from worker.tournament.entrants import NAME_RULE, is_name
from worker.tournament.season_file.durations import format_duration, parse_duration
from worker.tournament.season_file.lines import Path, line_of
from worker.tournament.season_file.mistakes import Mistake, shown, shown_path

Bounds = tuple[int, int]
"""The least and the most that a field may hold."""

TO_THE_TOP: Final = "put it at the top of the file, above the first [table]"


class Fields:
    """Reads fields. What has a mistake is noted, and some value that fits is returned, so that reading can go on."""

    def __init__(self, file: str, lines: Mapping[Path, int]) -> None:
        self.mistakes: list[Mistake] = []
        self._file = file
        self._lines = lines

    def wrong(self, path: Path, problem: str, mend: str = "", value: Any = None) -> None:
        """Note a mistake in the field at this path, showing its value unless that is None."""
        field = shown_path(path) + ("" if value is None else f" = {shown(value)}")
        self.mistakes.append(Mistake(self._file, self.line(path), field, problem, mend))

    def line(self, path: Path) -> int:
        """The line of this field, or of what is around it."""
        return line_of(self._lines, path)

    def known(self, table: Path, found: Iterable[str], known: Mapping[Path, Sequence[str]]) -> None:
        """Note each field of a table that is not among those known there; ``known`` is by table, without numbers."""
        here = tuple(key for key in table if isinstance(key, str))
        for key in (key for key in found if key not in known[here]):
            elsewhere = [other for other, keys in known.items() if key in keys]
            near = difflib.get_close_matches(key, known[here], n=1)
            if elsewhere == [()]:
                mend = TO_THE_TOP
            elif elsewhere:
                mend = f"put it below [{shown_path(elsewhere[0])}]"
            elif near:
                mend = f"did you mean {near[0]}?"
            else:
                mend = f"known here: {', '.join(known[here])}"
            self.wrong((*table, key), "is no field of a season" if not here else f"is no field of {here[0]}", mend)

    def table(self, path: Path, value: Any) -> Mapping[str, Any]:
        """A table; an empty one where the value is none."""
        if isinstance(value, dict):
            return value
        self.wrong(path, "must be a table", f"write [{shown_path(path)}] and its fields below it", value)
        return {}

    def name(self, table: Path, found: Mapping[str, Any], key: str) -> str:
        """The name of a season, bot or version, which must be there."""
        path, value = (*table, key), found.get(key)
        if value is None:
            self.wrong(path, "is missing", f'write {key} = "..."')
        elif not isinstance(value, str):
            self.wrong(path, "must be a text", f"write it in quotes: {key} = {shown(shown(value))}", value)
        elif not is_name(value):
            self.wrong(path, "is no name", f"write {NAME_RULE}", value)
        else:
            return value
        return ""

    def whole(self, found: Mapping[str, Any], key: str, bounds: Bounds, default: int) -> int:
        """A whole number of the top of the file."""
        least, most = bounds
        value = found.get(key, default)
        if type(value) is not int:
            self.wrong((key,), "must be a whole number", f"write {key} = {default}, without quotes or dot", value)
        elif value < least:
            self.wrong((key,), f"must be at least {least}", f"write {key} = {least} or more", value)
        elif value > most:
            self.wrong((key,), f"must be at most {most}", f"write {key} = {most} or less", value)
        else:
            return value
        return default

    def duration(self, table: Path, found: Mapping[str, Any], key: str, bounds: Bounds, default: int) -> int:
        """A length of time, in ms; so are its bounds and the default."""
        if key not in found:
            return default
        least, most = bounds
        path, value = (*table, key), found[key]
        ms = parse_duration(value) if isinstance(value, str) else None
        if ms is None:
            mend = f'write a whole number with its unit (ms, s, m, h), in quotes: {key} = "{format_duration(default)}"'
            self.wrong(path, "is no length of time", mend, value)
        elif ms < least:
            shortest = format_duration(least)
            self.wrong(path, f"must be at least {shortest}", f'write {key} = "{shortest}" or more', value)
        elif ms > most:
            longest = format_duration(most)
            self.wrong(path, f"must be at most {longest}", f'write {key} = "{longest}" or less', value)
        else:
            return ms
        return default
