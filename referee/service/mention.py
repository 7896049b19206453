"""How a match and a fault are mentioned to those who may not know every card."""

from typing import Any

from carico.rules.actions import Action
from carico.rules.deal import Deal
from carico.rules.outcome import Fault
from referee.match.spec import MatchSpec


def about(spec: MatchSpec, **more: Any) -> dict[str, Any]:
    """The fields of a log line beside its text, with these more.

    They are ``match`` (the handle that bots see), ``order`` (the organiser's id) and ``season``. Workers begin the id
    of an order with their season's id and a slash; an order without one names no season.
    """
    season, slash, _ = spec.id.partition("/")
    return {"match": spec.handle, "order": spec.id, **({"season": season} if slash else {}), **more}


def public_before(deal: Deal, fault: Fault) -> int:
    """How many actions there were before a fault, declines left out: that one is an action tells what a hand held."""
    return sum(action != Action.DECLINE for _, action in deal.actions[: fault.after])
