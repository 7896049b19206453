"""What a bot did wrong when it was asked, told to its author."""

import traceback
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from carico.rules.actions import describe
from carico.rules.view import View


class BotFailed(Exception):
    """Raised by an ``act`` that speaks for something else, such as a program: its text is all there is to tell."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An ask that was not answered with a legal action. It costs the deal, as an ILLEGAL_ACTION."""

    bot: str
    match: str
    view: View
    text: str
    """One sentence."""
    traceback: str = ""
    """Where ``act`` raised, in the author's own code; empty where it returned."""
    kind: object = None
    """Equal for problems that are the same mistake."""


def illegal(bot: str, match: str, view: View, answer: object) -> Problem:
    """The problem of an answer that is not legal."""
    could = ", ".join(map(str, view.legal))
    if isinstance(answer, int):
        play = "play " if view.phase == "play" else ""
        text = f"act answered {describe(answer, view.game.auction)}, but it may only {play}{could}"
    else:
        text = f"act returned {answer!r}: return one of view.legal, such as view.legal[0]"
    return Problem(bot, match, view, text, kind=type(answer))


def raised(bot: str, match: str, view: View, error: Exception | SystemExit) -> Problem:
    """The problem of an exception in ``act``."""
    if isinstance(error, BotFailed):
        return failed(bot, match, view, str(error))
    frames = _authors(error.__traceback__)
    shown = "".join(traceback.format_exception(type(error), error, frames))
    text = f"act raised {type(error).__name__}: {error}"
    return Problem(bot, match, view, text, shown, kind=(type(error), _place(frames)))


def failed(bot: str, match: str, view: View, text: str) -> Problem:
    """The problem that a sentence tells; sentences that begin alike tell the same mistake."""
    return Problem(bot, match, view, text, kind=tuple(text.split()[:3]))


def is_legal(view: View, answer: Any) -> bool:
    """Whether an answer is an action that the view allows."""
    return isinstance(answer, int) and answer in view.legal


def _authors(frames: TracebackType | None) -> TracebackType | None:
    """The frames without those of the library, which called ``act``."""
    while frames is not None and frames.tb_frame.f_globals.get("__name__", "").startswith("carico."):
        frames = frames.tb_next
    return frames


def _place(frames: TracebackType | None) -> object:
    """The line of code where an exception came up."""
    while frames is not None and frames.tb_next is not None:
        frames = frames.tb_next
    return (frames.tb_frame.f_code, frames.tb_lineno) if frames else None
