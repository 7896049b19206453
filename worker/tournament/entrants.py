"""Who is entered in a season."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from worker.tournament.json_fields import only, text

NAME_RULE: Final = "1 to 40 letters, digits, dots, dashes or underscores, the first a letter or a digit"
"""What the name of a bot, a version or a season may be, in words."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


def is_name(name: str) -> bool:
    """Whether this text may name a bot, a version or a season (``NAME_RULE``; ASCII only)."""
    return _NAME.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class Entrant:
    """A version of a bot, entered in a season, and who answers for it."""

    bot: str
    version: str
    owner: str

    def to_json(self) -> dict[str, Any]:
        """The entrant as plain JSON."""
        return {"bot": self.bot, "version": self.version, "owner": self.owner}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "Entrant":
        """The entrant of ``to_json``. Raises BadField on anything else."""
        only(found, ("bot", "version", "owner"))
        return cls(text(found, "bot"), text(found, "version"), text(found, "owner"))
