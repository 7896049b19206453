"""What BOT means on the command line: the name of a house bot, ``FILE.py:Class``, or ``cmd:PROGRAM ARGUMENTS``."""

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from clients.bots import HOUSE_BOTS
from clients.cli.failure import BadUsage
from clients.cli.plain_text import plain

if TYPE_CHECKING:
    from carico.bot import Bot
    from carico.program_bots import ProgramBots

COMMAND: Final = "cmd:"
"""Before a command line: it is a program that speaks JSON lines."""

SCRIPTS: Final = frozenset((".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".lua", ".php", ".jar", ".sh"))
"""Files that an interpreter runs, which name a program better than their interpreter does."""

HOUSE_VERSION: Final = "1"
"""The version under which house bots play."""


@dataclass(frozen=True, slots=True)
class Named:
    """A bot that takes part, under a name that no other here has."""

    name: str
    made: "Callable[[], Bot]"
    program: "ProgramBots | None" = None
    """What plays, where it is a program; to be closed in the end."""


def find_bot(text: str) -> "type[Bot]":
    """The class that BOT means. Raises BadUsage with the mend."""
    from importlib import import_module

    from carico.load import LoadError, load, names_a_file

    if text in HOUSE_BOTS:
        module, _, name = HOUSE_BOTS[text].partition(":")
        made: type[Bot] = getattr(import_module(module), name)
        return made
    if not names_a_file(text):
        raise BadUsage(
            f"{text!r} is no bot: write FILE.py:Class, or the name of a house bot ({', '.join(HOUSE_BOTS)}), "
            f"or {COMMAND}PROGRAM for a program that speaks JSON lines"
        )
    try:
        return load(text)
    except LoadError as error:
        raise BadUsage(str(error)) from error


def find_bots(texts: Sequence[str]) -> list[Named]:
    """The bots that these mean.

    One from a file is named after its class, in lower case, and a program after its file; of two of a name the second
    becomes NAME-2. Programs start when they are first asked.
    """
    found = [command_of(text) or find_bot(text) for text in texts]
    names = [text if text in HOUSE_BOTS else _own_name(bot) for text, bot in zip(texts, found, strict=True)]
    return [_named(name, bot) for name, bot in zip(numbered(names), found, strict=True)]


def command_of(text: str) -> list[str] | None:
    """The program and its arguments, where BOT is one. Raises BadUsage."""
    if not text.startswith(COMMAND):
        return None
    try:
        words = shlex.split(text.removeprefix(COMMAND))
    except ValueError as error:
        raise BadUsage(f"{text}: {error}") from error
    if not words:
        raise BadUsage(f"{text}: write {COMMAND}PROGRAM, or PROGRAM with its arguments after --")
    return words


def program_name(command: Sequence[str]) -> str:
    """What to call a program: the file that it is, or the script that its interpreter runs."""
    script = next((word for word in command[1:] if not word.startswith("-")), "")
    of_script = Path(script).suffix in SCRIPTS and Path(script).is_file()
    return Path(script if of_script else command[0]).stem.lower()


def find_program(command: Sequence[str], name: str) -> "ProgramBots":
    """A program that plays here, one ask at a time. Raises BadUsage where there is no such program."""
    from carico.cannot_play import CannotPlay
    from carico.program_bots import ProgramBots

    try:
        return ProgramBots(
            command, name=name, tell=lambda text: print(f"{name}: {plain(text)}", file=sys.stderr, flush=True)
        )
    except CannotPlay as error:
        raise BadUsage(str(error)) from error


def _own_name(bot: "type[Bot] | list[str]") -> str:
    return program_name(bot) if isinstance(bot, list) else bot.__name__.lower()


def _named(name: str, bot: "type[Bot] | list[str]") -> Named:
    if not isinstance(bot, list):
        return Named(name, bot)
    program = find_program(bot, name)
    return Named(name, program, program)


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
