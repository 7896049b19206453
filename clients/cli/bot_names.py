"""What BOT means on the command line: the name of a house bot, or ``FILE.py:Class``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clients.bots import HOUSE_BOTS
from clients.cli.failure import BadUsage

if TYPE_CHECKING:
    from carico.bot import Bot

HOUSE_VERSION: Final = "1"
"""The version under which house bots play."""


@dataclass(frozen=True, slots=True)
class Named:
    """A bot that takes part, under a name that no other here has."""

    name: str
    made: "type[Bot]"


def find_bot(text: str) -> "type[Bot]":
    """The class that BOT means. Raises BadUsage with the mend."""
    from importlib import import_module

    from carico.load import LoadError, load, names_a_file

    if text in HOUSE_BOTS:
        module, _, name = HOUSE_BOTS[text].partition(":")
        made: type[Bot] = getattr(import_module(module), name)
        return made
    if not names_a_file(text):
        raise BadUsage(f"{text!r} is no bot: write FILE.py:Class, or the name of a house bot ({', '.join(HOUSE_BOTS)})")
    try:
        return load(text)
    except LoadError as error:
        raise BadUsage(str(error)) from error


def find_bots(texts: Sequence[str]) -> list[Named]:
    """The bots that these mean.

    One from a file is named after its class, in lower case; of two of a name the second becomes NAME-2.
    """
    made = [find_bot(text) for text in texts]
    names = [text if text in HOUSE_BOTS else bot.__name__.lower() for text, bot in zip(texts, made, strict=True)]
    return [Named(name, bot) for name, bot in zip(numbered(names), made, strict=True)]


def numbered(names: Sequence[str]) -> list[str]:
    """The names, each once: what comes again becomes NAME-2, NAME-3 and so on."""
    taken: list[str] = []
    for name in names:
        count, free = 1, name
        while free in taken or (free != name and free in names):
            count += 1
            free = f"{name}-{count}"
        taken.append(free)
    return taken
