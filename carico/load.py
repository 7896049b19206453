"""Bots from files: ``FILE.py:Class``, and the fingerprint of their source."""

import hashlib
import importlib.util
import inspect
import sys
import traceback
from pathlib import Path
from types import ModuleType

from carico.bot import Bot


class LoadError(ValueError):
    """A bot that can't be loaded; its text says where and names the mend."""


def names_a_file(text: str) -> bool:
    """Whether a text is meant as ``FILE.py:Class`` rather than as a name."""
    return ".py" in text or "/" in text or ":" in text


def load(text: str) -> type[Bot]:
    """The class that ``FILE.py:Class`` names. The file is run as Python runs it: its own directory comes first.

    Raises LoadError; what the file itself raises is told with its line.
    """
    file, colon, name = text.rpartition(":")
    if not colon:
        file, name = text, ""
    path = Path(file).resolve()
    if not path.is_file():
        raise LoadError(f"{file}: there is no such file; write a bot as FILE.py:Class")
    if path.suffix != ".py":
        raise LoadError(f"{file}: this is no Python file; write a bot as FILE.py:Class")
    module = _run(path, file)
    found = [key for key, value in vars(module).items() if _is_bot(value) and value.__module__ == module.__name__]
    if not name:
        raise LoadError(f"{file}: which class? Write {file}:{found[0] if found else 'Class'}{_list(found)}")
    made = getattr(module, name, None)
    if made is None:
        raise LoadError(f"{file} has no class {name}{_list(found)}")
    if not isinstance(made, type) or not issubclass(made, Bot):
        raise LoadError(f"{file}: {name} is not a Bot: write class {name}(Bot), with Bot from carico{_list(found)}")
    return checked(made)


def checked(made: type[Bot]) -> type[Bot]:
    """The class itself, if a runner can use it: it has an ``act`` and takes no arguments. Raises LoadError."""
    if made.act is Bot.act:
        raise LoadError(f"{made.__name__} has no act: write def act(self, view)")
    try:
        made()
    except TypeError as error:
        raise LoadError(f"{made.__name__} can't be made without arguments: {error}") from error
    except Exception as error:
        raise LoadError(f"{made.__name__} can't be made: {type(error).__name__}: {error}") from error
    return made


def fingerprint(made: type[Bot]) -> str:
    """SHA-256, in hex, of the file that a bot's class stands in; empty where it stands in none."""
    try:
        file = inspect.getsourcefile(made)
    except TypeError:
        file = None
    return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file and Path(file).is_file() else ""


def _run(path: Path, shown: str) -> ModuleType:
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise LoadError(_told(error, path, shown)) from error
    return module


def _told(error: Exception, path: Path, shown: str) -> str:
    """What went wrong in the file, with the line of it where that is known."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"{shown}, line {error.lineno}: {error.msg}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    where = f"{shown}, line {lines[-1]}" if lines else shown
    if isinstance(error, ImportError):
        return f"{where}: {error}"
    return f"{where}: {type(error).__name__}: {error}"


def _is_bot(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Bot) and value is not Bot


def _list(found: list[str]) -> str:
    return f"; its bots are {', '.join(found)}" if found else "; it holds no bot: write class MyBot(Bot)"
