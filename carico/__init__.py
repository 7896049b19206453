"""Bots for Briscola and its family: ``from carico import Bot, View, Card, play``."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from carico.bot import Bot as Bot
    from carico.rules.actions import Action as Action
    from carico.rules.cards import Card as Card
    from carico.rules.view import View as View
    from carico.runner import play as play

__all__ = ["Action", "Bot", "Card", "View", "play"]

_HOMES = {
    "Action": "carico.rules.actions",
    "Bot": "carico.bot",
    "Card": "carico.rules.cards",
    "View": "carico.rules.view",
    "play": "carico.runner",
}


def __getattr__(name: str) -> object:
    """Names are looked up when they are used, so that ``import carico.rules`` loads no gRPC (PEP 562)."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'carico' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
