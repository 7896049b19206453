"""Lengths of time as a season's file writes them: ``"60s"``, ``"100ms"``, ``"5m"``."""

import re
from typing import Final

_UNITS: Final = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}
_DURATION: Final = re.compile(r"([0-9]{1,9})\s?(ms|s|m|h)")


def parse_duration(written: str) -> int | None:
    """Whole milliseconds of a whole number and its unit (ms, s, m, h); None where it is something else."""
    found = _DURATION.fullmatch(written)
    return int(found[1]) * _UNITS[found[2]] if found else None


def format_duration(ms: int) -> str:
    """So many milliseconds as ``parse_duration`` reads them, in hours or minutes from two of them on."""
    for unit, least in (("h", 2), ("m", 2), ("s", 0)):
        count, rest = divmod(ms, _UNITS[unit])
        if rest == 0 and count >= least:
            return f"{count}{unit}"
    return f"{ms}ms"
