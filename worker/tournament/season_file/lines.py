"""On which line of a TOML document each key stands: what tomllib does not tell.

Keys, tables, arrays of tables, dotted and quoted keys, inline tables and arrays are followed; strings and comments of
every kind are stepped over, so that what looks like a key inside one is not taken for one.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Final

Path = tuple[str | int, ...]
"""Where a value is: keys, and for elements of arrays their number from 0."""

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE: Final = re.compile(r"[ \t]*")
_KEY: Final = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_STRING: Final = re.compile(
    r'''"""(?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*"{3,5}|"(?:[^"\\\n]|\\.)*"'''
    r"""|'''(?:[^']|'{1,2}(?!'))*'{3,5}|'[^'\n]*'"""
)
_BARE: Final = re.compile(r"[^,\]}#\n]+")


def key_lines(document: str) -> dict[Path, int]:
    """The line, from 1, of every key, table header and array element, by its path.

    A table that dotted keys or headers only imply has the line of the first of them. For documents that tomllib takes.
    """
    scanner = _Scanner(document)
    scanner.document()
    return scanner.lines


def line_of(lines: Mapping[Path, int], path: Path) -> int:
    """The line of this path, or of the nearest thing around it that has one; 1 where nothing has."""
    around = (path[:i] for i in range(len(path), 0, -1))
    return next((lines[part] for part in around if part in lines), 1)


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {}
        self._tables: dict[Path, int] = {}
        """Arrays of tables, with how many tables each has so far."""
        self._line, self._counted_to = 1, 0

    def document(self) -> None:
        table: Path = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self._follows("["):
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)

    def _header(self) -> Path:
        of_array = self._follows("[[")
        self.at += 2 if of_array else 1
        line = self._line_here()
        path: Path = ()
        keys = self._dotted()
        for i, key in enumerate(keys):
            path = (*path, key)
            self.lines.setdefault(path, line)
            if of_array and i == len(keys) - 1:
                self._tables[path] = self._tables.get(path, 0) + 1
            if path in self._tables:
                path = (*path, self._tables[path] - 1)
                self.lines.setdefault(path, line)
        if not of_array:
            self.lines[path] = line
        self.at += 2 if of_array else 1
        return path

    def _pair(self, table: Path) -> None:
        line = self._line_here()
        path = table
        for key in self._dotted():
            path = (*path, key)
            self.lines.setdefault(path, line)
        self.at += 1
        self._skip(_SPACE)
        self._value(path)

    def _dotted(self) -> list[str]:
        """One key or several with dots between them, and what space is around them."""
        keys: list[str] = []
        while not keys or self._follows("."):
            self.at += bool(keys)
            self._skip(_SPACE)
            key = self._skip(_KEY)
            keys.append(tomllib.loads(f"key = {key}")["key"] if key[0] in "\"'" else key)
            self._skip(_SPACE)
        return keys

    def _value(self, path: Path) -> None:
        if self._follows("["):
            self._elements(path)
        elif self._follows("{"):
            self._members(path)
        elif self._follows('"') or self._follows("'"):
            self._skip(_STRING)
        else:
            self._skip(_BARE)

    def _elements(self, path: Path) -> None:
        for number in self._items("]"):
            self.lines[(*path, number)] = self._line_here()
            self._value((*path, number))

    def _members(self, path: Path) -> None:
        for _ in self._items("}"):
            self._pair(path)

    def _items(self, end: str) -> Iterator[int]:
        """The number of each item of an array or inline table while the scanner stands on it, up to the bracket."""
        self.at += 1
        self._skip(_BLANK)
        number = 0
        while not self._follows(end):
            yield number
            number += 1
            self._skip(_BLANK)
            self.at += self._follows(",")
            self._skip(_BLANK)
        self.at += 1

    def _follows(self, text: str) -> bool:
        return self.text.startswith(text, self.at)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise ValueError(f"no TOML at line {self._line_here()}")
        self.at = found.end()
        return found[0]

    def _line_here(self) -> int:
        self._line += self.text.count("\n", self._counted_to, self.at)
        self._counted_to = self.at
        return self._line
