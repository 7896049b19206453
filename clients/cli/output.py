"""The folder of ``--out``: records.jsonl, voids.jsonl and standings.json, each whole or not there."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from clients.cli.files import check_writable, make_folder, write_whole


class Output:
    """A folder for an export. It is made at once, so that a mistake shows before anything is played."""

    def __init__(self, folder: Path) -> None:
        """Raises BadUsage or Failure where the folder can't be made or written to."""
        make_folder(folder)
        check_writable(folder)
        self.folder = folder

    @property
    def records(self) -> Path:
        """Where the records are."""
        return self.folder / "records.jsonl"

    def write_records(self, lines: Iterable[str]) -> None:
        """Writes the records of all deals that count, in the order of the format."""
        write_whole(self.records, lines)

    def write_voids(self, lines: Iterable[str]) -> None:
        """Writes what does not count; without any there is no such file."""
        file = self.folder / "voids.jsonl"
        found = list(lines)
        if found:
            write_whole(file, found)
        else:
            file.unlink(missing_ok=True)

    def write_standings(self, standings: Mapping[str, Any]) -> None:
        """Writes the table."""
        write_whole(self.folder / "standings.json", [json.dumps(standings, ensure_ascii=False, indent=2)])
